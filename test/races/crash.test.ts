// PostgreSQL is killed in the middle of a bell or of the wallets that follow it, with everything it runs, at random
// instants: after the restart the night is resolved once, and is what an undisturbed bell makes of it. On a cluster of
// its own that writes to disk as a serving one does. Rules 2.2, 2.5, 5.4.
//
// By hand, for the figures of the project:
//   HILL_CRASH_ACCOUNTS=100000 HILL_CRASH_KILLS=10 npm test -- test/races/crash.test.ts
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeHillDatabase } from '../../src/db/hill-database.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { type Cluster, startCluster } from '../../src/embedded/index.ts';
import { startOf } from '../../src/embedded/processes.ts';
import { usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { balanced, books, populate } from '../support/hill/index.ts';
import { randomFrom, seed } from '../support/random.ts';

const accounts = Number(process.env.HILL_CRASH_ACCOUNTS ?? 5000);
const kills = Number(process.env.HILL_CRASH_KILLS ?? 3);
const patience = 60_000 + (accounts / 1000) * (kills + 2) * 1500;

const aPreparedDir = usePreparedDataDirs();

describe(`a bell of ${accounts} accounts, killed ${kills} times (HILL_SEED=${seed})`, () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-crash-'));
  let cluster: Cluster;
  let undisturbed: Outcome;
  const found: boolean[] = [];

  beforeAll(async () => {
    cluster = await startCluster({ dir: aPreparedDir(dir), settings: { max_wal_size: '1GB' } });
    const ownerUrl = await makeHillDatabase(cluster);
    await openHill(ownerUrl, { dayOne: '2026-03-01', clock: 'simulated' });
    await withDatabase('hill', async (client) => {
      // midnight after day 1, for ever
      await client.query("update hill.settings set founders_total = 0, rate = 0, shown_at = '2026-03-02T00:00:00Z'");
      await populate(client, { accounts, seed: 1 });
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
      expect(await ring(client)).toEqual([1]);
      const milliseconds = Date.now() - began;
      return { ...(await outcome(client)), milliseconds };
    });
  }, patience);

  afterAll(async () => {
    await cluster?.stop();
    fs.rmSync(dir, { recursive: true, force: true });
  }, 60_000);

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
    expect(undisturbed.books).toEqual(balanced);
  });

  test.each(Array.from({ length: kills }, (_, i) => i))(
    'is finished after kill %i',
    async (i) => {
      // one in each part of the time that a bell takes, so that some are early and some late, the last perhaps after it
      const after = ((i + randomFrom(seed + i).below(1000) / 1000) / kills) * undisturbed.milliseconds * 1.05;
      const name = `round_${i}`;
      await clone(name);
      const bell = withDatabase(name, ring).then(
        () => 'rang',
        () => 'was killed',
      );
      await sleep(after);
      await killCluster(dir);
      await bell;
      cluster.abandon();
      cluster = await startCluster({ dir, settings: { max_wal_size: '1GB' } });

      await withDatabase(name, async (client) => {
        const { rows } = await client.query<{ resolved: boolean; sealed: number; tables: string[] }>(`
          select exists (select from hill.nights) as resolved, (select count(*)::int from hill.sealed_moves) as sealed,
                 array(select c.relname::text from pg_class c where c.relispartition and c.relkind = 'r' and c.relnamespace = 'hill'::regnamespace order by 1) as tables`);
        const [state] = rows;
        // all of the night or nothing of it
        expect(state).toEqual(
          state?.resolved
            ? { resolved: true, sealed: 0, tables: ['moves_000001', 'settlements_000001'] }
            : { resolved: false, sealed: accounts * 2, tables: [] },
        );
        found.push(state?.resolved ?? false);
        if (state?.resolved) expect(await books(client)).toEqual(balanced);

        expect(await ring(client)).toEqual(state?.resolved ? [] : [1]);
        expect(await ring(client), 'and once only').toEqual([]);
        const { milliseconds: _, ...calm } = undisturbed;
        expect(await outcome(client)).toEqual(calm);
      });
      await withDatabase('postgres', (client) => client.query(`drop database ${name}`));
    },
    patience,
  );

  test('was killed before its end at least once', () => {
    expect(found).toContain(false);
    console.log(
      `crash: HILL_SEED=${seed}, a bell of ${accounts} accounts in ${undisturbed.milliseconds} ms, ${found.length} kills, ${found.filter((resolved) => !resolved).length} of them before its commit`,
    );
  });
});

/** As the worker does: until none is due. The days that were rung. */
async function ring(client: pg.Client): Promise<number[]> {
  const days: number[] = [];
  for (;;) {
    await client.query('begin; set local role hill_worker');
    const { rows } = await client.query<{ night: { day: number } | null }>(
      'select api_worker.ring_next_bell() as night',
    );
    await client.query('commit');
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

interface Outcome {
  milliseconds: number;
  nights: number;
  books: unknown;
  tables: Record<string, string>;
}

/**
 * A fingerprint of every table that a bell writes, and the state of the books. Numbers drawn for transfers may leave
 * gaps where a bell was undone.
 */
async function outcome(client: pg.Client): Promise<Omit<Outcome, 'milliseconds'>> {
  const tables: Record<string, string> = {};
  for (const [table, columns] of Object.entries({
    nights: 't',
    place_results: 't',
    seats: 't',
    settlements: 't',
    moves: 't',
    wallets: 't',
    lots: 't',
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
  const { rows } = await client.query<{ nights: number }>('select count(*)::int as nights from hill.nights');
  return { nights: rows[0]?.nights ?? 0, books: await books(client), tables };
}

/** The postmaster of a data directory and every process that it has started: SIGKILL, which nothing can answer. */
async function killCluster(dir: string): Promise<void> {
  const postmaster = Number(fs.readFileSync(path.join(dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = childrenOf(postmaster);
  for (const pid of [postmaster, ...children]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  // the signal is on its way when kill returns
  while ([postmaster, ...children].some((pid) => startOf(pid) !== undefined)) await sleep(1);
}

function childrenOf(parent: number): number[] {
  if (process.platform === 'linux')
    return fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        try {
          // pid (name, which may hold anything) state ppid
          return Number(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]) === parent;
        } catch {
          return false;
        }
      });
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (ppid === parent && pid ? [pid] : []));
}
