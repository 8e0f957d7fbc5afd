-- A human who is staff goes on to the console. Rules 18.4; decisions 220.

create or replace function api_human.console(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_member hill.staff_members := engine.own_membership(engine.enter_human(session));
begin
  return jsonb_build_object(
    'name', v_member.name,
    'role', v_member.role,
    'fresh', engine.signed_in_anew(session),
    'fresh_minutes', engine.fresh_sign_in_minutes());
end
$$;

create or replace function api_human.give_console_code(session text, code text, challenge text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human_anew(session);
  v_now        timestamptz := clock_timestamp();   -- of real time, like the sessions
begin
  perform engine.hold_sign_ins();
  perform engine.enter_human_anew(session);   -- it may have been ended while this waited
  perform engine.own_membership(v_account_id);
  if code is null or char_length(code) < 32 then
    perform engine.refuse('INVALID_ARGUMENT', 'A code is a random text of at least 32 characters.',
      '{"argument": "code"}');
  end if;
  if challenge is null or challenge !~ '^[0-9a-f]{64}$' then
    perform engine.refuse('INVALID_ARGUMENT', 'challenge is a SHA-256 (hexadecimal).', '{"argument": "challenge"}');
  end if;
  insert into oauth.console_codes (code_hash, account_id, challenge, created_at, expires_at)
  values (
    engine.hash_token(give_console_code.code),
    v_account_id,
    decode(give_console_code.challenge, 'hex'),
    v_now,
    v_now + make_interval(secs => engine.console_code_seconds()));
  perform engine.note_event('console_opened', v_account_id);
end
$$;

comment on function api_human.console is
'What the page that leads to the console shows to a member of the staff: name, role, and whether this '
'session is recent enough (fresh; fresh_minutes). Errors: INVALID_TOKEN, ACCOUNT_CLOSED, NOT_STAFF.';
comment on function api_human.give_console_code is
'Records a code, by its hash, with which a member of the staff may open a session on the console: once, within '
'engine.console_code_seconds, and only from the browser that keeps the text whose SHA-256 is the challenge. Errors: '
'INVALID_TOKEN, ACCOUNT_CLOSED, SIGN_IN_AGAIN, NOT_STAFF, INVALID_ARGUMENT. Rules 18.4.';

grant execute on function api_human.console, api_human.give_console_code to hill_human;
