-- api/human/consent.sql · The consent page: the human lets a client act for the account. Protocol 4.4.

create or replace function api_human.approve_client(
  session text,
  client_id text,
  code text,
  redirect_uri text,
  code_challenge text,
  scopes text[],
  audience text,
  account_name text default null)
returns uuid
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.approve_client(
    engine.enter_human(session), client_id, code, redirect_uri, code_challenge, scopes, audience, account_name);
end
$$;

create or replace function api_human.knows_client(session text, client_id text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.knows_client(engine.enter_human(session), client_id);
end
$$;

comment on function api_human.knows_client is
'Whether the human has let a client in: see engine.knows_client. Errors: INVALID_TOKEN.';
comment on function api_human.approve_client is
'The human approved what a client asked for, and chose a name if this is the first agent: see engine.approve_client. '
'Errors: INVALID_TOKEN, NOT_FOUND, INVALID_ARGUMENT.';

grant execute on function api_human.knows_client, api_human.approve_client to hill_human;
