-- The phase of a tournament, by the clock and the nights that are resolved. Rules 8.2.

-- The phase of a tournament, given today and the last night. Rules 8.2.
create or replace function engine.tournament_phase(tournament hill.tournaments, today integer, last_night integer)
returns text
language sql immutable parallel safe
return case when (tournament).cancelled_on is not null then 'cancelled'
            when today < (tournament).opens_day then 'announced'
            when today <= (tournament).sign_ups_close_day then 'open'
            when today < (tournament).starts_day then 'closed'
            when last_night < (tournament).ends_day then 'running'
            else 'ended' end;

-- Whether a night is one of a tournament's, or comes after them. None is of one that was cancelled. Rules 8.2.
create or replace function engine.has_begun(tournament hill.tournaments, day integer)
returns boolean
language sql immutable parallel safe
return day >= (tournament).starts_day and (tournament).cancelled_on is null;

-- A lock until the transaction ends.
create or replace function engine.lock_tournaments(shared boolean)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  select trusted.lock_one('tournament days', lock_tournaments.shared);
end;

-- The tournaments that are new, in another phase, or have new boards, between two positions of api_public.events: the
-- newest 20 of them. Rules 10.16.
create or replace function engine.tournaments_since(was integer[], upto integer[])
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(
           jsonb_agg(
             jsonb_build_object(
               'slug', t.slug,
               'name', t.name,
               'phase', t.phase,
               'opens_day', t.opens_day,
               'starts_day', t.starts_day,
               'ends_day', t.ends_day,
               'boards_day', case when t.begun then least(upto[5], t.ends_day) end)
             order by t.id),
           '[]')
    from (select t.*, engine.tournament_phase(t, upto[3], upto[1]) as phase, engine.has_begun(t, upto[5]) as begun
            from hill.tournaments t
           where t.id <= upto[4]
             and (t.id > was[4]
                  or engine.tournament_phase(t, was[3], was[1]) <> engine.tournament_phase(t, upto[3], upto[1])
                  -- on the day on which staff cancel it no number of a position changes: it is told with the next day
                  or (t.cancelled_on >= was[3] and t.cancelled_on < upto[3])
                  or (engine.has_begun(t, upto[5]) and t.ends_day > was[5] and upto[5] > was[5]))
           order by t.id desc
           limit engine.brief_length()) t;
end;
