// Every kind of process of a hill is killed with SIGKILL while agents deposit and the bell rings: nothing that was
// promised is lost, each night is resolved once, and everything comes back by itself. Rules 2.3, 3.
//
// By hand:  HILL_TEST_KILLS=40 npm test -- test/races/kills.test.ts
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeHillDatabase } from '../../src/db/hill-database.ts';
import { keepProofKey } from '../../src/db/kept-settings.ts';
import { makeLogins } from '../../src/db/logins.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { makePool } from '../../src/db/pool.ts';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { admitAgent } from '../../src/worker/calls.ts';
import { secret } from '../support/doors/oauth.ts';
import { accessToken } from '../support/hill/access-token.ts';
import { type HillProcess, runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { balanced, books } from '../support/hill/index.ts';
import { aLog } from '../support/hill/worker.ts';
import { freePort } from '../support/ports.ts';
import { randomFrom, seed } from '../support/random.ts';
import { until } from '../support/until.ts';

const kinds = [
  'web',
  'worker',
  'console',
  'a session of the web',
  'a session of the worker',
  'the postmaster',
  'the checkpointer',
] as const;
const kills = Number(process.env.HILL_TEST_KILLS ?? kinds.length);
const agents = 20;

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-kills-'));
const aPreparedDir = usePreparedDataDirs();
let cluster: Cluster;
let root: pg.Pool;
let web: pg.Pool;
let worker: pg.Pool;
let env: Record<string, string>;
let address: string;
const tokens: { account: string; token: string }[] = [];

beforeAll(async () => {
  cluster = await startCluster({ dir: aPreparedDir(dir) });
  cluster.keepAlive(
    () => {},
    (error) => console.error(error),
  );
  const ownerUrl = await makeHillDatabase(cluster);
  await openHill(ownerUrl, { dayOne: null, clock: 'simulated' });
  await keepProofKey(secret, ownerUrl);
  const logins = await makeLogins(ownerUrl);
  const { log } = aLog();
  root = makePool({ url: cluster.url('hill'), name: 'test root', log });
  web = makePool({ url: logins.web, name: 'test web', log });
  worker = makePool({ url: logins.worker, name: 'test worker', log });
  const [port, consolePort] = [await freePort(), await freePort()];
  address = `http://127.0.0.1:${port}`;
  env = {
    ...{
      HILL_CLOCK: 'simulated',
      HILL_SIGNING_SECRET: secret,
      HILL_LOG: 'pretty',
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
    },
    ...{ WEB_DATABASE_URL: logins.web, WORKER_DATABASE_URL: logins.worker, CONSOLE_DATABASE_URL: logins.console },
    // of all workers one after the other: who finds none has nobody to say what was signed
    HILL_CHECKPOINT: path.join(dir, 'checkpoint'),
  };
  await root.query('update hill.settings set founders_total = 0');
  await root.query('select api_worker.set_clock(null, 0)');

  const audience = `http://localhost:${port}`;
  for (let n = 0; n < agents; n++) {
    const { account_id: account, agent_id: agent } = await admitAgent(worker, `Ant ${n}`, 'a test', {
      granted: 1_000,
      paid: 50_000,
    });
    const token = await accessToken(web, root, { account, agent, audience });
    tokens.push({ account, token });
  }
});

afterAll(async () => {
  await Promise.all([root, web, worker].map((pool) => pool?.end()));
  await cluster?.stop();
  fs.rmSync(dir, { recursive: true, force: true });
});

interface Receipt {
  readonly day: number;
  readonly slot: number;
  readonly move: string;
  readonly message: string;
}

/** A call over HTTP. Undefined if the process died under it; anything else than a result or "not now" is a fault. */
async function play(token: string, args: object): Promise<Receipt | undefined> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(`${address}/mcp`, {
      method: 'POST',
      headers: {
        ...{
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          Host: new URL(address).host,
        },
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'play', arguments: args } }),
    });
    text = await answer.text();
  } catch {
    return undefined;
  }
  if (answer.status === 503) return undefined;
  const { result } = JSON.parse(text) as {
    result?: { isError?: boolean; structuredContent: Receipt & { code?: string } };
  };
  if (answer.status !== 200 || !result) throw new Error(`${answer.status} ${text}`);
  if (!result.isError) return result.structuredContent;
  const { code } = result.structuredContent;
  if (
    !/^(BELL_RINGING|UNAVAILABLE|NO_MOVES_LEFT|TOO_MANY_PLACES|OVER_DAILY_CAP|INSUFFICIENT_CREDITS|DAY_PASSED)$/.test(
      code ?? '',
    )
  )
    throw new Error(text);
  return undefined;
}

/** Whatever the database is doing at the moment, it will be there. */
const ask = <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  until('the database', () =>
    root.query<R>(text, values).then(
      ({ rows }) => rows,
      () => false as const,
    ),
  );

