// What the database has of the items of sql/, as its catalog shows it: the queries of db/load-sql.ts.

/** The kinds of items that it shows. */
export const inCatalog = new Set<string>(['schema', 'type', 'function', 'trigger', 'policy']);

/**
 * Id, kind, name, table and schema of each. Tonight's sealed moves are left out: the bell creates their policies
 * (engine.guard_sealed_moves).
 */
export const catalog = `
  select 'schema ' || n.nspname as id, 'schema' as kind, n.nspname::text as name, null as "on", n.nspname as schema from pg_namespace n
  union all
  select 'function ' || x.name, 'function', x.name, null, x.schema
    from (select distinct n.nspname || '.' || p.proname as name, n.nspname as schema from pg_proc p join pg_namespace n on n.oid = p.pronamespace
           where n.nspname <> 'pg_catalog') x
  union all
  select 'type ' || n.nspname || '.' || t.typname, 'type', n.nspname || '.' || t.typname, null, n.nspname
    from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
   where t.typtype = 'e' or (t.typtype = 'c' and c.relkind = 'c')
  union all
  select 'policy ' || p.policyname || ' on ' || p.schemaname || '.' || p.tablename, 'policy', p.policyname, p.schemaname || '.' || p.tablename, p.schemaname
    from pg_policies p where (p.schemaname, p.tablename) <> ('hill', 'sealed_moves')
  union all
  select 'trigger ' || t.tgname || ' on ' || n.nspname || '.' || c.relname, 'trigger', t.tgname, n.nspname || '.' || c.relname, n.nspname
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
   where not t.tgisinternal and t.tgparentid = 0
     and t.tgconstraint = 0 /* engine.begin_audit_chain makes the one that there is */`;

/**
 * The statements that revoke what was granted on a table, a sequence or a schema, and restore the rights of its owner.
 * `name` is SQL.
 */
export const revocations = (name: string): string => `
  with objects as (
    select case c.relkind when 'S' then 'sequence ' else 'table ' end || c.oid::regclass as what, c.relowner as owner, c.relacl as acl,
           array(select distinct a.grantee from pg_attribute t, aclexplode(t.attacl) a where t.attrelid = c.oid) as more
      from pg_class c where c.oid = to_regclass(${name})
    union all
    select 'schema ' || n.oid::regnamespace, n.nspowner, n.nspacl, '{}' from pg_namespace n where n.nspname = ${name}
  )
  select format('revoke all on %s from %s', o.what, string_agg(case g.grantee when 0 then 'public' else g.grantee::regrole::text end, ', ')) as statement
    from objects o, lateral (select a.grantee from aclexplode(o.acl) a union select unnest(o.more)) g
   where g.grantee <> o.owner group by o.what
  union all
  select format('grant all on %s to %s', o.what, o.owner::regrole) from objects o where o.what not like 'schema %'`;

/**
 * The signatures of the functions of the name $1: one, except for a moment when its arguments change. The newest is
 * last.
 */
export const signatures = `
  select p.oid::regprocedure::text as signature from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where n.nspname || '.' || p.proname = $1 order by p.oid`;

/** Who owns the function $1, and who else may call it. */
export const callers = `
  select p.proowner::regrole::text as owner, array(
           select distinct case a.grantee when 0 then 'public' else a.grantee::regrole::text end
             from aclexplode(p.proacl) a where a.grantee <> p.proowner) as grantees
    from pg_proc p where p.oid = $1::regproc`;

/**
 * Which sessions hold tables of Hill just now. PostgreSQL shows what they do to superusers only, but who they are to
 * everybody.
 */
export const holders = `
  select format('%s (pid %s, on %s)', a.usename, a.pid, string_agg(distinct c.relname, ', ')) as who
    from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_activity a on a.pid = l.pid
   where l.granted and l.pid <> pg_backend_pid() and c.relnamespace::regnamespace::text in ('hill', 'oauth') and c.relkind in ('r', 'p')
   group by a.usename, a.pid order by min(a.backend_start) limit 5`;
