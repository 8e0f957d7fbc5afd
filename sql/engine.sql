-- The engine alone: what resolves a night from its night file, without the rest of the hill. It loads in an empty
-- database of PostgreSQL 18 (psql -1 -f sql/engine.sql), as verifiers do, also in a browser. Then
-- select engine.resolve_night('{…}') answers, and engine.result_of('{…}') is the text whose hash the log has. Rules
-- 20.9.

create schema hill;
create schema engine;

-- As migrations/ makes them
create type hill.move as enum ('PEACE', 'WAR', 'PASS');
create type hill.outcome as enum ('VACANT', 'PEACE', 'WAR', 'BURN');
create type hill.verdict as enum ('kept', 'betrayed', 'bluffed', 'ghosted');
create type hill.seat_source as enum ('holder', 'peace', 'war', 'queue');
create type hill.deposit_end as enum ('replaced', 'withdrawn', 'pass');

-- A night that the hill has stored is read from tables. Here there is none, and of the tables only what is named there.
create table hill.accounts (id uuid, house boolean);
create table hill.places (slot smallint, opens_day integer);
create table hill.moves (day integer, seq bigint, account_id uuid, slot smallint, move hill.move, stake_cents bigint,
  cost_cents bigint, at timestamptz, ended hill.deposit_end);
create table hill.seats (day integer, slot smallint, account_id uuid, days_held integer);
create table hill.settlements (day integer, account_id uuid, peace_count smallint, war_count smallint,
  peace_tonight smallint, since timestamptz);

\ir rules/constants.sql
\ir rules/errors.sql
\ir rules/iso.sql
\ir rules/rent_cents.sql
\ir rules/verdict.sql
\ir night/types.sql
\ir night/order.sql
\ir night/input.sql
\ir night/resolve_places.sql
\ir night/lists.sql
\ir night/parse_night.sql
\ir night/night_file.sql
\ir night/result.sql
\ir night/resolve_line.sql
