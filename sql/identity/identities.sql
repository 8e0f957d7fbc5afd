-- identity/identities.sql · How an identity is shown, everywhere. Rules 10.5.
-- Sets to be joined: inlined into the queries that use them, one lookup for each identity that is shown.

create or replace function engine.identities()
returns table (account_id uuid, identity jsonb)
language sql stable parallel safe security invoker
begin atomic
  select a.id, jsonb_build_object(
      'accountId', a.id,
      'name', a.name,
      'url', a.url,
      'verified', a.verified,
      'slug', a.slug,
      'badge', a.badge,
      'icon', a.icon,
      'house', a.house)
    from hill.accounts a;
end;

comment on function engine.identities is
'Each account as records show it: accountId, name, url (or null), verified, slug, badge, icon, house. '
'Rules 10.5.';

create or replace function engine.counters()
returns table (account_id uuid, counters jsonb)
language sql stable parallel safe security invoker
begin atomic
  -- in real time: counters count what readers do, whatever the hill's clock says
  select a.id, case when c.shown_until > now() then jsonb_build_object(
      'views', c.shown_views,
      'clicks', c.shown_clicks,
      'agents', c.shown_agents)
                    else jsonb_build_object(
                      'views', coalesce(c.views, 0),
                      'clicks', coalesce(c.clicks, 0),
                      'agents', coalesce(c.agents, 0)) end
    from hill.accounts a left join hill.identity_counters c on c.account_id = a.id;
end;

comment on function engine.counters is
'Views, clicks and agents'' reads of each identity, 0 where there were none. What is shown changes once a minute at '
'most, so that reading, which is counted, does not change every answer. Rules 10.5, 10.8.';

create or replace function engine.last_agent(account_id uuid, night integer)
returns table (agent jsonb)
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object('agentId', g.id, 'model', g.model)
    from hill.wallets w
   cross join lateral (select m.agent_id from hill.moves m
                        where m.account_id = w.account_id and m.day = w.ring_day and m.ended is null
                          -- spares the other partitions even where the wallet's day is not known yet
                          and m.day > last_agent.night - engine.window_nights()
                        order by m.seq desc limit 1) l
    join hill.agents g on g.id = l.agent_id
   where w.account_id = last_agent.account_id
  offset 0;  -- looked up one by one, wherever it is inlined: accounts that are shown are few
end;

comment on function engine.last_agent is
'The agent of an account that moved last, by its published moves, if that was less than 30 nights before a night: '
'agentId, model; no row otherwise. Rules 10.5.';

create or replace function engine.closed_name() returns text language sql immutable parallel safe
return 'Closed account';
comment on function engine.closed_name is
'What an account is called once it is closed. Nobody else may be. Rules 19.4.';

grant execute on function engine.identities, engine.closed_name, engine.counters, engine.last_agent to hill_api;
