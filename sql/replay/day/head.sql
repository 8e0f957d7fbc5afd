-- Which night this is.

select to_char(n.bell_at, 'YYYY-MM-DD HH24:MI') || ' UTC' as bell,
       case when n.resolved_at > n.bell_at
            then ', rung at ' || to_char(n.resolved_at, 'YYYY-MM-DD HH24:MI:SS') end as rung,
       n.moves,
       n.accounts,
       n.moves > :rows as large
  from hill.nights n where n.day = :day \gset
\if :{?rung}
\else
  \set rung ''
\endif

\echo Day :day of the hill
\echo
\echo Bell of :bell:rung. Live moves: :moves, by :accounts accounts.
