-- tournaments/show_boards.sql · Pages of a tournament's three boards. Specification 2.3; decisions 8.

create function engine.ranked_identity(rank integer, identity jsonb, standing hill.tournament_standings)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object('rank', ranked_identity.rank) || ranked_identity.identity || jsonb_build_object('agentId', g.id, 'model', g.model)
    from hill.agents g where g.id = (ranked_identity.standing).agent_id;
end;

comment on function engine.ranked_identity(integer, jsonb, hill.tournament_standings) is
'The head of an entry on a board of a tournament: rank, the identity, agentId and model of the agent that moved last. Decisions 8.';

create function engine.points_entry(s hill.tournament_standings, identity jsonb)
returns jsonb language sql stable parallel safe security invoker
begin atomic
  select engine.ranked_identity((points_entry.s).points_rank, points_entry.identity, points_entry.s)
         || jsonb_build_object('points', (points_entry.s).points, 'reputation', (points_entry.s).reputation);
end;

create function engine.efficiency_entry(s hill.tournament_standings, identity jsonb)
returns jsonb language sql stable parallel safe security invoker
begin atomic
  select engine.ranked_identity((efficiency_entry.s).efficiency_rank, efficiency_entry.identity, efficiency_entry.s)
         || jsonb_build_object('points', (efficiency_entry.s).points, 'consumed_cents', (efficiency_entry.s).consumed_cents,
                               'points_per_dollar', round((efficiency_entry.s).points * 100 / (efficiency_entry.s).consumed_cents, 4));
end;

create function engine.record_entry(s hill.tournament_standings, identity jsonb)
returns jsonb language sql stable parallel safe security invoker
begin atomic
  select engine.ranked_identity((record_entry.s).record_rank, record_entry.identity, record_entry.s)
         || jsonb_build_object('announced', (record_entry.s).kept + (record_entry.s).betrayed + (record_entry.s).bluffed + (record_entry.s).ghosted,
                               'kept', (record_entry.s).kept, 'betrayed', (record_entry.s).betrayed, 'bluffed', (record_entry.s).bluffed,
                               'ghosted', (record_entry.s).ghosted);
end;

comment on function engine.points_entry(hill.tournament_standings, jsonb) is 'An entry of a tournament''s points board: points of its nights, reputation. Specification 2.3.';
comment on function engine.efficiency_entry(hill.tournament_standings, jsonb) is
'An entry of a tournament''s efficiency board: points and consumed_cents (cents, granted credits included) of its nights, points_per_dollar. Specification 2.3.';
comment on function engine.record_entry(hill.tournament_standings, jsonb) is
'An entry of a tournament''s record board: how many announcements of its nights were judged, and how. Specification 2.3.';

create function engine.show_boards(tournament hill.tournaments, day integer, after integer, how_many integer, account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  with mine as (
    select s as standing, s.points_rank, s.efficiency_rank, s.record_rank, i.identity
      from hill.tournament_standings s join engine.identities() i on i.account_id = s.account_id
     where s.tournament_id = (show_boards.tournament).id and s.day = show_boards.day and s.account_id = show_boards.account_id
  )
  select jsonb_build_object(
      'day', show_boards.day,
      'points', jsonb_build_object(
        'total', coalesce(b.points_entries, 0),
        'entries', (select coalesce(jsonb_agg(engine.points_entry(s, i.identity) order by s.points_rank), '[]')
                      from hill.tournament_standings s join engine.identities() i on i.account_id = s.account_id
                     where s.tournament_id = (show_boards.tournament).id and s.day = show_boards.day
                       and s.points_rank > show_boards.after and s.points_rank <= show_boards.after + show_boards.how_many))
        || case when show_boards.account_id is null then '{}' else jsonb_build_object('mine',
             (select engine.points_entry(m.standing, m.identity) from mine m where m.points_rank is not null)) end,
      'efficiency', jsonb_build_object(
        'total', coalesce(b.efficiency_entries, 0), 'eligibility_top_n', engine.efficiency_top(), 'min_spend_cents', engine.efficiency_minimum_cents(),
        'entries', (select coalesce(jsonb_agg(engine.efficiency_entry(s, i.identity) order by s.efficiency_rank), '[]')
                      from hill.tournament_standings s join engine.identities() i on i.account_id = s.account_id
                     where s.tournament_id = (show_boards.tournament).id and s.day = show_boards.day
                       and s.efficiency_rank > show_boards.after and s.efficiency_rank <= show_boards.after + show_boards.how_many))
        || case when show_boards.account_id is null then '{}' else jsonb_build_object('mine',
             (select engine.efficiency_entry(m.standing, m.identity) from mine m where m.efficiency_rank is not null)) end,
      'record', jsonb_build_object(
        'total', coalesce(b.record_entries, 0),
        'entries', (select coalesce(jsonb_agg(engine.record_entry(s, i.identity) order by s.record_rank), '[]')
                      from hill.tournament_standings s join engine.identities() i on i.account_id = s.account_id
                     where s.tournament_id = (show_boards.tournament).id and s.day = show_boards.day
                       and s.record_rank > show_boards.after and s.record_rank <= show_boards.after + show_boards.how_many))
        || case when show_boards.account_id is null then '{}' else jsonb_build_object('mine',
             (select engine.record_entry(m.standing, m.identity) from mine m where m.record_rank is not null)) end)
    from (select 1) one
    left join hill.tournament_boards b on b.tournament_id = (show_boards.tournament).id and b.day = show_boards.day
$$;

comment on function engine.show_boards(hill.tournaments, integer, integer, integer, uuid) is
$$The three boards of a tournament after a night: day, points, efficiency and record, each with total and the entries of the ranks after one, so many at most; for
an account that asks, with its own entry (mine: null where it has none). Specification 2.3; decisions 8.$$;

grant execute on function engine.ranked_identity(integer, jsonb, hill.tournament_standings), engine.points_entry(hill.tournament_standings, jsonb),
  engine.efficiency_entry(hill.tournament_standings, jsonb), engine.record_entry(hill.tournament_standings, jsonb),
  engine.show_boards(hill.tournaments, integer, integer, integer, uuid) to hill_api;
