-- GET /api/status: whether the hill keeps its hours. Rules 10.18.

create or replace function api_public.status()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'status', case when b.bell = 'overdue' then 'late' else 'ok' end,
      'now', c.clock -> 'now',
      'day', c.clock -> 'day',
      -- before the first day, which has no bell at its beginning, that of the first day
      'nextBellAt', engine.iso(engine.bell_at(greatest(1, (c.clock ->> 'day')::integer))),
      'late_seconds', floor(b.overdue_seconds)::integer,
      'lastNight', (
        select jsonb_build_object(
                 'day', n.day,
                 'bellAt', engine.iso(n.bell_at),
                 'resolvedAt', engine.iso(n.resolved_at),
                 'lag_seconds', greatest(0, extract(epoch from n.resolved_at - n.bell_at)::integer))
          from hill.nights n
         where n.day = engine.last_night()),
      'boards_day', c.clock -> 'boards_night')
    from engine.bell_state() b
   cross join (select api_public.clock() as clock) c
$$;

comment on function api_public.status is
'status (ok; late: a bell is overdue by more than two minutes), now, day, nextBellAt, late_seconds (real seconds by '
'which a bell is overdue now), lastNight (day, bellAt, resolvedAt, lag_seconds from the one to the other; null before '
'any) and boards_day. Rules 10.18.';

grant execute on function api_public.status to hill_public;
