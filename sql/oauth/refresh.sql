-- oauth/refresh.sql · A refresh token for the next one. Used again, it ends its chain. Specification 3.3.

create function engine.look_at_refresh(refresh_token text)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select jsonb_build_object('client_id', g.client_id, 'account_id', g.account_id, 'scopes', to_jsonb(c.scopes), 'audience', c.audience)
    from oauth.refresh_tokens r join oauth.refresh_chains c on c.id = r.chain_id join oauth.grants g on g.id = c.grant_id
   where r.token_hash = engine.hash_token(look_at_refresh.refresh_token);
end;

comment on function engine.look_at_refresh(text) is
'What a refresh token is bound to: client_id, account_id, scopes, audience; null for none. Whether it still counts, engine.refresh says.';

create function engine.refresh(refresh_token text, access_token text, next_token text, scopes text[], grace_seconds integer)
returns boolean
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
  if v_grant.id is null then
    return false;
  end if;
  v_now := engine.now();
  select * into v_token from oauth.refresh_tokens r where r.token_hash = v_token.token_hash;
  select * into v_chain from oauth.refresh_chains c where c.id = v_chain.id;
  if v_chain.revoked_at is not null or v_token.expires_at <= v_now or not refresh.scopes <@ v_chain.scopes then
    return false;
  end if;
  -- Used before: by a thief, or by a client that races itself, which the operator may allow for a moment to the parent of the newest.
  if v_token.used_at is not null
     and (v_token.used_at + make_interval(secs => grace_seconds) <= v_now
          or exists (select from oauth.refresh_tokens n where n.parent_hash = v_token.token_hash and n.used_at is not null)) then
    perform engine.end_chain(v_chain.id);
    perform engine.note_event('refresh_token_reused', v_grant.account_id, v_grant.agent_id);
    return false;
  end if;
  update oauth.refresh_tokens r set used_at = v_now where r.token_hash = v_token.token_hash and r.used_at is null;
  insert into oauth.refresh_tokens (token_hash, chain_id, parent_hash, created_at, expires_at)
  values (engine.hash_token(next_token), v_chain.id, v_token.token_hash, v_now, v_now + make_interval(days => engine.refresh_token_days()));
  perform engine.issue_access_token(v_grant, access_token, refresh.scopes, v_chain.audience, v_chain.id);
  return true;
end
$$;

comment on function engine.refresh(text, text, text, text[], integer) is
$$Records the next refresh token of a chain, for 30 days, and an access token whose scopes are among the chain's. A token that was used before ends the chain at
once, the newest tokens with it; where grace_seconds is more than 0, not within that time, and only while what replaced it is unused. Returns whether tokens
were issued. Specification 3.3.$$;

grant execute on function engine.look_at_refresh(text), engine.refresh(text, text, text, text[], integer) to hill_api_oauth;
