-- api/worker/outside.sql · What the worker calls for its errands outside: deliveries to subscribers, checks of sites.

create or replace function api_worker.take_delivery()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.take_delivery() $$;

create or replace function api_worker.end_delivery(id uuid, attempt integer, outcome text, status integer)
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.end_delivery(id, attempt, outcome, status) $$;

create or replace function api_worker.take_site_check()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.take_site_check() $$;

create or replace function api_worker.end_site_check(
  account_id uuid,
  url text,
  result text,
  status integer,
  tag boolean,
  badge boolean)
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.end_site_check(account_id, url, result, status, tag, badge) $$;

create or replace function api_worker.keep_icon(account_id uuid, url text, result text, image bytea)
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.keep_icon(account_id, url, result, image) $$;

create or replace function api_worker.errands_due()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select jsonb_build_object('deliver', engine.seconds_to_delivery(), 'look', engine.seconds_to_site_check()) $$;

create or replace function api_worker.forget_deliveries()
returns bigint language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.forget_deliveries() $$;

comment on function api_worker.take_delivery is 'engine.take_delivery(): what to post next, null if nothing is due.';
comment on function api_worker.end_delivery is 'engine.end_delivery(): what became of it.';
comment on function api_worker.take_site_check is
'engine.take_site_check(): the site to check next, null if none is due.';
comment on function api_worker.end_site_check is 'engine.end_site_check(): what a check found.';
comment on function api_worker.keep_icon is
'engine.keep_icon(): what fetching the icon of that site came to.';
comment on function api_worker.errands_due is
'Real seconds until a delivery (deliver) and a check of a site (look) are due, null for none.';
comment on function api_worker.forget_deliveries is 'engine.forget_deliveries(): how many were deleted.';

grant execute on function
  api_worker.take_delivery,
  api_worker.end_delivery,
  api_worker.take_site_check,
  api_worker.end_site_check,
  api_worker.keep_icon,
  api_worker.errands_due,
  api_worker.forget_deliveries
  to hill_worker;
