// A backtest against a hill, as the command does it: read, checked against the log, and told.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run as verify } from '../../src/commands/verify.ts';
import { backtest } from '../../src/lab/backtest.ts';
import { parseLab } from '../../src/lab/options.ts';
import { tell, write } from '../../src/lab/tell-backtest.ts';
import { parseConfig } from '../../src/process/config.ts';
import { makeLog } from '../../src/process/log.ts';
import { archiveNight } from '../../src/worker/archives.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { useHill } from '../support/hill/index.ts';
import { aSealedSeason } from '../support/log/a-sealed-season.ts';

const hill = useHill();
const web = useWebDoor(hill, undefined, { HILL_LIMIT_READS: '1000000/60' });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-lab-test-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const config = parseConfig({ LOG_LEVEL: 'error' });
const log = makeLog(config);

test('a strategy is tested on what a hill serves, and on what was saved of it; forged nights it refuses', async () => {
  await aSealedSeason(hill);
  await hill.clock.ringBell(); // of this night the log has nothing yet
  while (await archiveNight(hill.as('worker')));
  const against = async (which: string, strategy = 'strategies/dove.ts') => {
    const file = path.join(import.meta.dirname, strategy);
    const asked = parseLab(['--against', which, '--as', file, '--days', '2..4', '--out', folder]);
    if (!asked?.backtest) throw new Error('no backtest was asked for');
    return backtest(asked, asked.backtest, log);
  };
  const tested = await against(web.baseUrl);
  // On night 2 place 1 is full, and the queue seats it on place 4, which burned. Then it shares place 1, and then it
  // has it alone.
  expect(tested.mine.nights).toEqual([
    { day: 2, points: 7, cents: 300 },
    { day: 3, points: 5, cents: 300 },
    { day: 4, points: 10, cents: 300 },
  ]);
  expect(tell(tested)).toContain('3 nights played again as they were came to the same');
  await write(folder, tested);
  expect(fs.readFileSync(path.join(folder, 'report.html'), 'utf8')).toContain('What held fixed hides');

  const archive = path.join(folder, 'saved');
  await verify(config, [web.baseUrl, '--save', archive, '--seen', path.join(folder, 'seen.json')]);
  expect((await against(archive, 'programs/dove.py')).mine).toEqual({ ...tested.mine, name: 'dove.py' });
  const file = fs
    .readdirSync(archive, { recursive: true, encoding: 'utf8' })
    .find((name) => /2\/night\.json/.test(name));
  const night = path.join(archive, file as string);
  fs.writeFileSync(night, fs.readFileSync(night, 'utf8').replace('PEACE', 'WAR'));
  await expect(against(archive)).rejects.toThrow('do not hold');
});
