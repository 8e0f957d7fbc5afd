-- What came into an account's wallet, and what went out. Rules 5.5.

create or replace function api_staff.account_history(account text)
returns setof api_staff.history_entry
language plpgsql stable strict parallel restricted security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff   text := engine.enter_looking();
  v_account uuid := engine.account_meant(account);
begin
  return query select h.* from engine.wallet_history(v_account) h limit 5000;
end
$$;

comment on function api_staff.account_history is
'The latest 5000 entries of an account''s wallet (its id or slug), the latest first: transfers and nights, each with '
'the granted and paid credits before and after it. explainCharge takes a night apart. Errors: INVALID_TOKEN, '
'NOT_FOUND. Rules 5.5.
- account: its id or slug.';

grant execute on function api_staff.account_history to hill_staff;
