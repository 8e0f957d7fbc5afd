// PostgreSQL, a session of it, or the connection of the worker is killed in the middle of a bell or of the wallets
// that follow it, at random instants, while agents deposit and people pay, are granted credits, change caps, cut agents
// and close accounts, and staff takes grants back: the night is resolved once, and all is, to the cent, as on a hill
// that nobody disturbed. On a cluster of its own that writes to disk as a serving one does. Rules 2.2, 2.5, 5.4.
//
// By hand, for the figures of the project:
//   HILL_CRASH_ACCOUNTS=100000 HILL_CRASH_KILLS=40 npm test -- test/races/crash.test.ts
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeHillDatabase } from '../../src/db/hill-database.ts';
import { keepStaffLimits } from '../../src/db/kept-settings.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { startOf } from '../../src/embedded/processes.ts';
import { parseConfig } from '../../src/process/config.ts';
import { usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { balanced, books, populate, refusalOf } from '../support/hill/index.ts';
import { randomFrom, seed } from '../support/random.ts';
import { until } from '../support/until.ts';

const accounts = Number(process.env.HILL_CRASH_ACCOUNTS ?? 5000);
const kills = Number(process.env.HILL_CRASH_KILLS ?? 3);
const victims = ['the cluster', 'the session', 'the worker'] as const;
const patience = 60_000 + (accounts / 1000) * (kills + 2) * 1500;

const aPreparedDir = usePreparedDataDirs();

describe(`a bell of ${accounts} accounts, killed ${kills} times (HILL_SEED=${seed})`, () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-crash-'));
  let cluster: Cluster;
  let undisturbed: Outcome;
  /** Milliseconds, when nobody else is there. */
  let took: { bell: number; settling: number };
  const found: string[] = [];

  beforeAll(async () => {
    cluster = await startCluster({ dir: aPreparedDir(dir), settings: { max_wal_size: '1GB' } });
    const ownerUrl = await makeHillDatabase(cluster);
    await openHill(ownerUrl, { dayOne: '2026-03-01', clock: 'simulated' });
    await keepStaffLimits(parseConfig({}), ownerUrl);
    await withDatabase('hill', async (client) => {
      await client.query("update hill.settings set founders_total = 0, rate = 0, shown_at = '2026-03-01T23:00:00Z'");
      await populate(client, { accounts, seed: 1, tokens: true });
      await client.query(cast);
      await client.query(takenBack);
      // midnight after day 1, for ever
      await client.query("update hill.settings set shown_at = '2026-03-02T00:00:00Z'");
      await client.query(
        'create or replace function engine.settling_piece() returns integer language sql immutable parallel safe return 500',
      );
      await client.query(`
        insert into hill.announcements (day, account_id, slot, agent_id, intention, at)
        select 1, m.account_id, m.slot, m.agent_id, case when m.slot % 2 = 0 then 'PEACE' else 'WAR' end::hill.move, m.at from hill.sealed_moves m where m.seq % 10 = 0`);
    });
    await clone('calm');
    undisturbed = await withDatabase('calm', async (client) => {
      const began = Date.now();
      let rang = began;
      const days = await ring(client, () => {
        rang = Date.now();
      });
      expect(days).toEqual([1]);
      took = { bell: rang - began, settling: Date.now() - rang };
      while (!(await act(client)));
      return outcome(client);
    });
  }, patience);

  afterAll(async () => {
    await cluster?.stop();
    fs.rmSync(dir, { recursive: true, force: true });
  });

  async function withDatabase<T>(name: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: cluster.url(name) });
    client.on('error', () => {}); // it is killed while it waits
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end().catch(() => {});
    }
  }

  const clone = (name: string) =>
    withDatabase('postgres', (client) => client.query(`create database ${name} template hill strategy file_copy`));

  test('leaves the hill balanced when nobody disturbs it', async () => {
    expect(undisturbed.nights).toBe(1);
    expect(undisturbed.taken).toBeGreaterThan(0);
    expect(undisturbed.books).toEqual(balanced);
    const done = Array(8).fill('done');
    expect(undisturbed.answers).toEqual({
      ...{ rich: done, poor: done, beyond: Array(8).fill('INSUFFICIENT_CREDITS') },
      ...{ pay: done, grant: done, caps: done, cut: done, close: done, revoke: done },
    });
  });

  test.each(Array.from({ length: kills }, (_, i) => i))(
    'is finished after kill %i',
    async (i) => {
      // in turn in the bell and in what follows it; one in each part of the time of either, so that some are early
      const part = (i + randomFrom(seed + i).below(1000) / 1000) / kills;
      const name = `round_${i}`;
      await clone(name);
      let over = false;
      const acted = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!over) over ||= (await withDatabase(name, act).catch(unlessKilled)) || (await sleep(5, false));
        }),
      );
      acted.catch(() => {}); // told below
      await withDatabase(name, async (client) => {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const { pid } = rows[0] as { pid: number };
        const rang = Promise.withResolvers<void>();
        const bell = ring(client, rang.resolve).catch(() => {}); // it is killed
        if (i % 2 === 0) await sleep(part * took.bell * 1.05);
        else await rang.promise.then(() => sleep(part * took.settling * 2)); // others slow it down
        const victim = victims[Math.floor(i / 2) % victims.length];
        if (victim === 'the worker') client.connection.stream.destroy();
        else await killAll(victim === 'the session' ? [pid] : processesOf(dir));
        if (victim === 'the cluster') {
          cluster.abandon();
          cluster = await startCluster({ dir, settings: { max_wal_size: '1GB' } });
        }
        await bell;
        if (victim === 'the worker') await until('the end of the session', async () => startOf(pid) === undefined);
      });
      await until('the server', () => withDatabase(name, async () => true).catch(() => false));

      await withDatabase(name, async (client) => {
        const { rows } = await client.query<{ resolved: boolean; settled: boolean; sealed: number; tables: string[] }>(`
          select exists (select from hill.nights) as resolved,
                 (select settled_night = 1 from hill.settings) as settled,
                 (select count(*)::int from hill.sealed_moves where day = 1) as sealed,
                 array(select c.relname::text from pg_class c where c.relispartition and c.relkind = 'r' and c.relnamespace = 'hill'::regnamespace order by 1) as tables`);
        const { settled, ...state } = rows[0] as (typeof rows)[number];
        // all of the night or nothing of it
        expect(state).toEqual(
          state.resolved
            ? { resolved: true, sealed: 0, tables: ['moves_000001', 'settlements_000001'] }
            : { resolved: false, sealed: accounts * 2, tables: [] },
        );
        found.push(settled ? 'settled' : state.resolved ? 'settling' : 'ringing');
        if (state.resolved) expect(await books(client)).toEqual(balanced);

        expect(await ring(client)).toEqual(state.resolved ? [] : [1]);
        expect(await ring(client), 'and once only').toEqual([]);
        await acted;
        expect(await outcome(client)).toEqual(undisturbed);
      });
      await withDatabase('postgres', (client) => client.query(`drop database ${name}`));
    },
    patience,
  );

  test('was killed before its end at least once', () => {
    expect(found).toContain('ringing');
    const count = (state: string) => `${found.filter((one) => one === state).length} ${state}`;
    console.log(
      `crash: HILL_SEED=${seed}, a bell of ${accounts} accounts in ${took.bell} ms, settled in ${took.settling} ms, ${found.length} kills: ${count('ringing')}, ${count('settling')}, ${count('settled')}`,
    );
  });
});

