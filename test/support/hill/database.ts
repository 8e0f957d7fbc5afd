// A database of its own for each test file.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { makeHillDatabase } from '../../../src/db/hill-database.ts';
import { keepProofKey, keepStaffLimits } from '../../../src/db/kept-settings.ts';
import { allowDatabase, type Door, doors, type LoginUrls, makeLogins } from '../../../src/db/logins.ts';
import { openHill } from '../../../src/db/open-hill.ts';
import { makePool } from '../../../src/db/pool.ts';
import { type Cluster, startCluster } from '../../../src/embedded/index.ts';
import { parseConfig } from '../../../src/process/config.ts';
import { makeLog } from '../../../src/process/log.ts';
import { usePreparedDataDirs } from './hill-process.ts';
import { secret } from './secret.ts';
import { timeZone } from './zone.ts';

export interface TestDatabase {
  readonly name: string;
  /** The owner's URL: no superuser, row-level security binds it. */
  readonly ownerUrl: string;
  readonly owner: pg.Pool;
  /** The superuser's URL. */
  readonly rootUrl: string;
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

interface Place {
  readonly adminUrl: string;
  readonly ownerUrl: string;
  readonly logins: LoginUrls;
}

/**
 * Call it at the top of a test file. The database is there from the first hook or test on. With `server`, on a
 * PostgreSQL of its own with these settings.
 */
export function useDatabase(server?: Record<string, string>): TestDatabase {
  if (server) return useServer(server);
  const { database, create, drop } = aDatabase();
  beforeAll(create);
  afterAll(drop);
  return database;
}

/** A clone of the template, or of another database that nobody is connected to; the caller creates and drops it. */
export function aDatabase(template = 'template_hill') {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const { database, close } = connections(name, () => ({
    adminUrl: inject('adminUrl'),
    ownerUrl: inject('templateUrl'),
    logins: inject('templateLogins'),
  }));
  return {
    database,
    create: async (): Promise<void> => {
      const { admin } = database;
      await admin.query(`create database ${name} owner hill template ${template} strategy file_copy`);
      if (timeZone()) await admin.query(`alter database ${name} set timezone = '${timeZone()}'`);
      // A clone has its template's tables and rights, but not the rights on the database itself.
      const logins = doors.map((door) => new URL(database.url(door)).username);
      await allowDatabase(admin, name, logins);
    },
    /** Ends every connection to it; who asks it again has new ones. */
    hangUp: () => close('admin'),
    drop: async (): Promise<void> => {
      await close('admin');
      await database.admin.query(`drop database if exists ${name} with (force)`);
      await database.admin.end();
    },
  };
}

function useServer(settings: Record<string, string>): TestDatabase {
  let own: Place | undefined;
  const { database, close } = connections('hill', () => {
    if (!own) throw new Error('The server of the test has not been started');
    return own;
  });
  const aPreparedDir = usePreparedDataDirs();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-own-'));
  let cluster: Cluster | undefined;
  beforeAll(async () => {
    cluster = await startCluster({ dir: aPreparedDir(dir), settings: { fsync: 'off', ...settings } });
    const ownerUrl = await makeHillDatabase(cluster);
    await openHill(ownerUrl, { dayOne: null, clock: 'simulated' });
    await keepProofKey(secret, ownerUrl);
    await keepStaffLimits(parseConfig({}), ownerUrl);
    own = { adminUrl: cluster.url(), ownerUrl, logins: await makeLogins(ownerUrl) };
  });
  afterAll(async () => {
    await close();
    await cluster?.stop();
    fs.rmSync(dir, { recursive: true, force: true });
  });
  return database;
}

/** What a database is reached by; `close` ends all pools but one. */
function connections(name: string, place: () => Place) {
  const pools = new Map<string, pg.Pool>();

  const here = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const open = (key: string, url: string, max = 10): pg.Pool => {
    const pool =
      pools.get(key) ?? makePool({ url, name: `test ${key}`, log, max, statementTimeoutMs: 0, waitMs: 120_000 });
    pools.set(key, pool);
    return pool;
  };
  const database: TestDatabase = {
    name,
    get ownerUrl() {
      return here(place().ownerUrl);
    },
    get owner() {
      return open('owner', database.ownerUrl);
    },
    get admin() {
      return open('admin', place().adminUrl, 2);
    },
    get rootUrl() {
      return here(place().adminUrl);
    },
    url: (door) => here(place().logins[door]),
    as: (door) => open(door, database.url(door)),
    pool: (url, max) => open(`extra ${pools.size}`, url, max),
  };

  const close = async (but?: string): Promise<void> => {
    const closed = [...pools].filter(([key]) => key !== but);
    for (const [key] of closed) pools.delete(key);
    // a failed test may hold one for ever
    await Promise.race([Promise.all(closed.map(([, pool]) => pool.end())), sleep(10_000, null, { ref: false })]);
  };
  return { database, close };
}
