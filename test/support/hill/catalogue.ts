// What PostgreSQL's catalogues say about the hill, for tests that look at all of it, now and whatever is added later.
import fs from 'node:fs';
import path from 'node:path';

/** Schemas that hold data. */
export const dataSchemas = ['hill', 'oauth'];
/** The owner of each schema of functions. */
export const apiOwners: Readonly<Record<string, string>> = {
  api_public: 'hill_api_public',
  api_agent: 'hill_api_agent',
  api_human: 'hill_api_human',
  api_staff: 'hill_api_staff',
  api_worker: 'hill_api_worker',
  api_oauth: 'hill_api_oauth',
};
export const functionSchemas = ['engine', 'trusted', ...Object.keys(apiOwners)];
/** Roles without a login. */
export const callers = [
  'hill_public',
  'hill_agent',
  'hill_human',
  'hill_staff',
  'hill_worker',
  'hill_oauth',
  'hill_dba',
];

/** Tables, with whether they are a partition of another. What schema engine has waits for the bell. */
export const tables = `
  select c.oid, n.nspname as schema, c.relname as name, c.oid::regclass::text as shown, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
         c.relispartition as partition, c.relowner::regrole::text as owner
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p') and n.nspname in ('hill', 'oauth', 'engine')`;

export const functions = `
  select p.oid, n.nspname as schema, p.oid::regprocedure::text as shown, p.proowner::regrole::text as owner, p.prosecdef as definer, p.prosqlbody is not null as standard_body,
         coalesce(p.proconfig, '{}') as settings, p.proacl as acl, p.provolatile as volatility, p.prorettype = 'trigger'::regtype as trigger, p.prosrc as text
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where n.nspname in ('engine', 'trusted', 'api_public', 'api_agent', 'api_human', 'api_staff', 'api_worker', 'api_oauth')`;

/** What a DBA calls: functions that the scripts and the README name. */
export const forDbas: readonly string[] = [
  'README.md',
  ...['sql/replay', 'sql/verify'].flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  ),
]
  .filter((file) => /\.(md|sql)$/.test(file))
  .flatMap((file) => fs.readFileSync(file, 'utf8').match(/\b(engine|trusted)\.[a-z_]+(?=\()/g) ?? []);