/** As the worker does: until none is due. The days that were rung. */
async function ring(client: pg.Client, rang: () => void = () => {}): Promise<number[]> {
  const days: number[] = [];
  for (;;) {
    await client.query('begin; set local role hill_worker');
    const { rows } = await client.query<{ night: { day: number } | null }>(
      'select api_worker.ring_next_bell() as night',
    );
    await client.query('commit');
    if (rows[0]?.night) rang();
    await settle(client);
    if (!rows[0]?.night) return days;
    days.push(rows[0].night.day);
  }
}

async function settle(client: pg.Client): Promise<void> {
  for (let after: string | null | undefined = null; after !== undefined; ) {
    await client.query('begin; set local role hill_worker');
    const answer: pg.QueryResult = await client.query('select api_worker.settle_wallets($1) as piece', [after]);
    await client.query('commit');
    after = answer.rows[0].piece?.after;
  }
}

/**
 * What goes on meanwhile, each by an account of its own, so that the order of these makes no difference: eight of every
 * kind, and what they are answered. A poor account has 900 cents once the night is paid. Payments come in before the
 * bell, too, and all else when the night is resolved: a grant before it would pay for the night.
 */
const cast = `
  create schema crash;
  create table crash.acts (n integer primary key, kind text, account_id uuid, agent_id uuid, token text, answer text);
  insert into crash.acts
  select c.n, k.kind, c.account_id, c.id, c.slug
    from (select row_number() over (order by a.slug) as n, g.account_id, g.id, a.slug
            from hill.agents g
            join hill.accounts a on a.id = g.account_id and a.slug like 'population-1%'
            join hill.wallets w on w.account_id = a.id and w.granted_cents = 0
           order by a.slug limit 64) c
    join unnest('{rich,poor,beyond,pay,grant,caps,cut,close}'::text[]) with ordinality k (kind, i) on c.n % 8 = k.i - 1;
  insert into oauth.human_sessions (token_hash, account_id, created_at, expires_at)
  select engine.hash_token(token), account_id, clock_timestamp(), 'infinity' from crash.acts;
  insert into crash.acts
  select 64 + row_number() over (order by account_id), 'revoke', account_id, null, id
    from hill.lots where expires_at > '2026-03-03' order by account_id limit 8;
  insert into oauth.staff_sessions values (engine.hash_token('staff'), 'Sam', now(), 'infinity', null);
  set session_replication_role = replica; -- as bench/population.sql does
  create table crash.poor as
  select a.account_id, w.paid_cents - r.cents - 900 as cents
    from crash.acts a join hill.wallets w using (account_id) join hill.reservations r using (account_id)
   where a.kind in ('poor', 'beyond');
  update hill.wallets w set paid_cents = w.paid_cents - p.cents from crash.poor p where p.account_id = w.account_id;
  update hill.transfers t set cents = t.cents - p.cents
    from crash.poor p where p.account_id = t.credit_account_id and t.kind = 'topup';
  update hill.ledger_accounts set balance_cents = balance_cents + (select sum(cents) from crash.poor) where code = 'cash';
  reset session_replication_role`;

