-- api/human/device.sql · The page at which a human types the code of a device. Protocol 4.6.

create or replace function api_human.look_at_device(session text, user_code text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.look_at_device(engine.enter_human(session), user_code);
end
$$;

create or replace function api_human.approve_device(session text, user_code text, account_name text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.decide_device(engine.enter_human(session), user_code, true, account_name);
end
$$;

create or replace function api_human.refuse_device(session text, user_code text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.decide_device(engine.enter_human(session), user_code, false, null);
end
$$;

comment on function api_human.look_at_device is
'The human typed a code: see engine.look_at_device for the outcomes. user_code is what the web process derives from '
'the letters, with a secret that its login does not have. Errors: INVALID_TOKEN.';
comment on function api_human.approve_device is
'The human approved what the client of a code asked for, and chose a name if this is the first agent: see '
'engine.decide_device. Errors: INVALID_TOKEN, INVALID_ARGUMENT, NOT_FOUND.';
comment on function api_human.refuse_device is
'The human refused it: see engine.decide_device. Errors: INVALID_TOKEN.';

grant execute on function api_human.look_at_device, api_human.approve_device, api_human.refuse_device to hill_human;
