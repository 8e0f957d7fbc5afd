-- The consent page: the human lets a client act for the account. Protocol 4.4.

create or replace function api_human.approve_client(
  session text,
  client_id text,
  code text,
  redirect_uri text,
  code_challenge text,
  scopes text[],
  audience text,
  account_name text default null,
  terms_id integer default null)
returns uuid
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_now        timestamptz := engine.door_now();
  v_grant      oauth.grants := engine.grant_client(v_account_id, client_id, scopes, account_name);
begin
  perform engine.enter_human(session);   -- it may have been ended while this waited
  perform engine.accept_terms(v_account_id, terms_id, 'consent');
  insert into oauth.authorization_codes
    (code_hash, grant_id, redirect_uri, code_challenge, scopes, audience, created_at, expires_at)
  values (
    engine.hash_token(code),
    v_grant.id,
    approve_client.redirect_uri,
    approve_client.code_challenge,
    approve_client.scopes,
    approve_client.audience,
    v_now,
    v_now + make_interval(secs => engine.authorization_code_seconds()));
  return v_grant.agent_id;
end
$$;

create or replace function api_human.knows_client(session text, client_id text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
begin
  return (
    select exists (select from oauth.grants g join hill.agents a on a.id = g.agent_id
                    where g.client_id = knows_client.client_id and g.account_id = v_account_id
                      and g.revoked_at is null and a.cut_at is null and not engine.has_lapsed(g)));
end
$$;

comment on function api_human.knows_client is
'Whether the human of an account has approved a client and neither cut it off nor let it lapse. Errors: INVALID_TOKEN.';
comment on function api_human.approve_client is
'Approves what a client asked for (engine.grant_client), and records its authorization code for 60 seconds, bound to '
'its redirect address, challenge (S256), scopes and audience; terms_id: the terms that the page showed, accepted with '
'it. Returns the agent. Errors: INVALID_TOKEN, NOT_FOUND, INVALID_ARGUMENT, NAME_TAKEN.';

grant execute on function api_human.knows_client, api_human.approve_client to hill_human;
