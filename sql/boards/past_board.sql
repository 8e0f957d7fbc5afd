-- The boards after a night that is over, from what the nights published. Rules 7.1, 10.7; decisions 255.

-- The leaderboard after a night that is over, of all who had points in its 30 nights. Rules 7.1, 7.2, 10.7.
create or replace function engine.past_board(night integer)
returns table (rank bigint, account_id uuid, points numeric, reputation numeric, since timestamptz)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_accounts uuid[];
  v_points   numeric[];
begin
  -- A night has twenty seats, so these are six hundred accounts at most, however many moved.
  select array_agg(p.account_id), array_agg(p.points) into v_accounts, v_points
    from (select s.account_id, sum(s.points) as points
            from hill.seats s
           where s.day > past_board.night - engine.window_nights() and s.day <= past_board.night
           group by s.account_id) p
    join hill.accounts a on a.id = p.account_id
   where p.points > 0 and not a.house;
  return query
  select row_number() over (order by engine.points_order(p.points, r.reputation, r.since, p.account_id)),
         p.account_id,
         p.points,
         r.reputation,
         r.since
    from unnest(v_accounts, v_points) p (account_id, points)
    join engine.reputations(v_accounts, past_board.night + 1) r on r.account = p.account_id;
end
$$;

-- engine.efficiency after a night that is over, of those who had points. Rules 5.6, 7.4, 10.7.
create or replace function engine.past_efficiency(night integer)
returns table (
  rank bigint, account_id uuid, points numeric, consumed_cents bigint, points_per_dollar numeric, nights bigint)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_accounts uuid[] := array(
    select b.account_id from engine.past_board(past_efficiency.night) b where b.rank <= engine.efficiency_top());
begin
  return query
  select row_number() over (
           order by engine.efficiency_order(b.points, c.cents) desc,
                    engine.tie_order(b.reputation, b.since, b.account_id)),
         b.account_id,
         b.points,
         c.cents,
         engine.points_per_dollar(b.points, c.cents),
         engine.nights_seated(b.account_id, past_efficiency.night)
    from engine.past_board(past_efficiency.night) b
    join (select m.account_id, sum(m.cost_cents)::bigint as cents
            from hill.moves m
           where m.account_id = any (v_accounts)
             and m.day > past_efficiency.night - engine.window_nights()
             and m.day <= past_efficiency.night
             and m.ended is null
           group by m.account_id) c on c.account_id = b.account_id
   where c.cents >= engine.efficiency_minimum_cents()
   order by 1;
end
$$;

-- The agent of an account that moved last in the 30 nights up to a night: agentId, model; no row if none did. Rules
-- 10.5.
create or replace function engine.agent_of_window(account_id uuid, night integer)
returns table (agent jsonb)
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object('agentId', g.id, 'model', g.model)
    from (select m.agent_id
            from hill.moves m
           where m.account_id = agent_of_window.account_id
             and m.day > agent_of_window.night - engine.window_nights()
             and m.day <= agent_of_window.night
             and m.ended is null
           order by m.day desc, m.seq desc limit 1) m
    join hill.agents g on g.id = m.agent_id
  offset 0;  -- looked up one by one, wherever it is inlined
end;
