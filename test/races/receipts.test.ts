// Agents deposit through several web processes across several bells on a fast clock, while workers are killed with
// SIGKILL: each receipt leads to an entry of the log before the night of its day, and what lived opens. Rules 20.16,
// 20.17, 20.19, 20.22.
//
// By hand:  HILL_TEST_RECEIPTS=100000 HILL_TEST_KILLS=20 npm test -- test/races/receipts.test.ts
import fs from 'node:fs';
import http from 'node:http';
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
import { openProof } from '../../src/log/proof.ts';
import { derivedSigner } from '../../src/log/signing.ts';
import { KeyRing } from '../../src/oauth/keys.ts';
import { lifetimesOf } from '../../src/oauth/lifetimes.ts';
import { signer } from '../../src/oauth/tokens.ts';
import { sealer } from '../../src/process/secret.ts';
import { verifyHill } from '../../src/verify/index.ts';
import { inPostgres } from '../../src/verify/node/release.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { secret } from '../support/doors/oauth.ts';
import { type HillProcess, runHillForFile, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { balanced, books, populate } from '../support/hill/index.ts';
import { aLog } from '../support/hill/worker.ts';
import { entryOf } from '../support/log/commitment.ts';
import { freePort } from '../support/ports.ts';
import { randomFrom, seed } from '../support/random.ts';
import { until } from '../support/until.ts';

const wanted = Number(process.env.HILL_TEST_RECEIPTS ?? 250);
const kills = Number(process.env.HILL_TEST_KILLS ?? 3);
const accounts = Math.max(60, Math.ceil(wanted / 8));
/** Of real time. */
const daySeconds = wanted < 1_000 ? 6 : 20;
const callers = 32;

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-receipts-'));
const aPreparedDir = usePreparedDataDirs();
const run = runHillForFile();
let cluster: Cluster;
let root: pg.Pool;
let address: string;
let origin: string;
let env: Record<string, string>;
const agents: { account: string; token: string }[] = [];
const workers: HillProcess[] = [];

async function startWorker(n: number): Promise<void> {
  const started = run(['worker'], env);
  workers[n] = started;
  await started.says('the worker is waiting');
}

beforeAll(async () => {
  cluster = await startCluster({ dir: aPreparedDir(dir), settings: { max_wal_size: '4GB' } });
  const ownerUrl = await makeHillDatabase(cluster);
  await openHill(ownerUrl, { dayOne: null, clock: 'simulated' });
  await keepProofKey(secret, ownerUrl);
  const logins = await makeLogins(ownerUrl);
  const { log } = aLog();
  root = makePool({ url: cluster.url('hill'), name: 'test root', log });
  const port = await freePort();
  address = `http://localhost:${port}`;
  origin = `localhost:${port}/log`;
  env = {
    ...{
      HILL_CLOCK: 'simulated',
      HILL_SIGNING_SECRET: secret,
      HILL_LOG: 'pretty',
      PORT: String(port),
      HILL_WEB_PROCESSES: '2',
    },
    ...{
      WEB_DATABASE_URL: logins.web,
      WORKER_DATABASE_URL: logins.worker,
      HILL_CHECKPOINT: path.join(dir, 'checkpoint'),
    },
    ...{ HILL_LIMIT_CALLS: '1000000/60', HILL_LIMIT_READS: '1000000/60' },
  };
  await root.query('update hill.settings set founders_total = 0');
  await root.query('select api_worker.set_clock(null, 0)');
  const client = await root.connect();
  // the verifier would find reputations that no night gave
  await populate(client, { accounts, history: false, moves: false, granted_percent: 0 });
  client.release(true);

  const web = makePool({ url: logins.web, name: 'test web', log });
  const keys = new KeyRing(
    web,
    sealer(() => secret),
  );
  const sign = signer(address, keys, lifetimesOf(web));
  const { rows } = await root.query<{ id: string; account_id: string }>(
    "select id, account_id from hill.agents where model = 'population'",
  );
  for (const { id, account_id: account } of rows) {
    const scopes = ['hill:read', 'hill:play'];
    const made = await sign.accessToken(Date.now() / 1_000, { sub: account, client_id: id, audience: address, scopes });
    agents.push({ account, token: made.access_token });
  }
  await root.query(
    `insert into oauth.access_tokens (token_hash, agent_id, scopes, audience, created_at, expires_at)
     select engine.hash_token(t.token), t.agent_id, '{hill:read,hill:play}', $3, engine.now(), 'infinity'
       from unnest($1::text[], $2::uuid[]) as t (token, agent_id)`,
    [agents.map(({ token }) => token), rows.map(({ id }) => id), address],
  );
  await web.end();
});

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await root?.end();
  await cluster?.stop();
  fs.rmSync(dir, { recursive: true, force: true });
});

