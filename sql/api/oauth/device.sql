-- api/oauth/device.sql · The device grant, for clients whose human has a screen elsewhere. RFC 8628; protocol 4.6.

create or replace function api_oauth.begin_device(
  client_id text,
  device_code text,
  user_code text,
  scopes text[],
  audience text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.begin_device(client_id, device_code, user_code, scopes, audience);
end
$$;

create or replace function api_oauth.poll_device(device_code text, client_id text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.poll_device(device_code, client_id);
end
$$;

create or replace function api_oauth.redeem_device(
  device_code text,
  client_id text,
  access_token text,
  refresh_token text)
returns boolean
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.redeem_device(device_code, client_id, access_token, refresh_token);
end
$$;

comment on function api_oauth.begin_device is 'A pair of codes for a client: see engine.begin_device.';
comment on function api_oauth.poll_device is 'Whether the human has decided: see engine.poll_device.';
comment on function api_oauth.redeem_device is
'The tokens of an approved device code, once: see engine.redeem_device.';

grant execute on function api_oauth.begin_device, api_oauth.poll_device, api_oauth.redeem_device to hill_oauth;
