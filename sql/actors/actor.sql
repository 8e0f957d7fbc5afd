-- Who calls. The functions of the API schemas set the actor on entry, from a token or session found by its hash, over
-- whatever the connection held: a forged setting has no effect. Row-level security reads the actor from this setting.
-- Protocol 8.5.

create type engine.agent_actor as (account_id uuid, agent_id uuid, scopes text[], token_hash bytea);

comment on type engine.agent_actor is
'The agent that calls: its account, its id, the scopes of its token, and the token''s hash (null for house agents, '
'which have no token). Protocol 1.1.';

-- What is stored of a token or a session: its SHA-256. Tokens have 128 random bits or more, so no salt is needed.
create or replace function engine.hash_token(token text)
returns bytea language sql stable parallel safe  -- as convert_to is: then it is inlined
return sha256(convert_to(token, 'UTF8'));

-- The account that the current call acts for, null for nobody. Row-level security compares rows with it.
create or replace function engine.actor_account()
returns uuid language sql stable parallel safe
return nullif(current_setting('hill.account_id', true), '')::uuid;

-- The agent that deposits for the account of engine.actor_account.
create or replace function engine.actor_agent()
returns uuid language sql stable parallel safe
return nullif(current_setting('hill.agent_id', true), '')::uuid;

-- The accounts for which the current call reads.
create or replace function engine.actor_accounts()
returns uuid[] language sql stable parallel safe
return coalesce(nullif(current_setting('hill.accounts', true), '')::uuid[], array[engine.actor_account()]);

-- Makes one of those whose deposits travel together the actor, for the row that is written next. True.
create or replace function engine.acting(account_id uuid, agent_id uuid)
returns boolean
-- inlined into the statement whose rows it is for
language sql volatile parallel unsafe
return set_config('hill.account_id', account_id::text, true) || set_config('hill.agent_id', agent_id::text, true) <> '';

-- Whose access token this is and what it may do: one row, none if the token is not live. Protocol 1.1, 2.2.
create or replace function engine.find_agent(token text)
returns table (account_id uuid, agent_id uuid, scopes text[], token_hash bytea)
-- inlined into the queries that use it: hence no search_path
language sql stable parallel safe security invoker
begin atomic
  -- A left join, for an unclaimed agent has no account, and may read. The audience is not compared: this server issues
  -- tokens for its own resources only, and has no hash of any other.
  select a.account_id, a.id, t.scopes, t.token_hash
    from oauth.access_tokens t left join hill.agents a on a.id = t.agent_id cross join hill.settings s
   where t.token_hash = engine.hash_token(find_agent.token) and t.revoked_at is null and a.cut_at is null
     and t.expires_at > engine.door_instant(s);
end;

-- The refusal (see engine.refused) of an access token that is not live. Code: INVALID_TOKEN.
create or replace function engine.invalid_token()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select engine.refused('INVALID_TOKEN', 'The access token is unknown, expired or revoked.');
end;

-- The refusal (see engine.refused) of an access token that is not live or lacks a scope. Codes: INVALID_TOKEN,
-- ACCOUNT_CLOSED, INSUFFICIENT_SCOPE.
create or replace function engine.not_admitted(token text, scope text)
returns jsonb
language plpgsql volatile parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if exists (select from engine.find_agent(not_admitted.token)) then
    return engine.refused('INSUFFICIENT_SCOPE', 'The access token lacks the scope that this needs.',
                          jsonb_build_object('scope', not_admitted.scope));
  end if;
  return coalesce(
    engine.closed((select a.account_id
                     from oauth.access_tokens t join hill.agents a on a.id = t.agent_id
                    where t.token_hash = engine.hash_token(not_admitted.token))),
    engine.invalid_token());
end
$$;

-- Makes the agent of an access token the actor of this transaction, if the token is live and has the scope. Errors:
-- INVALID_TOKEN, ACCOUNT_CLOSED, INSUFFICIENT_SCOPE. Protocol 1.1, 2.2.
create or replace function engine.enter_agent(token text, scope text)
returns engine.agent_actor
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_generic_plan  -- one row by its hash, whoever calls
as $$
declare
  v_actor engine.agent_actor;
  v_set   text;
begin
  select a.account_id, a.agent_id, a.scopes, a.token_hash into v_actor from engine.find_agent(enter_agent.token) a;
  if enter_agent.scope = any (v_actor.scopes) then
    -- expressions, which cost less than the statement that PERFORM would be
    v_set := set_config('hill.account_id', coalesce(v_actor.account_id::text, ''), true)
             || set_config('hill.agent_id', v_actor.agent_id::text, true) || set_config('hill.accounts', '', true);
    return v_actor;
  end if;
  -- nobody, whomever the connection names
  v_set := set_config('hill.account_id', '', true) || set_config('hill.accounts', '', true);
  perform engine.unless_refused(engine.not_admitted(token, scope));
  return null;
