-- load.sql · What is defined anew when it changes: functions, triggers, policies, grants, comments, in an order in which each finds what it needs. Tables are in
-- migrations/. src/db/load-sql.ts executes what differs from what it executed last, in one transaction; on an empty database, psql -1 -f sql/load.sql does the same.

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
create schema api_public authorization hill_api_public;
create schema api_agent authorization hill_api_agent;
create schema api_human authorization hill_api_human;
create schema api_staff authorization hill_api_staff;
create schema api_worker authorization hill_api_worker;
create schema api_oauth authorization hill_api_oauth;
grant usage on schema engine to hill_api, hill_staff, hill_dba;
-- A DBA's own login needs no more than to be a member of hill_dba: grant hill_dba to jane.
do $$ begin execute format('grant connect on database %I to hill_dba', current_database()); end $$;
grant usage on schema api_public to hill_public, hill_worker, hill_staff;
grant usage on schema api_agent to hill_agent;
grant usage on schema api_human to hill_human;
grant usage on schema api_staff to hill_staff, hill_api, hill_owner;
grant usage on schema api_worker to hill_worker;
grant usage on schema api_oauth to hill_oauth;

-- The rules
set local role hill_owner;
\ir rules/constants.sql
\ir rules/errors.sql
\ir rules/iso.sql
\ir rules/rent_cents.sql
\ir rules/clock.sql
\ir rules/locks.sql
\ir rules/open_hill.sql
\ir rules/founders_nights.sql
\ir identity/actor.sql
\ir identity/tokens.sql

set local role hill_api_staff;
\ir api/staff/staff_name.sql

-- The domains, each with its policies
set local role hill_owner;
\ir identity/plain_text.sql
\ir identity/slugs.sql
\ir identity/create_account.sql
\ir identity/policies.sql
\ir identity/identities.sql
\ir identity/set_profile.sql
\ir ledger/post_transfer.sql
\ir ledger/credit.sql
\ir ledger/payments.sql
\ir ledger/policies.sql
\ir mandate/set_mandate.sql
\ir rules/rules_record.sql
\ir moves/receipt.sql
\ir moves/checks.sql
\ir moves/refusals.sql
\ir moves/play.sql
\ir moves/withdraw_move.sql
\ir moves/policies.sql
\ir announcements/announce.sql
\ir announcements/brief.sql
\ir night/types.sql
\ir night/input.sql
\ir night/resolve_places.sql
\ir night/lists.sql
\ir night/published.sql
\ir night/decisions.sql
\ir night/queue_seats.sql
\ir night/explain.sql
\ir night/queue_page.sql
\ir night/show_night.sql
\ir night/night_seen.sql
\ir night/parse_night.sql
\ir night/night_file.sql
\ir night/tell_decisions.sql
\ir night/debrief.sql
\ir night/suppose.sql
\ir night/ask_the_bell.sql
\ir night/night_lines.sql
\ir night/resolve_line.sql
\ir bell/rings.sql
\ir bell/partitions.sql
\ir bell/ring_bell.sql
\ir bell/sealed_count.sql
\ir bell/read_night.sql
\ir bell/policies.sql
\ir boards/boards.sql
\ir reading/changes.sql
\ir ledger/read_balances.sql
\ir bell/night_differences.sql
\ir checks/check.sql
\ir checks/ledger.sql
\ir checks/boards.sql
\ir checks/nights.sql
\ir checks/tables.sql
\ir moves/account_day.sql
\ir moves/explore.sql
\ir moves/status.sql
\ir house/play_house.sql
\ir events/policies.sql
\ir events/subscribe.sql
\ir events/tell.sql
\ir events/deliver.sql
\ir sites/policies.sql
\ir sites/verify.sql
\ir staff/staff_key.sql
\ir staff/audit_log.sql
\ir staff/find_account.sql
\ir staff/mark_account.sql
\ir oauth/proofs.sql
\ir humans/policies.sql
\ir humans/security_events.sql
\ir humans/name_account.sql
\ir humans/sign_in.sql
\ir humans/sign_ins.sql
\ir humans/addresses.sql
\ir humans/sign_out.sql
\ir humans/account_state.sql
\ir oauth/policies.sql
\ir oauth/rates.sql
\ir oauth/keys.sql
\ir oauth/grants.sql
\ir oauth/register_anonymous.sql
\ir oauth/exchange_assertion.sql
\ir oauth/begin_claim.sql
\ir oauth/poll_claim.sql
\ir oauth/decide_claim.sql
\ir oauth/revoke.sql
\ir oauth/clients.sql
\ir oauth/approve_client.sql
\ir oauth/exchange_code.sql
\ir oauth/refresh.sql
\ir oauth/forget_ended.sql
\ir identity/whoami.sql
\ir reports/reports.sql
\ir tournaments/phase.sql
\ir tournaments/policies.sql
\ir tournaments/standings.sql
\ir tournaments/show_boards.sql
\ir tournaments/tournaments.sql
\ir tournaments/sign_up.sql
\ir tournaments/redeem_code.sql
\ir tournaments/check_tournament.sql
\ir checks/tournaments.sql
\ir boards/board_seen.sql

