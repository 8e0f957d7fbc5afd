-- oauth/exchange_code.sql · Exchanges an authorization code for tokens, once; a second use revokes them.
-- RFC 6749, 4.1; protocol 4.5.

create or replace function engine.look_at_code(code text)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select jsonb_build_object(
      'client_id', g.client_id,
      'account_id', g.account_id,
      'redirect_uri', c.redirect_uri,
      'code_challenge', c.code_challenge,
      'scopes', to_jsonb(c.scopes),
      'audience', c.audience)
    from oauth.authorization_codes c join oauth.grants g on g.id = c.grant_id
   where c.code_hash = engine.hash_token(look_at_code.code);
end;

comment on function engine.look_at_code is
'What an authorization code is bound to: client_id, account_id, redirect_uri, code_challenge, scopes, audience; null '
'if it is unknown. Whether it still counts is for engine.exchange_code to say.';

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
  v_now   timestamptz := engine.now();
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

comment on function engine.begin_chain is
'Records the first tokens under a grant that the caller has locked: an access token, and the refresh token, for 30 '
'days, that begins a chain. Returns the chain. Protocol 2.4.';

create or replace function engine.exchange_code(code text, access_token text, refresh_token text)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now   timestamptz;
  v_code  oauth.authorization_codes;
  v_grant oauth.grants;
  v_chain uuid;
begin
  select * into v_code from oauth.authorization_codes c where c.code_hash = engine.hash_token(code);
  v_grant := engine.lock_grant(v_code.grant_id);
  if v_grant.id is null then
    return false;
  end if;
  v_now := engine.now();
  select * into v_code from oauth.authorization_codes c where c.code_hash = v_code.code_hash;
  if v_code.used_at is not null then
    -- Somebody has the code who should not. Returned, not raised, so that the event is kept.
    perform engine.end_chain(v_code.chain_id);
    perform engine.note_event('code_replayed', v_grant.account_id, v_grant.agent_id);
    return false;
  end if;
  if v_code.expires_at <= v_now then
    return false;
  end if;
  v_chain := engine.begin_chain(v_grant, v_code.scopes, v_code.audience, access_token, refresh_token);
  update oauth.authorization_codes c set used_at = v_now, chain_id = v_chain where c.code_hash = v_code.code_hash;
  return true;
end
$$;

comment on function engine.exchange_code is
'Records the tokens of an authorization code, once, within its 60 seconds. Of two requests that exchange it at one '
'instant, one gets true; the other is a replay, and ends what the first was given. Returns whether tokens were issued.';

grant execute on function engine.begin_chain, engine.look_at_code, engine.exchange_code to hill_api_oauth;
