-- What the worker calls to number the log, to sign it and to have it witnessed. Rules 20.3, 20.7,
-- 20.30.

create or replace function api_worker.begin_log(
  origin text,
  old_origin text,
  old_size bigint,
  old_root bytea,
  keys text[],
  proven_at bigint,
  proof text)
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  -- what follows from the login alone would be a log of somebody else's name, or the end of this one
  perform engine.check_proof(
    'log',
    array[origin, coalesce(old_origin, ''), coalesce(old_size::text, ''), coalesce(encode(old_root, 'hex'), '')]
      || keys,
    proven_at,
    proof);
  return trusted.begin_log(origin, old_origin, old_size, old_root, keys);
end
$$;

create or replace function api_worker.hand_log_over(
  origin text,
  old_origin text,
  old_size bigint,
  old_root bytea,
  keys text[],
  note text,
  proven_at bigint,
  proof text)
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.check_proof(
    'log handover',
    array[note, origin, coalesce(old_origin, ''), coalesce(old_size::text, ''), coalesce(encode(old_root, 'hex'), '')]
      || keys,
    proven_at,
    proof);
  return trusted.hand_log_over(origin, old_origin, old_size, old_root, keys, note);
end
$$;

create or replace function api_worker.ask_at_address(question text, answer text)
returns void language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.ask_at_address(question, answer) $$;

create or replace function api_worker.number_log()
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.number_log() $$;

create or replace function api_worker.log_head(size bigint default null, root bytea default null)
returns jsonb language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.log_head(size, root) $$;

create or replace function api_worker.keep_checkpoint(
  generation integer,
  size bigint,
  root bytea,
  note text,
  proven_at bigint,
  proof text)
returns text
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  -- a text of somebody else's would be served for good, and bells would ring upon it
  perform engine.check_proof(
    'checkpoint', array[generation::text, size::text, encode(root, 'hex'), note], proven_at, proof);
  return trusted.keep_checkpoint(generation, size, root, note);
end
$$;

create or replace function api_worker.seconds_to_log()
returns double precision language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.seconds_to_log() $$;

create or replace function api_worker.log_offer(witness text, old_size bigint default null)
returns jsonb language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.log_offer(witness, old_size) $$;

create or replace function api_worker.keep_cosignature(
  generation integer,
  size bigint,
  witness text,
  signature text,
  seen_at text,
  proven_at bigint,
  proof text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  -- a line of somebody else's would show a witness that never saw this
  perform engine.check_proof(
    'cosignature', array[generation::text, size::text, witness, signature, seen_at], proven_at, proof);
  return trusted.keep_cosignature(generation, size, witness, signature, seen_at::timestamptz);
end
$$;

create or replace function api_worker.database_identity()
returns text language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.database_identity() $$;

create or replace function api_worker.note_log_signed()
returns void
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
  update hill.watch w set log_signed_at = clock_timestamp()
$$;

create or replace function api_worker.close_next_day()
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_day integer;
begin
  perform engine.check_isolation();
  -- Asked first, because the worker looks often: taking the lock would turn away every deposit of that moment.
  if engine.now() < engine.bell_at(engine.last_night() + 1) then
    return null;
  end if;
  perform trusted.lock_one('log');                        -- before the day, as everybody does
  lock table hill.day_lock in exclusive mode;            -- waits for deposits under way; now they are refused
  v_day := engine.last_night() + 1;
  if engine.now() < engine.bell_at(v_day) then
    return null;                                         -- another worker has just rung it
  end if;
  if not trusted.number_day(v_day) then
    return jsonb_build_object('day', v_day, 'more', true);  -- what is numbered stays, whatever becomes of the rest
  end if;
  perform trusted.close_day(v_day);
  return jsonb_build_object(
    'day', v_day,
    'promised', trusted.log_published() and exists (select from hill.sealed_moves),
    'may_ring', trusted.bell_may_ring(v_day));
end
$$;

comment on function api_worker.begin_log is
'trusted.begin_log(): the generation of the log that begins. Proof "log": origin, old origin, size and root '
'(hexadecimal; each empty where there was none), then the keys. Errors: PROOF_REFUSED.';
comment on function api_worker.hand_log_over is
'trusted.hand_log_over(): the generation of the log that begins. Proof "log handover": the note, then as of "log". '
'Errors: PROOF_REFUSED.';
comment on function api_worker.ask_at_address is
'trusted.ask_at_address(): a question, and the answer that the hill''s own address has to give to it.';
comment on function api_worker.number_log is
'trusted.number_log(): the batch that was numbered, null if there was none.';
comment on function api_worker.log_head is
'trusted.log_head(): where the log is, and whether it begins with the tree of this size and root.';
comment on function api_worker.keep_checkpoint is
'trusted.keep_checkpoint(): what is kept of a head that was signed, null if it is none. Proof "checkpoint": '
'generation, size, root (hexadecimal), note. Errors: PROOF_REFUSED.';
comment on function api_worker.seconds_to_log is
'trusted.seconds_to_log(): real seconds until the log has to be looked at, null on a clock that stands still.';
comment on function api_worker.log_offer is
'trusted.log_offer(): what to offer to a witness, null if it has signed all there is.';
comment on function api_worker.keep_cosignature is
'trusted.keep_cosignature(): whether what a witness signed is new, and kept. Proof "cosignature": generation, size, '
'witness, signature, instant. Errors: PROOF_REFUSED.';
comment on function api_worker.database_identity is
'trusted.database_identity(): which database this is, as the file of the last checkpoint names it.';
comment on function api_worker.close_next_day is
'Closes the day whose bell is due, if there is one. From its commit on the day takes no deposit, whatever a clock '
'says, and the clock of the hill is never before its bell. Returns the day; whether something was promised of it, so '
'that its closing has to be signed (promised); and whether the bell may ring already (may_ring). Where too much waits '
'for one transaction it numbers a piece, says that there is more, and closes nothing. Null if no bell is due. Several '
'callers at once, or a second call, are harmless. Errors: READ_COMMITTED_ONLY. Rules 20.40, 20.41.';
comment on function api_worker.note_log_signed is
'Says that all that was due of the log is signed. Rules 20.34.';

grant execute on function
  api_worker.begin_log, api_worker.hand_log_over, api_worker.ask_at_address, api_worker.number_log,
  api_worker.log_head, api_worker.keep_checkpoint,
  api_worker.seconds_to_log, api_worker.log_offer, api_worker.keep_cosignature, api_worker.note_log_signed,
  api_worker.close_next_day, api_worker.database_identity
  to hill_worker;