interface Told {
  readonly code?: string;
}

interface Receipt extends Told {
  readonly day: number;
  readonly slot: number;
  readonly move: string;
  readonly deposited_at: string;
  readonly signed_receipt?: string;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: callers });
const refusals = new Map<string, number>();

/** What a tool gives, or the code of a refusal. */
function call<T extends Told>(token: string, name: string, args: object): Promise<T | string> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  return new Promise((resolve, reject) => {
    const headers = {
      ...{
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Content-Length': Buffer.byteLength(body),
      },
      Authorization: `Bearer ${token}`,
    };
    const request = http.request(`${address}/mcp`, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (part) => (text += part))
        .on('error', reject)
        .on('end', () => {
          const { result, error } = JSON.parse(text) as {
            result?: { isError?: boolean; structuredContent: T };
            error?: { data?: { code?: string } };
          };
          if (result && !result.isError) resolve(result.structuredContent);
          else resolve(result?.structuredContent.code ?? error?.data?.code ?? `${answer.statusCode} ${text}`);
        });
    });
    request.on('error', reject).end(body);
  });
}

const ask = async <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  (await root.query<R>(text, values)).rows;

test(`${wanted} deposits by ${accounts} accounts, ${kills} kills (HILL_SEED=${seed})`, async () => {
  const random = randomFrom(seed);
  const web = run(['web'], env);
  await web.says('Hill is open');
  await Promise.all([startWorker(0), startWorker(1)]);
  // until then nothing is promised
  await until('the log is signed', async () => (await ask('select from hill.log_checkpoints')).length > 0);
  await root.query('select api_worker.set_clock(null, $1)', [86_400 / daySeconds]);

  /** By what was signed: a repeat has the same receipt. */
  const received = new Map<string, { account: string; receipt: Receipt }>();
  let killed = 0;
  let next = 0;
  const began = performance.now();
  const done = () => received.size >= wanted && killed >= kills;
  /** An account is one caller's, so that the order of its answers is that of its deposits. */
  const caller = async (n: number) => {
    const own = agents.filter((_, i) => i % callers === n);
    const spent = new Map<string, number>();
    for (let turn = 0; !done(); turn++) {
      const { account, token } = own[turn % own.length] as (typeof own)[number];
      const half = Math.floor((performance.now() - began) / 500 / daySeconds);
      if (spent.get(account) === half) {
        if (turn % own.length === 0) await sleep(20);
        continue;
      }
      const slot = 1 + random.below(3);
      const kind = random.below(5);
      next += 1;
      const args =
        kind === 0
          ? { slot, move: 'PASS' }
          : kind === 1
            ? { slot, move: 'WAR', stake_cents: 900 + (next % 100) }
            : { slot, move: 'PEACE', ...(kind > 2 ? { message: `The ${next}. words` } : {}) };
      const answer = await call<Receipt>(token, 'play', args);
      if (typeof answer !== 'string') {
        // a PASS where nothing lives changes nothing, and has no receipt
        if (answer.signed_receipt !== undefined) received.set(answer.signed_receipt, { account, receipt: answer });
      } else {
        refusals.set(answer, (refusals.get(answer) ?? 0) + 1);
        if (answer === 'NO_MOVES_LEFT') spent.set(account, half);
        else if (/^(BELL_RINGING|UNAVAILABLE)$/.test(answer)) await sleep(5);
      }
    }
  };
  const killer = async () => {
    while (killed < kills) {
      await sleep(500 + random.below(3_500));
      const n = random.below(2);
      (workers[n] as HillProcess).child.kill('SIGKILL');
      await (workers[n] as HillProcess).ended;
      killed += 1;
      await sleep(random.below(1_500));
      await startWorker(n);
    }
  };
  await Promise.all([killer(), ...Array.from({ length: callers }, (_, n) => caller(n))]);
  const seconds = (performance.now() - began) / 1_000;
  const all = [...received.values()];

  // the night of the last of them, and the quarter hour after it
  const settling = performance.now();
  const last = all.reduce((day, { receipt }) => Math.max(day, receipt.day), 0);
  await until(
    'the last night',
    async () => (await ask('select 1 from hill.nights where day = $1', [last])).length === 1,
  );
  await root.query(
    "select api_worker.set_clock(greatest(engine.now() + interval '2 hours', engine.bell_at($1) + interval '20 minutes'), 0)",
    [last],
  );
  const settled = `
    select (select max(day) from hill.nights) as night, g.origin,
           exists (select from hill.log_checkpoints c where (c.generation, c.size) = (h.generation, h.size)) as signed,
           exists (select from hill.log_waiting w where w.at < date_bin('15 minutes', engine.now(), 'epoch')) as waiting,
           (select count(*)::int from hill.nights n where not exists (
              select from hill.archives a where a.day = n.day and a.form = 'night.json')) as unmade
      from (select * from hill.log_heads order by generation desc, size desc limit 1) h
      join hill.log_generations g using (generation)`;
  const state = await until('the log', async () => {
    const [row] = await ask<{ night: number; origin: string; signed: boolean; waiting: boolean; unmade: number }>(
      settled,
    );
    return row?.signed && !row.waiting && row.unmade === 0 && row;
  });
  const settledIn = (performance.now() - settling) / 1_000;
  expect(state.origin).toBe(origin); // no kill made it begin another

  const wrong: string[] = [];
  const found = { kept: 0, lived: 0, passed: 0, ended: 0 };
  // what a PASS was, and what ended a deposit, only its account can say
  const days = [...new Set(all.map(({ receipt }) => receipt.day))];
  const asked = await Promise.all(
    agents.map(async ({ token }) => {
      const told: string[] = [];
      const debrief = (day: number) => call(token, 'explore_and_debrief', { mode: 'debrief', day, proofs: true });
      for (const day of days)
        told.push(
          await until(`the debrief of ${day}`, async () => {
            const answer = await debrief(day); // so many at once that some are refused
            return typeof answer !== 'string' && JSON.stringify(answer);
          }),
        );
      return told;
    }),
  );
  const held = receiptsIn([[...received.keys()].join('\n'), ...asked.flat()]);
  const checked = performance.now();
  await verifyHill({
    ...{ hill: servedAt(address), days: [], seen: {} },
    held,
    ...inPostgres(aLog().log),
    say: (holds, sentence) => {
      // a quarter hour of this clock takes milliseconds, so that a deposit may well come later into the log
      const late = sentence.includes(' came into the log behind what was at ');
      if (!holds) wrong.push(...(late ? [] : [sentence]));
      else if (sentence.includes('is in the log before the night')) found.kept += 1;
      else if (sentence.includes('lived, and the night opened it')) found.lived += 1;
      else if (sentence.includes('is a PASS')) found.passed += 1;
      else if (sentence.includes(' was ended by ')) found.ended += 1;
    },
    note: () => {},
  });
  const verified = (performance.now() - checked) / 1_000;
  expect(wrong.slice(0, 5)).toEqual([]);

  // what each agent was told last of a place lived, unless it was a PASS
  const live = new Map(all.map(({ account, receipt }) => [`${account} ${receipt.day} ${receipt.slot}`, receipt]));
  const lived = [...live.values()].filter(({ move }) => move !== 'PASS');
  expect(found.kept).toBe(all.length);
  expect(found.lived).toBe(lived.length);
  expect(found.lived + found.passed + found.ended).toBe(all.length);

  const key = derivedSigner(secret, origin, 'ed25519');
  for (let n = 0; n < 100; n++) {
    const { day, commitment } = held.receipts[random.below(all.length)] as (typeof held.receipts)[number];
    const proof = await (await fetch(`${address}/log/deposit/${day}/${commitment}`)).text();
    openProof(proof, Buffer.from(entryOf(day, commitment)), key);
  }
  expect(await ask('select * from engine.check_log(1)')).toEqual([]);
  expect(await books(root)).toEqual(balanced);
  expect(days.length).toBeGreaterThan(1);
  console.log(
    `receipts: HILL_SEED=${seed}, ${all.length} of ${days.length} days in ${Math.round(seconds)} s (${Math.round(all.length / seconds)}/s), ${killed} workers killed, ` +
      `${found.lived} lived, ${found.ended} ended, ${found.passed} PASS, all in the log before their night, signed ${Math.round(settledIn)} s after the last; checked in ${Math.round(verified)} s; refused: ${[...refusals].map(([code, n]) => `${n} ${code}`).join(', ')}`,
  );
});
