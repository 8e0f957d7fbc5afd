-- What everybody may know of one identity: what it said and what it played, side by side. Rules 6.4, 9.4, 11.4.

create or replace function api_public.identity(slug text)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  -- a slug that it left behind leads to it, too
  v_id    uuid := (select n.account_id from engine.account_named(identity.slug) n);
  v_today integer := engine.today();
  v_night integer := engine.last_night();
  v_from  integer := greatest(1, v_night - engine.window_nights() + 1);
begin
  if v_id is null then
    perform engine.refuse('NOT_FOUND',
      'No identity has that slug or id. Every record gives the slugs of those whom it names; '
      '/api/leaderboard/hill has all who played lately.',
      '{"argument": "slug"}');
  end if;
  return (
    with said as materialized (
      select n.day, n.slot, n.intention, n.message, n.at, n.verdict
        from generate_series(v_from, v_today) d (day)
       cross join lateral (select n.* from hill.announcements n where n.day = d.day and n.account_id = v_id) n
    ), played as materialized (
      select m.day, m.slot, m.move, m.stake_cents, m.cost_cents, m.message
        from hill.moves m where m.account_id = v_id and m.ended is null and m.day between v_from and v_night
    ), sat as materialized (
      select s.day, s.slot, s.via, s.days_held, s.points
        from hill.seats s where s.account_id = v_id and s.day between v_from and v_night
    ), line as (  -- a place of a day on which it spoke, moved or came to sit
      select x.day, x.slot from said x union select x.day, x.slot from played x union select x.day, x.slot from sat x
    )
    select i.identity
        || coalesce(
             (select g.agent from engine.last_agents(array[a.id], v_night) g),
             '{"agentId": null, "model": null}')
        || jsonb_build_object(
        'since', engine.iso(a.created_at),
        'counters', (select c.counters from engine.counters() c where c.account_id = a.id),
        'day', v_night,
        'window_nights', engine.window_nights(),
        'reputation', engine.reputation_tonight(w.peace_ring, w.war_ring, w.ring_day, v_night),
        'rank', (select l.rank from hill.leaderboard l where l.account_id = a.id and l.day = engine.board_day()),
        'points', coalesce((select sum(x.points) from sat x), 0),
        'places', coalesce((
          select jsonb_agg(jsonb_build_object(
              'slot', x.slot,
              'daysHeld', x.days_held) order by x.slot)
            from sat x where x.day = v_night), '[]'),
        'verdicts', (
          select jsonb_build_object(
              'kept', count(*) filter (where x.verdict = 'kept'),
              'betrayed', count(*) filter (where x.verdict = 'betrayed'),
              'bluffed', count(*) filter (where x.verdict = 'bluffed'),
              'ghosted', count(*) filter (where x.verdict = 'ghosted'))
            from said x),
        'last_announced_day', (
          select n.day
            from generate_series(v_night, 1, -1) d (day)
           cross join lateral (
             select n.day from hill.announcements n where n.day = d.day and n.account_id = v_id limit 1) n
           limit 1),
        'record', coalesce((
          select jsonb_agg(jsonb_build_object(
              'day', l.day,
              'slot', l.slot,
              'outcome', p.outcome,
              'said', case when n.day is not null then jsonb_build_object(
                'intention', n.intention,
                'message', n.message,
                'at', engine.iso(n.at),
                'verdict', n.verdict) end,
              'played', case when m.day is not null then jsonb_build_object(
                'move', m.move,
                'stake_cents', m.stake_cents,
                'cost_cents', m.cost_cents,
                'message', m.message) end,
              'seat', case when s.day is not null then jsonb_build_object(
                'via', s.via,
                'daysHeld', s.days_held,
                'points', s.points) end)
                 order by l.day desc, l.slot)
            from line l
            left join said n on n.day = l.day and n.slot = l.slot
            left join played m on m.day = l.day and m.slot = l.slot
            left join sat s on s.day = l.day and s.slot = l.slot
            left join hill.place_results p on p.day = l.day and p.slot = l.slot), '[]'))
      from hill.accounts a
      join engine.identities() i on i.account_id = a.id
     cross join lateral engine.record_of(a.id) w
     where a.id = v_id);
end
$$;

comment on function api_public.identity is
'One identity by its slug, by one that it left behind, or by its account id: its fields, '
'agentId and model of the agent that moved last '
'(null: none did in the window), since (seniority), counters, reputation as it counts tonight, rank on the points '
'leaderboard (null: not on it) and points of the window up to the last published night (day), places it holds, '
'verdicts (how many of each), last_announced_day (the last night for which it announced anything, in the window or '
'before it; null: none), and record: each place and day of the window on which it spoke, moved or sat, the latest '
'first: said (intention, message, at, verdict), played (move, stake_cents, cost_cents, message), outcome of the '
'place, seat (via, daysHeld, points), each null where there was none. Today''s announcements are there at once, moves '
'after their bell. '
'Errors: NOT_FOUND. Rules 6.4, 7.1, 7.2, 9.4, 11.4.';

grant execute on function api_public.identity to hill_public;
