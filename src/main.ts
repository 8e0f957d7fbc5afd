// Finds the command and runs it. A start that fails says why in one line and exits with 1.
import { type Config, parseConfig } from './process/config.ts';
import { messageOf, StartError } from './process/start-error.ts';

export type Command = (config: Config, args: string[]) => Promise<number>;

const commands = [
  'start',
  'web',
  'worker',
  'console',
  'migrate',
  'backup',
  'restore',
  'export',
  'psql',
  'resolve',
  'clock',
  'demo',
  'verify',
  'check-page',
  'witness',
  'doctor',
  'keys',
  'lab',
];

/** An option without a command is for npm start. */
async function main(...given: string[]): Promise<number> {
  const [name = 'start', ...args] = given[0]?.startsWith('--') ? ['start', ...given] : given;
  if (!commands.includes(name))
    throw new StartError(`There is no command "${name}". The commands are: ${commands.join(', ')}.`);
  const config = parseConfig(process.env, undefined, name);
  const { run } = (await import(`./commands/${name}.ts`)) as { run: Command };
  return run(config, args);
}

try {
  process.exit(await main(...process.argv.slice(2)));
} catch (error) {
  const expected = error instanceof StartError;
  console.error(expected ? error.message : `Hill stopped because of an unexpected error: ${messageOf(error)}`);
  // A stack helps only whoever looks for a bug in Hill.
  if (!expected && /^(debug|trace)$/.test(process.env.LOG_LEVEL ?? '')) console.error(error);
  // Its 1 says that something is wrong with a hill that was looked at.
  process.exit(process.argv[2] === 'doctor' ? 2 : 1);
}
