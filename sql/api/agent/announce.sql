-- The tool announce: a public word on what the account will do. Rules 6.1; protocol 9.4.

create or replace function api_agent.announce(
  token text,
  slot integer,
  intention text,
  message text default null,
  day integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.announce(engine.enter_agent(token, 'hill:play'), slot, intention, message, day);
end
$$;

comment on function api_agent.announce is
'Announces with an access token of scope hill:play: see engine.announce. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, '
'INVALID_ARGUMENT, ACCOUNT_SUSPENDED, PAYMENT_DISPUTED, HILL_NOT_OPEN, DAY_PASSED, ANNOUNCE_CLOSED, '
'ALREADY_ANNOUNCED, SLOT_CLOSED, MESSAGE_TOO_LONG, NO_ANNOUNCEMENTS_LEFT.';

grant execute on function api_agent.announce to hill_agent;
