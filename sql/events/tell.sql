-- Writes events for their subscribers, in the transaction in which they happen. Nothing sealed: a bell reports only
-- what it has published, and of money only what it has settled. Rules 9.1, 9.4, 15.2.

-- An event as it is posted: type, timestamp by the hill's clock, data. The format of Standard Webhooks.
create or replace function engine.event_body(event text, at timestamptz, data jsonb)
returns jsonb language sql stable parallel safe
return jsonb_build_object('type', event, 'timestamp', engine.iso(at), 'data', data);

-- 0: credits (cents) cover a day up to the cap; 1.
create or replace function engine.fuel_level(credits_cents bigint, daily_cap_cents bigint)
returns smallint language sql immutable parallel safe
return case when credits_cents < engine.peace_cents() then 2 when credits_cents < daily_cap_cents then 1 else 0 end;

-- Writes the events of a night for those who subscribed. Rules 15.2.
create or replace function engine.tell_night(night integer)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_at     timestamptz := engine.now();
  v_due_at timestamptz := clock_timestamp();
  v_rung   jsonb;
begin
  -- With no subscriber, a bell looks at one index and goes on.
  if not exists (select from hill.subscriptions s where s.ended_at is null) then
    return;
  end if;

  -- one body for all: it says nothing about any account
  select engine.event_body('bell_rung', v_at, jsonb_build_object(
      'day', n.day,
      'bell_at', engine.iso(n.bell_at),
      'next_bell_at', engine.iso(engine.bell_at(n.day + 1)),
      'moves', n.moves,
      'accounts', n.accounts,
      'burned_cents', n.burned_cents))
    into strict v_rung
    from hill.nights n where n.day = tell_night.night;

  insert into hill.deliveries (subscription_id, account_id, body, due_at)
  with told as (
    select s.id, s.account_id, s.events
      from hill.subscriptions s join hill.agents g on g.id = s.agent_id
     where s.ended_at is null and g.cut_at is null
  ), happened as (
    select t.id, t.account_id, v_rung as body from told t where 'bell_rung' = any (t.events)
    union all
    select t.id, t.account_id,
           engine.event_body('seat_won', v_at, jsonb_build_object(
             'day', w.day,
             'slot', w.slot,
             'via', w.via,
             'points', w.points,
             'occupants', (select count(*) from hill.seats o where o.day = w.day and o.slot = w.slot)))
      from hill.seats w join told t on t.account_id = w.account_id
     where w.day = tell_night.night and w.days_held = 0 and 'seat_won' = any (t.events)
    union all
    select t.id, t.account_id,
           engine.event_body('seat_lost', v_at, jsonb_build_object(
             'day', tell_night.night,
             'slot', l.slot,
             'days_held', l.days_held,
             'outcome', p.outcome,
             'because', case when exists (select from hill.moves m
                                           where m.day = tell_night.night and m.account_id = l.account_id
                                             and m.slot = l.slot and m.ended is null) then 'evicted' else 'left' end))
      from hill.seats l join told t on t.account_id = l.account_id
      join hill.place_results p on p.day = tell_night.night and p.slot = l.slot
     where l.day = tell_night.night - 1 and 'seat_lost' = any (t.events)
       and not exists (select from hill.seats k
                        where k.day = tell_night.night and k.slot = l.slot and k.account_id = l.account_id)
  )
  select h.id, h.account_id, h.body, v_due_at from happened h;

  -- Sent when the level has become worse since it was last sent, not again every night.
  with fuel as (
    select s.id, s.fuel_level as told, w.granted_cents, w.paid_cents, m.daily_cap_cents,
           engine.fuel_level(w.granted_cents + w.paid_cents, m.daily_cap_cents) as level
      from hill.subscriptions s join hill.agents g on g.id = s.agent_id
      cross join lateral engine.credits_of(s.account_id) w join hill.mandates m on m.account_id = s.account_id
     where s.ended_at is null and g.cut_at is null and 'fuel_low' = any (s.events)
  ), changed as (
    update hill.subscriptions s set fuel_level = f.level from fuel f where s.id = f.id and f.level <> f.told
    returning s.id, s.account_id, f.told, f.level, f.granted_cents, f.paid_cents, f.daily_cap_cents
  )
  insert into hill.deliveries (subscription_id, account_id, body, due_at)
  select c.id, c.account_id,
         engine.event_body('fuel_low', v_at, jsonb_build_object(
           'day', tell_night.night,
           'below', case c.level when 2 then 'cheapest_move' else 'daily_cap' end,
           'credits_cents', c.granted_cents + c.paid_cents,
           'granted_cents', c.granted_cents,
           'paid_cents', c.paid_cents,
           'daily_cap_cents', c.daily_cap_cents,
           'cheapest_move_cents', engine.peace_cents())),
         v_due_at
    from changed c where c.level > c.told;

  perform trusted.note_change('work:deliver');
end
$$;

-- Writes an event of one account for its subscriptions to that event, if any. Rules 15.2.
create or replace function engine.tell_account(account_id uuid, event text, data jsonb)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  insert into hill.deliveries (subscription_id, account_id, body, due_at)
  select s.id, s.account_id, engine.event_body(tell_account.event, engine.now(), tell_account.data), clock_timestamp()
    from hill.subscriptions s join hill.agents g on g.id = s.agent_id
   where s.account_id = tell_account.account_id
     and tell_account.event = any (s.events)
     and s.ended_at is null
     and g.cut_at is null;
  if found then
    perform trusted.note_change('work:deliver');
  end if;
end
$$;