end
$$;

-- Whether an agent still acts for its account, and by a token (null: it needs none) that has not been revoked.
create or replace function engine.admits(agent_id uuid, token_hash bytea)
returns table (admitted boolean)
language sql stable parallel safe security invoker
begin atomic
  -- EXISTS would read all agents and tokens of a small hill
  select coalesce((select g.cut_at is null from hill.agents g where g.id = admits.agent_id), false)
         and (admits.token_hash is null or coalesce((
           select k.revoked_at is null from oauth.access_tokens k where k.token_hash = admits.token_hash), false));
end;

-- Refuses an agent that was cut while it waited for its account: what cuts holds the account, so none is cut after.
-- Errors: INVALID_TOKEN, ACCOUNT_CLOSED. Rules 3.11.
create or replace function engine.check_admitted(actor engine.agent_actor)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if not (select t.admitted from engine.admits(actor.agent_id, actor.token_hash) t) then
    perform engine.refuse_closed(actor.account_id);
    perform engine.unless_refused(engine.invalid_token());
  end if;
end
$$;

-- Has this transaction read for the agents of access tokens whose token is live and has the scope. Protocol 1.1, 2.2.
create or replace function engine.enter_agents(
  tokens text[],
  scope text,
  out accounts uuid[],
  out agents uuid[],
  out token_hashes bytea[])
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
-- each by its hash, however few tokens there were when last counted
set enable_seqscan to off
set plan_cache_mode to force_generic_plan
as $$
declare
  v_set text;
begin
  select array_agg(a.account_id order by t.n), array_agg(a.agent_id order by t.n), array_agg(a.token_hash order by t.n)
    into accounts, agents, token_hashes
    from unnest(tokens) with ordinality t (token, n)
    left join lateral (
      select f.*
        from engine.find_agent(t.token) f
       where enter_agents.scope = any (f.scopes) and f.account_id is not null
      offset 0) a on true;
  v_set := set_config('hill.accounts', accounts::text, true);
  -- nobody yet: who writes is said row by row (engine.acting)
  v_set := set_config('hill.account_id', '', true) || set_config('hill.agent_id', '', true);
end
$$;

-- Makes the human of a session the actor of this transaction. Errors: INVALID_TOKEN, ACCOUNT_CLOSED. Protocol 8.5.
create or replace function engine.enter_human(session text)
returns uuid
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid;
begin
  select s.account_id into v_account_id from oauth.human_sessions s
   -- in real time, like the browser's cookie, whatever the hill's clock says
   where s.token_hash = engine.hash_token(enter_human.session) and s.revoked_at is null
     and s.expires_at > clock_timestamp();
  if v_account_id is null then
    perform engine.refuse_closed((select s.account_id from oauth.human_sessions s
                                   where s.token_hash = engine.hash_token(enter_human.session)));
    perform engine.refuse('INVALID_TOKEN', 'The session is unknown, expired or revoked.');
  end if;
  perform set_config('hill.account_id', v_account_id::text, true), set_config('hill.accounts', '', true);
  return v_account_id;
end
$$;

-- Refuses what wants a recent sign-in. Errors: SIGN_IN_AGAIN.
create or replace function engine.ask_to_sign_in_again()
returns void
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.refuse('SIGN_IN_AGAIN', 'This needs a sign-in of the last minutes.',
    jsonb_build_object('fresh_minutes', engine.fresh_sign_in_minutes()));
end
$$;

-- As engine.enter_human, for what a session that somebody left open, or a stolen cookie, must not do. Errors:
-- INVALID_TOKEN, ACCOUNT_CLOSED, SIGN_IN_AGAIN. Rules 19.1.
create or replace function engine.enter_human_anew(session text)
returns uuid
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  if not engine.signed_in_anew(session) then
    perform engine.ask_to_sign_in_again();
  end if;
  return v_account_id;
end
$$;

-- Whether a session began within engine.fresh_sign_in_minutes of real time. Rules 19.1.
create or replace function engine.signed_in_anew(session text)
returns boolean
language sql volatile parallel unsafe security invoker
begin atomic
  select exists (select from oauth.human_sessions s
                  where s.token_hash = engine.hash_token(signed_in_anew.session)
                    and s.created_at > clock_timestamp() - make_interval(mins => engine.fresh_sign_in_minutes()));
end;

-- the house plays as an agent does
