-- The tool status: the hill tonight, for whoever asks. Protocol 9.4.

create or replace function api_agent.status(token text, proofs boolean default false)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor engine.agent_actor := engine.enter_agent(token, 'hill:read');
  -- Tried, not waited for, and held to the end: either a bell rings, or none comes between two parts of the answer.
  v_held  boolean := engine.try_day();
  v_told  jsonb := engine.tell_status(v_actor, v_held);
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
'What an agent needs to decide tonight: the day, the time to the bell by the hill''s clock (bell_at, '
'seconds_to_bell), whether it is ringing; what each place is worth to one occupant (points, from place 1), the ten '
'places with their occupants since the last night, what PEACE would cost the caller (cents), and the code with which '
'play would refuse a PEACE, or a WAR of the least stake; the caller''s account (null before the claim): its live '
'moves and what is left of moves, places, cap and credits (cents); the latest few announcements. Of each place, as of '
'a minute ago: how many guests announced PEACE and WAR for tonight, with what their accounts kept of what was judged; '
'on how many of the last engine.lone_war_nights() one WAR took it; when the last guest got a free seat. peace_points '
'is what PEACE would earn if holders stay, announcers do as they said (engine.announced_moves) and nobody else moves, '
'advice the least of engine.offered, wasted where the caller''s own PEACE would get no seat. proofs: also deposits, '
'all of today with the salts that open them (rules 20.15), null while the bell rings. Of sealed moves it knows only '
'the caller''s own. With an access token of scope hill:read. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE. Rules 3.7, '
'9.1; protocol 9.4; decisions 150.';

grant execute on function api_agent.status to hill_agent;
