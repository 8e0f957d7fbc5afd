// mcp/door/allowance.ts · how many calls a client may make, counted over all processes. Protocol 10.2.
//
// Writing to the database for each call would cost as much as the call. So a process takes a fiftieth of the limit at a time and counts it down in
// memory. What it took and did not use is lost to the client until the window has passed.
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { admit, type Limit } from '../../http/rate-limit.ts';

interface Taken {
  left: number;
  readonly until: number;
}

/** 0 for a call that may go on, or the seconds to wait. */
export type Allowance = (client: string) => Promise<number>;

export function allowance(db: pg.Pool, limit: Limit): Allowance {
  const portion = Math.max(1, Math.floor(limit.atMost / 50));
  const taken = new LRUCache<string, Taken>({ max: 50_000 });
  const taking = new Map<string, Promise<number>>();

  const take = async (client: string): Promise<number> => {
    const took = async (times: number) => {
      const { retry_after_seconds: wait } = await admit(db, 'calls', client, limit, times);
      if (wait === 0) taken.set(client, { left: times, until: performance.now() + limit.seconds * 1000 });
      return wait;
    };
    const wait = await took(portion);
    return wait > 0 && portion > 1 ? took(1) : wait; // near the end, one at a time
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
