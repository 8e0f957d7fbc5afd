-- Humans sign in, once a provider has vouched for them, and sign out. Protocol 5.1, 5.3.
--
-- The web process speaks the provider's protocol and proves what it was told (sql/oauth/proofs.sql). Its login may call
-- these functions, and signs in as nobody by itself. Everything else that a human may do asks for the session that is
-- opened here.

create or replace function api_human.sign_in(
  provider text,
  subject text,
  email text,
  session text,
  proven_at bigint,
  proof text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
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
  perform engine.check_proof('sign in',
    array[provider, subject, email, encode(engine.hash_token(session), 'hex')], proven_at, proof);
  perform engine.check_vouched(provider, subject, email), engine.check_session(session);
  perform engine.refuse_full();
  -- nobody comes to a practice hill from a provider, nor to any other without one
  if (provider = 'practice') <> engine.is_practice() then
    perform engine.refuse('SETTING_REFUSED', 'A practice hill has a sign-in of its own, and no other hill has it.');
  end if;
  perform engine.hold_sign_ins();

  select * into v_sign_in from oauth.sign_ins i where i.provider = sign_in.provider and i.subject = sign_in.subject;
  v_first := not found;
  v_account_id := coalesce(v_sign_in.account_id, uuidv7());
  perform set_config('hill.account_id', v_account_id::text, true), set_config('hill.accounts', '', true);
  if v_first then
    perform engine.refuse_waiting(provider, subject);
    -- An address that some account has does not make its bearer that account's human: addresses change hands.
    perform engine.open_account(v_account_id, engine.neutral_name(), false);
    insert into oauth.humans (account_id, created_at) values (v_account_id, v_now);
    insert into oauth.sign_ins (provider, subject, account_id, email, created_at, last_used_at)
    values (sign_in.provider, sign_in.subject, v_account_id, v_email, v_now, v_now);
    perform engine.note_event('account_opened', v_account_id, null, jsonb_build_object('provider', provider));
    perform engine.note_event('sign_in_added', v_account_id, null, jsonb_build_object('provider', provider));
    if provider = 'practice' then
      perform engine.give_play_money(v_account_id);
    end if;
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

create or replace function api_human.add_sign_in(
  session text,
  provider text,
  subject text,
  email text,
  next_session text,
  proven_at bigint,
  proof text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human_anew(session);
  v_now        timestamptz := clock_timestamp();
  v_email      text := lower(add_sign_in.email);
  v_expires_at timestamptz;
  v_holder     uuid;
begin
  perform engine.check_proof('add sign-in',
    array[encode(engine.hash_token(session), 'hex'), provider, subject, email,
          encode(engine.hash_token(next_session), 'hex')],
    proven_at, proof);
  perform engine.check_vouched(provider, subject, email), engine.check_session(next_session);
  perform engine.hold_sign_ins();
  perform engine.enter_human_anew(session);   -- it may have been ended while this waited

  select i.account_id into v_holder from oauth.sign_ins i
   where i.provider = add_sign_in.provider and i.subject = add_sign_in.subject;
  if v_holder <> v_account_id then
    perform engine.refuse('SIGN_IN_TAKEN', 'That sign-in opens another account here.');
  elsif v_holder is null then
    perform engine.refuse_waiting(provider, subject);
    insert into oauth.sign_ins (provider, subject, account_id, email, created_at, last_used_at)
    values (add_sign_in.provider, add_sign_in.subject, v_account_id, v_email, v_now, v_now);
    perform engine.note_event('sign_in_added', v_account_id, null, jsonb_build_object('provider', provider));
  else
    update oauth.sign_ins i set last_used_at = v_now, email = v_email
     where i.provider = add_sign_in.provider and i.subject = add_sign_in.subject;
  end if;
  perform engine.take_address(v_account_id, v_email);

  -- A new session from here on: who may sign in has changed, and the proof of it works only once.
  v_expires_at := engine.open_session(v_account_id, next_session, session);
  update oauth.human_sessions s set revoked_at = v_now
   where s.token_hash = engine.hash_token(add_sign_in.session) and s.revoked_at is null;
  return jsonb_build_object('added', v_holder is null, 'expires_at', engine.iso(v_expires_at));
end
$$;

create or replace function api_human.remove_sign_in(session text, provider text, subject text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human_anew(session);
  v_from       timestamptz;
begin
  perform engine.hold_sign_ins();   -- when two requests remove the last two at the same instant, one is refused
  perform engine.enter_human_anew(session);   -- it may have been ended while this waited
  select engine.removable_from(i) into v_from from oauth.sign_ins i
   where i.account_id = v_account_id and i.provider = remove_sign_in.provider
     and i.subject = remove_sign_in.subject;
  if not found then
    return false;
  elsif v_from is null then
    perform engine.refuse('LAST_SIGN_IN', 'It is the only sign-in of the account.');
  elsif v_from > clock_timestamp() then
    perform engine.refuse('SIGN_IN_TOO_NEW', 'The other sign-ins of the account were added too short a while ago.',
      jsonb_build_object('days', engine.new_sign_in_days(), 'removable_from', engine.iso(v_from)));
  end if;
  perform trusted.delete_sign_in(v_account_id, provider, subject);
  perform engine.show_address(v_account_id);
  -- sessions do not record the sign-in that opened them, so all others end
  update oauth.human_sessions s set revoked_at = clock_timestamp()
   where s.account_id = v_account_id and s.revoked_at is null
     and s.token_hash <> engine.hash_token(remove_sign_in.session);
  perform trusted.end_console(v_account_id);
  perform engine.note_event('sign_in_removed', v_account_id, null, jsonb_build_object('provider', provider));
  return true;
end
$$;

create or replace function api_human.sign_out(session text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid;
begin
  perform engine.hold_sign_ins();   -- or what has looked at the session and waits for others would still be done
  update oauth.human_sessions s set revoked_at = clock_timestamp()
   where s.token_hash = engine.hash_token(sign_out.session) and s.revoked_at is null
  returning s.account_id into v_account_id;
  if found then
    perform engine.note_event('signed_out', v_account_id);
  end if;
end
$$;

create or replace function api_human.sign_out_everywhere(session text)
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.enter_human(session);
  perform engine.hold_sign_ins();
  return engine.sign_out_everywhere(engine.enter_human(session));   -- it may have been ended while this waited
end
$$;

create or replace function api_human.secret_fits(proof text)
returns boolean
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.secret_fits(proof) $$;

comment on function api_human.sign_in is
'Signs in a human whom a provider vouched for (google, github; development; practice). The provider''s own id of the '
'human (subject) alone decides the account; an unknown one opens a new account. The address belongs to that account '
'from then on, whoever had it. Records the session by its hash; it ends after 30 days. Proof "sign in": provider, '
'subject, email, SHA-256 of the session (hexadecimal). Returns account_id, first (a new account), expires_at. Errors: '
'INVALID_ARGUMENT; PROOF_REFUSED, also for a session that was opened before; SETTING_REFUSED for practice on another '
'hill, or for another sign-in on one; PRACTICE_FULL; 23514 for another provider. Protocol 5.1.';
comment on function api_human.add_sign_in is
'Adds a sign-in that a provider vouched for, of another provider or another one of the same, to the human''s account; '
'harmless if the account has it. next_session replaces the session, and is as old. Proof "add sign-in": SHA-256 of '
'the session, provider, subject, email, SHA-256 of the next session. Returns added, and expires_at of the new '
'session. Errors: INVALID_ARGUMENT; INVALID_TOKEN; ACCOUNT_CLOSED; SIGN_IN_AGAIN; SIGN_IN_TAKEN if the sign-in opens '
'another account, and nothing changes; PROOF_REFUSED, also for a session that was opened before.';
comment on function api_human.remove_sign_in is
'Removes a sign-in of the account unless it is the only one, and ends all sessions of the account but this one. An '
'address that no other sign-in vouches for is no longer the account''s. Returns whether there was such a sign-in. '
'Errors: INVALID_TOKEN, SIGN_IN_AGAIN, LAST_SIGN_IN, SIGN_IN_TOO_NEW.';
comment on function api_human.sign_out is
'Revokes a session, if it is one; harmless otherwise.';
comment on function api_human.sign_out_everywhere is
'Ends every session of the human: see engine.sign_out_everywhere. Returns how many. Errors: INVALID_TOKEN.';
comment on function api_human.secret_fits is
'Whether the web process has the HILL_SIGNING_SECRET of the last npm run migrate: see engine.secret_fits.';

grant execute on function
  api_human.sign_in,
  api_human.add_sign_in,
  api_human.remove_sign_in,
  api_human.sign_out,
  api_human.sign_out_everywhere,
  api_human.secret_fits
  to hill_human;
