-- The agents of an account, as its human sees them. Rules 9.1; protocol 6.2.

-- When the agents of an account deposited or announced, over 30 nights and today: several rows for one agent. `sealed`:
-- with what is sealed of today. Rules 9.2.
create or replace function engine.agents_acted(account_id uuid, sealed boolean)
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
  if sealed and engine.try_day() then
    return query
    select l.agent_id, l.at from hill.sealed_moves l where l.account_id = agents_acted.account_id;
  end if;
end
$$;

-- The agents of an account: when each was last here, when it lapses or lapsed unless it is used before (null: never),
-- whether it can still play (live), and whether staff have cut it, who may let it in again (held). `sealed`: see
-- engine.agents_acted.
create or replace function engine.account_agents(account_id uuid, sealed boolean)
returns table (
  agent_id uuid,
  name text,
  model text,
  created_at timestamptz,
  cut_at timestamptz,
  lapses_at timestamptz,
  live boolean,
  held boolean,
  last_used_at timestamptz,
  last_acted_at timestamptz,
  client_id text,
  scopes text[])
language sql volatile parallel unsafe security invoker
begin atomic
  select a.id, engine.shown_client(a.name), a.model, a.created_at, a.cut_at, l.at,
         a.cut_at is null and (l.at is null or l.at > engine.door_now()),
         a.cut_at is not null and g.revoked_at is null and l.at > engine.door_now(),
         g.last_used_at, d.at, g.client_id, g.scopes
    from hill.agents a
    left join oauth.grants g on g.agent_id = a.id
    left join oauth.registrations r on r.grant_id = g.id
   cross join lateral (
     select case when r.id is null then engine.lapses_at(g)
                 -- claimed, and its tokens are not fetched yet
                 when r.issued_at is null then r.claim_expires_at
                 -- each use gives another assertion, without which it has to register again
                 else g.last_used_at + make_interval(hours => engine.identity_assertion_hours()) end as at) l
    left join (select d.agent_id, max(d.at) as at
                 from engine.agents_acted(account_agents.account_id, account_agents.sealed) d
                group by d.agent_id) d on d.agent_id = a.id
   where a.account_id = account_agents.account_id;
end;
