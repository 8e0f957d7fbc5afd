-- reset.sql · What sql/ defines holds no data: it is dropped and built anew, so that a deleted file leaves nothing behind.

do $$
declare
  v record;
begin
  for v in select format('drop policy %I on %I.%I', p.policyname, p.schemaname, p.tablename) as statement
             from pg_policies p where p.schemaname in ('hill', 'oauth') loop
    execute v.statement;
  end loop;
  for v in select format('revoke all on %s from %s', o.what, g.grantee::regrole) as statement
             from (select distinct 'table ' || c.oid::regclass as what, a.grantee, c.relowner as owner
                     from pg_class c, aclexplode(c.relacl) a
                    where c.relnamespace in ('hill'::regnamespace, 'oauth'::regnamespace) and c.relkind in ('r', 'p')
                    union
                   select distinct 'sequence ' || c.oid::regclass, a.grantee, c.relowner
                     from pg_class c, aclexplode(c.relacl) a
                    where c.relnamespace in ('hill'::regnamespace, 'oauth'::regnamespace) and c.relkind = 'S'
                    union
                   select distinct 'schema ' || n.oid::regnamespace, a.grantee, n.nspowner
                     from pg_namespace n, aclexplode(n.nspacl) a where n.nspname in ('hill', 'oauth')) as o,
                  lateral (select o.grantee) as g
            where g.grantee not in (0, o.owner) loop
    execute v.statement;
  end loop;
  -- column grants go with the table's only if they are named
  for v in select format('revoke all (%I) on table %s from %s', t.attname, t.attrelid::regclass, a.grantee::regrole) as statement
             from pg_attribute t join pg_class c on c.oid = t.attrelid, aclexplode(t.attacl) a
            where c.relnamespace in ('hill'::regnamespace, 'oauth'::regnamespace) loop
    execute v.statement;
  end loop;
end
$$;

drop schema if exists engine, api_public, api_agent, api_human, api_staff, api_worker, api_oauth cascade;
