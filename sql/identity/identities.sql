-- How an identity is shown, everywhere. Rules 10.5. Sets to be joined: inlined into the queries that use them, one
-- lookup for each identity that is shown.

-- What records say of an account that is a namesake, and of others nothing. Rules 10.5.
create or replace function engine.namesake_field(namesake boolean)
returns jsonb
language sql immutable parallel safe
return case when namesake then '{"namesake": true}'::jsonb else '{}'::jsonb end;

-- Each account as records show it: accountId, name, url (or null), verified, slug, badge, icon, house; and namesake, if
-- it is one. Rules 10.5.
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
      'house', a.house) || engine.namesake_field(a.namesake)
    from hill.accounts a;
end;

-- Views, clicks and agents' reads of each identity, 0 where there were none. What is shown changes once a minute at
-- most, so that reading, which is counted, does not change every answer. Rules 10.5, 10.8.
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

-- For each of some accounts whose last published move was less than 30 nights before a night. Rules 10.5.
create or replace function engine.last_agents(accounts uuid[], night integer)
returns table (account_id uuid, agent jsonb)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_nights record;
begin
  -- A query for each night on which some of them moved last: it is planned for that night's moves alone. One query for
  -- all would be planned for the moves of 30 nights, each time, which takes longer than to read a page.
  for v_nights in
    select r.ring_day as day, array_agg(a.id) as accounts
      from unnest(last_agents.accounts) a (id)
     cross join lateral engine.record_of(a.id) r
     where r.ring_day > last_agents.night - engine.window_nights()
     group by r.ring_day
  loop
    return query
    select a.id, jsonb_build_object('agentId', g.id, 'model', g.model)
      from unnest(v_nights.accounts) a (id)
     cross join lateral (select m.agent_id
                           from hill.moves m
                          where m.account_id = a.id and m.day = v_nights.day and m.ended is null
                          order by m.seq desc limit 1) l
      join hill.agents g on g.id = l.agent_id;
  end loop;
end
$$;

-- What an account is called once it is closed. Nobody else may be. Rules 19.4.
create or replace function engine.closed_name() returns text language sql immutable parallel safe
return 'Closed account';
