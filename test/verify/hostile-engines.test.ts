// An engine that does not end, at load or in a night, is ended: whoever wrote it may be who is doubted. Rules 20.14.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { engineSource } from '../../src/db/engine-source.ts';
import { checkout } from '../../src/process/config.ts';
import { EngineEnded } from '../../src/verify/engine.ts';
import { withEngineOf } from '../../src/verify/node/cluster.ts';
import { aLog } from '../support/hill/worker.ts';

/** What cancels a statement it catches, and goes on. */
const endless = `loop
  begin perform pg_sleep(60); exception when query_canceled then null; end;
end loop;`;

/** The hill's own, with SQL behind a file of it. */
function sourcesWith(file: string, sql: string): Buffer {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-hostile-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const part of ['sql', 'migrations'])
    fs.cpSync(path.join(checkout, part), path.join(folder, part), { recursive: true });
  fs.appendFileSync(path.join(folder, file), sql);
  return engineSource({ sql: path.join(folder, 'sql'), migrations: path.join(folder, 'migrations') });
}

test('at load', async () => {
  const source = sourcesWith('sql/rules/constants.sql', `\ndo $$ begin ${endless} end $$;\n`);
  const limits = { load: 15_000, night: 1_000 };
  await expect(withEngineOf(source, aLog().log, async () => 'loaded', limits)).rejects.toThrow(
    'It was not loaded within 15 seconds, and was ended.',
  );
}, 180_000);

test('in a night, and it is asked no more', async () => {
  const hostile = `\ncreate or replace function engine.never() returns void language plpgsql as $$
    begin ${endless} end $$;\n`;
  const source = sourcesWith('sql/rules/constants.sql', hostile);
  const said: unknown[] = [];
  await withEngineOf(
    source,
    aLog().log,
    async ({ query }) => {
      for (let night = 0; night < 2; night++)
        await query('select engine.never()').catch((error: Error) => said.push(error));
    },
    { load: 150_000, night: 2_000 },
  );
  expect(said).toEqual([expect.any(EngineEnded), expect.any(EngineEnded)]);
  expect(String(said[0])).toContain('It did not come to an end within 2 seconds, and was ended.');
}, 180_000);
