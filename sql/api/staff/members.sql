-- Owners say who is staff. Rules 18.4.

create or replace function api_staff.set_staff(account_id uuid, name text, role text, reason text)
returns hill.staff_members
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_owner('set_staff', reason);
  v_name   text := trim(normalize(engine.trimmed(set_staff.name), NFC));
  v_before hill.staff_members;
  v_after  hill.staff_members;
begin
  if v_name is null or char_length(v_name) not between 1 and engine.staff_name_length()
     or v_name ~ engine.unfit_letters() then
    perform engine.refuse('INVALID_ARGUMENT',
      format('name is a line of 1 to %s characters: it goes into the audit log.', engine.staff_name_length()),
      jsonb_build_object('argument', 'name', 'max_length', engine.staff_name_length()));
  end if;
  if array_position(engine.staff_roles(), role) is null then
    perform engine.refuse('INVALID_ARGUMENT', 'role is viewer, support, manager or owner.', '{"argument": "role"}');
  end if;
  if (engine.find_account(account_id)).house then
    perform engine.refuse('NOT_ALLOWED', 'An account of the house has no human.', '{"argument": "account_id"}');
  end if;
  perform engine.refuse_closed(account_id);
  if exists (select from hill.staff_members m where m.name = v_name and m.account_id <> set_staff.account_id) then
    perform engine.refuse('NOT_ALLOWED', 'Another member of the staff has that name.', '{"argument": "name"}');
  end if;
  select m.* into v_before from hill.staff_members m where m.account_id = set_staff.account_id;
  if v_before.role = 'owner' and role <> 'owner' then
    perform engine.keep_an_owner(account_id);
  end if;
  -- first: an owner who changes the own row is called something else afterwards, or is none
  perform engine.write_audit(v_staff, 'set_staff', account_id, null,
    jsonb_build_object('name', v_name, 'role', role, 'was_name', v_before.name, 'was_role', v_before.role), reason);
  insert into hill.staff_members as m (account_id, name, role, since)
  values (set_staff.account_id, v_name, set_staff.role, engine.now())
  on conflict on constraint staff_members_pkey do update set name = excluded.name, role = excluded.role
  returning m.* into v_after;
  return v_after;
end
$$;

create or replace function api_staff.remove_staff(account_id uuid, reason text)
returns hill.staff_members
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff  text := engine.enter_owner('remove_staff', reason);
  v_member hill.staff_members;
begin
  select m.* into v_member from hill.staff_members m where m.account_id = remove_staff.account_id;
  if not found then
    perform engine.refuse('NOT_FOUND', 'That account is not one of the staff.', '{"argument": "account_id"}');
  end if;
  if v_member.role = 'owner' then
    perform engine.keep_an_owner(account_id);
  end if;
  -- before the row goes: whoever removes themselves may write nothing afterwards
  perform engine.write_audit(v_staff, 'remove_staff', account_id, null,
    jsonb_build_object('name', v_member.name, 'role', v_member.role), reason);
  perform trusted.forget_member(account_id);
  return v_member;
end
$$;

comment on function api_staff.set_staff is
'Makes the human of an account staff, or changes one of the staff: the name, which the audit log shows, and the role: '
'"viewer", "support", "manager" or "owner", who also says who is staff. For owners. Returns the member. Errors: '
'INVALID_TOKEN, OWNERS_ONLY, REASON_REQUIRED, INVALID_ARGUMENT, NOT_FOUND, NOT_ALLOWED, ACCOUNT_CLOSED, LAST_OWNER. '
'Rules 18.4.';
comment on function api_staff.remove_staff is
'Removes a member of the staff, who loses the console at once. For owners; the last owner stays. Returns the member '
'that was. Errors: INVALID_TOKEN, OWNERS_ONLY, REASON_REQUIRED, NOT_FOUND, LAST_OWNER. Rules 18.4.';

grant execute on function api_staff.set_staff, api_staff.remove_staff to hill_staff;
