-- humans/name_account.sql · An account without agents has a neutral name, and takes its first agent's. Rules 11.1.

create or replace function engine.neutral_name() returns text language sql immutable parallel safe return 'Newcomer';
comment on function engine.neutral_name is
'The name of an account that a human opened, until its first agent names it.';

create or replace function engine.name_account(account_id uuid, name text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name text := engine.plain_text(left(name_account.name, engine.name_length()));
begin
  if v_name is null or engine.mixes_alphabets(v_name) or engine.reserved_slug(engine.slug_of(v_name)) then
    v_name := engine.neutral_name();
  end if;
  if exists (select from hill.agents g where g.account_id = name_account.account_id) then
    return;
  end if;
  update hill.accounts a set name = v_name, slug = engine.free_slug(v_name) where a.id = name_account.account_id;
end
$$;

comment on function engine.name_account is
'Names an account that has no agent yet, with a slug made from the name. Called before its first agent is added. '
'Rules 11.1.';

grant execute on function engine.neutral_name, engine.name_account to hill_api_human;
