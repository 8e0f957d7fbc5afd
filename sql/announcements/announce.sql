-- What an account says that it will do, in public. Rules 6.1.

-- What an agent keeps of an announcement.
create or replace function engine.announcement_receipt(announcement hill.announcements, left_today integer)
returns jsonb
language sql stable parallel safe
return jsonb_strip_nulls(jsonb_build_object(
  'day', (announcement).day,
  'slot', (announcement).slot,
  'intention', (announcement).intention,
  'message', (announcement).message,
  'at', engine.iso((announcement).at),
  'announcements_left', left_today,
  'judged_at', engine.iso(engine.bell_at((announcement).day)),
  'verdict_by_move', jsonb_build_object(
    'PEACE', engine.verdict((announcement).intention, 'PEACE'),
    'WAR', engine.verdict((announcement).intention, 'WAR'),
    'none', engine.verdict((announcement).intention, null))));

-- Announces an intention (PEACE, WAR or PASS) on a place, public at once, in the log, judged at the bell. Rules 6.1.
create or replace function engine.announce(
  actor engine.agent_actor,
  slot integer,
  intention text,
  message text,
  day integer)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
-- each look is for one row, and the plan the same for everyone, as in engine.play_together
set enable_seqscan to off
set plan_cache_mode to force_generic_plan
as $$
declare
  v_message text := nullif(announce.message, '');
  v_now     timestamptz;
  v         record;
  v_stands  hill.announcements;
begin
  if announce.slot is null or announce.slot not between 1 and engine.slot_count() then
    perform engine.refuse('INVALID_ARGUMENT', format('slot is a place from 1 to %s.', engine.slot_count()),
                          '{"argument": "slot"}');
  end if;
  if announce.intention is null or announce.intention not in ('PEACE', 'WAR', 'PASS') then
    perform engine.refuse('INVALID_ARGUMENT', 'intention is PEACE, WAR or PASS.', '{"argument": "intention"}');
  end if;
  if v_message ~ engine.hidden_letters() then
    perform engine.refuse('INVALID_ARGUMENT', 'message is one line of printable characters.',
                          '{"argument": "message"}');
  end if;
  v_now := trusted.take_instant(actor.account_id);  -- the account's agents announce one after the other
  perform engine.check_admitted(actor);
  select t.today, s.day_one, s.founders_total, d.suspended_at, d.barred_at, d.paused_until, d.founder, d.announced,
         s.opens_days[announce.slot] as opens_day
    into strict v
    from hill.settings s
   cross join lateral (select engine.day_of(v_now, s.day_one) as today) t
   cross join lateral engine.account_today(actor.account_id, t.today, s.last_night) d;
  perform engine.check_may_play(
    v.suspended_at, v.barred_at, v.paused_until, v.founder, v.today, v.founders_total, v.day_one);

  select n.* into v_stands from hill.announcements n
   where n.day = coalesce(announce.day, v.today) and n.account_id = actor.account_id and n.slot = announce.slot;
  if announce.day <> v.today then
    perform engine.refuse('DAY_PASSED', 'The announcement is for another day than today.',
      jsonb_strip_nulls(jsonb_build_object(
        'day', v.today,
        'receipt', case when v_stands.intention::text = announce.intention
                             and v_stands.message is not distinct from v_message
                        then engine.announcement_receipt(v_stands, null) end)));
  end if;
  if v_stands.intention::text = announce.intention and v_stands.message is not distinct from v_message then
    -- a retry is safe, whatever the hour
    return engine.announcement_receipt(v_stands, engine.announcements_per_day() - v.announced);
  end if;
  if v_now >= engine.day_start(v.today, v.day_one) + engine.announcements_close() then
    perform engine.refuse('ANNOUNCE_CLOSED', 'Announcements are closed until the bell.',
      jsonb_build_object('opens_at', engine.iso(engine.day_start(v.today + 1, v.day_one))));
  end if;
  if v_stands.day is not null then
    perform engine.refuse('ALREADY_ANNOUNCED', 'The account has announced something else on this place today.',
      jsonb_build_object('announcement', engine.announcement_receipt(v_stands, null)));
  end if;
  if v.today < v.opens_day then
    perform engine.refuse('SLOT_CLOSED', 'The place is not open yet.', jsonb_build_object('opens_day', v.opens_day));
  end if;
  if char_length(v_message) > engine.message_length() then
    perform engine.refuse('MESSAGE_TOO_LONG', 'The message is too long.', jsonb_build_object(
      'max_length', engine.message_length()));
  end if;
  if v.announced >= engine.announcements_per_day() then
    perform engine.refuse('NO_ANNOUNCEMENTS_LEFT', 'No announcement is left today.', jsonb_build_object(
      'announcements_per_day', engine.announcements_per_day(),
      'next_day_at', engine.iso(engine.day_start(v.today + 1, v.day_one))));
  end if;

  v_stands.day := v.today;
  v_stands.account_id := actor.account_id;
  v_stands.slot := announce.slot;
  v_stands.agent_id := actor.agent_id;
  v_stands.intention := announce.intention;
  v_stands.message := v_message;
  v_stands.at := v_now;
  v_stands := engine.commit_announcement(v_stands);
  insert into hill.announcements select (v_stands).*;
  return engine.announcement_receipt(v_stands, engine.announcements_per_day() - v.announced - 1);
