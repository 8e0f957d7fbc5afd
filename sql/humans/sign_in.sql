-- A human whom a provider vouched for gets a session; the first sign-in makes the account. Rules 11.1; protocol 5.1,
-- 5.2.

-- Refuses what no provider says of a human. Errors: INVALID_ARGUMENT.
create or replace function engine.check_vouched(provider text, subject text, email text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if provider is null or subject is null or char_length(subject) not between 1 and 255 then
    perform engine.refuse('INVALID_ARGUMENT', 'A provider and its id of the human are required.',
      '{"argument": "subject"}');
  end if;
  if email is null or email not like '_%@_%' or char_length(email) > 320 then
    perform engine.refuse('INVALID_ARGUMENT', 'A verified address is required.', '{"argument": "email"}');
  end if;
end
$$;

-- Refuses a session that could be guessed. Errors: INVALID_ARGUMENT.
create or replace function engine.check_session(session text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if session is null or char_length(session) < 32 then
    perform engine.refuse('INVALID_ARGUMENT', 'A session is a random text of at least 32 characters.',
      '{"argument": "session"}');
  end if;
end
$$;

-- Waits until nobody else is changing who signs in to which account, and makes others wait until the transaction ends.
create or replace function engine.hold_sign_ins()
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  -- One at a time: two first sign-ins of one human at the same instant make one account, and when two sign in with the
  -- same address, the later one has it.
  perform trusted.lock_one('sign-ins');
end
$$;

-- Records a session by its hash, for 30 days, and only once: so the proof that it was opened with works only once.
-- Errors: PROOF_REFUSED.
create or replace function engine.open_session(account_id uuid, session text, replaced text default null)
returns timestamptz
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  -- sessions run in real time, like the browser's cookie and the staff's sessions, whatever the hill's clock shows
  v_began      timestamptz := clock_timestamp();
  v_expires_at timestamptz := v_began + make_interval(hours => 24 * engine.human_session_days());
begin
  if replaced is not null then
    -- created_at is when a provider vouched for an identity that the account had: nothing else makes a session recent
    select s.created_at, s.expires_at into strict v_began, v_expires_at
      from oauth.human_sessions s where s.token_hash = engine.hash_token(open_session.replaced);
  end if;
  insert into oauth.human_sessions (token_hash, account_id, created_at, expires_at)
  values (engine.hash_token(open_session.session), open_session.account_id, v_began, v_expires_at)
  on conflict on constraint human_sessions_pkey do nothing;
  if not found then   -- the proof was used before: its session exists, ended or not
    perform engine.refuse('PROOF_REFUSED', 'What the web process said was not proven.');
  end if;
  return v_expires_at;
end
$$;

-- How many days a human's session lasts from the sign-in on, used or not.
create or replace function engine.human_session_days() returns integer language sql immutable parallel safe return 30;
