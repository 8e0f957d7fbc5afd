// Counts views of identities' pages, clicks on their links and reads by programs: in memory, without a write per
// request, and added to the database every few seconds by one statement. Rules 10.8.
import type http from 'node:http';
import { isbot } from 'isbot';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { typed } from '../db/errors.ts';
import type { Logger } from '../process/log.ts';

type Kind = 'views' | 'clicks' | 'agents';
type Counts = Record<Kind, number>;

/** The part of a request that tells a person from a program. */
export type Request = Pick<http.IncomingMessage, 'method' | 'headers'>;

export interface Counters {
  /**
   * Somebody viewed the page of an account. Not counted: bots that identify themselves, HEAD, and browsers that
   * prefetch.
   */
  view(req: Request, accountId: string): void;
  /** Somebody followed the account's link; counted like a view. */
  click(req: Request, accountId: string): void;
  /**
   * A program read about these accounts, given as ids or slugs. Pass the same array each time for the same answer: then
   * a read costs one addition.
   */
  read(accounts: readonly string[] | undefined): void;
  /** Adds the counts so far to the database. What cannot be added is kept for the next time. */
  flush(): Promise<void>;
  /** Stops counting, and adds what is left. */
  stop(): Promise<void>;
}

const flushMs = 5_000;
/** A statement of this many accounts is short; more go with the next one. */
const atOnce = 5_000;

export function startCounters(db: pg.Pool, log: Logger): Counters {
  const counts = new Map<string, Counts>();
  let reads = new Map<readonly string[], number>();
  let running: Promise<void> | undefined;

  const add = (accountId: string, kind: Kind, n: number) => {
    const known = counts.get(accountId);
    if (known) known[kind] += n;
    else counts.set(accountId, { views: 0, clicks: 0, agents: 0, [kind]: n });
  };

  async function drain(): Promise<void> {
    const lists = reads;
    reads = new Map();
    for (const [accounts, n] of lists) for (const account of accounts) add(account, 'agents', n);
    while (counts.size > 0) {
      const batch = [...counts].slice(0, atOnce);
      for (const [id] of batch) counts.delete(id);
      try {
        await call(db, 'api_public.add_counts', { counts: JSON.stringify(Object.fromEntries(batch)) });
      } catch (error) {
        for (const [id, lost] of batch)
          for (const kind of ['views', 'clicks', 'agents'] as const) add(id, kind, lost[kind]);
        throw error;
      }
    }
  }

  const flush = async () => {
    running ??= drain().finally(() => {
      running = undefined;
    });
    await running;
  };
  const complain = (thrown: unknown) =>
    log.warn({ code: typed(thrown).code, accounts: counts.size }, 'what was counted could not be added yet');

  const timer = setInterval(() => {
    if (counts.size > 0 || reads.size > 0) flush().catch(complain);
  }, flushMs);
  timer.unref();

  return {
    view: (req, accountId) => {
      if (byPerson(req)) add(accountId, 'views', 1);
    },
    click: (req, accountId) => {
      if (byPerson(req)) add(accountId, 'clicks', 1);
    },
    read: (accounts) => {
      if (accounts && accounts.length > 0) reads.set(accounts, (reads.get(accounts) ?? 0) + 1);
    },
    flush,
    async stop() {
      clearInterval(timer);
      try {
        await flush();
        await flush(); // what was counted during the first one
      } catch (thrown) {
        complain(thrown);
      }
    },
  };
}

const byPerson = ({ method, headers }: Request): boolean =>
  method === 'GET' &&
  !/prefetch|preview/i.test(`${headers['sec-purpose']} ${headers.purpose}`) &&
  !isbot(headers['user-agent']);