/** Grants of which staff says before the bell that they are taken back; of as many others it says so after it. */
const takenBack = `
  begin;
  set local role hill_staff;
  set local hill.staff_session = 'staff';
  select api_staff.revoke_grant(id, 'a test')
    from (select id from hill.lots where expires_at > '2026-03-03' order by account_id desc limit 8) l;
  commit`;

const how: Readonly<Record<string, readonly [role: string, call: string]>> = {
  rich: ['hill_agent', "api_agent.play(token, 1, 'PEACE')"],
  poor: ['hill_agent', "api_agent.play(token, 2, 'WAR', 900)"],
  beyond: ['hill_agent', "api_agent.play(token, 2, 'WAR', 901)"],
  pay: ['hill_api_worker', "engine.top_up(account_id, 2000, 'a test')"],
  grant: ['hill_staff', "api_staff.grant_credits(account_id, 500, gen_random_uuid()::text, 'a test')"],
  revoke: ['hill_staff', "api_staff.revoke_grant(token::bigint, 'a test')"],
  caps: ['hill_human', 'api_human.set_mandate(token, 1000, 900)'],
  cut: ['hill_human', 'api_human.cut_agent(token, agent_id)'],
  close: ['hill_human', 'api_human.close_account(token, token)'],
};

/** Who is killed with the cluster comes back; what the hill refuses, or PostgreSQL, is thrown. */
function unlessKilled(error: pg.DatabaseError): false {
  if (/^(ZH|2|4)/.test(error.code ?? '')) throw error;
  return false;
}

