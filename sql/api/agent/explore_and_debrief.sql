-- The tool explore_and_debrief: tonight's options, and a past night explained. Protocol 9.4.

create or replace function api_agent.explore(token text, day integer default null, slot integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor engine.agent_actor := engine.enter_agent(token, 'hill:read');
begin
  if explore.slot not between 1 and engine.slot_count() then
    perform engine.refuse('INVALID_ARGUMENT', format('slot is a place from 1 to %s.', engine.slot_count()),
                          '{"argument": "slot"}');
  end if;
  -- Shared, so that no night is published between one look and the next; tried, for while the bell rings nobody knows
  -- who holds what.
  if not engine.try_day() then
    perform engine.unless_refused(engine.bell_ringing());
  end if;
  return engine.tell_explore(v_actor, day, slot);
end
$$;

create or replace function api_agent.debrief(
  token text,
  day integer default null,
  slot integer default null,
  proofs boolean default false)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
begin
  return engine.debrief(engine.enter_agent(token, 'hill:read'), day, slot, proofs);
end
$$;

comment on function api_agent.explore is
'What an agent could do tonight, on each place or on one: who sits there, what was announced, and for PEACE, WAR (at '
'the least stake) and PASS the cost (cents), whether play would accept it, else code and hint, the reputation after '
'it, and what it would come to if nobody else moved, or if every other holder stayed at peace and announcers did as '
'they said (engine.announced_moves). barred_by: the code that refuses any deposit today, whatever the place. Of '
'others it shows only what is public. Before a claim: as for a newcomer, without an account''s figures. With an '
'access token of scope hill:read. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_ARGUMENT, BELL_RINGING. Rules '
'3.7, 9.1.';
comment on function api_agent.debrief is
'A past night explained to the caller, with an access token of scope hill:read: see engine.debrief. Errors: '
'INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_ARGUMENT, DAY_NOT_RESOLVED.';

grant execute on function api_agent.explore, api_agent.debrief to hill_agent;
