-- moves/status.sql · The hill as one agent needs it to decide: what there is, what each move would cost it, what it has
-- left. Protocol 9.4.

create type engine.offer as (
  slot         smallint,
  move         hill.move,
  stake_cents  bigint,   -- 0 for PEACE
  cost_cents   bigint,
  points       numeric,
  live         hill.move,
  refused      text
);

comment on type engine.offer is
'A move that an account may make tonight: what it would cost (cents), what it would earn if holders stay and nobody '
'else moves (points; null: a closed place, or the bell rings), the account''s live move on that place, and the code '
'with which play would refuse it. Decisions 150.';

create or replace function engine.recommended_move(offers engine.offer[])
returns engine.offer
language sql immutable parallel safe security invoker
begin atomic
  select o
    from unnest(recommended_move.offers) o
   where o.points > 0
     and o.cost_cents is not null
     and o.live is distinct from 'PEACE'
     and o.live is distinct from 'WAR'
   -- WAR only where no PEACE is left: two of them burn, and it lowers the reputation
   order by o.refused is not null, o.move, o.points / o.cost_cents desc, o.points desc, o.slot
   limit 1;
end;

comment on function engine.recommended_move is
'The offer that earns most for its cents, of those that earn something if holders stay and nobody else moves, on a '
'place without a live move of the account: a PEACE that play would accept, else a WAR that it would accept, else one '
'that it would refuse. Null: no move earns anything. Decisions 150.';

create or replace function engine.status(actor engine.agent_actor)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
set enable_seqscan to off  -- as in engine.play: tonight's table was empty when it was last counted
-- planning for one account what is planned for all takes longer than running it
set plan_cache_mode to force_generic_plan
as $$
declare
  v         record;
  v_own     engine.account_day;
  v_ringing boolean;
  v_bar     text;     -- what keeps the account from playing and announcing
  v_opening integer;  -- the first day on which the account may play
  v_me      engine.night_account;
  v_shown   boolean;  -- tonight's moves are: its bell does not ring
  v_offers  engine.offer[];
  v_advice  engine.offer;
