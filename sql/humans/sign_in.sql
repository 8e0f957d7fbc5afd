-- humans/sign_in.sql · A human whom a provider vouched for gets a session; the first sign-in makes the account. Specification 5.4; decisions 8.

create or replace function engine.sign_in(provider text, subject text, email text, session text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  -- like the staff's, a session is of real time, whatever the hill's clock says: so is the browser's cookie
  v_now        timestamptz := clock_timestamp();
  v_expires_at timestamptz := v_now + make_interval(hours => 24 * engine.human_session_days());
  v_email      text := lower(sign_in.email);
  v_account_id uuid;
  v_first      boolean := false;
begin
  if provider is null or subject is null or char_length(subject) not between 1 and 255 then
    perform engine.refuse('INVALID_ARGUMENT', 'A provider and its id of the human are required.', '{"argument": "subject"}');
  end if;
  if v_email is null or v_email not like '_%@_%' or char_length(v_email) > 320 then
    perform engine.refuse('INVALID_ARGUMENT', 'A verified address is required.', '{"argument": "email"}');
  end if;
  if session is null or char_length(session) < 32 then
    perform engine.refuse('INVALID_ARGUMENT', 'A session is a random text of at least 32 characters.', '{"argument": "session"}');
  end if;
  -- One at a time: two first sign-ins by one address, or of one human, at one instant make one account.
  perform engine.lock_one('sign-ins');

  update oauth.sign_ins i set last_used_at = v_now, email = v_email
   where i.provider = sign_in.provider and i.subject = sign_in.subject
  returning i.account_id into v_account_id;
  if found then
    perform set_config('hill.account_id', v_account_id::text, true);
    perform engine.follow_address(v_account_id, v_email);
  else
    perform engine.free_address(v_email);
    select h.account_id into v_account_id from oauth.humans h where h.email = v_email;
    if not found then
      v_first := true;
      v_account_id := uuidv7();
    end if;
    perform set_config('hill.account_id', v_account_id::text, true);
    if v_first then
      perform engine.open_account(v_account_id, engine.neutral_name(), false);
      insert into oauth.humans (account_id, email, created_at) values (v_account_id, v_email, v_now);
      perform engine.note_event('account_opened', v_account_id, null, jsonb_build_object('provider', provider));
    end if;
    insert into oauth.sign_ins (provider, subject, account_id, email, created_at, last_used_at)
    values (sign_in.provider, sign_in.subject, v_account_id, v_email, v_now, v_now);
    perform engine.note_event('sign_in_added', v_account_id, null, jsonb_build_object('provider', provider));
  end if;

  insert into oauth.human_sessions (token_hash, account_id, created_at, expires_at)
  values (engine.hash_token(session), v_account_id, v_now, v_expires_at);
  perform engine.note_event('signed_in', v_account_id, null, jsonb_build_object('provider', provider));
  return jsonb_build_object('account_id', v_account_id, 'first', v_first, 'expires_at', engine.iso(v_expires_at));
end
$$;

comment on function engine.sign_in(text, text, text, text) is
$$Signs a human in whom a provider (google, github; development) vouched for: by the provider's own id (subject), else by the verified address, else with a
new account. Records the session by its hash; it ends after 30 days. Returns account_id, first (a new account), expires_at.
Errors: INVALID_ARGUMENT; 23514 for another provider. Specification 5.4.$$;

create or replace function engine.free_address(email text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_holder uuid;
begin
  select h.account_id into v_holder from oauth.humans h
   where h.email = free_address.email and not exists (select from oauth.sign_ins i where i.account_id = h.account_id and i.email = h.email);
  if found then
    perform set_config('hill.account_id', v_holder::text, true);
    update oauth.humans h set email = null where h.account_id = v_holder;
    perform engine.note_event('address_changed', v_holder);
  end if;
end
$$;

comment on function engine.free_address(text) is
$$Takes an address from an account of which no sign-in vouches for it any more: an address changes hands, and whoever has it next must not come into an account
that was never theirs. That account keeps its sign-ins, and has an address again when one of them vouches for one that is free.$$;

create or replace function engine.follow_address(account_id uuid, email text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  -- What nobody vouches for any more is given up, so that whoever has the address next does not come into this account; an address that is
  -- another account's stays there.
  update oauth.humans h set email = follow_address.email
   where h.account_id = follow_address.account_id and h.email is distinct from follow_address.email
     and not exists (select from oauth.sign_ins i where i.account_id = h.account_id and i.email = h.email)
     and not exists (select from oauth.humans o where o.email = follow_address.email);
  if found then
    perform engine.note_event('address_changed', account_id);
  end if;
end
$$;

comment on function engine.follow_address(uuid, text) is
'Takes over the address that the provider vouches for now, if no sign-in of the account vouches for the old one any more and it is no other account''s.';

create or replace function engine.human_email(account_id uuid)
returns text
language sql stable parallel safe security invoker
begin atomic
  select h.email from oauth.humans h where h.account_id = human_email.account_id;
end;

comment on function engine.human_email(uuid) is 'The verified address of an account, in lower case; null for one that no human signed in to. Specification 5.4.';

create or replace function engine.human_session_days() returns integer language sql immutable parallel safe return 30;
comment on function engine.human_session_days() is 'How long a human''s session lasts, from the sign-in on, used or not.';

grant execute on function engine.sign_in(text, text, text, text), engine.free_address(text), engine.follow_address(uuid, text), engine.human_email(uuid), engine.human_session_days()
  to hill_api_human;
