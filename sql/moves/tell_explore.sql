-- What the tool explore_and_debrief tells of tonight. Protocol 9.4.

-- The answer of api_agent.explore, whose transaction holds the day. Stable: all parts are of one snapshot, also while
-- the account's other agents deposit.
create or replace function engine.tell_explore(actor engine.agent_actor, day integer, slot integer)
returns jsonb
language plpgsql stable parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_today    integer;
  v_last     integer;
  v_own      engine.account_day;
  v_bar      text;      -- what refuses any deposit, whatever the place
  v_night    engine.night;
  v_me       engine.night_account;
  v_peace    integer := 0;   -- counts of the nights that will count after tonight, with tonight's live moves
  v_war      integer := 0;
  v_supposed jsonb;
begin
  v_today := engine.today();
  v_last := engine.last_night();
  if tell_explore.day <> v_today then
    perform engine.refuse('INVALID_ARGUMENT', 'day is today, or left out: only a debrief is of another day.',
                          jsonb_build_object('argument', 'day', 'today', v_today));
  end if;
  if v_today > v_last + 1 then
    perform engine.unless_refused(engine.bell_ringing());
  end if;

  select d.* into v_own from engine.account_today(actor.account_id, v_today, v_last) d;
  v_bar := case when not 'hill:play' = any (actor.scopes) then 'INSUFFICIENT_SCOPE'
                else (select engine.bar_to_playing(
                               v_own.suspended_at, v_own.barred_at, v_own.paused_until, v_own.founder, v_today,
                               s.founders_total)
                        from hill.settings s where v_own.account_id is not null) end;
  v_night := engine.public_night(v_today, v_last);
  if actor.account_id is null then
    v_me := engine.newcomer(v_today);
  else
    v_me := row(actor.account_id, v_own.reputation, v_own.since);
    select engine.ring_count(engine.ring_at(w.peace_ring, w.ring_day, v_today)) + v_own.peace,
           engine.ring_count(engine.ring_at(w.war_ring, w.ring_day, v_today)) + v_own.war
      into v_peace, v_war
      from engine.record_of(actor.account_id) w;
  end if;
  select jsonb_object_agg(m.move || case when s.holders_stay then ' stay' else ' alone' end,
                          engine.suppose_moves(v_night, v_me, m.move, s.holders_stay))
    into v_supposed
    from unnest(enum_range(null::hill.move)) m (move) cross join unnest(array[false, true]) s (holders_stay);

  return jsonb_build_object(
    'mode', 'explore',
    'day', v_today,
    'bell_at', engine.iso(engine.bell_at(greatest(1, v_today))),
    'claimed', actor.account_id is not null,
    'barred_by', v_bar,
    'mine', case when actor.account_id is not null then
      engine.show_account_day(v_own) || jsonb_build_object(
        'account_id', v_own.account_id,
        'name', v_own.name,
        'since', engine.iso(v_own.since)) end,
    'places', (
      select jsonb_agg(jsonb_build_object(
          'slot', p.slot,
          'open', p.opens_day <= v_today,
          'opens_day', p.opens_day,
          'points_alone', trim_scale(engine.points(p.slot, 1)),
          'points_shared', trim_scale(engine.points(p.slot, engine.seats_per_place())),
          'occupants', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'account', a.id,
                'name', a.name,
                'slug', a.slug,
                'house', a.house,
                'me', a.id is not distinct from actor.account_id,
                'days_held', h.days_held,
                'rent_cents', engine.move_cents('PEACE', 0, h.days_held),
                'reputation', r.reputation,
                'since', engine.iso(r.since)) order by h.n), '[]')
              from unnest(v_night.holders) with ordinality h (slot, account, days_held, n)
              join unnest(v_night.accounts) r on r.account = h.account
              join hill.accounts a on a.id = h.account
             where h.slot = p.slot),
          'announced', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'account', a.id,
                'name', a.name,
                'intention', n.intention,
                'message', n.message,
                'at', engine.iso(n.at)) order by n.at, n.account_id), '[]')
              from (select n.* from hill.announcements n
                     where n.day = v_today and n.slot = p.slot order by n.at desc limit engine.brief_length()) n
              join hill.accounts a on a.id = n.account_id),
          'my_live_move', engine.show_live_move(l.live),
          'options', (
            select jsonb_agg(engine.show_option(v_own, l.live, m.move, coalesce(o.days_held, 0), v_bar, p.opens_day,
                                                v_today, v_peace, v_war)
                             || jsonb_build_object(
                               'if_nobody_else_moves', v_supposed -> (m.move || ' alone') -> p.slot::text,
                               'if_holders_stay', v_supposed -> (m.move || ' stay') -> p.slot::text) order by m.move)
              from unnest(enum_range(null::hill.move)) m (move))) order by p.slot)
        from hill.places p
        left join lateral (select h.days_held from unnest(v_night.holders) h
                            where h.slot = p.slot and h.account = actor.account_id) o on true
        left join (select m as live from engine.live_moves(actor.account_id) m) l on (l.live).slot = p.slot
       where p.slot = coalesce(tell_explore.slot, p.slot)));
end
$$;