const start = {
  web: () => runHill(['web'], env),
  worker: () => runHill(['worker'], env),
  console: () => runHill(['console'], env),
};
const ready = { web: 'Hill is open', worker: 'the worker is waiting', console: 'the staff console is at' };

test(`${kills} kills (HILL_SEED=${seed})`, async () => {
  const random = randomFrom(seed);
  const processes = {} as Record<keyof typeof start, HillProcess>;
  const begin = async (part: keyof typeof start) => {
    processes[part] = start[part]();
    await processes[part].says(ready[part]);
  };
  await Promise.all((['web', 'worker', 'console'] as const).map(begin));
  const accepted: { account: string; receipt: Receipt }[] = [];
  let slowest = 0;

  for (let round = 0; round < kills; round++) {
    const kind = kinds[round % kinds.length] as (typeof kinds)[number];
    const [{ day = 0 } = {}] = await ask<{ day: number }>('select engine.today() as day');
    const victim = await victimOf(kind);
    const before = accepted.length;
    const playing = tokens.map(async ({ account, token }, n) => {
      // what is refused while everything comes back is tried again
      for (let move = 0, tries = 0; move < 4 && tries < 16; tries++) {
        await sleep(random.below(150));
        const receipt = await play(token, {
          slot: 1 + ((n + move) % 2) * 3,
          move: 'PEACE',
          message: `round ${round}, ${move}`,
          day,
        });
        if (!receipt) continue;
        accepted.push({ account, receipt });
        move += 1;
      }
    });
    // among the deposits, at the bell, in it, after it
    await until('some deposits', async () => accepted.length >= before + agents / 2);
    const bell = sleep(random.below(300)).then(() => ask('select api_worker.set_clock(engine.bell_at($1), 0)', [day]));
    await sleep(random.below(600));
    kill(victim);
    const killedAt = performance.now();
    await Promise.all([...playing, bell]);

    if (kind === 'web' || kind === 'worker' || kind === 'console') {
      expect(await processes[kind].ended).toBe('SIGKILL');
      await begin(kind);
    }
    for (const [name, { child, output }] of Object.entries(processes))
      expect([kind, name, child.exitCode, child.signalCode], output()).toEqual([kind, name, null, null]);
    await until(
      'the night',
      async () => (await ask('select 1 from hill.nights where day = $1', [day])).length === 1,
    ).catch((error) => {
      throw new Error(`${kind}: ${error.message}\n${processes.worker.output()}`);
    });
    await until('the web', async () => (await fetch(`${address}/healthz`).catch(() => undefined))?.status === 200);
    slowest = Math.max(slowest, performance.now() - killedAt);

    expect(await until('the books', () => books(root).catch(() => false as const))).toEqual(balanced);
  }

  // by their messages, since the clock stands still
  const stored = await ask<{ account: string; day: number; slot: number; message: string }>(
    `select account_id as account, day, slot, message from hill.moves
      union all
     select account_id, day, slot, message from hill.sealed_moves`,
  );
  const name = (account: string, { day, slot, message }: { day: number; slot: number; message: string }) =>
    `${account} ${day} ${slot} ${message}`;
  const kept = new Set(stored.map((deposit) => name(deposit.account, deposit)));
  const lost = accepted.filter(({ account, receipt }) => !kept.has(name(account, receipt)));
  expect(lost).toEqual([]);
  expect(accepted.length).toBeGreaterThanOrEqual((kills * agents) / 2);
  expect(await ask('select count(*) = max(day) as whole from hill.nights')).toEqual([{ whole: true }]);
  const [{ wrong = null } = {}] = await ask<{ wrong: number[] | null }>(`
    select array_agg(n.day) filter (where engine.resolution_json(x.night, x.resolution) <> engine.resolve_night(engine.night_json(x.night))) as wrong
      from hill.nights n cross join lateral (select engine.stored_night(n.day) as night, engine.resolve_places(engine.stored_night(n.day)) as resolution) x`);
  expect(wrong).toBeNull();
  console.log(
    `kills: HILL_SEED=${seed}, ${kills} kills, ${accepted.length} deposits accepted, 0 lost, the slowest came back in ${Math.round(slowest)} ms`,
  );

  async function victimOf(kind: (typeof kinds)[number]): Promise<() => number> {
    if (kind === 'web' || kind === 'worker' || kind === 'console') return () => processes[kind].child.pid as number;
    const postmaster = Number(fs.readFileSync(path.join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (kind === 'the postmaster') return () => postmaster;
    if (kind === 'the checkpointer') {
      const [{ pid = 0 } = {}] = await ask<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'checkpointer'",
      );
      return () => pid;
    }
    const login = kind === 'a session of the web' ? 'hill web' : 'hill worker';
    const pids = await until('a session', async () => {
      const rows = await ask<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [login]);
      return rows.length > 0 && rows;
    });
    return () => random.pick(pids).pid;
  }
  function kill(victim: () => number): void {
    try {
      process.kill(victim(), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // a session that its pool has closed meanwhile
    }
  }
});
