// The database "hill" of the embedded cluster and its owner.
//
// As on a managed PostgreSQL, the owner is not a superuser: what works here works there, and row-level security binds
// the owner in both.
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { RunningCluster } from '../embedded/cluster.ts';
import { sqlFolder } from './sql-folder.ts';

const owner = 'hill';
/** The name of the database. */
export const hillDatabase = 'hill';

/** Creates what is missing, and returns the owner's URL. */
export async function makeHillDatabase(cluster: RunningCluster, name = hillDatabase): Promise<string> {
  const url = ownerUrl(cluster, name);
  const inside = await connect(cluster, name).catch(async (error) => {
    if (error.code !== '3D000') throw error; // there is no such database
    await makeDatabase(cluster, name, new URL(url).password);
    return connect(cluster, name);
  });
  try {
    // for the owner itself and for the worker's login: see db/logins.ts
    await inside.query(`grant pg_use_reserved_connections to ${owner} with admin option`);
    // Only a superuser can do this, and here there is one: see sql/harden.sql.
    await inside.query(fs.readFileSync(path.join(sqlFolder, 'harden.sql'), 'utf8'));
  } finally {
    await inside.end();
  }
  return url;
}

async function makeDatabase(cluster: RunningCluster, name: string, password: string): Promise<void> {
  const admin = await connect(cluster);
  try {
    const { rows } = await admin.query('select 1 from pg_roles where rolname = $1', [owner]);
    if (rows.length === 0) await admin.query(`create role ${owner} login createrole password '${password}'`);
    // The serving logins may use the hill's own database only.
    await admin.query('revoke connect, temporary on database postgres, template1 from public');
    await admin.query(`create database ${admin.escapeIdentifier(name)} owner ${owner}`); // last: where it is, the rest is
  } finally {
    await admin.end();
  }
}

export async function hasHillDatabase(cluster: RunningCluster): Promise<boolean> {
  const admin = await connect(cluster);
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [hillDatabase]);
    return rowCount === 1;
  } finally {
    await admin.end();
  }
}

async function connect(cluster: RunningCluster, database?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: cluster.url(database), application_name: 'hill embedded' });
  await client.connect();
  return client;
}

/**
 * The owner's password is derived from the superuser's, so that there is one secret to keep. The superuser's cannot be
 * computed from it.
 */
export function ownerUrl(cluster: RunningCluster, name = hillDatabase): string {
  const url = new URL(cluster.url(name));
  url.password = createHmac('sha256', url.password).update(owner).digest('base64url');
  url.username = owner;
  return url.href;
}
