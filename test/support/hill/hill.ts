// A database of its own with a hill in it, and everybody who meets it. The clock stands still until the test moves it.
import type pg from 'pg';
import { beforeAll } from 'vitest';
import type { Account } from './accounts.ts';
import { type HillClock, hillClock } from './clock.ts';
import { type TestDatabase, useDatabase } from './database.ts';
import { agentDoor, humanDoor, staffDoor, workerDoor } from './doors.ts';

export interface Hill extends TestDatabase {
  readonly clock: HillClock;
  /** The superuser in this database, whom no policy binds: to arrange what no function does, and to see everything. */
  readonly root: pg.Pool;
  asAgent(account: Account): ReturnType<typeof agentDoor>;
  asHuman(account: Account): ReturnType<typeof humanDoor>;
  asStaff(name?: string, accountId?: string): ReturnType<typeof staffDoor>;
  asWorker(): ReturnType<typeof workerDoor>;
  /** The web login, which reads as the public does. */
  asPublic(): pg.Pool;
  /** One transaction in a role that no login has, such as the owner of an API schema. */
  asOwnerOf<T>(role: string, use: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** One session of the superuser's. */
  asRoot<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** From now on: what it returns says what has changed since, and is not told of by waiting. */
  changes(): Promise<() => Promise<string[]>>;
  /** All rows of a query as the superuser. */
  rows<R extends pg.QueryResultRow = Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]>;
}

export interface HillOptions {
  /** The day on which the test begins, at 10:00 UTC. No bell before it has been rung. */
  day?: number;
  founders?: number;
  /** On a PostgreSQL of its own, with these settings. */
  server?: Record<string, string>;
}

export const dayOne = '2026-03-01';

/** Call it at the top of a test file or of a describe; the hill is there from the first hook or test on. */
export function useHill({ server, ...options }: HillOptions = {}): Hill {
  const hill = hillIn(useDatabase(server));
  beforeAll(() => setDay(hill, options));
  return hill;
}

/** The hill of a database that is there, or will be. */
export function hillIn(database: TestDatabase): Hill {
  let root: pg.Pool | undefined;
  const hill: Hill = Object.assign(database, {
    clock: hillClock(() => database.as('worker')),
    asAgent: (account: Account) => agentDoor(database.as('web'), account),
    asHuman: (account: Account) => humanDoor(database.as('web'), account),
    asStaff: (name = 'Sam', accountId?: string) => staffDoor(database.as('console'), hill.root, name, accountId),
    asWorker: () => workerDoor(database.as('worker')),
    asPublic: () => database.as('web'),
    asOwnerOf: async <T>(role: string, use: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
      const client = await hill.root.connect();
      try {
        await client.query(`begin; set local role ${role}`);
        const result = await use(client);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
    asRoot: async <T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
      const client = await hill.root.connect();
      try {
        return await use(client);
      } finally {
        client.release(true); // its settings end with it
      }
    },
    changes: async () => {
      const look = (...since: unknown[]) =>
        database.as('web').query(`select api_public.changes(${since.map((_, i) => `$${i + 1}`)}) as look`, since);
      const { snapshot, taken_at } = (await look()).rows[0].look;
      return async () => (await look(snapshot, taken_at)).rows[0].look.changes;
    },
    rows: async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await hill.root.query<R>(text, values)).rows,
  }) as Hill;
  Object.defineProperty(hill, 'root', {
    get: () => {
      if (!root || root.ending) root = database.pool(database.rootUrl);
      return root;
    },
  });

  return hill;
}

/** A date and a pace of the test's own, which no function would set: the clone has those of the template. */
export async function setDay(hill: Hill, { day = 1, founders = 0 }: Omit<HillOptions, 'server'> = {}): Promise<void> {
  await hill.root.query(
    `update hill.settings
        set day_one = $1::date, founders_total = $2, set_at = clock_timestamp(), rate = 0,
            shown_at = ($1::date + $3::integer - 1)::timestamp at time zone 'UTC' + interval '10 hours'`,
    [dayOne, founders, day],
  );
  // the template may be older than engine.log_patience_seconds()
  await hill.root.query('update hill.watch set log_signed_at = clock_timestamp()');
}
