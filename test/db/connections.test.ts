// How many connections a process takes, and who gets one when there is none left. docs/operations.md, Connections.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { budget, depositRoom } from '../../src/db/budget.ts';
import { makeHillDatabase } from '../../src/db/hill-database.ts';
import { keepProofKey } from '../../src/db/kept-settings.ts';
import { type LoginUrls, makeLogins } from '../../src/db/logins.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { hill, runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { secret } from '../support/hill/secret.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

describe('the budget of a process', () => {
  const total = (all: number | null, ...parts: ('web' | 'worker' | 'console')[]) => {
    const { web, worker, console } = budget(all, parts);
    const of = {
      web: 1 + web.calls + web.reading,
      worker: 1 + 2 * worker.clockwork + worker.errands,
      console,
    };
    for (const part of parts) expect(of[part]).toBeGreaterThan(0);
    return parts.reduce((sum, part) => sum + of[part], 0);
  };

  test('has lanes for deposits, a place for one that waits, and from three on one for other calls', () => {
    expect(depositRoom(6, 2)).toEqual({ lanes: 2, aside: 3 });
    expect(depositRoom(2, 9)).toEqual({ lanes: 1, aside: 1 });
    for (let calls = 3; calls < 20; calls++)
      for (let lanes = 1; lanes < 10; lanes++) {
        const room = depositRoom(calls, lanes);
        expect(Math.min(room.lanes, room.aside)).toBeGreaterThan(0);
        expect(room.lanes).toBeLessThanOrEqual(lanes);
        expect(room.lanes + room.aside).toBe(calls - 1);
      }
  });

  test('is spent to the last connection, and no part is left without', () => {
    expect([total(null, 'web'), total(null, 'worker'), total(null, 'console')]).toEqual([10, 9, 3]);
    for (let all = 12; all < 300; all++) {
      expect(total(all, 'web', 'worker', 'console')).toBe(all);
      expect(total(all, 'web')).toBe(all);
      expect(total(all, 'worker')).toBe(all);
      expect(total(all, 'console')).toBe(all);
      const { web, worker } = budget(all, ['web', 'worker', 'console']);
      expect(Math.min(web.calls, web.reading, worker.errands - 1)).toBeGreaterThan(0);
    }
  });

  test('is divided among all web processes that it is for', () => {
    for (let webs = 2; webs < 10; webs++)
      for (let all = 8 + 4 * webs; all < 120; all++) {
        const { web, worker, console } = budget(all, ['web', 'worker', 'console'], webs);
        const sum = webs * (1 + web.calls + web.reading) + 1 + 2 * worker.clockwork + worker.errands + console;
        expect(sum).toBeLessThanOrEqual(all);
        expect(sum).toBeGreaterThan(all - webs);
        expect(Math.min(web.calls, web.reading)).toBeGreaterThan(0);
      }
  });

  test('of seven webs, two workers and a console fits in what PostgreSQL has by default', () => {
    expect(7 * total(null, 'web') + 2 * total(null, 'worker') + total(null, 'console')).toBeLessThanOrEqual(100 - 3);
  });

  test('that is too small is refused', () => {
    expect(() => budget(11, ['web', 'worker', 'console'])).toThrow(
      /^HILL_DATABASE_CONNECTIONS: this process needs at least 12\.$/,
    );
    expect(() => budget(3, ['web'])).toThrow(/at least 4/);
    expect(() => budget(15, ['web'], 4)).toThrow(/: 4 web processes and what runs beside them need at least 16\.$/);
  });
});

describe('a server with few connections', () => {
  const aPreparedDir = usePreparedDataDirs();
  let cluster: Cluster;
  let logins: LoginUrls;
  let root: pg.Client;
  beforeAll(async () => {
    cluster = await startCluster({
      dir: aPreparedDir(fs.mkdtempSync(path.join(os.tmpdir(), 'hill-connections-'))),
      ephemeral: true,
      settings: { max_connections: '24', reserved_connections: '12' },
    });
    const ownerUrl = await makeHillDatabase(cluster);
    await openHill(ownerUrl, { dayOne: null, clock: 'simulated' });
    await keepProofKey(secret, ownerUrl);
    logins = await makeLogins(ownerUrl);
    root = new pg.Client(cluster.url('hill'));
    await root.connect();
  });
  afterAll(async () => {
    await root?.end();
    await cluster?.stop();
  });
  const count = async (door: 'web' | 'worker') =>
    (
      await root.query<{ n: number }>('select count(*)::int as n from pg_stat_activity where usename = $1', [
        decodeURIComponent(new URL(logins[door]).username),
      ])
    ).rows[0]?.n ?? 0;
  const settings = async () => ({
    HILL_CLOCK: 'simulated',
    HILL_SIGNING_SECRET: secret,
    PORT: String(await freePort()),
  });

  test('a web under load takes what it was given, and no more', async () => {
    const env = { ...(await settings()), WEB_DATABASE_URL: logins.web, HILL_DATABASE_CONNECTIONS: '6' };
    const web = runHill(['web'], env);
    await web.says('Hill is open');
    let most = 0;
    let asking = true;
    const watching = (async () => {
      while (asking) most = Math.max(most, await count('web'));
    })();
    const paths = (n: number) => [`/api/counters?ids=nobody-${n}`, '/healthz'];
    for (let round = 0; round < 5; round++)
      await Promise.all(
        Array.from({ length: 60 }, (_, n) => paths(round * 60 + n))
          .flat()
          .map((path) => fetch(`http://127.0.0.1:${env.PORT}${path}`)),
      );
    asking = false;
    await watching;

    expect(most).toBe(6);
    expect(await web.stop()).toBe(0);
  });

  test('webs that have taken everything keep no worker from ringing, and what cannot start says so in one line', async () => {
    const taken: pg.Client[] = [];
    try {
      for (;;) {
        const client = new pg.Client(logins.web);
        client.on('error', () => {});
        await client.connect();
        taken.push(client);
      }
    } catch (error) {
      expect((error as { code?: string }).code).toBe('53300');
    }
    expect(taken.length).toBeGreaterThan(5);
    try {
      const env = { ...(await settings()), WEB_DATABASE_URL: logins.web, WORKER_DATABASE_URL: logins.worker };
      expect(await hill(['web'], env)).toEqual({
        code: 1,
        output: expect.stringMatching(
          /^WEB_DATABASE_URL: .* has no connection left for "hill_web_login" .* Raise its max_connections, or .*$/,
        ),
      });

      const worker = runHill(['worker'], env);
      await worker.says('the worker is waiting');
      const { rows } = await root.query<{ day: number }>('select engine.today() as day');
      await root.query('select api_worker.set_clock(engine.bell_at($1), 0)', [rows[0]?.day]);
      await until(
        'the bell',
        async () => (await root.query('select 1 from hill.nights where day = $1', [rows[0]?.day])).rowCount === 1,
      );
      expect(await count('worker')).toBeLessThanOrEqual(9);
      expect(await worker.stop()).toBe(0);
    } finally {
      await Promise.all(taken.map((client) => client.end()));
    }
  });
});
