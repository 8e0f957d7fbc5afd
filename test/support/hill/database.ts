// test/support/hill/database.ts · a database of its own for each test file.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { allowDatabase, type Door, doors } from '../../../src/db/logins.ts';
import { makePool } from '../../../src/db/pool.ts';
import { makeLog } from '../../../src/process/log.ts';
import { timeZone } from './zone.ts';

export interface TestDatabase {
  readonly name: string;
  /** The owner's URL: no superuser, row-level security binds it. */
  readonly ownerUrl: string;
  readonly owner: pg.Pool;
  /** The superuser's pool of the cluster's database "postgres". */
  readonly admin: pg.Pool;
  /** The URL of a serving login. */
  url(door: Door): string;
  /** A pool of a serving login, as the door itself has it. */
  as(door: Door): pg.Pool;
  /** Another pool that is closed with the others, for tests that want many connections. */
  pool(url: string, max?: number): pg.Pool;
}

const log = makeLog({ logLevel: 'error', logFormat: 'pretty' });

/** Call it at the top of a test file. The database is there from the first hook or test on. */
export function useDatabase(): TestDatabase {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const pools = new Map<string, pg.Pool>();

  const here = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const open = (key: string, url: string, max = 10): pg.Pool => {
    const pool = pools.get(key) ?? makePool({ url, name: `test ${key}`, log, max, statementTimeoutMs: 0 });
    pools.set(key, pool);
    return pool;
  };
  const database: TestDatabase = {
    name,
    get ownerUrl() {
      return here(inject('templateUrl'));
    },
    get owner() {
      return open('owner', database.ownerUrl);
    },
    get admin() {
      return open('admin', inject('adminUrl'), 2);
    },
    url: (door) => here(inject('templateLogins')[door]),
    as: (door) => open(door, database.url(door)),
    pool: (url, max) => open(`extra ${pools.size}`, url, max),
  };

  beforeAll(async () => {
    const { admin } = database;
    await admin.query(`create database ${name} owner hill template template_hill strategy file_copy`);
    if (timeZone()) await admin.query(`alter database ${name} set timezone = '${timeZone()}'`);
    // A clone has its template's tables and rights, but not the rights on the database itself.
    const logins = doors.map((door) => new URL(database.url(door)).username);
    await allowDatabase(admin, name, logins);
  });

  afterAll(async () => {
    const { admin } = database;
    pools.delete('admin');
    await Promise.all([...pools.values()].map((pool) => pool.end()));
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  });

  return database;
}
