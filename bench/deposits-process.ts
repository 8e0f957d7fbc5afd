// A process with a web process's way into the database, and callers of it that wait for nothing but their answers:
// deposits by population-1, population-2, … of bench/population.sql. What is asked of it arrives as messages from
// bench/play.ts.
import { budget } from '../src/db/budget.ts';
import { call } from '../src/db/call.ts';
import { deposits } from '../src/db/deposits.ts';
import { makePool } from '../src/db/pool.ts';
import { parseConfig } from '../src/process/config.ts';
import { makeLog } from '../src/process/log.ts';

export interface Asked {
  /** Through the lanes, or each call as a statement of its own. */
  readonly how: 'lanes' | 'single';
  readonly callers: number;
  /** With 0, a hundred deposits of each caller. */
  readonly seconds: number;
  /** Time before that, in which connections are made and plans too. */
  readonly warmUp: number;
  /** The first account is the one after so many. */
  readonly base: number;
  readonly accounts: number;
}

export interface Told {
  readonly perSecond: number;
  readonly p99: number;
  /** How many deposits were made, warm-up included. */
  readonly made: number;
}

const [url = '', lanes] = process.argv.slice(2);
const config = parseConfig({ HILL_CLOCK: 'simulated', HILL_DEPOSIT_LANES: lanes });
const log = makeLog({ logLevel: 'error', logFormat: 'json' });
const pool = makePool({
  url,
  name: 'bench deposits',
  log,
  max: budget(null, ['web']).web.calls,
  statementTimeoutMs: 2_000,
});
const together = deposits(pool, config.depositLanes);

process.on('message', async ({ how, callers, seconds, warmUp, base, accounts }: Asked) => {
  let made = 0;
  const deposit = () => {
    const i = base + made++;
    const n = 1 + ((i * 7919) % accounts);
    const move = { slot: 1 + (i % 10), move: 'PEACE' };
    return how === 'lanes'
      ? together(`01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`, `population-${n}`, move)
      : call(pool, 'api_agent.play', { token: `population-${n}`, ...move });
  };
  const began = performance.now();
  const from = began + warmUp * 1_000;
  const to = seconds === 0 ? Number.POSITIVE_INFINITY : from + seconds * 1_000;
  const took: number[] = [];
  const caller = async () => {
    for (let n = 0; seconds > 0 || n < 100; n++) {
      const asked = performance.now();
      if (asked >= to) return;
      await deposit();
      const answered = performance.now();
      if (answered >= from && answered < to) took.push(answered - asked);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  took.sort((a, b) => a - b);
  const told: Told = {
    perSecond: (took.length * 1_000) / (Math.min(to, performance.now()) - from),
    p99: took[Math.floor(took.length * 0.99)] ?? Number.NaN,
    made,
  };
  process.send?.(told);
});
