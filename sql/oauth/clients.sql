-- oauth/clients.sql · Clients that open a browser (door B): they register themselves, or a document at their id
-- describes them. RFC 7591; protocol 4.1, 4.2.

create or replace function engine.register_client(
  client_id text,
  client_name text,
  redirect_uris text[],
  scopes text[],
  details jsonb)
returns void
language sql volatile parallel unsafe security invoker
begin atomic
  insert into oauth.clients (id, kind, name, redirect_uris, scopes, details, created_at)
  values (
    register_client.client_id,
    'registered',
    engine.shown_client(register_client.client_name),
    register_client.redirect_uris,
    register_client.scopes,
    register_client.details,
    engine.now());
end;

comment on function engine.register_client is
'Stores a client that registered itself. The web process has checked its redirect addresses.';

create or replace function engine.find_client(client_id text)
returns jsonb
language sql volatile parallel unsafe security invoker
begin atomic
  select jsonb_build_object(
      'client_id', c.id,
      'kind', c.kind,
      'name', engine.shown_client(c.name),
      'redirect_uris', to_jsonb(c.redirect_uris),
      'scopes', to_jsonb(c.scopes))
    from oauth.clients c where c.id = find_client.client_id and c.kind <> 'anonymous';
end;

comment on function engine.find_client is
'A client that opens a browser: client_id, kind, name, redirect_uris, scopes; null if there is none.';

grant execute on function engine.register_client, engine.find_client to hill_api_oauth;

create or replace function engine.keep_document_client(
  client_id text,
  client_name text,
  redirect_uris text[],
  fresh_seconds integer)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := engine.now();
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

comment on function engine.keep_document_client is
'Stores what a client''s own document says of it, when a human approves the client or it asks for a device code, so '
'that its codes and tokens have a client. The document itself is consulted each time.';

grant execute on function engine.keep_document_client to hill_api_oauth;
