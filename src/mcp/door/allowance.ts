// How many calls a client may make, counted over all processes. Protocol 10.2.
//
// Writing to the database for each call would cost as much as the call. So a process takes a fiftieth of the limit at a
// time and counts it down in memory. What it took and did not use is lost to the client until the window has passed.
// Clients that call at once are counted by one statement.
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { admit, admitEach, type Limit } from '../../http/rate-limit.ts';

interface Taken {
  left: number;
  readonly until: number;
}

/** 0 for a call that may go on, or the seconds to wait. */
export type Allowance = (client: string) => Promise<number>;

/** Statements that count at a time, and clients in one. */
const lanes = 2;
const atOnce = 100;

interface Uncounted {
  readonly client: string;
  resolve(wait: number): void;
  reject(error: unknown): void;
}

export function allowance(db: pg.Pool, limit: Limit): Allowance {
  const portion = Math.max(1, Math.floor(limit.atMost / 50));
  const taken = new LRUCache<string, Taken>({ max: 50_000 });
  const taking = new Map<string, Promise<number>>();

  // Those that come while both lanes are taken go together: nobody waits for others to come.
  const uncounted: Uncounted[] = [];
  let underWay = 0;
  const count = async () => {
    if (underWay === lanes || uncounted.length === 0) return;
    const some = uncounted.splice(0, atOnce);
    underWay += 1;
    try {
      const clients = some.map(({ client }) => client);
      const waits = await admitEach(db, 'calls', clients, limit, portion);
      for (const { client, resolve } of some) resolve(waits.get(client) as number);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
    underWay -= 1;
    void count();
  };

  const take = async (client: string): Promise<number> => {
    let wait = await new Promise<number>((resolve, reject) => {
      uncounted.push({ client, resolve, reject });
      void count();
    });
    let times = portion;
    if (wait > 0 && portion > 1) {
      times = 1; // near the end, one at a time
      wait = (await admit(db, 'calls', client, limit)).retry_after_seconds;
    }
    if (wait === 0) taken.set(client, { left: times, until: performance.now() + limit.seconds * 1000 });
    return wait;
  };

  return async (client) => {
    for (;;) {
      const mine = taken.get(client);
      if (mine && mine.left > 0 && mine.until > performance.now()) {
        mine.left -= 1;
        return 0;
      }
      // Concurrent calls share one portion.
      let asking = taking.get(client);
      if (!asking) {
        asking = take(client).finally(() => taking.delete(client));
        taking.set(client, asking);
      }
      const wait = await asking;
      if (wait > 0) return wait;
    }
  };
}
