-- The tool status: the hill tonight, for whoever asks. Protocol 9.4.

create or replace function api_agent.status(
  token text,
  proofs boolean default false,
  announcements integer default null)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor engine.agent_actor := engine.enter_agent(token, 'hill:read');
  -- Tried, not waited for, and held to the end: either a bell rings, or none comes between two parts of the answer.
  v_held  boolean := engine.try_day();
  v_told  jsonb := engine.tell_status(
                     v_actor, v_held,
                     greatest(0, least(coalesce(announcements, engine.status_announcements()), engine.list_length())));
begin
  if proofs and v_actor.account_id is not null then
    v_told := v_told || jsonb_build_object(
      'deposits', case when v_held and not (v_told ->> 'bell_ringing')::boolean then
        engine.tell_deposits(array(
          select row(l.*)::hill.moves from hill.sealed_moves l where l.account_id = v_actor.account_id), false) end);
  end if;
  return v_told;
end
$$;

comment on function api_agent.status is
'What an agent needs to decide tonight: the day, the time to the bell by the hill''s clock, whether it is ringing; '
'the ten places with their points and occupants, what PEACE would cost the caller (cents), and the code with which '
'play would refuse a PEACE, or a WAR of the least stake; the caller''s account (null before the claim): its live '
'moves and what is left (cents); the latest announcements, by default three. As of a minute ago (hill.prospects): how '
'many guests announced what, lone_wars, latest_seat_at. peace_points is what PEACE would earn if holders stay, '
'announcers do as they said (engine.announced_moves) and nobody else moves, advice the least of engine.offered, '
'wasted where an own PEACE would get no seat. proofs: also deposits, all of today with their salts, null while the '
'bell rings. Of sealed moves it knows the caller''s own alone. With an access token of scope hill:read. Errors: '
'INVALID_TOKEN, INSUFFICIENT_SCOPE. Rules 3.7, 9.1, 20.15; protocol 9.4; decisions 150.';

grant execute on function api_agent.status to hill_agent;
