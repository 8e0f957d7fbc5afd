-- tournaments/phase.sql · The phase of a tournament, by the clock and the nights that are resolved.
-- Rules 8.2.

create or replace function engine.tournament_phase(tournament hill.tournaments, today integer, last_night integer)
returns text
language sql immutable parallel safe
return case when today < (tournament).opens_day then 'announced'
            when today <= (tournament).sign_ups_close_day then 'open'
            when today < (tournament).starts_day then 'closed'
            when last_night < (tournament).ends_day then 'running'
            else 'ended' end;

comment on function engine.tournament_phase is
'The phase of a tournament, given today and the last night: announced before its opens_day, open to the end of its '
'sign_ups_close_day, closed until its starts_day, running until the bell of its ends_day is resolved, then ended. '
'Rules 8.2.';

create or replace function engine.lock_tournaments(shared boolean)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  select trusted.lock_one('tournament days', lock_tournaments.shared);
end;

comment on function engine.lock_tournaments is
'A lock until the transaction ends: shared by sign-ups, exclusive to staff who edit, so that nobody signs up for days '
'that are being moved.';
