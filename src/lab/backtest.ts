// A backtest: real nights of a hill, checked against its log, in which a strategy plays for one account and all others
// do what they did.
import fs from 'node:fs';
import path from 'node:path';
import { type Progress, progressOn } from '../backup/progress.ts';
import type { Logger } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { verifyHill } from '../verify/index.ts';
import { publishedNights } from '../verify/nights.ts';
import { beginArchive, endArchive, openArchive, savedTo } from '../verify/node/archive.ts';
import { readKnownLogs, writeKnownLogs } from '../verify/node/known-logs.ts';
import { inPostgres } from '../verify/node/release.ts';
import { askAt, Missing, type Served } from '../verify/reading.ts';
import { receiptsIn } from '../verify/receipts.ts';
import type { Asked, Backtest } from './options.ts';
import { type Earned, type RealNight, Replay, type Seat } from './replay.ts';
import { findPlayer, loadStrategy, type Ready } from './strategies.ts';
import { asSuperuser, bare, openLaboratory } from './template.ts';

/** What one way to play came to, night by night. */
export interface Tried {
  readonly name: string;
  readonly nights: readonly Earned[];
  readonly points: number;
  readonly cents: number;
}

export interface Tested {
  readonly hill: string;
  readonly first: number;
  readonly last: number;
  readonly mine: Tried;
  /** What the account came to in truth; null for a newcomer. */
  readonly real: Tried | null;
  /** The same move on the same place every night, the most points first. */
  readonly fixed: readonly Tried[];
  /** How many nights were played again as they were, and came to the same to the point and the cent. */
  readonly controlled: number;
}

/** A hill's nights by its address, or by the folder of an archive: all of them are checked first. */
async function readNights(given: string, out: string, log: Logger, progress: Progress): Promise<RealNight[]> {
  const folder = /^https?:/.test(given) ? path.join(out, 'archive') : given;
  const url = /^https?:/.test(given) ? new URL(given).origin : openArchive(folder).url;
  if (/^https?:/.test(given)) beginArchive(folder, url);
  const hill = /^https?:/.test(given) ? savedTo(folder, url, askAt(url)) : openArchive(folder).hill;
  const file = path.join(out, `${new URL(url).host.replace(':', '-')}.seen.json`);
  const seen = readKnownLogs(file);
  const wrong: string[] = [];
  await verifyHill({
    ...{ hill, days: [], held: receiptsIn([]), seen },
    ...inPostgres(log),
    say: (holds, sentence) => void (holds || wrong.push(sentence)),
    note: () => {},
    progress: (doing, done, all) => progress.show(`${doing}${all > 0 ? `, ${done} of ${all}` : ''} …`),
  });
  if (wrong.length > 0)
    throw new StartError(
      `The nights of ${url} do not hold, so nothing is tested on them: ${wrong[0]} See npm run verify.`,
    );
  const nights = await nightsOf(hill).catch((error: Error) => {
    if (!(error instanceof Missing)) throw error;
    throw new StartError(
      `${error.message} A backtest needs each night whole: save it again, npm run verify -- ${url} --save <a new folder>`,
    );
  });
  if (/^https?:/.test(given)) endArchive(folder, url, 'all');
  writeKnownLogs(file, seen);
  return nights;
}

export async function nightsOf(hill: Served): Promise<RealNight[]> {
  const nights: Omit<RealNight, 'midnight'>[] = [];
  for (const { day } of await publishedNights(hill)) {
    const announcements: RealNight['announcements'][number][] = [];
    for await (const line of hill.lines(`/api/day/${day}/announcements.ndjson`)) announcements.push(JSON.parse(line));
    nights.push({ day, file: await hill.json(`/api/day/${day}/night.json`), announcements });
  }
  const known = nights.find(({ file }) => file.moves.length > 0);
  if (!known) throw new StartError('Nobody has moved on that hill.');
  const midnight = Date.parse(`${known.file.moves[0]?.at.slice(0, 10)}T00:00:00Z`) - known.day * 86_400_000;
  return nights.map((night) => ({ ...night, midnight: midnight + night.day * 86_400_000 }));
}

