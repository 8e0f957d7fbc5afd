-- Who is staff: accounts whose human an owner of the staff has named. Rules 18.4; decisions 221.

-- As engine.enter_staff, for what changes who is staff, one at a time. Errors: INVALID_TOKEN, OWNERS_ONLY,
-- REASON_REQUIRED. Rules 18.4.
create or replace function engine.enter_owner(action text, reason text)
returns text
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff(action, reason);
begin
  -- one at a time, so that of the last two owners one stays; first of all locks
  perform trusted.lock_one('staff');
  return v_staff;
end
$$;

-- Refuses what would leave the staff without an owner, if that account is about to be one no longer. Errors:
-- LAST_OWNER. Rules 18.4.
create or replace function engine.keep_an_owner(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if not exists (select from hill.staff_members m
                  where m.role = 'owner' and m.account_id <> keep_an_owner.account_id) then
    perform engine.refuse('LAST_OWNER', 'That is the only owner of the staff.');
  end if;
end
$$;

-- Deletes the row that makes an account's human staff, if there is one, and ends what came of it.
create or replace function trusted.forget_member(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may delete anything
set search_path to pg_catalog, pg_temp
as $$
begin
  delete from hill.staff_members m where m.account_id = forget_member.account_id;
  perform trusted.end_console(account_id);
end
$$;

-- Ends the sessions on the console that an account's human has, and codes that lead there.
create or replace function trusted.end_console(account_id uuid)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner: a human may read no session of staff
set search_path to pg_catalog, pg_temp
as $$
  delete from oauth.console_codes c where c.account_id = end_console.account_id;
  update oauth.staff_sessions s set revoked_at = clock_timestamp()
   where s.account_id = end_console.account_id and s.revoked_at is null
$$;

grant execute on function trusted.forget_member to hill_api_staff, hill_api_human;
grant execute on function trusted.end_console to hill_api_staff, hill_api_human;

create policy staff_calls on hill.staff_members for select to hill_api_staff using (true);
create policy staff_read on hill.staff_members for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy owners_add on hill.staff_members for insert to hill_api_staff
  with check (api_staff.staff_role() = 'owner');
create policy owners_change on hill.staff_members for update to hill_api_staff
  using (api_staff.staff_role() = 'owner') with check (true);
create policy owner_looks on hill.staff_members for select to hill_owner using (true);
create policy owner_removes on hill.staff_members for delete to hill_owner using (true);
-- A human learns of the own row, and writes none.
create policy own_read on hill.staff_members for select to hill_api_human
  using (account_id = (select engine.actor_account()));
grant select on hill.staff_members to hill_api_staff, hill_staff, hill_api_human;
grant insert, update (name, role) on hill.staff_members to hill_api_staff;

-- For the download, of the own account alone.
create policy own_download on oauth.staff_sessions for select to hill_api_human
  using (account_id = (select engine.actor_account()));
grant select (account_id, created_at, expires_at, revoked_at) on oauth.staff_sessions to hill_api_human;

comment on table hill.staff_members is
'Accounts whose humans are staff, under the names that the audit log shows. Only an owner of the staff, or whoever has '
'the staff key, writes here. Rules 18.4.';
comment on column hill.staff_members.account_id is 'Whose human it is.';
comment on column hill.staff_members.name is 'The name in the audit log.';
comment on column hill.staff_members.role is 'viewer, support, manager or owner. Rules 18.1, 18.4.';
comment on column hill.staff_members.since is 'When an owner first named this account. Hill''s clock.';
