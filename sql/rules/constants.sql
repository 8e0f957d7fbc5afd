-- The numbers of the game, each written here and nowhere else. Rules 3.1, 4.5, 5, 7, 13.1. Bound when created and
-- inlined, so a name costs no more than the number.

-- The hill and its moves

-- Places on the hill. Rules 13.1.
create or replace function engine.slot_count() returns integer language sql immutable parallel safe return 10;

-- Most occupants of one place. Rules 13.1.
create or replace function engine.seats_per_place() returns integer language sql immutable parallel safe return 2;

-- Most places that an account may contest in a day, all its agents together. Rules 13.1.
create or replace function engine.places_per_day() returns integer language sql immutable parallel safe return 2;

-- Most moves of an account in a day, all its agents together. Rules 3.5.
create or replace function engine.moves_per_day() returns integer language sql immutable parallel safe return 4;

-- Most deposits that travel together in one statement.
create or replace function engine.batch_calls() returns integer language sql immutable parallel safe return 64;

-- Most characters of a message. Rules 3.9.
create or replace function engine.message_length() returns integer language sql immutable parallel safe return 140;

-- What a challenger pays for PEACE, in cents. Rules 3.1.
create or replace function engine.peace_cents() returns bigint language sql immutable parallel safe return 300;

-- What rent becomes with each bell held, in percent of the bell before. Rules 3.2.
create or replace function engine.rent_growth_percent() returns integer language sql immutable parallel safe return 115;

-- Least stake of WAR, in cents. Rules 3.1.
create or replace function engine.war_minimum_cents() returns bigint language sql immutable parallel safe return 800;

-- Points of one occupant for one night: (11 - slot) divided by the occupants. Rules 4.8.
create or replace function engine.points(slot integer, occupants integer)
returns numeric language sql immutable parallel safe
return round((engine.slot_count() + 1 - slot)::numeric / occupants, 1);

create or replace function engine.reputation(peace integer, war integer)
returns numeric language sql immutable parallel safe
return case when peace + war = 0 then 0 else round(peace::numeric / (peace + war), 6) end;
comment on function engine.reputation is
'Share of PEACE among live moves, 0 to 1, rounded to 6 decimals; 0 for an account without moves. '
'Rules 4.3.';

-- The version that the rules record carries. Rules 16.
create or replace function engine.rules_version() returns integer language sql immutable parallel safe return 1;

-- Boards

-- Nights that boards and reputation look back. Rules 4.3, 7.1.
create or replace function engine.window_nights() returns integer language sql immutable parallel safe return 30;

-- Sponsors on the Wall. Rules 7.3.
create or replace function engine.wall_size() returns integer language sql immutable parallel safe return 5;

-- How many entries of the points leaderboard the efficiency board ranks. Rules 7.4.
create or replace function engine.efficiency_top() returns integer language sql immutable parallel safe return 100;

-- Least consumption in the window to be on the efficiency board, in cents. Rules 7.4.
create or replace function engine.efficiency_minimum_cents() returns bigint
language sql immutable parallel safe return 500;

-- Entries of each board of a tournament in the list of tournaments. Rules 8.6.
create or replace function engine.boards_in_list() returns integer language sql immutable parallel safe return 5;

-- Announcements

-- Most announcements of an account in a day, one a place. Rules 6.1.
create or replace function engine.announcements_per_day() returns integer language sql immutable parallel safe return 2;

-- Time of day (UTC) from which nothing may be announced until the bell. Rules 6.2.
create or replace function engine.announcements_close() returns interval
language sql immutable parallel safe return interval '22 hours';

-- Credits

-- Days after which granted credits expire. Rules 5.3.
create or replace function engine.granted_credits_days() returns integer language sql immutable parallel safe return 90;

-- Least top-up, in cents. Rules 5.2.
create or replace function engine.topup_minimum_cents() returns bigint language sql immutable parallel safe return 2000;

-- Largest top-up, in cents. Rules 5.2.
create or replace function engine.topup_maximum_cents() returns bigint
language sql immutable parallel safe return 100000;

-- The daily cap of a new account, in cents. Rules 3.8.
create or replace function engine.default_daily_cap_cents() returns bigint
language sql immutable parallel safe return 1000;

-- The largest stake of a new account, in cents. Rules 13.1.
create or replace function engine.default_max_stake_cents() returns bigint
language sql immutable parallel safe return 1500;

