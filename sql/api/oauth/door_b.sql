-- api/oauth/door_b.sql · Door B, for clients that open a browser: registration, codes, refresh. Protocol 4.1, 4.5.

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
  perform engine.register_client(client_id, client_name, redirect_uris, scopes, details);
end
$$;

create or replace function api_oauth.find_client(client_id text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.find_client(client_id);
end
$$;

create or replace function api_oauth.look_at_code(code text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.look_at_code(code);
end
$$;

create or replace function api_oauth.exchange_code(code text, access_token text, refresh_token text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.exchange_code(code, access_token, refresh_token);
end
$$;

create or replace function api_oauth.look_at_refresh(refresh_token text, client_id text, grace_seconds integer)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.look_at_refresh(refresh_token, client_id, grace_seconds);
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
begin
  return engine.refresh(refresh_token, client_id, access_token, next_token, scopes, grace_seconds);
end
$$;

comment on function api_oauth.register_client is 'Stores a client that registered itself: see engine.register_client.';
comment on function api_oauth.find_client is 'A client that opens a browser: see engine.find_client.';
comment on function api_oauth.look_at_code is 'What a code is bound to: see engine.look_at_code.';
comment on function api_oauth.exchange_code is
'Exchanges an authorization code for tokens, once: see engine.exchange_code.';
comment on function api_oauth.look_at_refresh is
'What a refresh token is bound to, if it counts: see engine.look_at_refresh.';
comment on function api_oauth.refresh is 'Exchanges a refresh token for the next one: see engine.refresh.';

create or replace function api_oauth.keep_document_client(
  client_id text,
  client_name text,
  redirect_uris text[],
  fresh_seconds integer)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.keep_document_client(client_id, client_name, redirect_uris, fresh_seconds);
end
$$;

comment on function api_oauth.keep_document_client is
'Stores what a client''s own document says of it: see engine.keep_document_client.';

grant execute on function
  api_oauth.register_client,
  api_oauth.find_client,
  api_oauth.look_at_code,
  api_oauth.exchange_code,
  api_oauth.look_at_refresh,
  api_oauth.refresh,
  api_oauth.keep_document_client
  to hill_oauth;
