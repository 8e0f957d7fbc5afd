-- oauth/begin_device.sql · A client without a browser asks for a pair of codes: one to poll with, one for its human to
-- type elsewhere. RFC 8628; protocol 4.6.

create or replace function engine.begin_device(
  client_id text,
  device_code text,
  user_code text,
  scopes text[],
  audience text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := engine.now();
begin
  insert into oauth.device_codes
    (device_hash, user_hash, client_id, scopes, audience, poll_interval, created_at, expires_at)
  values (
    engine.hash_token(device_code),
    engine.hash_token(user_code),
    begin_device.client_id,
    begin_device.scopes,
    begin_device.audience,
    make_interval(secs => engine.claim_poll_seconds()),
    v_now,
    v_now + make_interval(secs => engine.device_code_seconds()))
  on conflict on constraint device_codes_user_hash_key do nothing;
  if not found then
    return null;
  end if;
  return jsonb_build_object('expires_in', engine.device_code_seconds(), 'interval', engine.claim_poll_seconds());
end
$$;

comment on function engine.begin_device is
'Records a pair of codes for a client, with the scopes and the audience that it asks for. user_code is what the web '
'process derives from the letters (src/process/user-codes.ts). Returns, in seconds, expires_in and interval (between '
'polls); null if the user code is another''s, and then nothing is recorded. Errors: 23503 for an unknown client. '
'Protocol 4.6.';

grant execute on function engine.begin_device to hill_api_oauth;
