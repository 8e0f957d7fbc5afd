-- Exchanges a refresh token for the next one. Used again, it ends its chain, except for a short grace period in which
-- the same answer is given again. Protocol 2.4.

-- A refresh token of a client that still counts, with its grant locked until the transaction ends; otherwise all null.
-- Protocol 2.4.
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
  v_now := engine.door_now();
  select * into v_token from oauth.refresh_tokens r where r.token_hash = v_token.token_hash;
  select * into v_chain from oauth.refresh_chains c where c.id = v_chain.id;
  -- null as well: it was forgotten meanwhile
  if (v_chain.revoked_at is null and v_token.expires_at > v_now) is not true then
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
