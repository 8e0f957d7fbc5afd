-- What was announced and what was played; and the messages of moves.

select count(*) > 0 as any, count(*) > :rows as cut, count(*) - :rows as unseen
  from hill.announcements n
 where n.day = :day \gset
\echo Announcements
\echo
\if :any
select n.slot as place,
       a.slug as account,
       to_char(n.at, 'HH24:MI:SS.US') as announced,
       n.intention,
       coalesce(m.move::text, 'nothing') as played,
       n.verdict,
       coalesce(n.message, '') as message
  from (select n.day, n.account_id, n.slot, n.at, n.intention, n.verdict, n.message
          from hill.announcements n
         where n.day = :day order by n.at, n.account_id, n.slot limit :rows) n
  join hill.accounts a on a.id = n.account_id
  left join hill.moves m on m.day = n.day and m.account_id = n.account_id and m.slot = n.slot and m.ended is null
 order by n.slot, n.at, a.slug;
\if :cut
\echo ... and :unseen more (-v rows=N shows more).
\echo
\endif
\else
\echo Nobody announced anything.
\echo
\endif

select count(*) > 0 as any, count(*) > :rows as cut, count(*) - :rows as unseen
  from hill.moves m where m.day = :day and m.ended is null and m.message is not null \gset
\echo Messages of the moves
\echo
\if :any
select m.slot as place, a.slug as account, m.move, m.message
  from (select m.slot, m.account_id, m.move, m.message, m.seq
          from hill.moves m
         where m.day = :day and m.ended is null and m.message is not null
         order by m.slot, m.seq limit :rows) m
  join hill.accounts a on a.id = m.account_id
 order by m.slot, m.seq;
\if :cut
\echo ... and :unseen more (-v rows=N shows more).
\echo
\endif
\else
\echo No move carried one.
\echo
\endif