/** Does one that may be done now, with a note of it in the same transaction. Whether all are done. */
async function act(client: pg.Client): Promise<boolean> {
  await client.query('begin');
  const { rows } = await client.query<{ n: number; kind: string; account_id: string; agent_id: string; token: string }>(
    `select n, kind, account_id, agent_id, token from crash.acts
      where answer is null and (kind = 'pay' or exists (select from hill.nights))
      order by n for update skip locked limit 1`,
  );
  const [one] = rows;
  try {
    if (one) {
      const [role, call] = how[one.kind] as (typeof how)[string];
      await client.query(`set local role ${role}; set local hill.staff_session = 'staff'`);
      const given: pg.QueryResult = await client.query(
        `select to_jsonb(${call}) as answer from (values ($1::uuid, $2::uuid, $3)) v (account_id, agent_id, token)`,
        [one.account_id, one.agent_id, one.token],
      );
      const state = given.rows[0].answer?.refused?.state;
      const answer = state === undefined ? 'done' : refusalOf({ code: state }).code;
      if (answer === 'BELL_RINGING') throw Object.assign(new Error(answer), { code: state });
      await client.query('reset role');
      await client.query('update crash.acts set answer = $2 where n = $1', [one.n, answer]);
    }
    await client.query('commit');
  } catch (error) {
    if (refusalOf(error).code !== 'BELL_RINGING') throw error;
    await client.query('rollback');
  }
  return (await client.query('select from crash.acts where answer is null')).rows.length === 0;
}

interface Outcome {
  nights: number;
  /** Grants of which something was taken back. */
  taken: number;
  answers: unknown;
  books: unknown;
  tables: Record<string, string>;
}

/**
 * A fingerprint of every table that a bell writes, and the state of the books. Numbers drawn for transfers may leave
 * gaps where a bell was undone.
 */
async function outcome(client: pg.Client): Promise<Outcome> {
  const tables: Record<string, string> = {};
  for (const [table, columns] of Object.entries({
    nights: 't',
    place_results: 't',
    seats: 't',
    settlements: 't',
    moves: 't',
    wallets: 't',
    lots: 'account_id, from_cents, cents, granted_at, expires_at',
    sealed_moves: 'day, account_id, agent_id, slot, move, stake_cents, cost_cents, ended',
    mandates: 't',
    lot_revocations: 'lot_id, day, taken_cents',
    closings: 'account_id, day',
    reservations: 't',
    announcements: 't',
    ledger_accounts: 't',
    sealed_counts: 't',
    transfers: 'day, at, kind, debit_account_id, debit_code, credit_account_id, credit_code, cents, reason',
  })) {
    const { rows } = await client.query<{ print: string }>(
      `select count(*) || ' rows ' || coalesce(md5(string_agg(r, e'\\n' order by r)), '') as print
         from (select ${columns === 't' ? 't::text' : `row(${columns})::text`} as r from hill.${table} t) t`,
    );
    tables[table] = rows[0]?.print ?? '';
  }
  const { rows } = await client.query<Pick<Outcome, 'nights' | 'taken' | 'answers'>>(
    `select (select count(*)::int from hill.nights) as nights,
            (select count(*)::int from hill.lot_revocations where taken_cents > 0) as taken,
            (select jsonb_object_agg(kind, answers)
               from (select kind, jsonb_agg(answer order by n) as answers from crash.acts group by kind) a) as answers`,
  );
  return { ...(rows[0] as (typeof rows)[number]), books: await books(client), tables };
}

/** The postmaster of a data directory and every process that it has started. */
function processesOf(dir: string): number[] {
  const postmaster = fs.readFileSync(path.join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap((ids) => (ids.includes(postmaster) ? [Number(ids[0])] : []));
}

/** SIGKILL, which nothing can answer. */
async function killAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  // the signal is on its way when kill returns
  while (pids.some((pid) => startOf(pid) !== undefined)) await sleep(1);
}
