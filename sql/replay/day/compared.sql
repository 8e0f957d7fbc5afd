-- Whether what was resolved again equals what was published; and whether the night, written as a file, resolves to the
-- same.

-- Nobody would send a larger night as a file.
\set file_moves 20000
select n.moves <= :file_moves as as_file, n.moves from hill.nights n where n.day = :day \gset
\if :as_file
  select engine.resolve_night(engine.night_json(engine.stored_night(:day)))
         <> engine.resolution_json(engine.stored_night(:day), :'resolution'::engine.resolution) as file_differs \gset
\else
  \set file_differs false
\endif

select coalesce(jsonb_object_agg(d.subject, d.rows), '{}') as differences,
       coalesce(sum(d.rows), 0) + (:'file_differs'::boolean)::integer as differ
  from (select d.subject, count(*) as rows
          from engine.night_differences(:day, :'resolution'::engine.resolution) d
         group by d.subject) d \gset

\echo Compared with what was published
\echo
select s.what, s.compared, coalesce((:'differences'::jsonb ->> s.subject)::bigint, s.differ, 0) as differ
  from (values
    (1, 'places', 'places: outcome, counts, stakes burned',
     (select count(*) from hill.place_results p where p.day = :day), null),
    (2, 'seats', 'seats: who, by which move, days held, points',
     (select count(*) from hill.seats s where s.day = :day), null),
    (3, 'evicted', 'evictions',
     (select sum(engine.count_evicted(engine.stored_night(:day), p, (engine.published_resolution(:day)).seats))
        from unnest((engine.published_resolution(:day)).places) p), null),
    (4, 'queue', 'queue: its order, who was served where', :queue, null),
    (5, 'verdicts', 'verdicts on announcements',
     (select count(*) from hill.announcements n where n.day = :day), null),
    (6, 'charges', 'charges: the price of each move', :moves, null),
    (7, 'settlements', 'settlements: what each account paid',
     (select count(*) from hill.settlements s where s.day = :day), null),
    (8, 'credits', 'settlements: granted credits first',
     (select count(*) from hill.settlements s where s.day = :day), null),
    (9, 'totals', 'totals of the night', 8, null),
    (10, 'file', 'the night as a file, resolved',
     case when :'as_file' then 1 else 0 end, (:'file_differs'::boolean)::integer)
  ) s (number, subject, what, compared, differ)
 order by s.number;
\if :as_file
\else
\echo The night file is left out: of more than :file_moves moves nobody makes one.
\echo
\endif

select :differ > 0 as differs \gset
\if :differs
\echo What differs
\echo
select d.subject as what,
       d.slot as place,
       a.slug as account,
       d.seq as deposit,
       coalesce(d.published, 'nothing') as published,
       coalesce(d.recomputed, 'nothing') as replayed
  from engine.night_differences(:day, :'resolution'::engine.resolution) d
  left join hill.accounts a on a.id = d.account
 order by d.subject, d.slot, d.seq, a.slug limit :rows;
\endif
commit;
\if :differs
select engine.refuse(
  'VERIFICATION_FAILED',
  'Day ' || :'day' || ' does not equal what was published; differences: ' || :'differ' || '.');
\endif
\echo Day :day equals what was published.
