-- The device grant, for clients whose human has a screen elsewhere. RFC 8628; protocol 4.6.

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
declare
  v_now timestamptz := engine.door_now();
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

create or replace function api_oauth.poll_device(device_code text, client_id text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz;
  v_device   oauth.device_codes;
  v_too_fast boolean;
begin
  select * into v_device from oauth.device_codes d
   where d.device_hash = engine.hash_token(device_code) and d.client_id = poll_device.client_id
     for update;
  v_now := engine.door_now();
  if v_device.device_hash is null or v_device.issued_at is not null then
    return '{"outcome": "invalid_grant"}';   -- unknown, another client's, or spent
  elsif v_device.status = 'refused' then
    return '{"outcome": "access_denied"}';
  elsif v_device.expires_at <= v_now then
    return '{"outcome": "expired_token"}';
  elsif v_device.status = 'approved' then
    return jsonb_build_object(
      'outcome', 'approved',
      'account_id', (select g.account_id from oauth.grants g where g.id = v_device.grant_id),
      'scopes', v_device.scopes,
      'audience', v_device.audience);
  end if;
  v_too_fast := engine.polls_too_fast(v_device.polled_at, v_device.poll_interval, v_now);
  update oauth.device_codes d
     set polled_at = v_now,
         poll_interval = d.poll_interval
           + case when v_too_fast then make_interval(secs => engine.claim_poll_seconds()) else interval '0' end
   where d.device_hash = v_device.device_hash
  returning * into v_device;
  return jsonb_build_object(
    'outcome', case when v_too_fast then 'slow_down' else 'authorization_pending' end,
    'interval', extract(epoch from v_device.poll_interval)::integer);
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
declare
  v_now    timestamptz;
  v_device oauth.device_codes;
  v_grant  oauth.grants;
begin
  select * into v_device from oauth.device_codes d
   where d.device_hash = engine.hash_token(device_code) and d.client_id = redeem_device.client_id
     for update;
  v_grant := engine.lock_grant(v_device.grant_id);
  v_now := engine.door_now();
  -- null as well: an unknown code, one that nobody has approved, or an agent that was cut since
  if (v_grant.id is not null and v_device.issued_at is null and v_device.expires_at > v_now) is not true then
    return false;
  end if;
  update oauth.device_codes d set issued_at = v_now where d.device_hash = v_device.device_hash;
  perform engine.begin_chain(v_grant, v_device.scopes, v_device.audience, access_token, refresh_token);
  return true;
end
$$;

comment on function api_oauth.begin_device is
'Records a pair of codes for a client, with the scopes and the audience that it asks for. user_code is what the web '
'process derives from the letters (src/process/user-codes.ts). Returns, in seconds, expires_in and interval (between '
'polls); null if the user code is another''s, and then nothing is recorded. Errors: 23503 for an unknown client. '
'Protocol 4.6.';
comment on function api_oauth.poll_device is
'What the human has decided about a device code of this client: outcome approved with what the tokens will say '
'(account_id, scopes, audience); authorization_pending or slow_down with interval (seconds between polls); '
'access_denied; expired_token; or invalid_grant (unknown, another client''s, or spent). Protocol 4.6.';
comment on function api_oauth.redeem_device is
'Records the tokens of an approved device code, once, while it lives. Of two polls at one instant, the other gets '
'false, and nothing ends: no browser has carried the code past strangers. Protocol 4.6.';

grant execute on function api_oauth.begin_device, api_oauth.poll_device, api_oauth.redeem_device to hill_oauth;
