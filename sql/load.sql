-- Defines functions, triggers, policies, grants and comments, folder by folder, each after what it needs. Each folder
-- lists its own files. Tables are in migrations/. src/db/load-sql.ts executes what differs from what it executed last,
-- in one transaction; on an empty database, psql -1 -f sql/load.sql does the same.

set local role hill_owner;
alter default privileges revoke execute on functions from public;
set local role hill_api_public;
alter default privileges revoke execute on functions from public;
set local role hill_api_agent;
alter default privileges revoke execute on functions from public;
set local role hill_api_human;
alter default privileges revoke execute on functions from public;
set local role hill_api_staff;
alter default privileges revoke execute on functions from public;
set local role hill_api_worker;
alter default privileges revoke execute on functions from public;
set local role hill_api_oauth;
alter default privileges revoke execute on functions from public;
reset role;

create schema engine authorization hill_owner;
create schema trusted authorization hill_owner;
create schema api_public authorization hill_api_public;
create schema api_agent authorization hill_api_agent;
create schema api_human authorization hill_api_human;
create schema api_staff authorization hill_api_staff;
create schema api_worker authorization hill_api_worker;
create schema api_oauth authorization hill_api_oauth;
grant usage on schema engine, hill to hill_api, hill_staff, hill_dba;
grant usage on schema trusted to hill_api, hill_dba;
-- A DBA's own login needs no more than to be a member of hill_dba: grant hill_dba to jane.
do $$ begin execute format('grant connect on database %I to hill_dba', current_database()); end $$;
-- How far a replica has come. Of a database that sql/harden.sql has not closed, everybody may ask that.
do $$
begin
  set local client_min_messages = error;
  grant execute on function pg_catalog.pg_current_wal_insert_lsn(), pg_catalog.pg_current_wal_flush_lsn(),
    pg_catalog.pg_last_wal_replay_lsn() to hill_public;
  grant execute on function pg_catalog.pg_control_system(), pg_catalog.pg_lock_status(),
    pg_catalog.pg_database_size(name) to hill_owner;
exception when insufficient_privilege then
  null; -- the database has another owner than when it was closed: sql/harden.sql grants it when it is run again
end
$$;
grant usage on schema api_public to hill_public, hill_worker, hill_staff;
grant usage on schema api_agent to hill_agent;
grant usage on schema api_human to hill_human, hill_api_worker;
grant usage on schema api_staff to hill_staff, hill_api, hill_owner;
grant usage on schema api_worker to hill_worker;
grant usage on schema api_oauth to hill_oauth;

-- The rules, and who calls
set local role hill_owner;
\ir rules/load.sql
\ir actors/load.sql
-- Policies of every folder ask which member of staff calls, and functions of sql/looking return these types, so both
-- files are loaded before their folder.
set local role hill_api_staff;
\ir api/staff/staff_name.sql
\ir api/staff/types.sql

-- The domains, each with its policies
set local role hill_owner;
\ir identity/load.sql
\ir ledger/load.sql
\ir mandate/load.sql
\ir announcements/load.sql
\ir night/load.sql
\ir bell/load.sql
\ir boards/load.sql
\ir archives/load.sql
\ir log/load.sql
\ir moves/load.sql
\ir house/load.sql
\ir reading/load.sql
\ir events/load.sql
\ir sites/load.sql
\ir staff/load.sql
\ir looking/load.sql
\ir oauth/load.sql
\ir payments/load.sql
\ir mail/load.sql
\ir humans/load.sql
\ir reports/load.sql
\ir tournaments/load.sql
\ir leaving/load.sql
\ir practice/load.sql
\ir follow/load.sql
\ir checks/load.sql
\ir watch/load.sql

-- The doors' contracts
set local role hill_api_public;
\ir api/public/load.sql
set local role hill_api_agent;
\ir api/agent/load.sql
set local role hill_api_human;
\ir api/human/load.sql
set local role hill_api_staff;
\ir api/staff/load.sql
set local role hill_api_worker;
\ir api/worker/load.sql
set local role hill_api_oauth;
\ir api/oauth/load.sql

-- What is in engine runs with the rights of its caller, who could send its statements as well. What runs with those of
-- hill_owner is in trusted, where each function is granted to those who need it. A verifier of an earlier version reads
-- no such grant by itself: hence "do".
set local role hill_owner;
do $$ begin grant execute on all functions in schema engine to hill_api, hill_dba; end $$;
-- Staff look through policies, and ask no more than this.
grant execute on function
  engine.account_lots,
  engine.announcements_close,
  engine.bell_at,
  engine.credits_of,
  engine.day_start,
  engine.errors,
  engine.least_role,
  engine.paid_credits,
  engine.pending,
  engine.pending_settlements,
  engine.refuse,
  engine.refused,
  engine.settlement_of,
  engine.staff_may,
  engine.staff_roles,
  engine.tournament_phase,
  engine.unexpired,
  engine.unsettled_night,
  engine.waiting_payments
  to hill_staff;

-- Last, when every policy stands: they read tables.
select engine.guard_tonight();
select engine.withhold_salts();
select engine.begin_audit_chain();
reset role;

comment on schema hill is
'The tables of the hill. No caller reaches them, except that staff and DBA read through row-level security.';
comment on schema oauth is 'Tokens and sessions, by hash. Only the owners of the API schemas reach them.';
comment on schema engine is
'The rules of the hill, as functions that run with the rights of their caller. They hold no data.';
comment on schema trusted is
'Functions that run with the rights of hill_owner, whoever calls, each granted by its name.';
comment on schema api_public is 'What anyone may call: public reading.';
comment on schema api_agent is 'What an agent may call, with its access token.';
comment on schema api_human is 'What a signed-in human may call for the own account.';
comment on schema api_staff is
'What staff may call from the console: each change with a reason, and an entry in the audit log.';
comment on schema api_worker is 'What the worker may call: bells, boards, counts, the house, the simulated clock.';
comment on schema api_oauth is 'What the authorization server calls: registration, claims, codes, tokens, keys.';
