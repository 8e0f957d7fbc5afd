-- What is not shown: an account's profile, what a move or an announcement said. Rules 18.5.

create or replace function api_staff.hide_profile(account_id uuid, hidden boolean, reason text)
returns hill.accounts
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_staff text := engine.enter_staff('hide_profile', reason);
  v_was   boolean;
  v_after hill.accounts;
begin
  if hidden is null then
    perform engine.refuse('INVALID_ARGUMENT', 'hidden is true or false.', '{"argument": "hidden"}');
  end if;
  perform engine.enter_day();
  -- before the account's row, as in the worker
  perform from hill.site_checks c where c.account_id = hide_profile.account_id for no key update;
  perform engine.find_account(account_id);
  perform engine.refuse_closed(account_id);
  v_was := engine.profile_hidden(account_id);
  if hidden and not v_was then
    perform trusted.veil_profile(account_id, engine.now());
    perform trusted.forget_former(account_id);  -- past nights show it veiled, too
  elsif not hidden and v_was then
    perform trusted.unveil_profile(account_id);
    perform trusted.forget_former(account_id);
    -- the icon comes back with a check, which is due now
    update hill.site_checks c set due_at = engine.now()
      from hill.accounts a
     where c.account_id = hide_profile.account_id and a.id = c.account_id and a.verified;
    perform trusted.note_change('work:look');
  end if;
  perform engine.write_audit(v_staff, 'hide_profile', account_id, null,
    jsonb_build_object('hidden', hidden, 'was_hidden', v_was), reason);
  perform engine.tell_anew();
  select a.* into strict v_after from hill.accounts a where a.id = hide_profile.account_id;
  return v_after;
end
$$;

create or replace function api_staff.hide_message(
  day integer,
  account_id uuid,
  slot integer,
  hidden boolean,
  reason text)
returns hill.moves
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_move hill.moves;
begin
  perform engine.hide_words(account_id, day, slot, 'move', hidden, reason);
  select m.* into strict v_move from hill.moves m
   where m.day = hide_message.day and m.account_id = hide_message.account_id and m.slot = hide_message.slot
     and m.ended is null;
  return v_move;
end
$$;

create or replace function api_staff.hide_announcement(
  day integer,
  account_id uuid,
  slot integer,
  hidden boolean,
  reason text)
returns hill.announcements
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_announcement hill.announcements;
begin
  perform engine.hide_words(account_id, day, slot, 'announcement', hidden, reason);
  select n.* into strict v_announcement from hill.announcements n
   where n.day = hide_announcement.day and n.account_id = hide_announcement.account_id
     and n.slot = hide_announcement.slot;
  return v_announcement;
end
$$;

comment on function api_staff.hide_profile is
'Hides what an account calls itself, everywhere and in past nights too, or (hidden: false) shows it as it was. '
'hiddenProfiles has it for staff. Returns the account. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, '
'INVALID_ARGUMENT, NOT_FOUND, ACCOUNT_CLOSED. Rules 18.5.
- hidden: false shows it again.';
comment on function api_staff.hide_message is
'Hides what the move of an account on a place said on a night that is over, or (hidden: false) shows it again. '
'hiddenWords has it for staff. Returns the move. Errors: INVALID_TOKEN, ROLE_TOO_LOW, REASON_REQUIRED, '
'INVALID_ARGUMENT, BELL_RINGING, NOT_FOUND. Rules 18.5.
- hidden: false shows it again.';
comment on function api_staff.hide_announcement is
'Hides what an announcement of an account said, today''s too, or (hidden: false) shows it again. Its intention and '
'verdict stay. hiddenWords has the words for staff. Returns the announcement. Errors: INVALID_TOKEN, ROLE_TOO_LOW, '
'REASON_REQUIRED, INVALID_ARGUMENT, BELL_RINGING, NOT_FOUND. Rules 18.5.
- hidden: false shows it again.';

grant execute on function api_staff.hide_profile, api_staff.hide_message, api_staff.hide_announcement to hill_staff;
