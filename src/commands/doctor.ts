// npm run doctor: what is wrong with a hill and its surroundings, and what to type. It writes nothing to the database
// and shows no secret. Exit status: 0 healthy, 1 something is wrong, 2 it could not look. docs/operations.md (Health).
import { parseArgs } from 'node:util';
import { demoDir } from '../demo/fresh-database.ts';
import { examine, type Sight, withSight } from '../doctor/index.ts';
import { inJson, onScreen, statusOf } from '../doctor/report.ts';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

const usage =
  'npm run doctor takes --json, and --ask 127.0.0.1:9465 for each further METRICS_PORT at which a process shows its health.';

export async function run(config: Config, args: string[]): Promise<number> {
  const { json, asked } = parse(args);
  return withSight(config, { demo: demoDir(config), asked }, async (sight) => {
    const found = await examine(sight);
    const about = { setting: sight.setting, address: sight.config.baseUrl, at: new Date().toISOString() };
    console.log(json ? inJson(found, about) : onScreen(found, titleOf(sight), process.stdout.isTTY === true));
    return statusOf(found);
  });
}

const titleOf = ({ setting, embedded, config }: Sight): string =>
  `The hill at ${config.baseUrl}, ${setting === 'demo' ? 'a demonstration' : `in ${setting}`}, ${embedded ? 'on the embedded PostgreSQL' : 'on a PostgreSQL of its own'}`;

function parse(args: string[]): { json: boolean; asked: string[] } {
  try {
    const { values } = parseArgs({
      args,
      options: { json: { type: 'boolean' }, ask: { type: 'string', multiple: true } },
    });
    const asked = values.ask ?? [];
    if (!asked.every((address) => /^[\w.[\]:-]+:\d{1,5}$/.test(address))) throw new Error();
    return { json: values.json ?? false, asked };
  } catch {
    throw new StartError(usage);
  }
}
