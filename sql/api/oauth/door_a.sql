-- api/oauth/door_a.sql · Door A, for agents without a browser: registration, exchange, claim.
-- Protocol 1.2, 3.1, 3.4, 6.

create or replace function api_oauth.register_anonymous(
  registration_id uuid,
  client_id text,
  client_name text,
  claim_token text,
  assertion text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.register_anonymous(registration_id, client_id, client_name, claim_token, assertion);
end
$$;

create or replace function api_oauth.exchange_assertion(
  assertion text,
  access_token text,
  scopes text[],
  audience text,
  next_assertion text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.exchange_assertion(assertion, access_token, scopes, audience, next_assertion);
end
$$;

create or replace function api_oauth.begin_claim(
  claim_token text,
  email text,
  attempt_token text,
  user_code text,
  at_most integer,
  seconds integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.begin_claim(claim_token, email, attempt_token, user_code, at_most, seconds);
end
$$;

create or replace function api_oauth.poll_claim(claim_token text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.poll_claim(claim_token);
end
$$;

create or replace function api_oauth.redeem_claim(claim_token text, access_token text, assertion text, audience text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.redeem_claim(claim_token, access_token, assertion, audience);
end
$$;

create or replace function api_oauth.revoke_token(token text, client_id text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.revoke_token(token, client_id);
end
$$;

comment on function api_oauth.register_anonymous is 'Stores an anonymous registration: see engine.register_anonymous.';
comment on function api_oauth.exchange_assertion is
'Exchanges an assertion for an access token: see engine.exchange_assertion.';
comment on function api_oauth.begin_claim is 'Begins a claim, with a code for the human: see engine.begin_claim.';
comment on function api_oauth.poll_claim is 'Whether the human has typed the code: see engine.poll_claim.';
comment on function api_oauth.redeem_claim is 'The tokens of an approved claim, once: see engine.redeem_claim.';
comment on function api_oauth.revoke_token is
'Ends what a client holds, given one of its tokens: see engine.revoke_token.';

grant execute on function
  api_oauth.register_anonymous,
  api_oauth.exchange_assertion,
  api_oauth.begin_claim,
  api_oauth.poll_claim,
  api_oauth.redeem_claim,
  api_oauth.revoke_token
  to hill_oauth;
