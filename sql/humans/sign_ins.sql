-- humans/sign_ins.sql · An account may have several sign-ins: its human adds one soon after signing in with another,
-- and removes those no longer wanted. Protocol 5.1, 5.2; decisions 485, 486.

create or replace function engine.add_sign_in(
  account_id uuid,
  session text,
  provider text,
  subject text,
  email text,
  next_session text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now        timestamptz := clock_timestamp();
  v_email      text := lower(add_sign_in.email);
  v_expires_at timestamptz;
  v_holder     uuid;
begin
  perform engine.check_vouched(provider, subject, email, next_session);
  perform engine.hold_sign_ins();
  perform engine.enter_human_anew(session);   -- it may have been ended while this waited

  select i.account_id into v_holder from oauth.sign_ins i
   where i.provider = add_sign_in.provider and i.subject = add_sign_in.subject;
  if v_holder <> add_sign_in.account_id then
    perform engine.refuse('SIGN_IN_TAKEN', 'That sign-in opens another account here.');
  elsif v_holder is null then
    insert into oauth.sign_ins (provider, subject, account_id, email, created_at, last_used_at)
    values (add_sign_in.provider, add_sign_in.subject, add_sign_in.account_id, v_email, v_now, v_now);
    perform engine.note_event('sign_in_added', account_id, null, jsonb_build_object('provider', provider));
  else
    update oauth.sign_ins i set last_used_at = v_now, email = v_email
     where i.provider = add_sign_in.provider and i.subject = add_sign_in.subject;
  end if;
  perform engine.take_address(account_id, v_email);

  -- A new session from here on: who may sign in has changed, and the proof of it works only once.
  v_expires_at := engine.open_session(account_id, next_session, session);
  update oauth.human_sessions s set revoked_at = v_now
   where s.token_hash = engine.hash_token(add_sign_in.session) and s.revoked_at is null;
  return jsonb_build_object('added', v_holder is null, 'expires_at', engine.iso(v_expires_at));
end
$$;

comment on function engine.add_sign_in is
'Adds a sign-in, of another provider or another one of the same, to the account of a signed-in human; harmless if the '
'account has it. next_session replaces the session, and is as old. Returns added, and expires_at of the new session. '
'Errors: INVALID_ARGUMENT; INVALID_TOKEN; ACCOUNT_CLOSED; SIGN_IN_AGAIN; SIGN_IN_TAKEN if the sign-in opens another '
'account, and nothing changes; PROOF_REFUSED for a session that was opened before.';

create or replace function engine.removable_from(sign_in oauth.sign_ins)
returns timestamptz
language sql stable parallel safe security invoker
begin atomic
  -- whoever takes a browser for some minutes and adds a sign-in must not lock the human out with it
  select min(case
               when o.created_at <= (removable_from.sign_in).created_at then (removable_from.sign_in).created_at
               else o.created_at + make_interval(days => engine.new_sign_in_days())
             end)
    from oauth.sign_ins o
   where o.account_id = (removable_from.sign_in).account_id
     and (o.provider, o.subject) <> ((removable_from.sign_in).provider, (removable_from.sign_in).subject);
end;

comment on function engine.removable_from is
'From when on a sign-in may be removed: at any time while an older one remains; otherwise once another has been the '
'account''s for engine.new_sign_in_days. Null for the only one. Decisions 486.';

create or replace function engine.delete_sign_in(account_id uuid, provider text, subject text)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may delete anything
set search_path to pg_catalog, pg_temp
as $$
begin
  delete from oauth.sign_ins i
   where i.account_id = delete_sign_in.account_id and i.provider = delete_sign_in.provider
     and i.subject = delete_sign_in.subject;
  return found;
end
$$;

comment on function engine.delete_sign_in is
'Deletes a sign-in of an account and returns whether there was one: see engine.remove_sign_in.';

create or replace function engine.remove_sign_in(account_id uuid, session text, provider text, subject text)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_from timestamptz;
begin
  perform engine.hold_sign_ins();   -- when two requests remove the last two at the same instant, one is refused
  perform engine.enter_human_anew(session);   -- it may have been ended while this waited
  select engine.removable_from(i) into v_from from oauth.sign_ins i
   where i.account_id = remove_sign_in.account_id and i.provider = remove_sign_in.provider
     and i.subject = remove_sign_in.subject;
  if not found then
    return false;
  elsif v_from is null then
    perform engine.refuse('LAST_SIGN_IN', 'It is the only sign-in of the account.');
  elsif v_from > clock_timestamp() then
    perform engine.refuse('SIGN_IN_TOO_NEW', 'The other sign-ins of the account were added too short a while ago.',
      jsonb_build_object('days', engine.new_sign_in_days(), 'removable_from', engine.iso(v_from)));
  end if;
  perform engine.delete_sign_in(account_id, provider, subject);
  perform engine.show_address(account_id);
  -- sessions do not record the sign-in that opened them, so all others end
  update oauth.human_sessions s set revoked_at = clock_timestamp()
   where s.account_id = remove_sign_in.account_id and s.revoked_at is null
     and s.token_hash <> engine.hash_token(remove_sign_in.session);
  perform engine.end_console(account_id);
  perform engine.note_event('sign_in_removed', account_id, null, jsonb_build_object('provider', provider));
  return true;
end
$$;

comment on function engine.remove_sign_in is
'Removes a sign-in of the account unless it is the only one, and ends all sessions of the account but this one. An '
'address that no other sign-in vouches for is no longer the account''s. Returns whether there was such a sign-in. '
'Errors: INVALID_TOKEN, SIGN_IN_AGAIN, LAST_SIGN_IN, SIGN_IN_TOO_NEW.';

grant execute on function
  engine.add_sign_in,
  engine.removable_from,
  engine.delete_sign_in,
  engine.remove_sign_in
  to hill_api_human;

create policy owner_looks on oauth.sign_ins for select to hill_owner using (true);
create policy owner_deletes on oauth.sign_ins for delete to hill_owner using (true);
