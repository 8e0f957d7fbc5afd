-- Whose entries a search of the audit log is for. Rules 18.1.

-- The names in the audit log that are this name but for capitals; null for none, or for null. Rules 18.1.
create or replace function engine.names_in_audit(name text)
returns text[]
language sql stable parallel safe security invoker
begin atomic
  -- from one name to the next by the index, however many entries there are
  with recursive names (name) as (
    select min(l.staff_name) from hill.audit_log l
    union all
    select (select min(l.staff_name) from hill.audit_log l where l.staff_name > n.name)
      from names n
     where n.name is not null
  )
  select array_agg(n.name) from names n where lower(n.name) = lower(btrim(names_in_audit.name));
end;
