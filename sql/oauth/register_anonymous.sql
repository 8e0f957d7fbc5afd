-- oauth/register_anonymous.sql · Door A begins: an agent without a human. Protocol 3.1.

create or replace function engine.register_anonymous(
  registration_id uuid,
  client_id text,
  client_name text,
  claim_token text,
  assertion text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz := engine.now();
  v_grant_id uuid;
begin
  insert into oauth.clients (id, kind, name, scopes, created_at)
  values (register_anonymous.client_id, 'anonymous', engine.shown_client(register_anonymous.client_name),
          '{hill:read,hill:play}', v_now);
  insert into oauth.grants (client_id, scopes, created_at, last_used_at)
  values (register_anonymous.client_id, '{hill:read}', v_now, v_now) returning id into v_grant_id;
  insert into oauth.registrations (id, grant_id, claim_token_hash, claim_expires_at, created_at)
  values (
    registration_id,
    v_grant_id,
    engine.hash_token(claim_token),
    v_now + make_interval(hours => engine.claim_token_hours()),
    v_now);
  insert into oauth.assertions (token_hash, registration_id, generation, created_at, expires_at)
  values (
    engine.hash_token(assertion),
    register_anonymous.registration_id,
    1,
    v_now,
    v_now + make_interval(hours => engine.identity_assertion_hours()));
end
$$;

comment on function engine.register_anonymous is
'Stores an anonymous registration: its client, a grant of hill:read that belongs to nobody yet, and the claim token '
'and the first assertion, for 24 hours each.';

grant execute on function engine.register_anonymous to hill_api_oauth;
