// The primary dies while agents deposit, and its synchronous standby is promoted: every receipt is there, the next bell
// rings, and the log goes on. Decisions 121, 385.
//
// By hand:  HILL_TEST_PROMOTED=64 npx vitest run test/faults/promotion.test.ts
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeHillDatabase } from '../../src/db/hill-database.ts';
import { keepProofKey } from '../../src/db/kept-settings.ts';
import { makeLogins } from '../../src/db/logins.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { makePool } from '../../src/db/pool.ts';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { admitAgent } from '../../src/worker/calls.ts';
import { accessToken } from '../support/hill/access-token.ts';
import { runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { balanced, books } from '../support/hill/index.ts';
import { hasPsql, psql } from '../support/hill/psql.ts';
import { secret } from '../support/hill/secret.ts';
import { aStandby, replicated } from '../support/hill/standby.ts';
import { aLog } from '../support/hill/worker.ts';
import { aProxy, type DatabaseProxy } from '../support/peers/proxy.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const clients = Number(process.env.HILL_TEST_PROMOTED ?? 12);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-promotion-'));
const aPreparedDir = usePreparedDataDirs();
let primary: Cluster;
let standby: Cluster;
let proxy: DatabaseProxy;
let env: Record<string, string>;
const agents: { account: string; token: string }[] = [];

beforeAll(async () => {
  primary = await startCluster({
    dir: aPreparedDir(dir),
    ephemeral: true,
    settings: { ...replicated, synchronous_commit: 'on' },
  });
  const ownerUrl = await makeHillDatabase(primary);
  await openHill(ownerUrl, { dayOne: null, clock: 'simulated' });
  await keepProofKey(secret, ownerUrl);
  const logins = await makeLogins(ownerUrl);
  proxy = await aProxy(primary.url(), true);
  const port = String(await freePort());
  env = {
    ...{
      HILL_CLOCK: 'simulated',
      HILL_SIGNING_SECRET: secret,
      HILL_LOG: 'json',
      PORT: port,
      HILL_LIMIT_CALLS: '9999999/60',
    },
    HILL_CHECKPOINT: path.join(dir, 'checkpoint'),
    ...{ WEB_DATABASE_URL: proxy.through(logins.web), WORKER_DATABASE_URL: proxy.through(logins.worker) },
  };
  const { log } = aLog();
  const [root, web, worker] = [primary.url('hill'), logins.web, logins.worker].map((url) =>
    makePool({ url, name: 'test setup', log }),
  ) as [pg.Pool, pg.Pool, pg.Pool];
  await root.query('select api_worker.set_clock(null, 0)');
  for (let n = 0; n < clients; n++) {
    const { account_id: account, agent_id: agent } = await admitAgent(worker, `Ant ${n}`, 'a test', {
      granted: 1_000,
      paid: 50_000,
    });
    const token = await accessToken(web, root, { account, agent, audience: `http://localhost:${port}` });
    agents.push({ account, token });
  }
  const client = await root.connect();
  ({ cluster: standby } = await aStandby(primary, dir, client, 'second'));
  // Only now: before there was one, every commit would have waited for it.
  await client.query("alter system set synchronous_standby_names = 'second'");
  await client.query('select pg_reload_conf()');
  await until(
    'it is synchronous',
    async () => (await client.query('select sync_state from pg_stat_replication')).rows[0]?.sync_state === 'sync',
  );
  client.release();
  await Promise.all([root, web, worker].map((pool) => pool.end()));
});

afterAll(async () => {
  await proxy?.close();
  await standby?.stop();
  await primary?.stop();
});

interface Receipt {
  readonly day: number;
  readonly slot: number;
  readonly message: string;
}

/** The receipt; undefined if there is none. */
async function play(token: string, args: object): Promise<Receipt | undefined> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'play', arguments: args } };
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${token}`,
  };
  const answer = await fetch(`http://127.0.0.1:${env.PORT}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const { result } = (await answer.json()) as { result?: { isError?: boolean; structuredContent: Receipt } };
  return result && !result.isError ? result.structuredContent : undefined;
}

