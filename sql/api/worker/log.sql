-- api/worker/log.sql · What the worker calls to number the log and to sign it. Rules 20.3, 20.7.

create or replace function api_worker.begin_log(
  origin text,
  old_origin text,
  old_size bigint,
  old_root bytea,
  keys text[])
returns integer language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.begin_log(origin, old_origin, old_size, old_root, keys) $$;

create or replace function api_worker.number_log()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.number_log() $$;

create or replace function api_worker.log_head(size bigint default null, root bytea default null)
returns jsonb language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.log_head(size, root) $$;

create or replace function api_worker.keep_checkpoint(generation integer, size bigint, root bytea, note text)
returns text language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.keep_checkpoint(generation, size, root, note) $$;

create or replace function api_worker.seconds_to_log()
returns double precision language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.seconds_to_log() $$;

comment on function api_worker.begin_log is 'engine.begin_log(): the generation of the log that begins.';
comment on function api_worker.number_log is
'engine.number_log(): the batch that was numbered, null if there was none.';
comment on function api_worker.log_head is
'engine.log_head(): where the log is, and whether it begins with the tree of this size and root.';
comment on function api_worker.keep_checkpoint is
'engine.keep_checkpoint(): what is kept of a head that was signed, null if it is none.';
comment on function api_worker.seconds_to_log is
'engine.seconds_to_log(): real seconds until the log has to be looked at, null on a clock that stands still.';

grant execute on function
  api_worker.begin_log, api_worker.number_log, api_worker.log_head, api_worker.keep_checkpoint,
  api_worker.seconds_to_log
  to hill_worker;
