// An engine that does not end, at load or in a night, is ended: whoever wrote it may be who is doubted. Rules 20.14.
import { expect, test } from 'vitest';
import { EngineEnded } from '../../src/verify/engine.ts';
import { withEngineOf } from '../../src/verify/node/cluster.ts';
import { aLog } from '../support/hill/worker.ts';
import { sourcesWith } from '../support/log/sources.ts';

/** What cancels a statement it catches, and goes on. */
const endless = `loop
  begin perform pg_sleep(60); exception when query_canceled then null; end;
end loop;`;

test('at load', async () => {
  const source = sourcesWith('sql/rules/constants.sql', `\ndo $$ begin ${endless} end $$;\n`);
  const limits = { load: 15_000, night: 1_000 };
  await expect(withEngineOf(source, aLog().log, async () => 'loaded', limits)).rejects.toThrow(
    'It was not loaded within 15 seconds, and was ended.',
  );
});

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
});
