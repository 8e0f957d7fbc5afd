-- The agents of an account, as its human sees them. Rules 9.1; protocol 6.2.

-- When the agents of an account deposited or announced, over 30 nights and today: several rows for one agent. Rules
-- 9.2.
create or replace function engine.agents_acted(account_id uuid)
returns table (agent_id uuid, at timestamptz)
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan  -- planned for the nights of the window, not for the partitions of all
as $$
declare
  v_last integer := engine.last_night();
begin
  return query
  select m.agent_id, max(m.at)
    from hill.moves m
   where m.account_id = agents_acted.account_id and m.day > v_last - engine.window_nights()
   group by m.agent_id
  union all
  select n.agent_id, n.at
    from generate_series(greatest(1, v_last - engine.window_nights() + 1), engine.today()) d (day)
   cross join lateral (select n.* from hill.announcements n
                        where n.day = d.day and n.account_id = agents_acted.account_id) n;
  -- tried, for a reader should not wait until the bell has unsealed the table
  if engine.try_day() then
    return query
    select l.agent_id, l.at from hill.sealed_moves l where l.account_id = agents_acted.account_id;
  end if;
end
$$;
