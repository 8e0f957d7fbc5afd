-- A human closes the account: one transaction, ordered against the bell and against every deposit. Rules 19.3, 19.4,
-- 19.5; decisions 105, 106, 107.

-- Cuts every agent of an account: see engine.cut_agent.
create or replace function engine.cut_agents(account_id uuid)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  perform engine.cut_agent(a.account_id, a.id)
     from (select g.account_id, g.id
             from hill.agents g
             left join oauth.grants h on h.agent_id = g.id
            where g.account_id = cut_agents.account_id
              and (g.cut_at is null or h.revoked_at is null)   -- staff have cut it, and could let it in again
            order by g.id) a;
end
$$;
