-- The page at which a human types the code of a device. Protocol 4.6.

create or replace function api_human.look_at_device(session text, user_code text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_wait       integer := engine.admit_device_code(v_account_id);
begin
  if v_wait > 0 then
    return jsonb_build_object('outcome', 'rate_limited', 'retry_after_seconds', v_wait);
  end if;
  return coalesce(
    (select jsonb_build_object(
         'outcome', d.status,
         'client_id', c.id,
         'client_name', engine.shown_client(c.name),
         'scopes', d.scopes,
         'asked_at', engine.iso(d.created_at),
         'expires_at', engine.iso(d.expires_at))
       from oauth.device_codes d join oauth.clients c on c.id = d.client_id
      where d.user_hash = engine.hash_token(user_code) and d.status = 'pending' and d.expires_at > engine.door_now()),
    '{"outcome": "unknown"}');
end
$$;

create or replace function api_human.approve_device(
  session text,
  user_code text,
  account_name text,
  terms_id integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_account_id uuid := engine.enter_human(session);
  v_decided    jsonb := engine.decide_device(v_account_id, user_code, true, account_name);
begin
  perform engine.enter_human(session);   -- it may have been ended while this waited
  if v_decided ->> 'outcome' = 'approved' then
    perform engine.accept_terms(v_account_id, terms_id, 'device');
  end if;
  return v_decided;
end
$$;

create or replace function api_human.refuse_device(session text, user_code text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_decided jsonb := engine.decide_device(engine.enter_human(session), user_code, false, null);
begin
  perform engine.enter_human(session);   -- it may have been ended while this waited
  return v_decided;
end
$$;

comment on function api_human.look_at_device is
'What the human of an account is shown of a code that waits: outcome pending with client_id, client_name, scopes, '
'asked_at, expires_at; unknown if it does not exist, has expired or was decided; rate_limited with '
'retry_after_seconds. user_code is what the web process derives from the letters, with a secret that its login does '
'not have. Errors: INVALID_TOKEN. Protocol 4.6.';
comment on function api_human.approve_device is
'The human approved what the client of a code asked for, and chose a name if this is the first agent: see '
'engine.decide_device. terms_id: the terms that the page showed, accepted if it is approved. Errors: INVALID_TOKEN, '
'INVALID_ARGUMENT, NAME_TAKEN, NOT_FOUND.';
comment on function api_human.refuse_device is
'The human refused it: see engine.decide_device. Errors: INVALID_TOKEN.';

grant execute on function api_human.look_at_device, api_human.approve_device, api_human.refuse_device to hill_human;
