-- humans/sign_in.sql · A human whom a provider vouched for gets a session; the first sign-in makes the account.
-- Rules 11.1; protocol 5.1, 5.2.

create or replace function engine.check_vouched(provider text, subject text, email text, session text)
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
  if session is null or char_length(session) < 32 then
    perform engine.refuse('INVALID_ARGUMENT', 'A session is a random text of at least 32 characters.',
      '{"argument": "session"}');
  end if;
end
$$;

comment on function engine.check_vouched is
'Refuses what no provider says of a human, and a session that could be guessed. Errors: INVALID_ARGUMENT.';

create or replace function engine.hold_sign_ins()
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  -- One at a time: two first sign-ins of one human at the same instant make one account, and when two sign in with the
  -- same address, the later one has it.
  perform engine.lock_one('sign-ins');
end
$$;

comment on function engine.hold_sign_ins is
'Waits until nobody else is changing who signs in to which account, and makes others wait until the transaction ends.';

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

comment on function engine.open_session is
'Records a session by its hash, for 30 days, and only once: so the proof that it was opened with works only once. One '
'that replaces another (replaced) is as old as that, and ends with it. Returns when it ends. Errors: PROOF_REFUSED.';

create or replace function engine.sign_in(provider text, subject text, email text, session text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now        timestamptz := clock_timestamp();
  v_expires_at timestamptz;
  v_email      text := lower(sign_in.email);
  v_sign_in    oauth.sign_ins;
  v_account_id uuid;
  v_first      boolean;
begin
  perform engine.check_vouched(provider, subject, email, session);
  perform engine.hold_sign_ins();

  select * into v_sign_in from oauth.sign_ins i where i.provider = sign_in.provider and i.subject = sign_in.subject;
  v_first := not found;
  v_account_id := coalesce(v_sign_in.account_id, uuidv7());
  perform set_config('hill.account_id', v_account_id::text, true), set_config('hill.accounts', '', true);
  if v_first then
    -- An address that some account has does not make its bearer that account's human: addresses change hands.
    perform engine.open_account(v_account_id, engine.neutral_name(), false);
    insert into oauth.humans (account_id, created_at) values (v_account_id, v_now);
    insert into oauth.sign_ins (provider, subject, account_id, email, created_at, last_used_at)
    values (sign_in.provider, sign_in.subject, v_account_id, v_email, v_now, v_now);
    perform engine.note_event('account_opened', v_account_id, null, jsonb_build_object('provider', provider));
    perform engine.note_event('sign_in_added', v_account_id, null, jsonb_build_object('provider', provider));
  else
    update oauth.sign_ins i set last_used_at = v_now, email = v_email
     where i.provider = sign_in.provider and i.subject = sign_in.subject;
    if v_sign_in.email is distinct from v_email then
      perform engine.note_event('address_changed', v_account_id);
    end if;
  end if;
  perform engine.take_address(v_account_id, v_email);

  v_expires_at := engine.open_session(v_account_id, session);
  perform engine.note_event('signed_in', v_account_id, null, jsonb_build_object('provider', provider));
  return jsonb_build_object('account_id', v_account_id, 'first', v_first, 'expires_at', engine.iso(v_expires_at));
end
$$;

comment on function engine.sign_in is
'Signs in a human whom a provider vouched for (google, github; development). The provider''s own id of the human '
'(subject) alone decides the account; an unknown one opens a new account. The address belongs to that account from '
'then on, whoever had it. Records the session by its hash; it ends after 30 days. Returns account_id, first (a new '
'account), expires_at. Errors: INVALID_ARGUMENT; PROOF_REFUSED for a session that was opened before; 23514 for another '
'provider. Protocol 5.1.';

create or replace function engine.human_session_days() returns integer language sql immutable parallel safe return 30;
comment on function engine.human_session_days is
'How many days a human''s session lasts from the sign-in on, used or not.';

grant execute on function
  engine.check_vouched,
  engine.hold_sign_ins,
  engine.open_session,
  engine.sign_in,
  engine.human_session_days
  to hill_api_human;
