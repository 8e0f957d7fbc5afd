-- api/staff/sessions.sql · Staff sign in with the key, and out. The console calls these; its GraphQL schema leaves them
-- out.

create or replace function api_staff.open_session(key text, staff_name text, session text)
returns timestamptz
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  -- a console session runs in real time, as in staff_name(), whatever the hill's clock shows
  v_now        timestamptz := clock_timestamp();
  v_expires_at timestamptz := v_now + interval '12 hours';
  v_name       text := engine.trimmed(open_session.staff_name);
begin
  if not exists (select from oauth.staff_keys k
                  where k.key_hash = engine.hash_token(engine.trimmed(open_session.key))) then
    perform engine.refuse('INVALID_TOKEN', 'This is not the staff key.');
  end if;
  if v_name is null or char_length(v_name) not between 1 and 60 then
    perform engine.refuse('INVALID_ARGUMENT',
      'A name of 1 to 60 characters is required: it goes into the audit log.', '{"argument": "staff_name"}');
  end if;
  if session is null or char_length(session) < 32 then
    perform engine.refuse('INVALID_ARGUMENT', 'A session is a random text of at least 32 characters.',
      '{"argument": "session"}');
  end if;
  insert into oauth.staff_sessions (token_hash, staff_name, created_at, expires_at)
  values (engine.hash_token(open_session.session), v_name, v_now, v_expires_at);
  return v_expires_at;
end
$$;

comment on function api_staff.open_session is
'Records a staff session by the hash of its random text, under the name that the audit log will show. Asks for the '
'staff key itself, so that acting as hill_staff is not enough to make one. Returns when it expires: after 12 hours. '
'Errors: INVALID_TOKEN for another key, INVALID_ARGUMENT.';

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

grant execute on function api_staff.open_session, api_staff.close_session to hill_staff;
