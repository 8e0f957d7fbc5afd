-- Accounts of a practice hill that nobody uses any more, for the worker to close. Rules 17.4.

create or replace function api_human.close_unused_accounts(hours integer)
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid;
  v_closed     integer := 0;
begin
  perform engine.check_practice();
  perform engine.hold_sign_ins();
  foreach v_account_id in array trusted.unused_accounts(hours) loop
    perform set_config('hill.account_id', v_account_id::text, true), set_config('hill.accounts', '', true);
    perform engine.close_account(v_account_id);
    v_closed := v_closed + 1;
  end loop;
  return v_closed;
exception
  when sqlstate 'ZHBEL' then   -- the next call does it
    return 0;
end
$$;

comment on function api_human.close_unused_accounts is
'For the worker of a practice hill: closes accounts that nobody has used for so many hours, at most 100, and returns '
'how many. Errors: SETTING_REFUSED on any other hill. Rules 17.4.';

grant execute on function api_human.close_unused_accounts to hill_api_worker;
