-- Exchanges an authorization code for tokens, once; a second use revokes them. RFC 6749, 4.1; protocol 4.5.

-- Records the first tokens under a grant that the caller has locked. Protocol 2.4.
create or replace function engine.begin_chain(
  held oauth.grants,
  scopes text[],
  audience text,
  access_token text,
  refresh_token text)
returns uuid
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now   timestamptz := engine.door_now();
  v_chain uuid;
begin
  insert into oauth.refresh_chains (grant_id, scopes, audience, created_at)
  values (held.id, begin_chain.scopes, begin_chain.audience, v_now)
  returning id into v_chain;
  insert into oauth.refresh_tokens (token_hash, chain_id, created_at, expires_at)
  values (
    engine.hash_token(refresh_token),
    v_chain,
    v_now,
    v_now + make_interval(hours => 24 * engine.refresh_token_days()));
  perform engine.issue_access_token(held, access_token, begin_chain.scopes, begin_chain.audience, v_chain);
  return v_chain;
end
$$;
