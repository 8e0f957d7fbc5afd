-- The account page: what it shows and what its buttons do, the cut button among them. Rules 3.11, 5.1; protocol 5.4,
-- 6.2.

create or replace function api_human.account(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.account_state(engine.enter_human(session)) || jsonb_build_object(
    'fresh', engine.signed_in_anew(session),
    'fresh_minutes', engine.fresh_sign_in_minutes());
end
$$;

create or replace function api_human.top_up(
  session text,
  cents bigint,
  reason text,
  payment text,
  proven_at bigint,
  proof text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  perform engine.check_proof(
    'top up',
    array[encode(engine.hash_token(session), 'hex'), coalesce(cents::text, ''), reason, payment],
    proven_at,
    proof);
  perform engine.record_payment(payment, engine.top_up(v_account_id, cents, reason));
  return engine.account_state(v_account_id);
end
$$;

create or replace function api_human.set_mandate(
  session text,
  daily_cap_cents bigint default null,
  max_stake_cents bigint default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v        record;
  v_before jsonb;
begin
  select * into v from engine.enter_mandate(session);
  perform engine.check_cap(daily_cap_cents), engine.check_cap(max_stake_cents);
  if not engine.signed_in_anew(session)
     and exists (select from hill.mandates m
                  where m.account_id = v.account_id
                    and (set_mandate.daily_cap_cents > m.daily_cap_cents
                         or set_mandate.max_stake_cents > m.max_stake_cents)) then
    perform engine.ask_to_sign_in_again();
  end if;
  update hill.mandates m
     set daily_cap_cents = coalesce(set_mandate.daily_cap_cents, m.daily_cap_cents),
         max_stake_cents = coalesce(set_mandate.max_stake_cents, m.max_stake_cents),
         updated_at = v.at
   where m.account_id = v.account_id
  returning jsonb_build_object('daily_cap_cents', old.daily_cap_cents, 'max_stake_cents', old.max_stake_cents)
    into v_before;
  perform trusted.note_caps(v.account_id);
  return engine.account_state(v.account_id) || jsonb_build_object('before', v_before);
end
$$;

create or replace function api_human.set_weekly_cap(session text, cents bigint)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v record;
begin
  select * into v from engine.enter_mandate(session);
  perform engine.check_cap(cents);
  if not engine.signed_in_anew(session)
     and exists (select from hill.mandates m
                  where m.account_id = v.account_id
                    and m.weekly_cap_cents < coalesce(set_weekly_cap.cents, engine.mandate_maximum_cents() + 1)) then
    perform engine.ask_to_sign_in_again();
  end if;
  update hill.mandates m set weekly_cap_cents = set_weekly_cap.cents, updated_at = v.at
   where m.account_id = v.account_id;
  perform trusted.note_caps(v.account_id);
  return engine.account_state(v.account_id);
end
$$;

create or replace function api_human.pause(session text, until date)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v       record;
  v_today date;
begin
  select * into v from engine.enter_mandate(session);
  v_today := v.at at time zone 'UTC';
  if until not between v_today + 1 and v_today + engine.longest_pause_days() then
    perform engine.refuse('INVALID_ARGUMENT', 'A pause ends on a day after today, and within a year.',
                          jsonb_build_object('argument', 'until', 'earliest', v_today + 1,
                                             'latest', v_today + engine.longest_pause_days()));
  end if;
  update hill.mandates m
     set paused_until = engine.day_of(pause.until::timestamp at time zone 'UTC', s.day_one), updated_at = v.at
    from hill.settings s
   where m.account_id = v.account_id;
  return engine.account_state(v.account_id);
end
$$;

create or replace function api_human.rename(session text, name text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_profile(session);
  v_name       text := engine.check_name(name, v_account_id);
begin
  update hill.accounts a set name = v_name where a.id = v_account_id and a.name <> v_name;
  return true;
end
$$;

create or replace function api_human.withdraw_move(session text, slot integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_now        timestamptz;
  v_live       hill.sealed_moves;
  v_seal       engine.seal;
begin
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  perform from hill.reservations r where r.account_id = v_account_id for no key update;
  perform engine.enter_human(session);   -- it may have been ended while this waited
  select greatest(engine.now(), r.acted_at) into v_now
    from hill.reservations r where r.account_id = v_account_id;
  if (select engine.day_of(v_now, s.day_one) from hill.settings s) <> engine.last_night() + 1 then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  select l.* into v_live from hill.sealed_moves l  -- the last one, as in engine.play_together
   where l.account_id = v_account_id and l.slot = withdraw_move.slot
   order by l.seq desc limit 1;
  if v_live.ended is not null or not found then
    return engine.account_state(v_account_id) || '{"withdrawn": false}';
  end if;
  if v_live.commitment is not null then  -- what was deposited before there was a log is not in it
    v_seal := engine.seal(engine.random_salts(), v_live.day, v_account_id, slot, 'PASS', 0, null, v_now,
                          engine.ending(v_live.salt, v_live.commitment));
    insert into hill.log_waiting (at, entry) values (v_now, engine.deposit_entry(v_live.day, v_seal.commitment));
  end if;
  update hill.sealed_moves l
     set ended = 'withdrawn', ended_at = v_now, end_salt = v_seal.salt, end_commitment = v_seal.commitment
   where l.account_id = v_account_id and l.seq = v_live.seq;
  -- No move is needed and none is counted: a human who stops an agent must not be stopped by what it has used up. One
  -- update, and so no trusted.take_instant before it: a second one in a transaction looks the account up for the
  -- foreign key, and leaves a mark on its row that staff can see.
  update hill.reservations r
     set acted_at = v_now, cents = r.cents - v_live.cost_cents,
         peace = r.peace - (v_live.move = 'PEACE')::int, war = r.war - (v_live.move = 'WAR')::int
   where r.account_id = v_account_id;
  return engine.account_state(v_account_id) || '{"withdrawn": true}';
end
$$;

create or replace function api_human.agents(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  return (
    select coalesce(
             jsonb_agg(
               jsonb_build_object(
                 'agent_id', a.agent_id,
                 'name', a.name,
                 'model', a.model,
                 'created_at', engine.iso(a.created_at),
                 'cut_at', engine.iso(a.cut_at),
                 'held', a.held,
                 'lapsed', a.cut_at is null and not a.live,
                 'last_used_at', engine.iso(a.last_used_at),
                 'last_acted_at', engine.iso(a.last_acted_at),
                 'lapses_at', case when a.cut_at is null then engine.iso(a.lapses_at) end,
                 'client_id', a.client_id,
                 'scopes', to_jsonb(a.scopes))
               order by a.created_at desc, a.agent_id),
             '[]')
      from engine.account_agents(v_account_id, true) a);
end
$$;

create or replace function api_human.warnings(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.account_warnings(engine.enter_human(session), true);
end
$$;

create or replace function api_human.cut_agent(session text, agent_id uuid)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_cut boolean := engine.cut_agent(engine.enter_human(session), agent_id);
begin
  perform engine.enter_human(session);   -- it may have been ended while this waited
  return v_cut;
end
$$;

comment on function api_human.account is
'All that the account page shows of the human''s account, except its agents: see engine.account_state; and whether '
'this session is recent enough for what wants that (fresh; fresh_minutes). Errors: INVALID_TOKEN.';
comment on function api_human.top_up is
'Adds paid credits (cents) to the human''s account: see engine.top_up. The web process proves that they were paid; '
'outside production its sandbox does, for any amount. payment is the reference of the payment, which is credited once. '
'Proof "top up": SHA-256 of the session (hexadecimal), cents, reason, payment. Returns the account. Errors: '
'INVALID_TOKEN, INVALID_AMOUNT, PROOF_REFUSED.';
comment on function api_human.set_mandate is
'Sets the account''s daily cap and largest stake (cents) for deposits from now on, null as it is; accepted moves '
'stand. Returns the account, and before: the caps that it had. Errors: INVALID_TOKEN, INVALID_AMOUNT, ACCOUNT_CLOSED; '
'SIGN_IN_AGAIN if either is raised without a recent sign-in. Rules 3.8; decisions 485.';
comment on function api_human.set_weekly_cap is
'Sets what the moves of seven nights, tonight among them, may cost (cents), for deposits from now on; null: as much '
'as the daily cap lets. Returns the account. Errors: INVALID_TOKEN, INVALID_AMOUNT, ACCOUNT_CLOSED; SIGN_IN_AGAIN if '
'it is raised or taken away without a recent sign-in. Rules 3.8.';
comment on function api_human.pause is
'Refuses all deposits and announcements of the account''s agents until a day (UTC) begins, at most a year ahead; null '
'ends the pause. Moves that were accepted stand. Returns the account. Errors: INVALID_TOKEN, INVALID_ARGUMENT, '
'ACCOUNT_CLOSED. Rules 3.8.';
comment on function api_human.rename is
'Gives the human''s account another name, by the rules of set_profile; its slug stays. Errors: INVALID_TOKEN, '
'BELL_RINGING, ACCOUNT_CLOSED, ACCOUNT_SUSPENDED, PROFILE_HIDDEN, INVALID_ARGUMENT, NAME_TAKEN. Rules 11.1, 18.5.';
comment on function api_human.withdraw_move is
'Withdraws the account''s live move on a place, which the log has like a PASS, and releases what it reserved. It is '
'not counted as a move. Returns the account, and withdrawn: whether there was one. Errors: INVALID_TOKEN, '
'BELL_RINGING. Rules 3.11, 20.16.';
comment on function api_human.agents is
'The agents of an account, for its human, the latest first: agent_id, name, model, created_at, cut_at (null while it '
'can play), held (staff have cut it, and may let it in again), lapsed (it has to ask again), last_acted_at (its '
'last deposit or announcement of 30 nights), and, for those that came by the authorization server, last_used_at (its '
'last token), lapses_at (when it has to ask again, unless it is used before), client_id, scopes. For the account''s '
'own human only: a last use betrays moves. Errors: INVALID_TOKEN. Rules 9.2; decisions 203.';
comment on function api_human.warnings is
'What the human of an account should see to, the worst first: a list of {code, grave, occasion, …}, for its own human '
'alone. occasion tells one time that it is so from the next. '
'Codes: STAFF_ORDER (account_order_id, what, state, at: staff move the sign-in or close the account, rules 18.8), '
'NO_AGENT (no agent can play any more, since), CREDITS_LOW (available_cents do not cover needed_cents, the '
'cheapest move), SEAT_LOST (day, slots), AGENT_SILENT (since), CREDITS_EXPIRE (cents, at), CREDITS_SHORT (nights, at '
'the pace of the last seven), NEW_AGENT (name, at), RENT_DOUBLES (slot, cents, day). Errors: INVALID_TOKEN. Rules 9.1.';
comment on function api_human.cut_agent is
'Cuts an agent of the human''s account: see engine.cut_agent. False if there is none. Errors: INVALID_TOKEN.';

grant execute on function
  api_human.account,
  api_human.top_up,
  api_human.set_mandate,
  api_human.set_weekly_cap,
  api_human.pause,
  api_human.rename,
  api_human.withdraw_move,
  api_human.agents,
  api_human.warnings,
  api_human.cut_agent
  to hill_human;