begin
  -- Tried, not waited for, and held to the end: either a bell rings, or none comes between two parts of the answer.
  v_ringing := not engine.try_day();
  select c.now, t.day, s.day_one, s.founders_total, s.last_night, d as own
    into v
    from hill.settings s
   cross join lateral (select greatest(engine.instant(s.clock, s.shown_at, s.set_at, s.rate),
                                       engine.last_bell(s.closed_day, s.day_one)) as now) c
   cross join lateral (select engine.day_of(c.now, s.day_one) as day) t
    left join lateral engine.account_today(actor.account_id, t.day, s.last_night) d on true;
  v_own := v.own;
  v_opening := engine.opening_day(v_own.founder, v.founders_total);
  v_ringing := v.day > 0 and (v_ringing or v.day > v.last_night + 1);
  v_bar := engine.bar_to_playing(v_own.suspended_at, v_own.barred_at, v_own.founder, v.day, v.founders_total);
  v_shown := v.day > 0 and not v_ringing;

  v_me := case when actor.account_id is null then engine.newcomer(v.day)
               else row(actor.account_id, v_own.reputation, v_own.since)::engine.night_account end;

  select array_agg(row(
      p.slot,
      m.move,
      m.stake_cents,
      m.cost_cents,
      case m.move when 'PEACE' then e.peace_points else e.war_points end,
      l.move,
      case when not 'hill:play' = any (actor.scopes) then 'INSUFFICIENT_SCOPE'
           when v_bar is not null then v_bar
           when v_ringing then 'BELL_RINGING'
           when v.day < p.opens_day then 'SLOT_CLOSED'
           -- the same again changes nothing
           when l.move = m.move and l.stake_cents = m.stake_cents and l.message is null then null
           else engine.limit_reached(m.move, m.stake_cents, m.cost_cents, l.slot is not null,
                                     coalesce(l.reserved_cents, 0), v_own.moves, v_own.peace + v_own.war,
                                     v_own.today_cents, v_own.daily_cap_cents, v_own.max_stake_cents,
                                     v_own.paid_cents + v_own.granted_cents) end)::engine.offer)
    into v_offers
    from hill.places p
    left join hill.seats h on h.day = v.last_night and h.slot = p.slot and h.account_id = actor.account_id
    left join engine.live_moves(actor.account_id) l on l.slot = p.slot and not v_ringing
   cross join lateral (values
     ('PEACE'::hill.move, 0::bigint, engine.move_cents('PEACE', 0, coalesce(h.days_held, 0))),
     ('WAR', engine.war_minimum_cents(), engine.war_minimum_cents())) m (move, stake_cents, cost_cents)
    left join engine.prospects_tonight(v.day, v.last_night, v_me) e on v_shown and e.slot = p.slot;

  v_advice := engine.recommended_move(v_offers);

  return jsonb_strip_nulls(jsonb_build_object(
    'day', v.day,
    'now', engine.iso(v.now),
    'bell_at', engine.iso(engine.day_start(greatest(1, v.day) + 1, v.day_one)),
    'seconds_to_bell', ceil(extract(epoch from engine.day_start(greatest(1, v.day) + 1, v.day_one) - v.now))::bigint,
    'bell_ringing', v_ringing,
    'last_night', v.last_night,
    'opens_at', case when v.day < v_opening then engine.iso(engine.day_start(v_opening, v.day_one)) end,
    'war_minimum_cents', engine.war_minimum_cents(),
    'announce_refused', case
      when not 'hill:play' = any (actor.scopes) then 'INSUFFICIENT_SCOPE'
      when v_bar is not null then v_bar
      when v.now >= engine.day_start(v.day, v.day_one) + engine.announcements_close() then 'ANNOUNCE_CLOSED'
      when v_own.announced >= engine.announcements_per_day() then 'NO_ANNOUNCEMENTS_LEFT' end,
    'announcements_close_at', engine.iso(
      engine.day_start(greatest(1, v.day), v.day_one) + engine.announcements_close())))
    || jsonb_build_object(
      'points', (select jsonb_agg(trunc(engine.points(p.slot, 1)) order by p.slot) from hill.places p),
      'places', (
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                 'slot', p.slot,
                 'opens_day', case when p.opens_day > v.day then p.opens_day end,
                 'occupants', (
                   select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                            'name', a.name,
                            'slug', a.slug,
                            'days_held', s.days_held,
                            'house', nullif(a.house, false),
                            'mine', nullif(s.account_id is not distinct from actor.account_id, false)))
                            order by s.seat), '[]')
                     from hill.seats s join hill.accounts a on a.id = s.account_id
                    where s.day = v.last_night and s.slot = p.slot),
                 'peace_cents', peace.cost_cents,
                 'peace_points', peace.points,
                 'peace_refused', peace.refused,
                 'war_refused', war.refused)) order by p.slot)
          from hill.places p
          join unnest(v_offers) peace on peace.slot = p.slot and peace.move = 'PEACE'
          join unnest(v_offers) war on war.slot = p.slot and war.move = 'WAR'),
      'account', case when actor.account_id is not null then
        engine.show_account_day(v_own) || jsonb_build_object(
          'name', v_own.name,
          'slug', v_own.slug,
          'moves', case when v_shown then engine.show_live_moves(actor.account_id) end,
          'cap_left_cents', greatest(0, v_own.daily_cap_cents - v_own.today_cents),
          'balance_cents', v_own.paid_cents + v_own.granted_cents,
          'announcements', engine.own_announcements(actor.account_id, v.day),
          'announcements_left', engine.announcements_per_day() - v_own.announced) end,
      'advice', case when v_advice.slot is not null then jsonb_strip_nulls(jsonb_build_object(
        'slot', v_advice.slot,
        'move', v_advice.move,
        'stake_cents', nullif(v_advice.stake_cents, 0),
        'cost_cents', v_advice.cost_cents,
        'points', trim_scale(v_advice.points),
        'refused', v_advice.refused)) end,
      'wasted', (
        select coalesce(jsonb_agg(o.slot order by o.slot), '[]')
          from unnest(v_offers) o
         where o.move = 'PEACE'
           and o.live = 'PEACE'
           and o.points = 0
           and v_own.moves < engine.moves_per_day()))
    || engine.brief_announcements(v.day, null);
end
$$;

comment on function engine.status is
'What an agent needs to decide tonight: the day, the time to the bell by the hill''s clock (bell_at, '
'seconds_to_bell), whether it is ringing; what each place is worth to one '
'occupant (points, from place 1), the ten places with their occupants since the last published night, what '
'PEACE would cost the caller there (cents), and the code with which play would refuse a PEACE, or a WAR of the least '
'stake, without a message; the caller''s account (null before the claim): its live moves of today and what is left of'
' moves, places, cap and credits (cents); and today''s announcements, the latest first. peace_points is what PEACE '
'would earn the caller if holders stay and nobody else moves, advice the move that engine.recommended_move chooses, '
'wasted the places of the caller''s own PEACE that would get no seat so. Of sealed moves it knows only the caller''s '
'own. Rules 3.7, 9.1; protocol 9.4; decisions 150.';

grant execute on function engine.recommended_move, engine.status to hill_api_agent;
