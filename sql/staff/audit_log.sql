-- What staff do is logged with their name and reason, in the transaction that does it.

-- The name of the member of staff who looks, given a live session. Looking needs no reason. Errors: INVALID_TOKEN.
create or replace function engine.enter_looking()
returns text
language plpgsql stable parallel restricted security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := api_staff.staff_name();
begin
  if v_staff is null then
    perform engine.refuse('INVALID_TOKEN', 'The staff session is unknown, expired or revoked.');
  end if;
  return v_staff;
end
$$;

-- Whether the role of whoever looks may do something, by the name that the audit log has for it. Rules 18.1.
create or replace function engine.staff_may(action text)
returns boolean
language sql stable parallel restricted security invoker
begin atomic
  -- an action that nobody named in engine.least_role is for nobody
  select coalesce(array_position(engine.staff_roles(), api_staff.staff_role())
                    >= array_position(engine.staff_roles(), engine.least_role(staff_may.action)), false);
end;

-- The name of the member of staff who calls to do something, given a live session, a role that may do it
-- (engine.least_role) and a reason of 3 to 500 characters. Errors: INVALID_TOKEN, OWNERS_ONLY, ROLE_TOO_LOW,
-- REASON_REQUIRED. Rules 18.1.
create or replace function engine.enter_staff(action text, reason text)
returns text
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_looking();
  v_role  text := api_staff.staff_role();
  v_least text := engine.least_role(action);
begin
  if not engine.staff_may(action) then
    if v_least = 'owner' then
      perform engine.refuse('OWNERS_ONLY', 'Only an owner of the staff may do that.');
    end if;
    perform engine.refuse('ROLE_TOO_LOW', format('That is not for the role %s.', v_role),
      jsonb_build_object('role', v_role, 'needs', v_least));
  end if;
  if reason is null or char_length(engine.trimmed(reason)) not between 3 and 500 then
    perform engine.refuse('REASON_REQUIRED', 'A reason of 3 to 500 characters is required.', '{"argument": "reason"}');
  end if;
  return v_staff;
end
$$;

-- A text without the white space around it.
create or replace function engine.trimmed(words text)
returns text language sql immutable parallel safe
return regexp_replace(words, '^\s+|\s+$', '', 'g');

-- Writes to the audit log what a member of staff did to an account or a place, with what changed as JSON and the
-- reason.
create or replace function engine.write_audit(
  staff_name text,
  action text,
  account_id uuid,
  slot integer,
  details jsonb,
  reason text)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into hill.audit_log (at, staff_name, staff_account_id, action, account_id, slot, details, reason)
  values (
    engine.now(),
    write_audit.staff_name,
    (select w.account_id from api_staff.who_calls() w),
    write_audit.action,
    write_audit.account_id,
    write_audit.slot,
    write_audit.details,
    engine.trimmed(write_audit.reason));
end;

-- What an entry says that takes an earlier one back: the details of both, and the id of the earlier one (null: there is
-- none).
create or replace function engine.reverses(action text, details jsonb)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select reverses.details || jsonb_build_object('reverses', max(a.id))
    from hill.audit_log a
   where a.action = reverses.action and a.details @> reverses.details;
end;

alter table hill.audit_log enable row level security, force row level security;
create policy staff_read on hill.audit_log for select to hill_staff using ((select api_staff.staff_name()) is not null);
create policy staff_append on hill.audit_log for insert to hill_api_staff
  with check (staff_name = api_staff.staff_name()
              and staff_account_id is not distinct from (select w.account_id from api_staff.who_calls() w));
grant select on hill.audit_log to hill_staff;
grant insert on hill.audit_log to hill_api_staff;
create or replace trigger written_once before update or delete or truncate on hill.audit_log
  for each statement execute function trusted.guard_balances();

comment on table hill.audit_log is
'What staff did, when, to which account or place, and why. Rows are only ever added. details holds what changed; '
'amounts are in cents. staff_account_id: whose account the member of the staff signed in to; null for the staff key, '
'under the name that its bearer gave, and for what Stripe told.';
comment on column hill.audit_log.id is 'In the order in which they were written.';
comment on column hill.audit_log.at is 'When it was done. Hill''s clock.';
comment on column hill.audit_log.staff_name is
'Who did it, by the name of hill.staff_members; Stripe for what Stripe told.';
comment on column hill.audit_log.action is 'What was done: such as grant_credits; bar_deposits by Stripe.';
comment on column hill.audit_log.account_id is 'To which account; null if to none.';
comment on column hill.audit_log.slot is 'To which place; null if to none.';
comment on column hill.audit_log.details is 'What was changed, before and after.';
comment on column hill.audit_log.reason is 'Why, in that person''s words. Not shown to the account.';
comment on column hill.audit_log.staff_account_id is
'Whose account that person signed in to; null for the staff key and for Stripe.';
