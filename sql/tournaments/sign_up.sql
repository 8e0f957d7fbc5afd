-- tournaments/sign_up.sql · An account enters a tournament. Rules 8.1, 8.3.

create or replace function engine.find_tournament(slug text, argument text default 'slug')
returns hill.tournaments
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_tournament hill.tournaments;
begin
  select t.* into v_tournament from hill.tournaments t where t.slug = find_tournament.slug;
  if not found then
    perform engine.refuse('NOT_FOUND', 'There is no such tournament.', jsonb_build_object(
      'argument', find_tournament.argument,
      'tournaments', (select coalesce(jsonb_agg(t.slug order by t.ends_day desc, t.slug), '[]')
                        from (select t.slug, t.ends_day
                                from hill.tournaments t
                               order by t.ends_day desc, t.slug
                               limit engine.page_length()) t)));
  end if;
  return v_tournament;
end
$$;

comment on function engine.find_tournament is
'The tournament of a slug, which the caller passed as the argument of that name. Errors: NOT_FOUND, with the slugs '
'that exist, the latest to end first.';

create or replace function engine.count_entries()
returns trigger
language plpgsql volatile parallel unsafe security definer  -- hill_owner: nobody else may count
set search_path to pg_catalog, pg_temp
as $$
begin
  update hill.tournaments t set entries = t.entries + a.entries
    from (select n.tournament_id, count(*) as entries from added n group by 1) a where a.tournament_id = t.id;
  return null;
end
$$;

comment on function engine.count_entries is
'Trigger: adds new entries to the count of their tournament, so that readers need not count them.';

create or replace trigger count_entries after insert on hill.tournament_entries
  referencing new table as added
  for each statement execute function engine.count_entries();

create or replace function engine.sign_up(actor engine.agent_actor, slug text)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
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
   where e.tournament_id = v_tournament.id and e.account_id = actor.account_id;
  if v_at is null then
    v_now := engine.take_instant(actor.account_id);   -- waits for a suspension under way
    if (select a.suspended_at from hill.accounts a where a.id = actor.account_id) is not null then
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
    elsif v_phase <> 'open' then
      perform engine.refuse('TOURNAMENT_CLOSED', 'The sign-ups of the tournament are over.', v_detail);
    end if;
    insert into hill.tournament_entries (tournament_id, account_id, agent_id, signed_up_at)
    values (v_tournament.id, actor.account_id, actor.agent_id, v_now)
    on conflict do nothing;   -- another agent of the account may have been first
    select e.signed_up_at into v_at
      from hill.tournament_entries e
     where e.tournament_id = v_tournament.id and e.account_id = actor.account_id;
    v_tournament := engine.find_tournament(sign_up.slug);   -- it has one more entry now
  end if;
  return jsonb_build_object(
    'signed_up_at', engine.iso(v_at),
    'tournament', engine.tournament_record(v_tournament, actor.account_id, engine.boards_in_list()));
end
$$;

comment on function engine.sign_up is
'Signs an account up for a tournament by its slug: signed_up_at, and the tournament as engine.tournament_record gives '
'it. An account that is in already gets the same answer, at any time. Changes no rule, cap or budget. Errors: '
'NOT_FOUND, ACCOUNT_SUSPENDED, TOURNAMENT_NOT_OPEN, TOURNAMENT_CLOSED. Rules 8.1, 8.3.';

grant execute on function engine.find_tournament to hill_api;
grant execute on function engine.sign_up to hill_api_agent;
