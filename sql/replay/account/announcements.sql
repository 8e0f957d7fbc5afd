-- What the account had announced for that day, and how it was judged.

select exists (select from hill.announcements n where n.day = :day and n.account_id = :'account_id') as any \gset
\echo Announcements
\echo
\if :any
select n.slot as place,
       to_char(n.at, 'HH24:MI:SS.US') as announced,
       n.intention,
       coalesce(m.move::text, 'nothing') as played,
       n.verdict,
       coalesce(n.message, '') as message
  from hill.announcements n
  left join hill.moves m on m.day = n.day and m.account_id = n.account_id and m.slot = n.slot and m.ended is null
 where n.day = :day and n.account_id = :'account_id'
 order by n.slot;
\else
\echo None.
\echo
\endif
