-- What the worker of a practice hill calls to keep it small. Rules 17.4.

create or replace function api_worker.close_unused_accounts(hours integer)
returns integer language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select api_human.close_unused_accounts(hours) $$;

create or replace function api_worker.stop_full_clock(bytes bigint)
returns boolean language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.stop_full_clock(bytes) $$;

comment on function api_worker.close_unused_accounts is 'See api_human.close_unused_accounts.';
comment on function api_worker.stop_full_clock is
'Stops the clock of a practice hill whose database has more bytes than that; nobody new is let in then '
'(PRACTICE_FULL). Whether it is so large. Errors: SETTING_REFUSED on any other hill.';

grant execute on function api_worker.close_unused_accounts, api_worker.stop_full_clock to hill_worker;
