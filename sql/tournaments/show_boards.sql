-- Pages of a tournament's three boards. Rules 8.4, 10.7.

-- The figures of an entry on a tournament's board, over the tournament's nights. points. Rules 8.4.
create or replace function engine.board_figures(board text, s hill.tournament_standings)
returns jsonb
language sql immutable parallel safe
return case board_figures.board
  when 'points' then jsonb_build_object('points', (s).points, 'reputation', (s).reputation)
  when 'efficiency' then jsonb_build_object(
    'points', (s).points,
    'consumed_cents', (s).consumed_cents,
    'points_per_dollar', engine.points_per_dollar((s).points, (s).consumed_cents))
  else jsonb_build_object(
    'announced', (s).kept + (s).betrayed + (s).bluffed + (s).ghosted,
    'kept', (s).kept,
    'betrayed', (s).betrayed,
    'bluffed', (s).bluffed,
    'ghosted', (s).ghosted) end;

-- Entries of a tournament's boards (points, efficiency, record) after a night. Rules 8.4, 10.7.
create or replace function engine.board_entries(
  tournament_id integer,
  day integer,
  after integer,
  how_many integer,
  account_id uuid)
returns table (board text, mine boolean, rank integer, account_id uuid, agent_id uuid, figures jsonb)
language sql stable parallel safe security invoker
begin atomic
  select r.board,
         r.mine,
         r.rank,
         (r.standing).account_id,
         (r.standing).agent_id,
         engine.board_figures(r.board, r.standing)
    from (select 'points' as board, false as mine, s.points_rank as rank, s as standing from hill.tournament_standings s
           where s.tournament_id = board_entries.tournament_id and s.day = board_entries.day
             and s.points_rank > board_entries.after and s.points_rank <= board_entries.after + board_entries.how_many
          union all
          select 'efficiency', false, s.efficiency_rank, s from hill.tournament_standings s
           where s.tournament_id = board_entries.tournament_id and s.day = board_entries.day
             and s.efficiency_rank > board_entries.after
             and s.efficiency_rank <= board_entries.after + board_entries.how_many
          union all
          select 'record', false, s.record_rank, s from hill.tournament_standings s
           where s.tournament_id = board_entries.tournament_id and s.day = board_entries.day
             and s.record_rank > board_entries.after and s.record_rank <= board_entries.after + board_entries.how_many
          union all
          select m.board, true, m.rank, s
            from hill.tournament_standings s
           cross join lateral (values
             ('points', s.points_rank),
             ('efficiency', s.efficiency_rank),
             ('record', s.record_rank)) m (board, rank)
           where s.tournament_id = board_entries.tournament_id
             and s.day = board_entries.day
             and s.account_id = board_entries.account_id
             and m.rank is not null) r;
end;

-- The three boards of a tournament after a night. Rules 8.4, 10.7.
create or replace function engine.show_boards(
  tournament hill.tournaments,
  day integer,
  after integer,
  how_many integer,
  account_id uuid)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object('day', show_boards.day) || jsonb_object_agg(k.board,
           k.head || jsonb_build_object('entries', coalesce(e.entries, '[]'))
           || case when show_boards.account_id is null then '{}' else jsonb_build_object('mine', e.mine) end)
    from (select 1) one
    left join hill.tournament_boards b on b.tournament_id = (show_boards.tournament).id and b.day = show_boards.day
   cross join lateral (values
     ('points', jsonb_build_object('total', coalesce(b.points_entries, 0))),
     ('efficiency', jsonb_build_object(
       'total', coalesce(b.efficiency_entries, 0),
       'eligibility_top_n', engine.efficiency_top(),
       'min_spend_cents', engine.efficiency_minimum_cents())),
     ('record', jsonb_build_object('total', coalesce(b.record_entries, 0)))) k (board, head)
    left join (select e.board,
                      jsonb_agg(x.entry order by e.rank) filter (where not e.mine) as entries,
                      (array_agg(x.entry) filter (where e.mine))[1] as mine
                 from engine.board_entries(
                        (show_boards.tournament).id,
                        show_boards.day,
                        show_boards.after,
                        show_boards.how_many,
                        show_boards.account_id) e
                -- one by one: few are shown, however many the planner expects
                cross join lateral (
                  select i.identity from engine.identities() i where i.account_id = e.account_id offset 0) i
                cross join lateral (select g.model from hill.agents g where g.id = e.agent_id offset 0) g
                cross join lateral (
                  select jsonb_build_object('rank', e.rank, 'agentId', e.agent_id, 'model', g.model)
                         || i.identity || e.figures as entry) x
                group by e.board) e on e.board = k.board
$$;