-- How many nights a weekly cap covers, tonight among them. Rules 3.8.
create or replace function engine.weekly_cap_nights() returns integer language sql immutable parallel safe return 7;

-- How far ahead an account can be paused, in days. Rules 3.8.
create or replace function engine.longest_pause_days() returns integer
language sql immutable parallel safe return 365;

-- How many days ahead a human is warned that credits end, and over how many nights their pace is taken.
create or replace function engine.warned_days() returns integer language sql immutable parallel safe return 7;

-- How many days are near: without a move or an announcement, since an agent is new, until credits end at their pace.
create or replace function engine.near_days() returns integer language sql immutable parallel safe return 3;

-- The largest cap that a human can set, in cents.
create or replace function engine.mandate_maximum_cents() returns bigint
language sql immutable parallel safe return 100000000;

-- After how many days an order by staff can be approved no more. Rules 18.6, 18.8.
create or replace function engine.order_days() returns integer language sql immutable parallel safe return 7;

-- The largest grant of credits, in cents.
create or replace function engine.grant_maximum_cents() returns bigint
language sql immutable parallel safe return 1000000000;

-- How many codes of tournaments an account may try in an hour, known or unknown, so that none can be guessed. Rules
-- 8.5.
create or replace function engine.codes_per_hour() returns integer language sql immutable parallel safe return 10;

-- Most codes that staff make at once. Rules 18.6.
create or replace function engine.codes_per_order() returns integer language sql immutable parallel safe return 500;

-- For how many days what was typed as a code is kept. Protocol 6.3.
create or replace function engine.attempt_days() returns integer language sql immutable parallel safe return 30;

-- How many codes of claims and devices the human of an account may type in an hour. Protocol 3.4, 4.6.
create or replace function engine.claim_codes_per_hour() returns integer language sql immutable parallel safe return 20;

-- How many codes of devices all humans together may type in an hour, so that nobody finds one by guessing. Protocol
-- 4.6.
create or replace function engine.device_codes_per_hour() returns integer
language sql immutable parallel safe return 3000;

-- House agents

-- Nights running that a house agent stays on one place. Rules 1.3.
create or replace function engine.house_stay_nights() returns integer language sql immutable parallel safe return 3;

-- Guests that moved on a night after which the house rests. Rules 1.3.
create or replace function engine.house_rest_guests() returns integer language sql immutable parallel safe return 10;

-- Seconds before the bell from which the house deposits. Rules 1.3.
create or replace function engine.house_deposit_seconds() returns integer
language sql immutable parallel safe return 60;

-- Lengths of lists and answers

-- Most entries of a list in one answer of the public API; longer lists continue with a cursor. Rules 10.9.
create or replace function engine.list_length() returns integer language sql immutable parallel safe return 1000;

-- Entries of a list in a tool's answer unless the caller asks for another number: models pay for what they read.
create or replace function engine.brief_length() returns integer language sql immutable parallel safe return 20;

-- Nights of which the tool status counts the lone wars of a place.
create or replace function engine.lone_war_nights() returns integer language sql immutable parallel safe return 7;

-- How many of today's announcements the tool status tells one by one.
create or replace function engine.status_announcements() returns integer language sql immutable parallel safe return 3;

-- Entries of a page of a board unless the reader asks for another number, and messages shown on a place. Rules 10.9.
create or replace function engine.page_length() returns integer language sql immutable parallel safe return 100;

-- Most entries in one piece of a whole night. Rules 12.
create or replace function engine.piece_length() returns integer language sql immutable parallel safe return 20000;

-- A file of a night whose gzip is longer is not stored any more once the night is not one of the last 30. Rules 10.12.
create or replace function engine.archive_large_bytes() returns bigint
language sql immutable parallel safe return 1000000;

-- Most moves of a night that ask_the_bell resolves. Rules 12.1.
create or replace function engine.what_if_moves() returns integer language sql immutable parallel safe return 200;

-- Seconds after which to call again while the bell rings or the service has too much to do.
create or replace function engine.retry_seconds() returns integer language sql immutable parallel safe return 5;

-- Identities

-- Most characters of an account's name.
create or replace function engine.name_length() returns integer language sql immutable parallel safe return 60;

-- Most characters of the model that an agent names.
create or replace function engine.model_length() returns integer language sql immutable parallel safe return 100;

-- Most characters of an account's address on the web.
create or replace function engine.url_length() returns integer language sql immutable parallel safe return 300;

