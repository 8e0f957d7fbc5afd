-- Door B, for clients that open a browser: registration, codes, refresh. Protocol 4.1, 4.5.

create or replace function api_oauth.register_client(
  client_id text,
  client_name text,
  redirect_uris text[],
  scopes text[],
  details jsonb)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.refuse_full();
  insert into oauth.clients (id, kind, name, redirect_uris, scopes, details, created_at)
  values (
    register_client.client_id,
    'registered',
    engine.shown_client(register_client.client_name),
    register_client.redirect_uris,
    register_client.scopes,
    register_client.details,
    engine.door_now());
end
$$;

create or replace function api_oauth.find_client(client_id text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return (
    select jsonb_build_object(
        'client_id', c.id,
        'kind', c.kind,
        'name', engine.shown_client(c.name),
        'redirect_uris', to_jsonb(c.redirect_uris),
        'scopes', to_jsonb(c.scopes))
      from oauth.clients c where c.id = find_client.client_id and c.kind <> 'anonymous');
end
$$;

create or replace function api_oauth.look_at_code(code text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return (
    select jsonb_build_object(
        'client_id', g.client_id,
        'account_id', g.account_id,
        'redirect_uri', c.redirect_uri,
        'code_challenge', c.code_challenge,
        'scopes', to_jsonb(c.scopes),
        'audience', c.audience)
      from oauth.authorization_codes c join oauth.grants g on g.id = c.grant_id
     where c.code_hash = engine.hash_token(look_at_code.code));
end
$$;

create or replace function api_oauth.exchange_code(code text, access_token text, refresh_token text)
returns boolean
language plpgsql volatile parallel unsafe security definer
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
  v_now := engine.door_now();
  select * into v_code from oauth.authorization_codes c where c.code_hash = v_code.code_hash;
  if v_code.used_at is not null then
    -- Somebody has the code who should not. Returned, not raised, so that the event is kept.
    perform engine.end_chain(v_code.chain_id);
    perform engine.note_event('code_replayed', v_grant.account_id, v_grant.agent_id);
    return false;
  end if;
  -- null as well: it was forgotten meanwhile
  if (v_code.expires_at > v_now) is not true then
    return false;
  end if;
  v_chain := engine.begin_chain(v_grant, v_code.scopes, v_code.audience, access_token, refresh_token);
  update oauth.authorization_codes c set used_at = v_now, chain_id = v_chain where c.code_hash = v_code.code_hash;
  return true;
end
$$;

create or replace function api_oauth.look_at_refresh(refresh_token text, client_id text, grace_seconds integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
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
                                       then extract(epoch from engine.door_now() - v_token.created_at) end)
            from oauth.refresh_chains c join oauth.grants g on g.id = c.grant_id where c.id = v_token.chain_id);
end
$$;

create or replace function api_oauth.refresh(
  refresh_token text,
  client_id text,
  access_token text,
  next_token text,
  scopes text[],
  grace_seconds integer)
returns boolean
language plpgsql volatile parallel unsafe security definer
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
  v_now := engine.door_now();
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

comment on function api_oauth.register_client is
'Stores a client that registered itself. The web process has checked its redirect addresses.';
comment on function api_oauth.find_client is
'A client that opens a browser: client_id, kind, name, redirect_uris, scopes; null if there is none.';
comment on function api_oauth.look_at_code is
'What an authorization code is bound to: client_id, account_id, redirect_uri, code_challenge, scopes, audience; null '
'if it is unknown. Whether it still counts is for api_oauth.exchange_code to say.';
comment on function api_oauth.exchange_code is
'Records the tokens of an authorization code, once, within its 60 seconds. Of two requests that exchange it at one '
'instant, one gets true; the other is a replay, and ends what the first was given. Returns whether tokens were issued.';
comment on function api_oauth.look_at_refresh is
'What a refresh token of a client is bound to: account_id, scopes, audience; null if it does not count '
'(engine.hold_refresh_token). age_seconds: how long ago it replaced another one; null for the first of a chain, and '
'for one that was used. Decisions 127.';
comment on function api_oauth.refresh is
'For a token that still counts (engine.hold_refresh_token), records the next refresh token of its chain, for 30 days, '
'and an access token whose scopes are among the chain''s. For a token that is used again within the grace period, '
'records an access token alone, and only if next_token is what replaced it: the same rotation, answered again. '
'Returns whether tokens were issued. Protocol 2.4.';

create or replace function api_oauth.keep_document_client(
  client_id text,
  client_name text,
  redirect_uris text[],
  fresh_seconds integer)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := engine.door_now();
begin
  insert into oauth.clients as c (id, kind, name, redirect_uris, scopes, created_at, fetched_at, fresh_until)
  values (
    keep_document_client.client_id,
    'document',
    engine.shown_client(keep_document_client.client_name),
    keep_document_client.redirect_uris,
    '{hill:read,hill:play}',
    v_now,
    v_now,
    v_now + make_interval(secs => fresh_seconds))
  on conflict on constraint clients_pkey do update
     set name = excluded.name,
         redirect_uris = excluded.redirect_uris,
         fetched_at = excluded.fetched_at,
         fresh_until = excluded.fresh_until
   where c.kind = 'document';
end
$$;

comment on function api_oauth.keep_document_client is
'Stores what a client''s own document says of it, when a human approves the client or it asks for a device code, so '
'that its codes and tokens have a client. The document itself is consulted each time.';

grant execute on function
  api_oauth.register_client,
  api_oauth.find_client,
  api_oauth.look_at_code,
  api_oauth.exchange_code,
  api_oauth.look_at_refresh,
  api_oauth.refresh,
  api_oauth.keep_document_client
  to hill_oauth;
