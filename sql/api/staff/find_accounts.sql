-- Which account somebody means. Rules 18.2; decisions 230.

create type api_staff.found_account as (account_id uuid, matched text);

comment on type api_staff.found_account is
'An account that a text can mean, and why (matched): id, e-mail address, slug, former slug, name or agent.';
comment on column api_staff.found_account.account_id is 'Which account.';
comment on column api_staff.found_account.matched is 'Why: id, e-mail address, slug, former slug, name or agent.';

create or replace function api_staff.find_accounts(text text)
returns setof api_staff.found_account
-- volatile, because looking an address up is written to the audit log
language plpgsql volatile strict parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_looking();
begin
  if char_length(btrim(find_accounts.text)) not between 1 and 320 then
    perform engine.refuse('INVALID_ARGUMENT', 'text has 1 to 320 characters.', '{"argument": "text"}');
  end if;
  if find_accounts.text ~ '@' then
    perform engine.note_address(
      v_staff,
      (select f.account_id from engine.find_accounts(find_accounts.text) f limit 1));
  end if;
  return query select f.account_id, f.matched from engine.find_accounts(find_accounts.text) f;
end
$$;

comment on function api_staff.find_accounts is
'The accounts that a text can mean, the surest first, at most 100, each with why it matched: an id, a whole e-mail '
'address of a sign-in, a slug (also one that the account has left), words that begin words of its name and slug, or '
'the whole name of an agent. '
'Looking an address up is written to the audit log. Errors: INVALID_TOKEN, INVALID_ARGUMENT. '
'Rules 18.2; decisions 230.
- text: 1 to 320 characters.';

grant execute on function api_staff.find_accounts to hill_staff;