-- Fewest characters of a chosen slug.
create or replace function engine.slug_minimum_length() returns integer language sql immutable parallel safe return 3;

-- Most characters of a chosen slug.
create or replace function engine.slug_maximum_length() returns integer language sql immutable parallel safe return 40;

-- Most characters of a slug that is made from a name.
create or replace function engine.name_slug_length() returns integer language sql immutable parallel safe return 50;

-- Most slugs that an account may leave behind: each stays its own.
create or replace function engine.slugs_left_behind() returns integer language sql immutable parallel safe return 5;

-- Most identities whose counters one answer gives. Rules 10.8.
create or replace function engine.counters_at_once() returns integer language sql immutable parallel safe return 100;

-- How long counters keep the values that were last shown. With the flush of the web processes they are never older
-- than a minute. Rules 10.8.
create or replace function engine.counters_stand() returns interval
language sql immutable parallel safe return interval '50 seconds';

-- Fewest minutes between two checks of a site that its account asks for. Rules 11.2.
create or replace function engine.site_ask_minutes() returns integer language sql immutable parallel safe return 5;

-- Days after which a verified site is checked again. Rules 11.2.
create or replace function engine.site_check_days() returns integer language sql immutable parallel safe return 7;

-- Checks in a row, a day apart, that a site may leave unanswered before it is no longer verified. Rules 11.2.
create or replace function engine.site_patience() returns integer language sql immutable parallel safe return 3;

-- Most characters of the slug of a tournament.
create or replace function engine.tournament_slug_length() returns integer
language sql immutable parallel safe return 60;

-- Most that a web process can add to one counter at a time.
create or replace function engine.counted_maximum() returns integer
language sql immutable parallel safe return 1000000000;

-- Leaving

-- Minutes after a sign-in in which a human may do what wants a recent one. Rules 19.1.
create or replace function engine.fresh_sign_in_minutes() returns integer
language sql immutable parallel safe return 10;

-- Days in which a sign-in that was added cannot take the place of all older ones. Protocol 5.2.
create or replace function engine.new_sign_in_days() returns integer
language sql immutable parallel safe return 7;

-- Days between the approval of what staff do for a human who cannot sign in and the bell after which it is done, at
-- least. Rules 18.8.
create or replace function engine.account_order_days() returns integer language sql immutable parallel safe return 7;

-- Downloads of an account's data in an hour. Rules 13.2, 19.2.
create or replace function engine.downloads_per_hour() returns integer language sql immutable parallel safe return 5;

-- Mail

-- Hours in which an address may confirm that notices may be sent there. Protocol 5.6.
create or replace function engine.mail_confirm_hours() returns integer
language sql immutable parallel safe return 24;

-- How often in a day an account may have an address asked, and an address be asked, whoever names it. Protocol 5.6.
create or replace function engine.addresses_asked() returns integer language sql immutable parallel safe return 5;
create or replace function engine.address_asked() returns integer language sql immutable parallel safe return 3;

-- Most notices of an account in a day beside its digest. Protocol 5.6.
create or replace function engine.mails_a_day() returns integer language sql immutable parallel safe return 10;

-- Days for which sending what cannot wait is tried. Protocol 5.6.
create or replace function engine.mail_patience_days() returns integer language sql immutable parallel safe return 3;

-- Hours after its bell in which a digest is sent: then the next one is near. Protocol 5.6.
create or replace function engine.digest_hours() returns integer language sql immutable parallel safe return 20;

-- Nights for which a warning that was mailed is no news. Protocol 5.6.
create or replace function engine.told_nights_back() returns integer language sql immutable parallel safe return 8;

-- Days for which it is kept what was mailed, without what it said.
create or replace function engine.mail_days() returns integer language sql immutable parallel safe return 30;

-- Most characters of what the human of a suspended account is told of why. Rules 3.11.
create or replace function engine.told_length() returns integer language sql immutable parallel safe return 500;

-- Reports

-- Most reports of an agent in a day.
create or replace function engine.reports_per_day() returns integer language sql immutable parallel safe return 10;

-- Most characters of what an agent reports, and of the answer.
create or replace function engine.report_length() returns integer language sql immutable parallel safe return 1000;

-- Most characters of the name of a tool in a report.
create or replace function engine.tool_name_length() returns integer language sql immutable parallel safe return 60;

-- Most characters of the name that a member of staff signs in with.
create or replace function engine.staff_name_length() returns integer language sql immutable parallel safe return 60;

-- Tokens and claims