/** Its lines; undefined if there is none. */
async function checkpoint(): Promise<string[] | undefined> {
  const answer = await fetch(`http://127.0.0.1:${env.PORT}/log/checkpoint`);
  return answer.status === 200 ? (await answer.text()).split('\n') : undefined;
}

test(`no receipt of ${clients} clients is lost, and the next night is resolved`, async () => {
  const [web, worker] = [runHill(['web'], env), runHill(['worker'], env)];
  await Promise.all([web.says('Hill is open'), worker.says('the worker is waiting')]);
  const [origin] = await until('a checkpoint', checkpoint);
  const receipts: string[] = [];
  const name = (account: string, { day, slot, message }: Receipt) =>
    `${account}, day ${day}, place ${slot}: ${message}`;
  let refused = 0;
  let over = false;
  // Each has as many moves as a day allows. One whose answer was lost may count or not.
  const client = async ({ account, token }: (typeof agents)[number]) => {
    for (let move = 0; !over; move++) {
      const receipt = await play(token, { slot: 1 + (move % 2) * 3, move: 'PEACE', message: `move ${move}` });
      if (receipt) receipts.push(name(account, receipt));
      else refused += 1;
      await sleep(receipt ? 20 : 100);
    }
  };
  const playing = agents.map(client);
  await until('deposits', async () => receipts.length >= 2 * clients);

  const postmaster = Number(fs.readFileSync(path.join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(postmaster, 'SIGKILL');
  const diedAt = performance.now();
  const before = receipts.length;
  const root = new pg.Client(standby.url('hill'));
  await root.connect();
  expect((await root.query('select pg_promote() as promoted')).rows).toEqual([{ promoted: true }]);
  proxy.leadTo(standby.url());
  proxy.cut();
  await proxy.restore();
  await until('deposits on the new primary', async () => receipts.length > before + clients / 2);
  const awaySeconds = (performance.now() - diedAt) / 1_000;
  over = true;
  await Promise.all(playing);

  const { rows } = await root.query<{ day: number }>('select engine.today() as day');
  const { day } = rows[0] as { day: number };
  const { rows: kept } = await root.query<Receipt & { account: string }>(
    'select account_id as account, day, slot, message from hill.sealed_moves',
  );
  const names = new Set(kept.map((move) => name(move.account, move)));
  expect(receipts.filter((one) => !names.has(one))).toEqual([]);
  expect(new Set(receipts).size).toBe(receipts.length);

  await root.query('select api_worker.set_clock(engine.bell_at($1), 0)', [day]);
  await until(
    'the bell',
    async () => (await root.query('select 1 from hill.nights where day = $1', [day])).rowCount === 1,
  );
  await until('the boards', async () => (await root.query('select engine.board_day() as day')).rows[0].day === day);
  await until('the page', async () => (await fetch(`http://127.0.0.1:${env.PORT}/api/day/${day}`)).status === 200);
  // The standby has all that was shown of the log, so the log goes on.
  await root.query("select api_worker.set_clock(engine.bell_at($1) + interval '15 minutes', 0)", [day]);
  await until('the night in the log', async () => Number((await checkpoint())?.[1]) >= 2);
  expect((await checkpoint())?.[0]).toBe(origin);
  expect((await root.query('select origin from hill.log_generations')).rows).toEqual([{ origin }]);
  expect(await books(root)).toEqual(balanced);
  if (hasPsql)
    for (const file of ['sql/verify/ledger.sql', 'sql/verify/nights.sql'])
      expect(await psql(standby.url('hill'), file)).toMatchObject({ code: 0, stderr: '' });
  if (process.env.HILL_TEST_PROMOTED)
    console.log({ clients, before, receipts: receipts.length, refused, awaySeconds, moves: kept.length });

  await root.end();
  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0]);
});
