-- A member of the staff who is signed in on the site is handed to the console, by a code that only the browser which
-- asked for it can use. Rules 18.4; decisions 220.

-- How many seconds of real time a code leads from the site to the console.
create or replace function engine.console_code_seconds() returns integer language sql immutable parallel safe return 60;

-- The row that makes an account's human staff. Errors: NOT_STAFF, with the account_id that an owner of the staff needs.
create or replace function engine.own_membership(account_id uuid)
returns hill.staff_members
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_member hill.staff_members;
begin
  select m.* into v_member from hill.staff_members m where m.account_id = own_membership.account_id;
  if not found then
    perform engine.refuse('NOT_STAFF', 'The account is not one of the staff.',
      jsonb_build_object('account_id', own_membership.account_id));
  end if;
  return v_member;
end
$$;

-- Uses up a code, given the text of its challenge, and returns the member of the staff to whom it was given. Errors:
-- INVALID_TOKEN, NOT_STAFF.
create or replace function engine.take_console_code(code text, verifier text)
returns hill.staff_members
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid;
  v_member     hill.staff_members;
begin
  update oauth.console_codes c set used_at = clock_timestamp()
   where c.code_hash = engine.hash_token(take_console_code.code)
     and c.challenge = engine.hash_token(take_console_code.verifier)
     and c.used_at is null and c.expires_at > clock_timestamp()
  returning c.account_id into v_account_id;
  if not found then
    perform engine.refuse('INVALID_TOKEN',
      'The code was used, is too old, or was given to another browser.');
  end if;
  select m.* into v_member from hill.staff_members m where m.account_id = v_account_id;
  if not found then   -- removed within the minute
    perform engine.refuse('NOT_STAFF', 'The account is not one of the staff.',
      jsonb_build_object('account_id', v_account_id));
  end if;
  return v_member;
end
$$;

create policy human_asks on oauth.console_codes for insert to hill_api_human
  with check (account_id = (select engine.actor_account()));
create policy staff_enters on oauth.console_codes to hill_api_staff using (true) with check (used_at is not null);
create policy owner_looks on oauth.console_codes for select to hill_owner using (true);
create policy owner_forgets on oauth.console_codes for delete to hill_owner using (true);
grant insert on oauth.console_codes to hill_api_human;
grant select, update (used_at) on oauth.console_codes to hill_api_staff;

comment on table oauth.console_codes is
'Codes, by hash, that lead a signed-in member of the staff from the site to the console: used once, within 60 seconds, '
'by the browser that keeps the text of the challenge.';
comment on column oauth.console_codes.code_hash is 'SHA-256 of the code.';
comment on column oauth.console_codes.account_id is 'Whose human is staff.';
comment on column oauth.console_codes.challenge is 'SHA-256 of the text that the browser keeps.';
comment on column oauth.console_codes.created_at is 'When it was given. Real clock.';
comment on column oauth.console_codes.expires_at is '60 seconds later.';
comment on column oauth.console_codes.used_at is 'When it opened the console; null if it has not. Real clock.';
