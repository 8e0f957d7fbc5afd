-- oauth/exchange_assertion.sql · Exchanges an identity assertion for an access token. Protocol 1.4, 2.3.

create or replace function engine.exchange_assertion(
  assertion text,
  access_token text,
  scopes text[],
  audience text,
  next_assertion text)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_assertion    oauth.assertions;
  v_grant        oauth.grants;
  v_registration oauth.registrations;
begin
  select * into v_assertion from oauth.assertions a where a.token_hash = engine.hash_token(assertion);
  select * into v_registration from oauth.registrations r where r.id = v_assertion.registration_id;
  v_grant := engine.lock_grant(v_registration.grant_id);
  if v_grant.id is null then
    return false;
  end if;
  -- read again, now that the grant is locked
  select * into v_registration from oauth.registrations r where r.id = v_assertion.registration_id;
  select * into v_assertion from oauth.assertions a where a.token_hash = v_assertion.token_hash;
  if v_assertion.revoked_at is not null
     or v_assertion.expires_at <= engine.now()
     or v_assertion.generation <> v_registration.generation
     or not exchange_assertion.scopes <@ v_grant.scopes
     or (next_assertion is not null and v_registration.generation <> 2) then
    return false;
  end if;

  perform engine.issue_access_token(v_grant, access_token, exchange_assertion.scopes, exchange_assertion.audience);
  if next_assertion is not null then
    insert into oauth.assertions (token_hash, registration_id, generation, created_at, expires_at)
    values (
      engine.hash_token(next_assertion),
      v_registration.id,
      2,
      engine.now(),
      engine.now() + make_interval(hours => engine.identity_assertion_hours()));
  end if;
  return true;
end
$$;

comment on function engine.exchange_assertion is
'Records an access token for an assertion that is live and of the current generation of its registration; for the '
'second generation also a fresh assertion for another 24 hours. Returns false and records nothing if the assertion is '
'unknown, expired, superseded, revoked or lapsed. Protocol 2.3.';

grant execute on function engine.exchange_assertion to hill_api_oauth;
