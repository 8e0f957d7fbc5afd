-- rules/default_mandate.sql · The mandate of a new account. Specification 8.

create or replace function engine.default_mandate()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  -- the defaults are the table's own, so they are read where they stand
  select jsonb_object_agg(a.attname, pg_get_expr(d.adbin, d.adrelid)::bigint)
    from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
   where d.adrelid = 'hill.mandates'::regclass;
end;

comment on function engine.default_mandate() is 'The caps (cents) that a new account has until its human sets others: daily_cap_cents, max_stake_cents. Specification 8.';
grant execute on function engine.default_mandate() to hill_api;