-- Seconds that an access token lives. Protocol 2.1.
create or replace function engine.access_token_seconds() returns integer
language sql immutable parallel safe return 900;

-- Days that a refresh token lives. Protocol 2.1.
create or replace function engine.refresh_token_days() returns integer language sql immutable parallel safe return 30;

-- Hours that the identity assertion of an anonymous agent lives. Protocol 2.1.
create or replace function engine.identity_assertion_hours() returns integer
language sql immutable parallel safe return 24;

-- Hours after which a claimed agent should renew its assertion: half of its life, so that one attempt may fail.
-- Protocol 2.3.
create or replace function engine.assertion_renewal_hours() returns integer
language sql immutable parallel safe return 12;

-- Hours in which an agent can be claimed. Protocol 2.1.
create or replace function engine.claim_token_hours() returns integer language sql immutable parallel safe return 24;

-- Seconds for which the code of a claim is accepted. Protocol 2.1.
create or replace function engine.claim_code_seconds() returns integer language sql immutable parallel safe return 600;

-- Least seconds between two polls for a claim. Protocol 2.1.
create or replace function engine.claim_poll_seconds() returns integer language sql immutable parallel safe return 5;

-- Wrong codes after which a claim is locked. Protocol 3.4, 8.1.
create or replace function engine.claim_tries() returns integer language sql immutable parallel safe return 5;

-- Seconds that the codes of a device live. Protocol 2.1, 4.6.
create or replace function engine.device_code_seconds() returns integer language sql immutable parallel safe return 600;

-- Seconds that an authorization code lives. Protocol 4.5.
create or replace function engine.authorization_code_seconds() returns integer
language sql immutable parallel safe return 60;

-- Days without use after which a client's grant lapses. Protocol 2.1.
create or replace function engine.grant_lapse_days() returns integer language sql immutable parallel safe return 30;

-- Events

-- Most addresses to which an account may have its events posted. Rules 15.1.
create or replace function engine.subscriptions_per_account() returns integer
language sql immutable parallel safe return 5;

-- Attempts after which an undelivered event is given up. Rules 15.3.
create or replace function engine.delivery_attempts() returns integer language sql immutable parallel safe return 12;

-- Days after which a delivery that has ended is forgotten. Rules 15.3.
create or replace function engine.delivery_days() returns integer language sql immutable parallel safe return 7;

-- Days without a delivery after which a failure ends a subscription. Rules 15.1, 15.3.
create or replace function engine.failing_days() returns integer language sql immutable parallel safe return 3;

-- Watching over the bell

-- Real seconds after which a worker that is not heard of counts as gone.
create or replace function engine.worker_silence_seconds() returns integer
language sql immutable parallel safe return 30;

-- Real seconds after which a bell that has not rung counts as overdue: a large night takes its time.
create or replace function engine.bell_patience_seconds() returns integer
language sql immutable parallel safe return 120;

-- Real seconds after which a log that could not be signed counts as unsigned; it is looked at each quarter hour. Rules
-- 20.34.
create or replace function engine.log_patience_seconds() returns integer
language sql immutable parallel safe return 1800;

-- The share of PostgreSQL's queue of notifications above which operators are told, and who holds it back is ended.
create or replace function engine.notify_limit() returns double precision
language sql immutable parallel safe return 0.1;

-- Seconds for which a session may be idle in a transaction that is in the way.
create or replace function engine.idle_patience_seconds() returns integer
language sql immutable parallel safe return 5;

-- How many connections a DBA keeps when nearly all are taken.
create or replace function engine.dba_connections() returns integer
language sql immutable parallel safe return 10;

-- Real seconds for which a closed day waits for a signature before its bell rings without. Rules 20.43.
create or replace function engine.closing_patience_seconds() returns integer
language sql immutable parallel safe return 90;

-- How long the texts may be that callers of the tools send

-- Most characters of a code, a slug or a topic by which a tool looks something up.
create or replace function engine.lookup_length() returns integer language sql immutable parallel safe return 100;

-- Most characters of a cursor that comes back.
create or replace function engine.cursor_length() returns integer language sql immutable parallel safe return 200;

-- Most characters of an address to which events are posted. Rules 15.
create or replace function engine.webhook_url_length() returns integer language sql immutable parallel safe return 2048;

-- What everybody reads in place of words that staff hide. Rules 18.5.
create or replace function engine.veiled_words() returns text language sql immutable parallel safe
return '[hidden by staff]';

-- All of the above.
