-- Staff come in with the key, or with a code from the site; and go. The console calls these; its GraphQL schema leaves
-- them out. Rules 18.4.

create or replace function api_staff.keep_session(staff_name text, account_id uuid, session text)
returns timestamptz
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  -- a console session runs in real time, as in who_calls(), whatever the hill's clock shows
  v_now        timestamptz := clock_timestamp();
  v_expires_at timestamptz := v_now + interval '12 hours';
begin
  if session is null or char_length(session) < 32 then
    perform engine.refuse('INVALID_ARGUMENT', 'A session is a random text of at least 32 characters.',
      '{"argument": "session"}');
  end if;
  insert into oauth.staff_sessions (token_hash, staff_name, account_id, created_at, expires_at)
  values (
    engine.hash_token(keep_session.session),
    keep_session.staff_name,
    keep_session.account_id,
    v_now,
    v_expires_at);
  return v_expires_at;
end
$$;

comment on function api_staff.keep_session is
'Records a staff session of 12 hours by the hash of its random text, and returns when it expires. Called by '
'api_staff.open_session and api_staff.enter_console alone. Errors: INVALID_ARGUMENT.';

create or replace function api_staff.open_session(key text, staff_name text, session text)
returns timestamptz
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name text := engine.trimmed(open_session.staff_name);
begin
  if not exists (select from oauth.staff_keys k
                  where k.key_hash = engine.hash_token(engine.trimmed(open_session.key))) then
    perform engine.refuse('INVALID_TOKEN', 'This is not the staff key.');
  end if;
  if v_name is null or char_length(v_name) not between 1 and engine.staff_name_length() then
    perform engine.refuse('INVALID_ARGUMENT',
      format('A name of 1 to %s characters is required: it goes into the audit log.', engine.staff_name_length()),
      '{"argument": "staff_name"}');
  end if;
  return api_staff.keep_session(v_name, null, session);
end
$$;

comment on function api_staff.open_session is
'Records a staff session by the hash of its random text, under the name that the audit log will show. Asks for the '
'staff key itself, so that acting as hill_staff is not enough to make one. Returns when it expires: after 12 hours. '
'Errors: INVALID_TOKEN for another key, INVALID_ARGUMENT.';

create or replace function api_staff.enter_console(code text, verifier text, session text)
returns timestamptz
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_member hill.staff_members := engine.take_console_code(code, verifier);
begin
  return api_staff.keep_session(v_member.name, v_member.account_id, session);
end
$$;

comment on function api_staff.enter_console is
'Records a session of the member of the staff to whom the site gave a code, for the browser that asked for it '
'(verifier: the text whose SHA-256 is the challenge). Returns when it expires: after 12 hours. Errors: INVALID_TOKEN '
'for a code that was used, is too old or is another browser''s, NOT_STAFF, INVALID_ARGUMENT.';

create or replace function api_staff.close_session(session text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  update oauth.staff_sessions s set revoked_at = clock_timestamp()
   where s.token_hash = engine.hash_token(close_session.session) and s.revoked_at is null;
  return found;
end
$$;

comment on function api_staff.close_session is 'Ends a staff session. Returns whether it was open.';

grant execute on function api_staff.open_session, api_staff.enter_console, api_staff.close_session to hill_staff;
