// db/hill-database.ts · the database "hill" of the embedded cluster and its owner.
//
// As on a managed PostgreSQL, the owner is not a superuser: what works here works there, and row-level security binds the owner in both.
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
  const admin = new pg.Client({ connectionString: cluster.url(), application_name: 'hill embedded' });
  await admin.connect();
  try {
    const { rows: roles } = await admin.query('select 1 from pg_roles where rolname = $1', [owner]);
    if (roles.length === 0) await admin.query(`create role ${owner} login createrole password '${new URL(url).password}'`);
    // for the owner itself and for the worker's login: see db/logins.ts
    await admin.query(`grant pg_use_reserved_connections to ${owner} with admin option`);
    const { rows: databases } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (databases.length === 0) {
      // The serving logins may use the hill's own database only.
      await admin.query('revoke connect, temporary on database postgres, template1 from public');
      await admin.query(`create database ${admin.escapeIdentifier(name)} owner ${owner}`);
    }
  } finally {
    await admin.end();
  }
  // Only a superuser can do this, and here there is one: see sql/harden.sql.
  const inside = new pg.Client({ connectionString: cluster.url(name), application_name: 'hill embedded' });
  await inside.connect();
  try {
    await inside.query(fs.readFileSync(path.join(sqlFolder, 'harden.sql'), 'utf8'));
  } finally {
    await inside.end();
  }
  return url;
}

/** The owner's password is derived from the superuser's, so that there is one secret to keep. The superuser's cannot be computed from it. */
export function ownerUrl(cluster: RunningCluster, name = hillDatabase): string {
  const url = new URL(cluster.url(name));
  url.password = createHmac('sha256', url.password).update(owner).digest('base64url');
  url.username = owner;
  return url.href;
}
