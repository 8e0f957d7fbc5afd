-- What the tool status answers. Protocol 9.4.

-- The answer of api_agent.status. `held`: its transaction holds the day (engine.try_day). `announcements`: how many are
-- told one by one. Stable: all parts are of one snapshot, also while the account's other agents deposit.
create or replace function engine.tell_status(actor engine.agent_actor, held boolean, announcements integer)
returns jsonb
language plpgsql stable parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
set enable_seqscan to off  -- as in engine.play_together: tonight's table was empty when it was last counted
set plan_cache_mode to force_generic_plan
as $$
declare
  v           record;
  v_own       engine.account_day;
  v_live      engine.live_move[];
  v_moves     text;
  v_prospects engine.prospect[];
  v_places    record;
  v_advice    engine.offer;
begin
  select t.now, t.day, t.day_one, t.last_night, d as own, t.ringing, k.prospects,
         t.day > 0 and not t.ringing as shown,  -- tonight's moves are
         engine.opening_day(d.founder, t.founders_total) as opening,
         case when not 'hill:play' = any (actor.scopes) then 'INSUFFICIENT_SCOPE'
              else engine.bar_to_playing(
                d.suspended_at, d.barred_at, d.paused_until, d.founder, t.day, t.founders_total) end
           as refused,
         engine.day_start(greatest(1, t.day) + 1, t.day_one) as bell_at,
         -- of announcements
         engine.day_start(greatest(1, t.day), t.day_one) + engine.announcements_close() as close_at,
         exists (select from hill.announcements n where n.day = t.day) as announced,
         'hill:play' = any (actor.scopes) and d.suspended_at is null
         and exists (select from hill.tournaments n
                      where engine.tournament_phase(n, t.day, t.last_night) = 'open') as may_enter
    into v
    from (select c.now, c.day, c.day_one, c.last_night, c.founders_total,
                 c.day > 0 and (not held or c.day > c.last_night + 1) as ringing
            from (select n.*, engine.day_of(n.now, n.day_one) as day
                    from (select engine.instant(s.clock, s.shown_at, s.set_at, s.rate, s.closed_day, s.day_one) as now,
                                 s.day_one, s.last_night, s.founders_total
                            from hill.settings s offset 0) n offset 0) c offset 0) t
   cross join lateral engine.kept_prospects(actor.account_id, t.day) k
    left join lateral engine.account_today(actor.account_id, t.day, t.last_night) d on true;
  v_own := v.own;
  if v.shown then
    v_prospects := v.prospects;
    if v_prospects is null then  -- the bell has just rung, and the worker works them out
      v_prospects := array(
        select p
          from (select engine.public_night(v.day, v.last_night) as night offset 0) n  -- once, not for each move
         cross join lateral engine.prospects(
                 n.night,
                 case when actor.account_id is null then engine.newcomer(v.day)
                      else row(actor.account_id, v_own.reputation, v_own.since)::engine.night_account end) p);
    end if;
    if v_own.peace + v_own.war = 0 then
      v_moves := '[]';  -- to look for none costs a tenth of the answer
    elsif actor.account_id is not null then
      select array_agg(l), concat('[', string_agg(engine.show_live_move(l)::text, ', ' order by l.slot), ']')
        into v_live, v_moves
        from engine.live_moves(actor.account_id) l;
    end if;
  end if;

  -- Text, which is read as JSON once, at the end: values of jsonb that are put into one another are copied each time.
  -- What is put in is a number, a code, an instant, or what to_json gives.
  select least(
           min(engine.offered('PEACE', t.slot, 0, t.peace_cents, t.peace_points, t.lone_wars, t.live,
                              t.peace_refused)),
           min(engine.offered('WAR', t.slot, engine.war_minimum_cents(), engine.war_minimum_cents(), t.war_points,
                              t.lone_wars, t.live, t.war_refused))) as advice,
         string_agg(concat(
           '{"slot": ', t.slot,
           ', "opens_day": ' || t.opens_day,
           ', "occupants": [', t.occupants, ']',
           ', "peace_cents": ' || t.peace_cents,
           ', "peace_points": ' || t.peace_points,
           ', "peace_refused": "' || t.peace_refused || '"',
           ', "war_refused": "' || t.war_refused || '"',
           case when t.peace_announced + t.war_announced > 0 then concat(
             ', "announced": {"peace": ', t.peace_announced, ', "war": ', t.war_announced,
             ', "kept": ', t.announcers_kept, ', "judged": ', t.announcers_judged, '}') end,
           '}'), ', ' order by t.slot) as told,
         string_agg(t.lone_wars::text, ', ' order by t.slot) as lone_wars,
         max(t.seated_at) as seated_at,
         string_agg(t.slot::text, ', ' order by t.slot) filter (where t.live = 'PEACE' and t.peace_points = 0)
           as wasted
    into v_places
    from (
      select m.*,
             engine.offer_refused(
               'PEACE', 0, m.peace_cents, v.refused, v.ringing, m.opens_day, m.live, m.stake_cents, m.message,
               m.reserved_cents, engine.allowance_of(v_own)) as peace_refused,
             engine.offer_refused(
               'WAR', engine.war_minimum_cents(), engine.war_minimum_cents(), v.refused, v.ringing, m.opens_day,
               m.live, m.stake_cents, m.message, m.reserved_cents, engine.allowance_of(v_own)) as war_refused
        from (
          select p.slot,
                 case when p.opens_day > v.day then p.opens_day end as opens_day,
                 h.occupants,
                 l.move as live,
                 l.stake_cents,
                 l.message,
                 coalesce(l.reserved_cents, 0) as reserved_cents,
                 case when h.own_days_held is null then engine.move_cents('PEACE', 0, 0)  -- known when it is planned
                      else engine.move_cents('PEACE', 0, h.own_days_held) end as peace_cents,
                 e.peace_points,
                 e.war_points,
                 k.peace_announced,
                 k.war_announced,
                 k.announcers_kept,
                 k.announcers_judged,
                 coalesce(k.lone_wars, 0::smallint) as lone_wars,
                 k.seated_at
            from hill.places p
            left join (
              select s.slot,
                     max(s.days_held) filter (where s.account_id = actor.account_id) as own_days_held,
                     string_agg(concat(
                       '{"name": ', to_json(a.name),
                       ', "slug": ' || to_json(a.slug)::text,
                       ', "days_held": ', s.days_held,
                       case when a.house then ', "house": true' end,
                       case when s.account_id = actor.account_id then ', "mine": true' end, '}'),
                       ', ' order by s.seat) as occupants
                from hill.seats s
               cross join lateral (
                 select a.name, a.slug, a.house from hill.accounts a where a.id = s.account_id
                 offset 0) a  -- looked up one by one, however many accounts there are
               where s.day = v.last_night
               group by s.slot) h on h.slot = p.slot
            left join unnest(v_live) l on l.slot = p.slot
            left join unnest(v_prospects) e on e.slot = p.slot
            left join hill.prospects k on k.slot = p.slot and k.day = v.day and v.shown
          offset 0) m  -- a column, not an expression: the checks are inlined then
      offset 0) t;
  v_advice := v_places.advice;

  return concat(
    '{"day": ', v.day,
    ', "now": "', engine.iso(v.now), '"',
    ', "bell_at": "', engine.iso(v.bell_at), '"',
    ', "seconds_to_bell": ', ceil(extract(epoch from v.bell_at - v.now))::bigint,
    ', "bell_ringing": ', v.ringing::text,
    ', "last_night": ', v.last_night,
    case when v.day < v.opening then ', "opens_at": "' || engine.iso(engine.day_start(v.opening, v.day_one)) || '"' end,
    ', "war_minimum_cents": ', engine.war_minimum_cents(),
    ', "announce_refused": "' || case
      when v.refused is not null then v.refused
      when v.now >= v.close_at then 'ANNOUNCE_CLOSED'
      when v_own.announced >= engine.announcements_per_day() then 'NO_ANNOUNCEMENTS_LEFT' end || '"',
    ', "announcements_close_at": "', engine.iso(v.close_at), '"',
    ', "points": [', engine.tell_points(), ']',
    ', "lone_wars": [' || v_places.lone_wars || ']',
    ', "latest_seat_at": "' || to_char(v_places.seated_at at time zone 'UTC', 'HH24:MI:SS') || '"',
    ', "places": [', v_places.told, ']',
    ', "account": ', case when actor.account_id is null then 'null' else concat(
      '{', engine.tell_account_day(v_own),
      ', "name": ', to_json(v_own.name),
      ', "slug": ', to_json(v_own.slug),
      ', "moves": ', coalesce(v_moves, 'null'),
      ', "balance_cents": ', v_own.paid_cents + v_own.granted_cents,
      ', "announcements": ', case when v_own.announced = 0 then '[]'
                                  else engine.own_announcements(actor.account_id, v.day)::text end,
      ', "announcements_left": ', engine.announcements_per_day() - v_own.announced, '}') end,
    ', "advice": ', case when v_advice.slot is null then 'null' else concat(
      '{"slot": ', v_advice.slot,
      ', "move": "', v_advice.move, '"',
      ', "stake_cents": ' || nullif(v_advice.stake_cents, 0),
      ', "cost_cents": ', v_advice.cost_cents,
      ', "points": ', trim_scale(-v_advice.points),
      ', "refused": "' || v_advice.code || '"', '}') end,
    ', "open_tournament": ' || case when v.may_enter then
      engine.open_tournament(actor.account_id, v.day, v.last_night) end,
    ', "wasted": [', case when v_own.moves < engine.moves_per_day() then v_places.wasted end, '], ',
    -- none yet: not asked for, likewise
    case when v.announced then engine.tell_announcements(v.day, null, announcements)
         else '"announcements": [], "house_announcements": [], "announcements_total": 0' end, '}')::jsonb;
end
$$;
