-- GET /api/log, /api/engines, /log/address, /log/checkpoint, /log/closing, /log/tile, /log/deposit, /log/announcement
-- and /source/{sha256}. Rules 20.9, 20.12, 20.37.

create or replace function api_public.log()
returns jsonb language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.show_log() $$;

create or replace function api_public.log_is_published()
returns boolean language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.log_published() $$;

create or replace function api_public.log_checkpoint(number integer default null)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_note text := (select l.note from trusted.shown_log(number) l);
begin
  if v_note is null then
    perform engine.refuse('NOT_FOUND', 'There is no checkpoint of that log.');
  end if;
  return jsonb_build_object('note', v_note);
end
$$;

create or replace function api_public.log_closing(day integer)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_note text := trusted.closing_note(day);
begin
  if v_note is null then
    perform engine.refuse('NOT_FOUND', 'Nothing was signed of that day before its bell, or it has not rung.');
  end if;
  return jsonb_build_object('note', v_note);
end
$$;

create or replace function api_public.log_address(question text)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_answer text := trusted.answer_at_address(question);
begin
  if v_answer is null then
    perform engine.refuse('NOT_FOUND', 'No worker of this database has asked that.');
  end if;
  return jsonb_build_object('answer', v_answer);
end
$$;

comment on function api_public.log_address is
'trusted.answer_at_address(): the answer to what a worker of this database asks at the hill''s own address. Errors: '
'NOT_FOUND. Rules 20.37.';
comment on function api_public.log_closing is
'The checkpoint that was signed of a day before its bell (note), with what witnesses signed of it since. Errors: '
'NOT_FOUND. Rules 20.12, 20.44.';
grant execute on function api_public.log_closing to hill_public;

create or replace function api_public.log_tile(number integer, level integer, tile bigint, width integer)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_tile bytea := trusted.log_tile(number, level, tile, width);
begin
  if v_tile is null then
    perform engine.refuse('NOT_FOUND', 'The tree of the last checkpoint does not reach there.');
  end if;
  return jsonb_build_object('base64', encode(v_tile, 'base64'));
end
$$;

create or replace function api_public.log_proof(day integer, commitment text, kind text default 'deposit')
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_proof text;
begin
  if commitment ~ '^[0-9a-f]{64}$' and day between 1 and engine.last_night() + 1 then
    v_proof := trusted.show_proof(
      case kind when 'announcement' then engine.announcement_entry(day, decode(commitment, 'hex'))
                when 'deposit' then engine.deposit_entry(day, decode(commitment, 'hex')) end,
      engine.bell_at(day - 1));
  end if;
  if v_proof is null then
    perform engine.refuse('NOT_FOUND', 'The log, as far as it is signed, has no such entry.');
  end if;
  return jsonb_build_object('proof', v_proof);
end
$$;

create or replace function api_public.source(sha256 text)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_source bytea;
begin
  if source.sha256 !~ '^[0-9a-f]{64}$' then
    perform engine.refuse('INVALID_ARGUMENT', 'sha256 is 64 hexadecimal digits in lower case.',
                          '{"argument": "sha256"}');
  end if;
  v_source := trusted.show_source(decode(source.sha256, 'hex'));
  if v_source is null then
    perform engine.refuse('NOT_FOUND', 'No engine of this hill has that hash.', '{"argument": "sha256"}');
  end if;
  return jsonb_build_object('base64', encode(v_source, 'base64'));
end
$$;

create or replace function api_public.engines()
returns jsonb language sql stable parallel safe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.show_engines() $$;

comment on function api_public.engines is
'trusted.show_engines(): the engines that resolved nights, and the one that is loaded. Rules 20.9.';
comment on function api_public.log is 'trusted.show_log(): the logs of the hill, and the last checkpoint of each.';
comment on function api_public.log_checkpoint is
'The last checkpoint of the log of that number (null: of the last log) as it was signed (note). Errors: NOT_FOUND. '
'Rules 20.6, 20.12.';
comment on function api_public.log_is_published is
'trusted.log_published(): whether the hill can promise that a deposit will be in its log.';
comment on function api_public.log_tile is
'trusted.log_tile(): a tile, or at level -1 a bundle of entries (base64). Errors: NOT_FOUND. Rules 20.12.';
comment on function api_public.log_proof is
'trusted.show_proof(): the proof that a deposit of that day, or an announcement (kind), with that commitment '
'(hexadecimal) is in the log (proof). Errors: NOT_FOUND. Rules 20.20.';
comment on function api_public.source is
'trusted.show_source(): the sources of an engine (base64) by their SHA-256 (hexadecimal). Errors: INVALID_ARGUMENT, '
'NOT_FOUND. Rules 20.9.';

grant execute on function
  api_public.engines, api_public.log, api_public.log_address,
  api_public.log_is_published, api_public.log_checkpoint, api_public.log_tile, api_public.log_proof,
  api_public.source
  to hill_public;
