-- The phase of a tournament, by the clock and the nights that are resolved. Rules 8.2.

-- The phase of a tournament, given today and the last night. Rules 8.2.
create or replace function engine.tournament_phase(tournament hill.tournaments, today integer, last_night integer)
returns text
language sql immutable parallel safe
return case when today < (tournament).opens_day then 'announced'
            when today <= (tournament).sign_ups_close_day then 'open'
            when today < (tournament).starts_day then 'closed'
            when last_night < (tournament).ends_day then 'running'
            else 'ended' end;

-- A lock until the transaction ends.
create or replace function engine.lock_tournaments(shared boolean)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  select trusted.lock_one('tournament days', lock_tournaments.shared);
end;
