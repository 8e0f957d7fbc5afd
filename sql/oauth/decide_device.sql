-- The human types the code of a device, sees who asks for what, and approves or refuses. Outcomes are returned, not
-- raised: a wrong code is counted, and an error would roll the count back. RFC 8628, 3.3, 5.1; protocol 4.6.

-- Counts a code that the human of an account typed at /device, known or not.
create or replace function engine.admit_device_code(account_id uuid)
returns integer
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_wait integer;
begin
  -- the account first, so that one alone cannot use up what all have
  v_wait := engine.admit('code_account', admit_device_code.account_id::text, engine.claim_codes_per_hour(), 3600);
  if v_wait = 0 then
    v_wait := engine.admit('device_codes', 'hill', engine.device_codes_per_hour(), 3600);
  end if;
  return v_wait;
end
$$;

-- The human approves what the client of a code asks for, as at the consent page (engine.grant_client), or refuses it.
-- Errors: INVALID_ARGUMENT and NAME_TAKEN for the name, NOT_FOUND for a client that is gone. Protocol 4.6.
create or replace function engine.decide_device(
  account_id uuid,
  user_code text,
  approves boolean,
  account_name text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz;
  v_wait   integer;
  v_device oauth.device_codes;
  v_grant  oauth.grants;
begin
  -- before the code is looked at: a refusal undoes what was counted
  perform engine.check_name(account_name, account_id);
  v_wait := engine.admit_device_code(account_id);
  if v_wait > 0 then
    return jsonb_build_object('outcome', 'rate_limited', 'retry_after_seconds', v_wait);
  end if;
  perform trusted.lock_one('approvals');   -- before the code's row: a poll locks this row, and then the grant
  select * into v_device from oauth.device_codes d where d.user_hash = engine.hash_token(user_code) for update;
  v_now := engine.door_now();
  if (v_device.status = 'pending' and v_device.expires_at > v_now) is not true then
    return '{"outcome": "unknown"}';
  end if;
  if approves then
    v_grant := engine.grant_client(account_id, v_device.client_id, v_device.scopes, account_name);
  else
    perform engine.note_event('device_refused', account_id, null, jsonb_build_object('client_id', v_device.client_id));
  end if;
  update oauth.device_codes d
     set status = case when approves then 'approved' else 'refused' end, decided_at = v_now, grant_id = v_grant.id
   where d.device_hash = v_device.device_hash
  returning * into v_device;
  return jsonb_build_object('outcome', v_device.status);
end
$$;
