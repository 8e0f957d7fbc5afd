-- A night in few words, for whoever reads along: events, feeds, calendars. Rules 10.16.

-- A published night in few words, with its stories if they are asked for: they cost more than the rest. Rules 10.16.
create or replace function engine.night_brief(night integer, stories boolean)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  -- From what the bell stored: resolving a night anew, as its whole record does, costs too much for thirty of them.
  select case when night_brief.stories then jsonb_build_object('stories', engine.stories(n.day)) else '{}' end
    || jsonb_build_object(
      'day', n.day,
      'headline', engine.headline(n.day),
      'bellAt', engine.iso(n.bell_at),
      'resolvedAt', engine.iso(n.resolved_at),
      'accounts', n.accounts,
      'moves', n.moves,
      'burnedCents', n.burned_cents,
      'places', (
        select coalesce(jsonb_agg(jsonb_build_object(
                   'slot', p.slot,
                   'outcome', p.outcome,
                   'warCount', p.war_count,
                   'burnedCents', p.burned_cents,
                   'burned', (  -- the first of them, as many as a text names
                     select coalesce(jsonb_agg(jsonb_build_object('slug', a.slug, 'name', a.name)
                                                 || engine.namesake_field(a.namesake)
                                               order by w.at, w.seq), '[]')
                       from engine.first_warriors(engine.stored_night(p.day), array[p.slot], 4) w
                      cross join lateral engine.profile_on(w.account, p.day) a
                      where p.outcome = 'BURN'),
                   'occupants', (
                     select coalesce(jsonb_agg(jsonb_build_object(
                                'slug', a.slug,
                                'name', a.name,
                                'daysHeld', s.days_held) || engine.namesake_field(a.namesake) order by s.seat), '[]')
                       from hill.seats s
                      cross join lateral engine.profile_on(s.account_id, s.day) a
                      where s.day = p.day and s.slot = p.slot)) order by p.slot), '[]')
          from hill.place_results p
         where p.day = n.day))
    from hill.nights n
   where n.day = night_brief.night
$$;
