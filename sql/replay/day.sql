-- The argument day: a resolved day. Otherwise psql prints one line that says which there are, and exits with 3.

\if :{?day}
\else
  \set day ''
\endif
select :'day' !~ '^[0-9]{1,9}$' as wrong \gset
\if :wrong
  select engine.refuse('INVALID_ARGUMENT', 'Say which day, as in: psql -v day=12 -f ' || :'script');
\endif
select not exists (select from hill.nights n where n.day = :day) as unresolved,
       coalesce('days 1 to ' || nullif(engine.last_night(), 0) || ' have been.', 'no day has been yet.') as resolved
\gset
\if :unresolved
  select engine.refuse('DAY_NOT_RESOLVED', 'Day ' || :'day' || ' is not resolved: ' || :'resolved');
\endif
