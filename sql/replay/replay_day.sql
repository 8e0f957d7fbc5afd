-- Resolves a past day again from its stored input, prints it for people, and compares it with what was published.
--
--   psql -v day=12 -f sql/replay/replay_day.sql
--   psql -v day=12 -v rows=200 -f sql/replay/replay_day.sql      prints up to 200 rows of each list (by default 50)
--
-- Read-only. For a superuser, the database's owner, or a member of hill_dba. Needs psql 13 or newer. Exits with 0 if
-- the replay equals what was published, and with 3 if it does not or the day is not resolved.

\set ON_ERROR_STOP on
\ir start.sql
\set script 'sql/replay/replay_day.sql'
\ir day.sql

-- Resolved once; what it comes to is small.
select engine.resolve_places(engine.stored_night(:day)) as resolution \gset

\ir day/head.sql
\ir day/places.sql
\ir day/moves.sql
\ir day/queue.sql
\ir day/money.sql
\ir day/announcements.sql
\ir day/compared.sql