end
$$;

-- Writes the verdicts of a night's announcements, once its moves are unsealed. Rules 6.3.
create or replace function engine.judge_announcements(night integer)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  update hill.announcements n
     set verdict = engine.verdict(n.intention,
           (select m.move from hill.moves m
             where m.day = judge_announcements.night and m.account_id = n.account_id and m.slot = n.slot
               and m.ended is null))
   where n.day = judge_announcements.night;
end;

alter table hill.announcements enable row level security, force row level security;
create policy all_read on hill.announcements for select to hill_api, hill_dba using (true);
create policy staff_read on hill.announcements for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
create policy own_announce on hill.announcements for insert to hill_api_agent
  with check (account_id = engine.actor_account() and verdict is null);
create policy house_announces on hill.announcements for insert to hill_api_worker
  with check (account_id = engine.actor_account() and verdict is null);
create policy bell_judges on hill.announcements for update to hill_api_worker using (true) with check (true);
grant select on hill.announcements to hill_api;
-- Each column, and not the table, as of moves.
revoke select on hill.announcements from hill_staff, hill_dba;
grant select (
  day,
  account_id,
  slot,
  agent_id,
  intention,
  message,
  at,
  verdict,
  salt,
  message_salt,
  message_hash,
  commitment) on hill.announcements to hill_staff, hill_dba;
grant insert on hill.announcements to hill_api_agent, hill_api_worker;
grant update (verdict) on hill.announcements to hill_api_worker;

comment on table hill.announcements is
'What accounts announced, public at once and never edited, with the verdict of the bell. '
'Rules 6.1.';
comment on column hill.announcements.day is 'The day whose bell judges it.';
comment on column hill.announcements.account_id is 'Whose word it is.';
comment on column hill.announcements.slot is 'On which place.';
comment on column hill.announcements.agent_id is 'The agent that announced it.';
comment on column hill.announcements.intention is 'PEACE, WAR or PASS, as announced.';
comment on column hill.announcements.message is
'What it says, at most 140 characters; null if nothing, or the account was closed.';
comment on column hill.announcements.at is 'When it was announced. Hill''s clock.';
comment on column hill.announcements.verdict is 'How the bell judged it; null before. Rules 6.3.';
comment on type hill.verdict is
'How an announcement was judged by the live move on its place. Rules 6.3.
- kept: it did what it had announced.
- betrayed: it announced PEACE or PASS and played WAR.
- bluffed: it announced WAR or PASS and played PEACE.
- ghosted: it announced PEACE or WAR and had no move there.';
comment on column hill.announcements.salt is
'What its commitment is salted with: 16 random bytes. Null from before the log had announcements. Rules 20.46.';
comment on column hill.announcements.message_salt is
'Salt of the message; null without one, and while staff hide it (hill.hidden_words). Rules 20.47.';
comment on column hill.announcements.message_hash is
'engine.message_hash, which stays when staff hide the message.';
comment on column hill.announcements.commitment is 'engine.announcement_commitment, which is in the log. Rules 20.46.';
