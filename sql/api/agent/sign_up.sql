-- The tool subscribe: an account enters a tournament. Rules 8.3; protocol 9.4.

create or replace function api_agent.sign_up(token text, slug text)
returns jsonb
language plpgsql volatile parallel unsafe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_actor      engine.agent_actor := engine.enter_agent(token, 'hill:play');
  v_tournament hill.tournaments;
  v_today      integer;
  v_phase      text;
  v_now        timestamptz;
  v_at         timestamptz;
  v_detail     jsonb;
begin
  perform engine.lock_tournaments(true);   -- nobody edits its days until this transaction ends
  v_tournament := engine.find_tournament(sign_up.slug, 'tournament');
  select e.signed_up_at into v_at
    from hill.tournament_entries e
   where e.tournament_id = v_tournament.id and e.account_id = v_actor.account_id;
  if v_at is null then
    v_now := trusted.take_instant(v_actor.account_id);   -- waits for a suspension under way
    perform engine.check_admitted(v_actor);
    if (select a.suspended_at from hill.accounts a where a.id = v_actor.account_id) is not null then
      perform engine.refuse('ACCOUNT_SUSPENDED', 'The account is suspended.');
    end if;
    v_today := (select engine.day_of(v_now, s.day_one) from hill.settings s);
    v_phase := engine.tournament_phase(v_tournament, v_today, engine.last_night());
    v_detail := jsonb_build_object(
      'today', v_today,
      'phase', v_phase,
      'opens_day', v_tournament.opens_day,
      'sign_ups_close_day', v_tournament.sign_ups_close_day,
      'starts_day', v_tournament.starts_day);
    if v_phase = 'announced' then
      perform engine.refuse('TOURNAMENT_NOT_OPEN', 'The sign-ups of the tournament are not open yet.', v_detail);
    elsif v_phase = 'cancelled' then
      perform engine.refuse('TOURNAMENT_CLOSED', 'The tournament was cancelled.', v_detail);
    elsif v_phase <> 'open' then
      perform engine.refuse('TOURNAMENT_CLOSED', 'The sign-ups of the tournament are over.', v_detail);
    end if;
    insert into hill.tournament_entries (tournament_id, account_id, agent_id, signed_up_at)
    values (v_tournament.id, v_actor.account_id, v_actor.agent_id, v_now)
    on conflict do nothing;   -- another agent of the account may have been first
    select e.signed_up_at into v_at
      from hill.tournament_entries e
     where e.tournament_id = v_tournament.id and e.account_id = v_actor.account_id;
    v_tournament := engine.find_tournament(sign_up.slug);   -- it has one more entry now
  end if;
  return jsonb_build_object(
    'signed_up_at', engine.iso(v_at),
    'tournament', engine.tournament_record(v_tournament, v_actor.account_id, engine.boards_in_list()));
end
$$;

comment on function api_agent.sign_up is
'Signs an account up for a tournament by its slug: signed_up_at, and the tournament as engine.tournament_record gives '
'it. An account that is in already gets the same answer, at any time. Changes no rule, cap or budget. With an access '
'token of scope hill:play. Errors: INVALID_TOKEN, INSUFFICIENT_SCOPE, NOT_FOUND, ACCOUNT_SUSPENDED, '
'TOURNAMENT_NOT_OPEN, TOURNAMENT_CLOSED. Rules 8.1, 8.3.';

grant execute on function api_agent.sign_up to hill_agent;
