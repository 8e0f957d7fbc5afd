-- The account that staff name, locked.

-- The account of an id, locked against other changes by staff until the transaction ends. Errors: NOT_FOUND.
create or replace function engine.find_account(account_id uuid)
returns hill.accounts
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz;
  v_account hill.accounts;
begin
  -- before the account's row, as everywhere: in the other order two callers would wait for each other
  v_now := trusted.take_instant(account_id);
  select a.* into v_account from hill.accounts a where a.id = find_account.account_id for no key update;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such account.', '{"argument": "account_id"}');
  end if;
  return v_account;
end
$$;
