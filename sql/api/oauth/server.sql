-- What every endpoint of the authorization server needs first: limits, the time, keys.

create or replace function api_oauth.admit(
  what text,
  who text,
  at_most integer,
  seconds integer,
  times integer default 1)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return jsonb_build_object(
    'retry_after_seconds', engine.admit_several(what, who, at_most, seconds, times),
    'now', extract(epoch from engine.door_now()));
end
$$;

create or replace function api_oauth.client_name(name text)
returns text
language sql immutable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.client_name(name) $$;

create or replace function api_oauth.signing_keys()
returns jsonb
language sql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.signing_keys() $$;

create or replace function api_oauth.add_signing_key(
  kid text,
  public_jwk text,
  sealed_private text,
  lifetime_seconds integer,
  notice_seconds integer,
  proven_at bigint,
  proof text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  -- a key of somebody else's would sign tokens that others take for this hill's
  perform engine.check_proof(
    'signing key',
    array[kid, public_jwk, sealed_private, lifetime_seconds::text, notice_seconds::text],
    proven_at,
    proof);
  return engine.add_signing_key(kid, public_jwk::jsonb, sealed_private, lifetime_seconds, notice_seconds);
end
$$;

create or replace function api_oauth.keep_receipt_key(kid text, public_jwk text, proven_at bigint, proof text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  -- a key of somebody else's would promise what this hill did not
  perform engine.check_proof('receipt key', array[kid, public_jwk], proven_at, proof);
  return engine.keep_receipt_key(kid, public_jwk::jsonb);
end
$$;

create or replace function api_oauth.receipt_keys()
returns jsonb
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select engine.receipt_keys() $$;

create or replace function api_oauth.lifetimes()
returns jsonb
language sql immutable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'access_token_seconds', engine.access_token_seconds(),
      'identity_assertion_seconds', engine.identity_assertion_hours() * 3600,
      'assertion_renewal_seconds', engine.assertion_renewal_hours() * 3600,
      'claim_token_seconds', engine.claim_token_hours() * 3600,
      'claim_code_seconds', engine.claim_code_seconds(),
      'claim_poll_seconds', engine.claim_poll_seconds(),
      'device_code_seconds', engine.device_code_seconds(),
      'authorization_code_seconds', engine.authorization_code_seconds(),
      'refresh_token_days', engine.refresh_token_days(),
      'grant_lapse_days', engine.grant_lapse_days())
$$;

comment on function api_oauth.admit is
'Counts a request, or several at once, and says how many seconds to wait, 0 for none: see engine.admit_several. Also '
'gives now, in seconds since 1970, for what is signed next.';
comment on function api_oauth.client_name is
'The name that a client gives itself, as it may be shown: see engine.client_name.';
comment on function api_oauth.lifetimes is
'How long tokens, assertions, claims and codes live, for what the web process signs and reports: in seconds, or in '
'days where the name says so. Protocol 2.1.';
comment on function api_oauth.signing_keys is 'The published keys and the current instant: see engine.signing_keys.';
comment on function api_oauth.add_signing_key is
'Adds a key if one is due, and says whether: see engine.add_signing_key. Proof "signing key": all other arguments, in '
'their order. Errors: PROOF_REFUSED.';

comment on function api_oauth.keep_receipt_key is
'Keeps a key that is going to sign receipts, and says whether it was new: see engine.keep_receipt_key. Proof "receipt '
'key": kid, public_jwk. Errors: PROOF_REFUSED.';
comment on function api_oauth.receipt_keys is
'The keys that have signed receipts, as a JSON Web Key Set: see engine.receipt_keys.';

grant execute on function
  api_oauth.keep_receipt_key,
  api_oauth.receipt_keys,
  api_oauth.admit,
  api_oauth.client_name,
  api_oauth.signing_keys,
  api_oauth.add_signing_key,
  api_oauth.lifetimes
  to hill_oauth;
