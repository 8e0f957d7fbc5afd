-- What a client holds: issued under one lock, ended as a whole. Whoever changes anything under a grant locks its row:
-- so no token is issued beside a revocation, and when two redeem the same thing, one does. Protocol 8.5; decisions 42.

-- When a grant lapses if it is not used again.
create or replace function engine.lapses_at(held oauth.grants)
returns timestamptz language sql stable parallel safe security invoker
return held.last_used_at + make_interval(hours => 24 * engine.grant_lapse_days());

-- Whether a grant has lapsed: it was not used for 30 days.
create or replace function engine.has_lapsed(held oauth.grants)
returns boolean language sql stable parallel safe security invoker
return engine.lapses_at(held) < engine.door_now();

-- Locks a grant until the transaction ends and returns it; null where it has ended, or where staff have cut its agent,
-- who may let it in again.
create or replace function engine.lock_grant(grant_id uuid)
returns oauth.grants
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_grant oauth.grants;
begin
  select * into v_grant from oauth.grants g where g.id = lock_grant.grant_id for update;
  if v_grant.revoked_at is not null or engine.has_lapsed(v_grant)
     or exists (select from hill.agents a where a.id = v_grant.agent_id and a.cut_at is not null) then
    return null;
  end if;
  return v_grant;
end
$$;

-- Records an access token of 900 seconds under a grant that the caller has locked, and marks the grant as used.
create or replace function engine.issue_access_token(
  held oauth.grants,
  token text,
  scopes text[],
  audience text,
  chain_id uuid default null)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := engine.door_now();
begin
  insert into oauth.access_tokens (token_hash, grant_id, agent_id, scopes, audience, chain_id, created_at, expires_at)
  values (
    engine.hash_token(issue_access_token.token),
    held.id,
    held.agent_id,
    issue_access_token.scopes,
    issue_access_token.audience,
    issue_access_token.chain_id,
    v_now,
    v_now + make_interval(secs => engine.access_token_seconds()));
  update oauth.grants g set last_used_at = v_now where g.id = held.id;
end
$$;

-- Ends a chain of refresh tokens and every access token issued from it.
create or replace function engine.end_chain(chain_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := trusted.take_instant((select g.account_id
                                              from oauth.refresh_chains c join oauth.grants g on g.id = c.grant_id
                                             where c.id = end_chain.chain_id));
begin
  update oauth.refresh_chains c set revoked_at = v_now where c.id = end_chain.chain_id and c.revoked_at is null;
  update oauth.access_tokens t set revoked_at = v_now where t.chain_id = end_chain.chain_id and t.revoked_at is null;
end
$$;

-- Ends every access token, refresh chain and assertion under a grant that the caller has locked.
create or replace function engine.revoke_tokens(grant_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := engine.door_now();
begin
  update oauth.access_tokens t
     set revoked_at = v_now
   where t.grant_id = revoke_tokens.grant_id and t.revoked_at is null;
  update oauth.refresh_chains c
     set revoked_at = v_now
   where c.grant_id = revoke_tokens.grant_id and c.revoked_at is null;
  update oauth.assertions a set revoked_at = v_now
    from oauth.registrations r
   where r.grant_id = revoke_tokens.grant_id and a.registration_id = r.id and a.revoked_at is null;
end
$$;

-- Ends a grant and everything issued under it, and cuts its agent. Rules 3.11; protocol 6.1, 6.2.
create or replace function engine.revoke_grant(grant_id uuid)
returns boolean
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now   timestamptz;
  v_grant oauth.grants;
begin
  select g.* into v_grant from oauth.grants g where g.id = revoke_grant.grant_id for update;
  v_now := trusted.take_instant(v_grant.account_id);   -- waits for a deposit under way; none is accepted after
  update oauth.grants g
     set revoked_at = v_now
   where g.id = revoke_grant.grant_id and g.revoked_at is null
  returning g.* into v_grant;
  if not found then
    return false;
  end if;
  perform engine.revoke_tokens(v_grant.id);
  update hill.agents a set cut_at = v_now where a.id = v_grant.agent_id and a.cut_at is null;
  return true;
end
$$;
