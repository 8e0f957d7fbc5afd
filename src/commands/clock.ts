// npm run clock: moves a simulated clock, rings the bells that become due, and returns when their nights are published.
import type pg from 'pg';
import { Refusal } from '../db/errors.ts';
import { checkLogin, makeLogins } from '../db/logins.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { checkSettings, checkSettingsAsOwner, openHill } from '../db/open-hill.ts';
import { withOwnerDatabase } from '../db/owner-database.ts';
import { makePool } from '../db/pool.ts';
import { dollars } from '../html/words.ts';
import type { Config } from '../process/config.ts';
import { type Logger, makeLog } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import { aWatch } from '../watch/index.ts';
import { advance } from '../worker/advance.ts';
import { type Clock, type PublishedNight, readClock, setClock } from '../worker/calls.ts';
import { NotSealed, signerOf } from '../worker/closing.ts';
import { alarmText, isUnbalanced, withoutValues } from '../worker/failure.ts';
import { sharedByLog } from '../worker/publish.ts';

type Order = { readonly to: (clock: Clock) => number } | { readonly rate: number } | 'now';

export async function run(config: Config, args: string[]): Promise<number> {
  const order = parseOrder(args);
  if (config.clock !== 'simulated')
    throw new StartError(
      'Only a simulated clock can be moved: start Hill with HILL_CLOCK=simulated on a new database, and set it for this command as well.',
    );
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const clock = await withWorkerPool(config, async (pool, log) => {
    if (order === 'now') return readClock(pool);
    if ('to' in order)
      return advance(
        pool,
        signerOf(config, pool, log, sharedByLog(aWatch().metrics, log)),
        order.to,
        (night) => console.log(nightLine(night)),
        stopping.signal,
      );
    await setClock(pool, null, order.rate);
    return readClock(pool);
  });
  console.log(clockLine(clock));
  if (stopping.signal.aborted) console.error('Stopped before the end.');
  return stopping.signal.aborted ? 1 : 0;
}

const usage =
  'Say what to do: npm run clock -- advance 1d (or 2h, 30m, 90s), -- to-bell, -- now, or -- rate 1440 (simulated seconds per second).';
const maxDays = 3_660;
const maxRate = 86_400;

function parseOrder([what, value, ...more]: string[]): Order {
  if (more.length > 0) throw new StartError(usage);
  if (what === 'now' && value === undefined) return 'now';
  if (what === 'to-bell' && value === undefined) return { to: ({ next_bell_at }) => Date.parse(next_bell_at) };
  if (what === 'advance' && value !== undefined) {
    const ms = milliseconds(value);
    return { to: ({ now }) => Date.parse(now) + ms };
  }
  if (what === 'rate' && value !== undefined) {
    if (!/^\d+(\.\d+)?$/.test(value) || Number(value) > maxRate)
      throw new StartError(`rate takes a number from 0 (the clock stands still) to ${maxRate} (a day per second).`);
    return { rate: Number(value) };
  }
  throw new StartError(usage);
}

function milliseconds(text: string): number {
  const parts = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text)?.slice(1) ?? [];
  const [d = 0, h = 0, m = 0, s = 0] = parts.map((part) => Number(part ?? 0));
  const ms = (((d * 24 + h) * 60 + m) * 60 + s) * 1000;
  if (ms === 0 || ms > maxDays * 86_400_000)
    throw new StartError(`advance takes a time such as 1d, 2h, 30m, 90s or 1d12h, at most ${maxDays} days.`);
  return ms;
}

/** With the worker's login of the settings; without one, updates the database as a start does, and makes that login. */
async function withWorkerPool<T>(config: Config, use: (pool: pg.Pool, log: Logger) => Promise<T>): Promise<T> {
  const log = makeLog({ logLevel: 'error', logFormat: config.logFormat });
  const onUrl = async (url: string) => {
    const pool = makePool({ url, name: 'hill clock', log, max: 2, statementTimeoutMs: 0 });
    try {
      return await use(pool, log);
    } catch (error) {
      throw explained(error);
    } finally {
      await pool.end();
    }
  };
  const given = config.loginUrls.worker;
  if (given) {
    await checkLogin(given, 'worker');
    await checkSettings(given, 'worker', config);
    return onUrl(given);
  }
  return withOwnerDatabase(config, async (ownerUrl) => {
    await checkSettingsAsOwner(ownerUrl, config);
    await prepareDatabase(ownerUrl);
    await openHill(ownerUrl, config);
    const { worker } = await makeLogins(ownerUrl, config.loginUrls, ['worker']);
    return onUrl(worker);
  });
}

function explained(error: unknown): Error {
  if (isUnbalanced(error)) return new StartError(`The bell failed: ${alarmText(error)}`, { cause: error });
  if (error instanceof NotSealed) return new StartError(error.message, { cause: error });
  return error instanceof Refusal
    ? new StartError(`${error.message} ${error.hint}`, { cause: error })
    : withoutValues(error);
}

const outcomes = ['VACANT', 'PEACE', 'WAR', 'BURN'] as const;

function nightLine(night: PublishedNight): string {
  const places = outcomes
    .filter((outcome) => night.outcomes[outcome])
    .map((outcome) => `${night.outcomes[outcome]} ${outcome}`);
  return `night ${night.day}: ${night.moves} moves by ${night.accounts} accounts; ${places.join(', ')}; ${dollars(night.burned_cents)} burned`;
}

const toSecond = (instant: string) => `${instant.slice(0, 19)}Z`;

const clockLine = ({ now, day, rate, next_bell_at }: Clock): string =>
  `It is ${toSecond(now)}, day ${day}; the next bell is at ${toSecond(next_bell_at)}; ${rate === 0 ? 'the clock stands still' : `${rate} simulated seconds pass per second`}.`;
