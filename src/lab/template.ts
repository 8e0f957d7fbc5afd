// The cluster of the laboratory, which ends with it, and in it the databases that worlds are copied from: one for each
// set of constants.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { makeHillDatabase } from '../db/hill-database.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { openHill } from '../db/open-hill.ts';
import { type Cluster, startCluster } from '../embedded/index.ts';
import { StartError } from '../process/start-error.ts';

/** Worlds begin on the first day after the founders' nights, on which everybody may play. */
export const firstDay = 8;
/** Ahead of every clock: a simulated one cannot be set back. */
const dayOne = '2100-01-01';

/** An hour of a day, UTC. */
export const instantOf = (day: number, hour: number): string =>
  new Date(Date.parse(`${dayOne}T00:00:00Z`) + ((day - 1) * 24 + hour) * 3_600_000).toISOString();

/** Constants of sql/rules/constants.sql by their names there, with other numbers. */
export type Overrides = Readonly<Record<string, number>>;

export interface Laboratory {
  /** The superuser's URL of a database. */
  url(database: string): string;
  /** The name of a database to copy, in which these constants are other numbers. */
  template(overrides: Overrides): Promise<string>;
  stop(): Promise<void>;
}

/** Of worlds. */
const plain = 'lab';
/** Without nights, in which those of another hill can be followed. */
export const bare = 'lab bare';

export async function openLaboratory(): Promise<Laboratory> {
  const settings = { wal_level: 'minimal', max_wal_senders: '0', jit: 'off', shared_buffers: '256MB' };
  const cluster = await startCluster({
    dir: fs.mkdtempSync(path.join(os.tmpdir(), 'hill-lab-')),
    ephemeral: true,
    settings,
  });
  try {
    await makeTemplates(cluster);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  const made = new Set<string>();
  return {
    url: (database) => cluster.url(database),
    stop: () => cluster.stop(),
    async template(overrides) {
      const changed = Object.entries(overrides);
      if (changed.length === 0) return plain;
      const name = `lab with ${changed.map(([constant, value]) => `${constant} ${value}`).join(', ')}`.slice(0, 63);
      if (made.has(name)) return name;
      await copyDatabase(cluster, plain, name);
      await asSuperuser(cluster, name, async (db) => {
        for (const [constant, value] of changed) await override(db, constant, value);
      });
      made.add(name);
      return name;
    },
  };
}

async function makeTemplates(cluster: Cluster): Promise<void> {
  const owner = await makeHillDatabase(cluster, plain);
  await prepareDatabase(owner);
  await asSuperuser(cluster, plain, (db) =>
    db.query(fs.readFileSync(path.join(import.meta.dirname, 'world.sql'), 'utf8')),
  );
  await copyDatabase(cluster, plain, bare);
  await openHill(owner, { dayOne, clock: 'simulated' });
  await asSuperuser(cluster, plain, async (db) => {
    await db.query('select api_worker.set_clock($1, null)', [instantOf(firstDay, 0)]);
    for (let night = 1; night < firstDay; night++) await db.query('select api_worker.ring_next_bell()');
    await db.query('select api_worker.build_boards()');
    await db.query('analyze'); // or the planner takes the one row of settings for hundreds
  });
}

export async function asSuperuser<T>(
  { url }: Pick<Cluster, 'url'>,
  database: string,
  work: (db: pg.Client) => Promise<T>,
): Promise<T> {
  const db = new pg.Client({ connectionString: url(database), application_name: 'hill lab' });
  db.setTypeParser(pg.types.builtins.INT8, Number);
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

export const copyDatabase = ({ url }: Pick<Cluster, 'url'>, template: string, name: string): Promise<unknown> =>
  asSuperuser({ url }, 'postgres', (db) =>
    db.query(`create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)}`),
  );

export const dropDatabase = ({ url }: Pick<Cluster, 'url'>, name: string): Promise<unknown> =>
  asSuperuser({ url }, 'postgres', (db) => db.query(`drop database ${pg.escapeIdentifier(name)}`));

/** Functions that had the number inlined find the new one when they are planned next. */
async function override(db: pg.Client, constant: string, value: number): Promise<void> {
  const { rows } = await db.query<{ definition: string }>(
    `select pg_get_functiondef(p.oid) as definition from pg_proc p
      where p.pronamespace = 'engine'::regnamespace and p.proname = $1 and p.pronargs = 0`,
    [constant],
  );
  const definition = rows[0]?.definition ?? '';
  const number = /^\s*RETURN \(?'?\d+'?\)?(::\w+)?$/m;
  if (!number.test(definition))
    throw new StartError(`sql/rules/constants.sql has no number ${constant} that could become ${value}.`);
  await db.query(definition.replace(number, `RETURN ${value}`));
}
