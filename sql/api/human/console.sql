-- api/human/console.sql · A human who is staff goes on to the console. Rules 18.4; decisions 220.

create or replace function api_human.console(session text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_member hill.staff_members := engine.own_membership(engine.enter_human(session));
begin
  return jsonb_build_object(
    'name', v_member.name,
    'role', v_member.role,
    'fresh', engine.signed_in_anew(session),
    'fresh_minutes', engine.fresh_sign_in_minutes());
end
$$;

create or replace function api_human.give_console_code(session text, code text, challenge text)
returns void
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.give_console_code(engine.enter_human_anew(session), code, challenge);
end
$$;

comment on function api_human.console is
'What the page that leads to the console shows to a member of the staff: name, role (owner, staff), and whether this '
'session is recent enough (fresh; fresh_minutes). Errors: INVALID_TOKEN, ACCOUNT_CLOSED, NOT_STAFF.';
comment on function api_human.give_console_code is
'Records the code with which a member of the staff enters the console: see engine.give_console_code. Errors: '
'INVALID_TOKEN, ACCOUNT_CLOSED, SIGN_IN_AGAIN, NOT_STAFF, INVALID_ARGUMENT.';

grant execute on function api_human.console, api_human.give_console_code to hill_human;