export async function backtest(asked: Asked, given: Backtest, log: Logger): Promise<Tested> {
  const out = path.resolve(asked.out);
  fs.mkdirSync(out, { recursive: true });
  if (given.strategy === null) throw new StartError('--as says which strategy plays: --as ./mine.ts.');
  const strategy = await loadStrategy(findPlayer(given.strategy), asked.patience);
  const progress = progressOn();
  try {
    const nights = await readNights(given.hill, out, log, progress);
    return { hill: given.hill, ...(await testOn(nights, strategy, asked, given, progress)) };
  } finally {
    progress.clear();
    await strategy.end?.();
  }
}

/** On nights that are known to be real. */
export async function testOn(
  nights: readonly RealNight[],
  strategy: Ready,
  asked: Pick<Asked, 'dailyCapCents' | 'maxStakeCents'>,
  { first, last: wanted, account }: Pick<Backtest, 'first' | 'last' | 'account'>,
  progress: Pick<Progress, 'show'>,
): Promise<Omit<Tested, 'hill'>> {
  const last = Math.min(wanted ?? Number.POSITIVE_INFINITY, nights.at(-1)?.day ?? 0);
  const tested = nights.filter(({ day }) => day >= first && day <= last);
  if (tested.length === 0) throw new StartError(`There is no night from ${first} to ${last}.`);
  const seat = seatOf(nights, tested[0] as RealNight, asked, account);
  const laboratory = await openLaboratory();
  try {
    return await asSuperuser(laboratory, bare, async (db) => {
      const replay = await Replay.begin(db);
      for (const night of nights.filter(({ day }) => day < first)) await same(replay, night);
      const real: Earned[] = [];
      await replay.trying(async () => {
        for (const night of tested) {
          progress.show(`Control: night ${night.day} as it was …`);
          await same(replay, night);
          real.push(await replay.earned(night.day, seat.account));
        }
      });
      const tryOut = (way: Ready): Promise<Tried> =>
        replay.trying(async () => {
          const earned: Earned[] = [];
          for (const night of tested) {
            progress.show(`${way.name}: night ${night.day} …`);
            earned.push(await replay.play(night, way, seat));
          }
          return triedAs(way.name, earned);
        });
      const mine = await tryOut(strategy);
      const fixed: Tried[] = [];
      for (const way of fixedWays(strategy.hours[0] as number, tested)) fixed.push(await tryOut(way));
      return {
        ...{ first: tested[0]?.day as number, last, mine, controlled: tested.length },
        real: account === null ? null : triedAs('as it was', real),
        fixed: fixed.sort((a, b) => b.points - a.points),
      };
    });
  } finally {
    await laboratory.stop();
  }
}

async function same(replay: Replay, night: RealNight): Promise<void> {
  const [difference] = await replay.follow(night);
  if (difference !== undefined)
    throw new Error(`the control fails: night ${night.day}, played again as it was, has another ${difference}`);
}

function seatOf(
  nights: readonly RealNight[],
  { midnight }: RealNight,
  { dailyCapCents, maxStakeCents }: Pick<Asked, 'dailyCapCents' | 'maxStakeCents'>,
  account: string | null,
): Seat {
  const mandate = { dailyCapCents, maxStakeCents };
  if (account === null)
    return { account: '00000000-0000-4000-8000-000000000000', since: new Date(midnight).toISOString(), ...mandate };
  const known = nights.flatMap(({ file }) => file.accounts).find((one) => one.account === account);
  if (!known) throw new StartError(`The account ${account} never moved on that hill: --account takes its id.`);
  return { account, since: known.since, ...mandate };
}

const triedAs = (name: string, nights: readonly Earned[]): Tried => ({
  name,
  nights,
  points: Math.round(10 * nights.reduce((sum, { points }) => sum + points, 0)) / 10,
  cents: nights.reduce((sum, { cents }) => sum + cents, 0),
});

/** PEACE, and WAR, on each place every night, at the hour of the strategy. */
function fixedWays(hour: number, nights: readonly RealNight[]): Ready[] {
  const slots = [...new Set(nights.flatMap(({ file }) => file.open_slots))].sort((a, b) => a - b);
  const way = (name: string, decide: Strategy['decide']): Ready => ({
    ...{ name, title: name, way: name, hours: [hour], advised: false, decide },
  });
  return slots.flatMap((slot) => [
    way(`PEACE on ${slot}`, () => ({ moves: [{ slot, move: 'PEACE' }] })),
    way(`WAR on ${slot}`, ({ war_minimum_cents: stake_cents }) => ({ moves: [{ slot, move: 'WAR', stake_cents }] })),
  ]);
}
