// A season from a seed, and every answer of every door: the same as was recorded. What changes on purpose is recorded
// anew (-u) and read as a difference.
// HILL_TEST_SEASON_TO=folder writes the answers there instead, of HILL_TEST_SEASON_DAYS=40 and HILL_SEED=7, to compare
// two versions of Hill with diff -r.
import { expect, test } from 'vitest';
import { useDbaLogins } from '../sql/replay/logins.ts';
import { useConsole } from '../support/doors/console.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { useHill } from '../support/hill/index.ts';
import { usePayments } from '../support/hill/payments.ts';
import { randomFrom } from '../support/random.ts';
import { until } from '../support/until.ts';
import * as read from './readers.ts';
import { makeRecorder } from './recorder.ts';
import { begin, playDay, type Season, sealedCount } from './season.ts';

const folder = process.env.HILL_TEST_SEASON_TO;
const days = folder ? Number(process.env.HILL_TEST_SEASON_DAYS ?? 40) : 5;

const hill = useHill();
const mcp = useMcp(hill, 'one host', { HILL_LIMIT_READS: '1000000/60', HILL_LIMIT_CALLS: '1000000/60' });
const staff = useConsole(hill, () => mcp.baseUrl);
const dba = useDbaLogins(hill);
const payments = usePayments(hill);

test('every door answers as it did', async () => {
  const recorder = makeRecorder();
  recorder.name(mcp.baseUrl, 'https://hill.example');
  recorder.name(staff.url, 'https://console.example');
  const seed = folder ? Number(process.env.HILL_SEED ?? 1) : 1;
  const season: Season = { hill, mcp, payments, recorder, random: randomFrom(seed), cast: [], tokens: new Map() };

  await begin(season);
  await read.readRecords(season, 1); // before any night
  for (let day = 1; day <= days; day++) {
    await playDay(season, day);
    await sealedCount(hill);
    const last = day === days;
    if (last || day % 10 === 2) await read.readTools(season, day);
    await hill.clock.ringBell();
    await until('readers see the night', async () => (await fetch(`${mcp.baseUrl}/api/day/${day}`)).ok);
    await read.readPsql(season, dba.dba, day);
    if (last || day % 10 === 7) {
      await read.readRecords(season, day);
      await read.readPages(season, day);
    }
  }
  await hill.clock.at('11:00');
  await read.readTools(season, days + 1);
  await read.readHelp(season);
  if (folder) await read.readDocuments(season);
  await read.readHumans(season);
  await read.readConsole(season, staff, days + 1);
  await read.checkPsql(season, dba.owner);

  if (folder) return recorder.write(folder);
  for (const [family, text] of recorder.files())
    await expect(text).toMatchFileSnapshot(`../snapshots/season/${family}.txt`);
});
