-- Wallets as they are once the last night is settled. A bell publishes what accounts pay before all wallets show it:
-- see sql/bell/settle_wallets.sql. Rules 5.4, 5.5.

-- The last night, while there are wallets that do not show it; null otherwise.
create or replace function engine.unsettled_night()
returns integer
language sql stable parallel safe security invoker
begin atomic
  select max(s.last_night) from hill.settings s where s.settled_night < s.last_night;
end;

-- What an account paid for a night (cents), and how many moves of each kind it made.
create or replace function engine.settlement_of(account_id uuid, night integer)
returns table (granted_cents bigint, paid_cents bigint, peace smallint, war smallint)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan  -- of one partition: a plan for any night would lock those of all
rows 1
as $$
begin
  return query
  select s.granted_cents, s.paid_cents, s.peace_tonight, s.war_tonight
    from hill.settlements s where s.day = settlement_of.night and s.account_id = settlement_of.account_id;
end
$$;

-- The moves of engine.settlement_of alone, which are no secret.
create or replace function engine.moves_of_night(account_id uuid, night integer)
returns table (peace smallint, war smallint)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan
rows 1
as $$
begin
  return query
  select s.peace_tonight, s.war_tonight
    from hill.settlements s where s.day = moves_of_night.night and s.account_id = moves_of_night.account_id;
end
$$;

-- How much of what each account was ever granted (cents), spent or not, has not expired after the bell of a night. No
-- row without a lot. Inlined, so that one account is found by its key.
create or replace function engine.unexpired(night integer)
returns table (account_id uuid, cents bigint)
language sql stable parallel safe security invoker
begin atomic
  select l.account_id,
         max(l.from_cents + l.cents)
           - coalesce(max(l.from_cents + l.cents) filter (where l.expires_at <= n.bell_at), 0)
    from hill.nights n cross join hill.lots l
   where n.day = unexpired.night
   group by l.account_id;
end;

-- What the wallet of an account, last written for the night ring_day, does not show of the last night: no row once all
-- wallets show it. night: null where the wallet shows what it took. Granted credits are at most unexpired_cents.
-- Inlined into the queries that use it, as those below: hence no search_path.
create or replace function engine.pending(account_id uuid, ring_day integer)
returns table (
  night integer,
  granted_cents bigint,
  paid_cents bigint,
  peace smallint,
  war smallint,
  unexpired_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  -- the settings decide whether anything is looked for
  select x.night, x.granted_cents, x.paid_cents, x.peace, x.war,
         (select u.cents from engine.unexpired(s.last_night) u where u.account_id = pending.account_id)
    from hill.settings s
    left join lateral (select s.last_night as night, y.*
                         from engine.settlement_of(pending.account_id, s.last_night) y
                        where pending.ring_day < s.last_night) x on true
   where s.settled_night < s.last_night;
end;

-- The settled credits (cents) of an account.
create or replace function engine.credits_of(account_id uuid)
returns table (granted_cents bigint, paid_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  select least(w.granted_cents - coalesce(p.granted_cents, 0), p.unexpired_cents),  -- null: no bound
         w.paid_cents - coalesce(p.paid_cents, 0)
    from hill.wallets w
    left join lateral engine.pending(w.account_id, w.ring_day) p on true
   where w.account_id = credits_of.account_id;
end;

-- An account's seniority, and its PEACE and WAR counts of 30 nights, as rings of ring_day, on which it moved last.
create or replace function engine.record_of(account_id uuid)
returns table (since timestamptz, peace_ring bigint, war_ring bigint, ring_day integer)
language sql stable parallel safe security invoker
begin atomic
  select w.since,
         case when p.night is null then w.peace_ring
              else engine.ring_with(w.peace_ring, w.ring_day, p.night, p.peace) end,
         case when p.night is null then w.war_ring
              else engine.ring_with(w.war_ring, w.ring_day, p.night, p.war) end,
         coalesce(p.night, w.ring_day)
    from hill.wallets w
    left join lateral (select s.last_night as night, x.*
                         from hill.settings s
                        cross join lateral engine.moves_of_night(w.account_id, s.last_night) x
                        where s.settled_night < s.last_night and w.ring_day < s.last_night) p on true
   where w.account_id = record_of.account_id;
end;

-- Every settlement that the wallet of its account does not show; none once the last night is settled.
create or replace function engine.pending_settlements()
returns table (account_id uuid, granted_cents bigint, paid_cents bigint, peace smallint, war smallint)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan
as $$
declare
  v_night integer := engine.unsettled_night();
begin
  if v_night is null then
    return;
  end if;
  return query
  select s.account_id, s.granted_cents, s.paid_cents, s.peace_tonight, s.war_tonight
    from hill.settlements s join hill.wallets w on w.account_id = s.account_id
   where s.day = v_night and w.ring_day < v_night;
end
$$;
