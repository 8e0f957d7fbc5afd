// Every row of a hill, and what its tables look like, to compare one hill with another.
import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Made anew by each start or by the worker, or of the moment: not in a backup. */
const passing = new Set([
  'oauth.proof_keys',
  'oauth.next_proof_keys',
  'oauth.stripe_keys',
  'oauth.stripe_modes',
  'hill.archives',
  'hill.archive_pieces',
  'hill.address_questions',
]);

/** Table, number of rows, hash of all rows. `root` is a superuser. */
export async function everyRow(root: pg.Pool | pg.ClientBase): Promise<Record<string, string>> {
  const { rows } = await root.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('hill', 'oauth') and c.relkind = 'r' and c.relnatts > 0 order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    if (passing.has(name)) continue;
    const { rows: lines } = await root.query<{ line: string }>(
      `select t::text as line from ${name} t order by t::text collate "C"`,
    );
    found[name] = `${lines.length} ${createHash('sha256')
      .update(lines.map(({ line }) => line).join('\n'))
      .digest('hex')
      .slice(0, 16)}`;
  }
  return found;
}

/**
 * Columns, constraints, indexes, policies, rights, comments and sequences, each as a line. The bell names some indexes
 * otherwise than a restore.
 */
export async function everyDefinition(root: pg.Pool | pg.ClientBase): Promise<string[]> {
  const { rows } = await root.query<{ line: string }>(`
    with relation as (
      select c.*, n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('hill', 'oauth') and c.relkind in ('r', 'p', 'S'))
    select format('%s: %s, rls %s %s, %s, %s, options %s, of %s', r.name, r.relkind, r.relrowsecurity, r.relforcerowsecurity, r.relowner::regrole,
                  obj_description(r.oid, 'pg_class'), r.reloptions, (select i.inhparent::regclass from pg_inherits i where i.inhrelid = r.oid)) as line
      from relation r
    union all
    select format('%s: %s may %s', r.name, a.grantee::regrole, a.privilege_type)
      from relation r, aclexplode(coalesce(r.relacl, acldefault('r', r.relowner))) a
     where a.grantee <> r.relowner or a.privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
    union all
    select format('%s.%s: %s %s %s', r.name, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity)
      from relation r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped where r.relkind <> 'S'
    union all
    select format('%s: %s', r.name, pg_get_constraintdef(k.oid)) from relation r join pg_constraint k on k.conrelid = r.oid where k.contype <> 'n'
    union all
    select format('%s: %s', r.name, regexp_replace(pg_get_indexdef(i.indexrelid), '^(CREATE (UNIQUE )?INDEX) \\S+', '\\1'))
      from relation r join pg_index i on i.indrelid = r.oid
    union all
    select format('%s: %s', r.name, p.polname || coalesce(pg_get_expr(p.polqual, p.polrelid), '') || coalesce(pg_get_expr(p.polwithcheck, p.polrelid), ''))
      from relation r join pg_policy p on p.polrelid = r.oid
    union all
    select format('%s: trigger %s %s', r.name, t.tgname, t.tgenabled) from relation r join pg_trigger t on t.tgrelid = r.oid where not t.tgisinternal
    order by 1`);
  return rows.map(({ line }) => line);
}
