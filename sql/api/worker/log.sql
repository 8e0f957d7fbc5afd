-- api/worker/log.sql · What the worker calls to number the log, to sign it and to have it witnessed. Rules 20.3, 20.7,
-- 20.30.

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

create or replace function api_worker.log_offer(witness text, old_size bigint default null)
returns jsonb language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.log_offer(witness, old_size) $$;

create or replace function api_worker.keep_cosignature(
  generation integer,
  size bigint,
  witness text,
  signature text,
  seen_at timestamptz)
returns boolean language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.keep_cosignature(generation, size, witness, signature, seen_at) $$;

create or replace function api_worker.note_log_signed()
returns void language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.note_log_signed() $$;

create or replace function api_worker.close_next_day()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select engine.close_next_day() $$;

comment on function api_worker.begin_log is 'engine.begin_log(): the generation of the log that begins.';
comment on function api_worker.number_log is
'engine.number_log(): the batch that was numbered, null if there was none.';
comment on function api_worker.log_head is
'engine.log_head(): where the log is, and whether it begins with the tree of this size and root.';
comment on function api_worker.keep_checkpoint is
'engine.keep_checkpoint(): what is kept of a head that was signed, null if it is none.';
comment on function api_worker.seconds_to_log is
'engine.seconds_to_log(): real seconds until the log has to be looked at, null on a clock that stands still.';
comment on function api_worker.log_offer is
'engine.log_offer(): what to offer to a witness, null if it has signed all there is.';
comment on function api_worker.keep_cosignature is
'engine.keep_cosignature(): whether what a witness signed is new, and kept.';
comment on function api_worker.close_next_day is
'engine.close_next_day(): the day that is closed, null if no bell is due.';
comment on function api_worker.note_log_signed is
'engine.note_log_signed(): says that all that was due of the log is signed.';

grant execute on function
  api_worker.begin_log, api_worker.number_log, api_worker.log_head, api_worker.keep_checkpoint,
  api_worker.seconds_to_log, api_worker.log_offer, api_worker.keep_cosignature, api_worker.note_log_signed,
  api_worker.close_next_day
  to hill_worker;
