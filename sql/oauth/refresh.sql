-- oauth/refresh.sql · Exchanges a refresh token for the next one. Used again, it ends its chain, except for a short
-- grace period in which the same answer is given again. Protocol 2.4.

create or replace function engine.hold_refresh_token(refresh_token text, client_id text, grace_seconds integer)
returns oauth.refresh_tokens
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now   timestamptz;
  v_token oauth.refresh_tokens;
  v_chain oauth.refresh_chains;
  v_grant oauth.grants;
begin
  select * into v_token from oauth.refresh_tokens r where r.token_hash = engine.hash_token(refresh_token);
  select * into v_chain from oauth.refresh_chains c where c.id = v_token.chain_id;
  v_grant := engine.lock_grant(v_chain.grant_id);
  if v_grant.id is null or v_grant.client_id is distinct from hold_refresh_token.client_id then
    return null;
  end if;
  v_now := engine.now();
  select * into v_token from oauth.refresh_tokens r where r.token_hash = v_token.token_hash;
  select * into v_chain from oauth.refresh_chains c where c.id = v_chain.id;
  if v_chain.revoked_at is not null or v_token.expires_at <= v_now then
    return null;
  end if;
  -- Used before: by a thief, or by a client that races itself. Within the grace period the client gets the same answer
  -- again, as long as that answer is unused.
  if v_token.used_at is not null
     and (v_token.used_at + make_interval(secs => grace_seconds) <= v_now
          or exists (select from oauth.refresh_tokens n
                      where n.parent_hash = v_token.token_hash and n.used_at is not null)) then
    perform engine.end_chain(v_chain.id);
    perform engine.note_event('refresh_token_reused', v_grant.account_id, v_grant.agent_id);
    return null;
  end if;
  return v_token;
end
$$;

comment on function engine.hold_refresh_token is
'A refresh token of a client that still counts, with its grant locked until the transaction ends; otherwise all null. '
'A token that was used before ends its chain at once, the newest tokens included, whatever else was asked for. Within '
'grace_seconds of its use, as long as its successor is unused, it still counts. Protocol 2.4.';

create or replace function engine.look_at_refresh(refresh_token text, client_id text, grace_seconds integer)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_token oauth.refresh_tokens := engine.hold_refresh_token(refresh_token, client_id, grace_seconds);
begin
  return (select jsonb_build_object(
                   'account_id', g.account_id,
                   'scopes', to_jsonb(c.scopes),
                   'audience', c.audience,
                   'age_seconds', case when v_token.parent_hash is not null and v_token.used_at is null
                                       then extract(epoch from engine.now() - v_token.created_at) end)
            from oauth.refresh_chains c join oauth.grants g on g.id = c.grant_id where c.id = v_token.chain_id);
end
$$;

comment on function engine.look_at_refresh is
'What a refresh token of a client is bound to: account_id, scopes, audience; null if it does not count '
'(engine.hold_refresh_token). age_seconds: how long ago it replaced another one; null for the first of a chain, and '
'for one that was used. Decisions 127.';

create or replace function engine.refresh(
  refresh_token text,
  client_id text,
  access_token text,
  next_token text,
  scopes text[],
  grace_seconds integer)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now   timestamptz;
  v_token oauth.refresh_tokens := engine.hold_refresh_token(refresh_token, client_id, grace_seconds);
  v_chain oauth.refresh_chains;
  v_grant oauth.grants;
begin
  select * into v_chain from oauth.refresh_chains c where c.id = v_token.chain_id;
  if not found or not refresh.scopes <@ v_chain.scopes then
    return false;
  end if;
  select * into v_grant from oauth.grants g where g.id = v_chain.grant_id;
  v_now := engine.now();
  if v_token.used_at is null then
    update oauth.refresh_tokens r set used_at = v_now where r.token_hash = v_token.token_hash;
    insert into oauth.refresh_tokens (token_hash, chain_id, parent_hash, created_at, expires_at)
    values (engine.hash_token(next_token), v_chain.id, v_token.token_hash, v_now,
            v_now + make_interval(hours => 24 * engine.refresh_token_days()));
  elsif not exists (select from oauth.refresh_tokens n
                     where n.token_hash = engine.hash_token(next_token) and n.parent_hash = v_token.token_hash) then
    return false;   -- not its successor: a chain does not branch
  end if;
  perform engine.issue_access_token(v_grant, access_token, refresh.scopes, v_chain.audience, v_chain.id);
  return true;
end
$$;

comment on function engine.refresh is
'For a token that still counts (engine.hold_refresh_token), records the next refresh token of its chain, for 30 days, '
'and an access token whose scopes are among the chain''s. For a token that is used again within the grace period, '
'records an access token alone, and only if next_token is what replaced it: the same rotation, answered again. Returns '
'whether tokens were issued. Protocol 2.4.';

grant execute on function engine.hold_refresh_token, engine.look_at_refresh, engine.refresh to hill_api_oauth;
