-- api/human/sessions.sql · Humans sign in, once a provider has vouched for them, and sign out. Protocol 5.1, 5.3.
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
begin
  perform engine.check_proof('sign in',
    array[provider, subject, email, encode(engine.hash_token(session), 'hex')], proven_at, proof);
  return engine.sign_in(provider, subject, email, session);
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
begin
  perform engine.check_proof('add sign-in',
    array[encode(engine.hash_token(session), 'hex'), provider, subject, email,
          encode(engine.hash_token(next_session), 'hex')],
    proven_at, proof);
  return engine.add_sign_in(v_account_id, session, provider, subject, email, next_session);
end
$$;

create or replace function api_human.remove_sign_in(session text, provider text, subject text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.remove_sign_in(engine.enter_human_anew(session), session, provider, subject);
end
$$;

create or replace function api_human.sign_out(session text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.sign_out(session);
end
$$;

create or replace function api_human.sign_out_everywhere(session text)
returns integer
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.sign_out_everywhere(engine.enter_human(session));
end
$$;

create or replace function api_human.secret_fits(proof text)
returns boolean
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.secret_fits(proof) $$;

comment on function api_human.sign_in is
'Signs in a human whom a provider vouched for: see engine.sign_in. Proof "sign in": provider, subject, email, SHA-256 '
'of the session (hexadecimal). Errors: PROOF_REFUSED, INVALID_ARGUMENT.';
comment on function api_human.add_sign_in is
'Adds a sign-in that a provider vouched for to the human''s account: see engine.add_sign_in. Proof "add sign-in": '
'SHA-256 of the session, provider, subject, email, SHA-256 of the next session. Errors: INVALID_TOKEN, SIGN_IN_AGAIN, '
'PROOF_REFUSED, SIGN_IN_TAKEN.';
comment on function api_human.remove_sign_in is
'Removes a sign-in of the human''s account: see engine.remove_sign_in. False if there is none. Errors: INVALID_TOKEN, '
'SIGN_IN_AGAIN, LAST_SIGN_IN, SIGN_IN_TOO_NEW.';
comment on function api_human.sign_out is 'Ends a session, if it is one: see engine.sign_out.';
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
