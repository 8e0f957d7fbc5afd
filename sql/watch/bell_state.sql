-- Whether the bell does what it should. Decisions 118.

-- Real seconds since a night was published that wallets are left to show; 0 where all show it. Rules 5.4.
create or replace function engine.unsettled_seconds()
returns double precision
language sql stable parallel safe security invoker
begin atomic
  select coalesce((
    select case when coalesce(s.rate, 1) > 0 then
             greatest(0, extract(epoch from engine.now() - n.resolved_at) / coalesce(s.rate, 1)) else 0 end
      from hill.settings s join hill.nights n on n.day = s.last_night
     where s.settled_night < s.last_night), 0)::double precision;
end;

-- The last night; real seconds by which the bell is overdue and since a worker was heard of (null: never).
create or replace function engine.bell_state()
returns table (
  last_night integer,
  overdue_seconds double precision,
  silent_seconds double precision,
  failure text,
  failing_night integer,
  failing_since timestamptz,
  delta_cents numeric,
  wrong_checks text[],
  worker text,
  bell text,
  books text,
  log_signed_at timestamptz,
  log text)
language sql stable parallel safe security invoker
begin atomic
  select s.last_night,
         s.overdue_seconds,
         s.silent_seconds,
         f.code,
         f.night,
         f.first_at,
         b.delta_cents,
         c.wrong,
         case when s.silent_seconds is null then 'none'
              when s.silent_seconds > engine.worker_silence_seconds() then 'silent'
              else 'ok' end,
         case when s.overdue_seconds > engine.bell_patience_seconds() then 'overdue'
              when s.unsettled_seconds > engine.bell_patience_seconds() then 'unsettled'
              else 'ok' end,
         case when b.delta_cents <> 0 or c.wrong <> '{}' or f.code is not null then 'wrong' else 'ok' end,
         b.log_signed_at,
         case when clock_timestamp() - b.log_signed_at > make_interval(secs => engine.log_patience_seconds())
              then 'unsigned' else 'ok' end
    from (select n.last_night,
                 case when coalesce(h.rate, 1) > 0 then
                   greatest(0, extract(epoch from engine.now() - engine.bell_at(n.last_night + 1))
                                 / coalesce(h.rate, 1)) else 0 end::double precision as overdue_seconds,
                 extract(epoch from clock_timestamp() - w.beat_at)::double precision as silent_seconds,
                 engine.unsettled_seconds() as unsettled_seconds
            from hill.settings h, hill.watch w, (select engine.last_night() as last_night) n) s
   cross join hill.watch b
   cross join lateral (select coalesce(array_agg(e ->> 'name'), '{}') as wrong
                         from jsonb_array_elements(b.checks) e
                        where (e ->> 'wrong')::bigint > 0) c
    left join lateral (select x.code, x.night, x.first_at
                         from hill.bell_failures x
                        where x.night > s.last_night or (x.night = s.last_night and x.code <> 'NIGHT_DOES_NOT_BALANCE')
                        order by x.night desc, x.last_at desc
                        limit 1) f on true;
end;