-- The doors' contracts
set local role hill_api_public;
\ir api/public/clock.sql
\ir api/public/check_settings.sql
\ir api/public/rules.sql
\ir api/public/hill.sql
\ir api/public/announcements.sql
\ir api/public/day.sql
\ir api/public/night_lines.sql
\ir api/public/wall.sql
\ir api/public/leaderboard.sql
\ir api/public/efficiency.sql
\ir api/public/front.sql
\ir api/public/identity.sql
\ir api/public/night_told.sql
\ir api/public/tournaments.sql
\ir api/public/counters.sql
\ir api/public/errors.sql
set local role hill_api_agent;
\ir api/agent/play.sql
\ir api/agent/announce.sql
\ir api/agent/whoami.sql
\ir api/agent/check_token.sql
\ir api/agent/set_profile.sql
\ir api/agent/fund.sql
\ir api/agent/sign_up.sql
\ir api/agent/redeem_code.sql
\ir api/agent/tournaments.sql
\ir api/agent/explore_and_debrief.sql
\ir api/agent/ask_the_bell.sql
\ir api/agent/status.sql
\ir api/agent/night.sql
\ir api/agent/leaderboard.sql
\ir api/agent/get_help.sql
\ir api/agent/report_missing_capability.sql
\ir api/agent/list_my_reports.sql
\ir api/agent/subscribe.sql
\ir api/agent/verify_badge.sql
set local role hill_api_human;
\ir api/human/human.sql
\ir api/human/sessions.sql
\ir api/human/account.sql
\ir api/human/claims.sql
\ir api/human/consent.sql
\ir api/human/codes.sql
set local role hill_api_staff;
\ir api/staff/sessions.sql
\ir api/staff/grant_credits.sql
\ir api/staff/lots_remaining_cents.sql
\ir api/staff/mark_account.sql
\ir api/staff/open_place.sql
\ir api/staff/answer_report.sql
\ir api/staff/tournaments.sql
\ir api/staff/tournament_codes.sql
set local role hill_api_worker;
\ir api/worker/worker.sql
\ir api/worker/outside.sql
set local role hill_api_oauth;
\ir api/oauth/server.sql
\ir api/oauth/door_a.sql
\ir api/oauth/door_b.sql
-- Last, when every policy stands: it reads tables.
set local role hill_owner;
select engine.guard_tonight();
reset role;

comment on schema hill is 'The hill: its tables. Reached by no caller, save what staff and DBA read through row-level security.';
comment on schema oauth is 'Tokens and sessions, by hash. Reached by the owners of the API schemas alone.';
comment on schema engine is 'The rules of the hill, as functions that run with the rights of whoever calls them. They hold no data.';
comment on schema api_public is 'What anybody may call: the public reading.';
comment on schema api_agent is 'What an agent may call, with its access token.';
comment on schema api_human is 'What a signed-in human may call for the own account.';
comment on schema api_staff is 'What staff may call from the console: each change with a reason, and an entry in the audit log.';
comment on schema api_worker is 'What the worker may call: bells, boards, counts, the house, the simulated clock.';
comment on schema api_oauth is 'What the authorization server calls: registration, claims, codes, tokens, keys.';
