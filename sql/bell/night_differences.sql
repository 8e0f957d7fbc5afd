-- Compares what the bell published of a night, and took for it, with the same night resolved again. Rules 4.9, 5.3,
-- 5.4.

-- What a place came to, in a few words, for comparison by people.
create or replace function engine.place_words(
  outcome hill.outcome,
  peace_count integer,
  war_count integer,
  burned_cents numeric,
  open boolean)
returns text
language sql immutable parallel safe
return outcome || ', ' || peace_count || ' PEACE, ' || war_count || ' WAR, '
  || trim_scale(burned_cents) || ' cents burned' || case when open then '' else ', not open' end;

-- A seat in a few words, for comparison by people; null for none.
create or replace function engine.seat_words(
  account uuid,
  agent uuid,
  days_held integer,
  via hill.seat_source,
  points numeric,
  seq bigint)
returns text
language sql stable parallel safe security invoker
begin atomic
  select format('%s by %s, held %s, %s points, deposit %s of agent %s',
                (select a.slug from hill.accounts a where a.id = seat_words.account),
                seat_words.via,
                seat_words.days_held,
                trim_scale(seat_words.points),
                seat_words.seq,
                (select g.name from hill.agents g where g.id = seat_words.agent))
   where seat_words.account is not null;
end;

-- An entry of the queue in a few words, for comparison by people.
create or replace function engine.queue_words(place bigint, served_slot smallint)
returns text
language sql immutable parallel safe
return coalesce('number ' || place || ', ' || coalesce('served on ' || served_slot, 'not served'), 'not in it');

-- Where the published places, seats, evictions, queue and verdicts of a night differ from the night resolved again
-- (replayed). Rules 4.9, 6.3, 9.4.
create or replace function engine.result_differences(night integer, replayed engine.resolution)
returns table (subject text, slot smallint, account uuid, seq bigint, published text, recomputed text)
language sql stable parallel safe security invoker
begin atomic
  with published as materialized (
    select engine.published_resolution(result_differences.night) as resolution

  ), otherwise as materialized (
    -- evictions and queue follow from the seats: if those are the same, there is nothing else to compare
    select p.resolution from published p where (p.resolution).seats is distinct from (result_differences.replayed).seats
  )
  select 'places', coalesce(p.slot, r.slot), null::uuid, null::bigint,
         engine.place_words(p.outcome, p.peace_count, p.war_count, p.burned_cents, p.open),
         engine.place_words(r.outcome, r.peace_count, r.war_count, r.burned_cents, r.open)
    from (select x.* from published y cross join lateral unnest((y.resolution).places) x) p
    full join unnest((result_differences.replayed).places) r on r.slot = p.slot
   where (p.outcome, p.peace_count, p.war_count, p.burned_cents, p.open)
         is distinct from (r.outcome, r.peace_count, r.war_count, r.burned_cents, r.open)

   union all
  select 'seats', coalesce(p.slot, r.slot), null, null,
         engine.seat_words(p.account_id, p.agent_id, p.days_held, p.via, p.points, p.seq),
         engine.seat_words(r.account, r.agent_id, r.days_held, r.via, r.points, r.seq)
    from (select s.* from hill.seats s where s.day = result_differences.night) p
    full join (select s.*, m.agent_id
                 from unnest((result_differences.replayed).seats) s
                 left join hill.moves m
                   on m.day = result_differences.night and m.account_id = s.account and m.seq = s.seq) r
      on r.slot = p.slot and r.seat = p.seat
   where (p.account_id, p.agent_id, p.days_held, p.via, p.points, p.seq)
         is distinct from (r.account, r.agent_id, r.days_held, r.via, r.points, r.seq)

   union all
  select 'evicted', coalesce(p.slot, r.slot), coalesce(p.account, r.account), null,
         case when p.account is null then 'not evicted' else 'evicted' end,
         case when r.account is null then 'not evicted' else 'evicted' end
    from (select e.*
            from otherwise o
           cross join lateral
                 engine.night_evicted(engine.stored_night(result_differences.night), o.resolution) e) p
    full join (select e.*
                 from otherwise o
                cross join lateral
                      engine.night_evicted(
                        engine.stored_night(result_differences.night), result_differences.replayed) e) r
      on r.slot = p.slot and r.account = p.account
   where p.account is null or r.account is null

   union all
  select 'queue', coalesce(p.from_slot, r.from_slot), coalesce(p.account, r.account), coalesce(p.seq, r.seq),
         engine.queue_words(p.place, p.served_slot),
         engine.queue_words(r.place, r.served_slot)
    from (select q.*
            from otherwise o
           cross join lateral
                 engine.night_queue(engine.stored_night(result_differences.night), o.resolution) q) p
    full join (select q.*
                 from otherwise o
                cross join lateral
                      engine.night_queue(
                        engine.stored_night(result_differences.night), result_differences.replayed) q) r
      on r.seq = p.seq
   where (p.place, p.served_slot) is distinct from (r.place, r.served_slot)

   union all
  select 'verdicts', n.slot, n.account_id, null, n.verdict::text, engine.verdict(n.intention, m.move)::text
    from hill.announcements n
    left join hill.moves m on m.day = n.day and m.account_id = n.account_id and m.slot = n.slot and m.ended is null
   where n.day = result_differences.night and n.verdict is distinct from engine.verdict(n.intention, m.move);
end;

-- Whether a seniority that a night used (since) is not that of its account. Rules 1.3, 4.2.
create or replace function engine.wrong_seniority(
  since timestamptz,
  night integer,
  created_at timestamptz,
  house boolean)
returns boolean
language sql stable parallel safe security invoker
-- The house has none: it counts as created at the bell. Before that was a rule, its nights used the account's own.
return since is distinct from created_at and (house is not true or since is distinct from engine.bell_at(night));

-- What each live move of a night must cost by the rules, and what was charged for it (cents). Rules 3.1, 3.2.
create or replace function engine.recompute_costs(night integer)
returns table (account uuid, slot smallint, seq bigint, move hill.move, cents bigint, charged_cents bigint)
language sql stable parallel safe security invoker
begin atomic
  -- From the rules, not from what the deposit recorded. Most moves are a challenger's PEACE, and take no call per row.
  select m.account_id,
         m.slot,
         m.seq,
         m.move,
         case when m.move = 'PEACE' and h.slot is null then engine.peace_cents()
              else engine.move_cents(m.move, m.stake_cents, coalesce(h.days_held, 0)) end,
         m.cost_cents
    from hill.moves m
    left join hill.seats h on h.day = recompute_costs.night - 1 and h.slot = m.slot and h.account_id = m.account_id
   where m.day = recompute_costs.night and m.ended is null;
end;

-- How much of a night each account must pay with granted credits (cents). Rules 5.3, 5.4.
create or replace function engine.recompute_granted(night integer)
returns table (account uuid, cents bigint)
language sql stable parallel safe security invoker
begin atomic
  select s.account_id,
         least(s.granted_cents + s.paid_cents,
               coalesce(l.cents, 0) - coalesce(e.cents, 0) - coalesce(t.cents, 0))::bigint
    from hill.settlements s
    left join (select l.account_id, sum(l.cents) as cents
                 from hill.lots l
                where l.granted_at < (select engine.bell_at(recompute_granted.night))
                group by l.account_id) l on l.account_id = s.account_id
    left join (select e.account_id, sum(e.granted_cents) as cents
                 from hill.settlements e
                where e.day < recompute_granted.night and e.granted_cents > 0
                group by e.account_id) e on e.account_id = s.account_id
    left join (select t.debit_account_id, -sum(e.granted_cents) as cents
                 from hill.transfers t cross join engine.wallet_effect(t.kind, t.cents) e
                where t.debit_account_id is not null and t.day < recompute_granted.night
                group by t.debit_account_id) t on t.debit_account_id = s.account_id
   where s.day = recompute_granted.night;
end;

-- Where what was taken for a night (charges, settlements, granted credits first, totals; cents) differs from what its
-- moves cost by the rules. Rules 3.1, 3.2, 5.3, 5.4.
create or replace function engine.money_differences(night integer, replayed engine.resolution)
returns table (subject text, slot smallint, account uuid, seq bigint, published text, recomputed text)
language sql stable parallel safe security invoker
begin atomic
  with cost as materialized (
    select c.* from engine.recompute_costs(money_differences.night) c

  ), settled as (
    select s.* from hill.settlements s where s.day = money_differences.night

  ), drawn as (
    select d.account, d.cents from engine.recompute_granted(money_differences.night) d
  )
  select 'charges', c.slot, c.account, c.seq, c.charged_cents || ' cents', coalesce(c.cents || ' cents', 'no price')
    from cost c
   where c.cents is distinct from c.charged_cents

   union all
  select 'settlements', null, coalesce(s.account_id, c.account), null,
         coalesce(
           (s.granted_cents + s.paid_cents) || ' cents for '
             || s.peace_tonight || ' PEACE and ' || s.war_tonight || ' WAR',
           'nothing'),
         coalesce(c.cents || ' cents for ' || c.peace || ' PEACE and ' || c.war || ' WAR', 'nothing')
    from settled s
    full join (select c.account,
                      sum(c.cents) as cents,
                      count(*) filter (where c.move = 'PEACE') as peace,
                      count(*) filter (where c.move = 'WAR') as war
                 from cost c
                group by c.account) c on c.account = s.account_id
   where (s.granted_cents + s.paid_cents, s.peace_tonight, s.war_tonight) is distinct from (c.cents, c.peace, c.war)

   union all
  select 'credits', null, s.account_id, null,
         s.granted_cents || ' cents granted, ' || s.paid_cents || ' paid',
         coalesce(d.cents, 0) || ' cents granted, ' || s.granted_cents + s.paid_cents - coalesce(d.cents, 0) || ' paid'
    from settled s
    left join drawn d on d.account = s.account_id
   where s.granted_cents <> coalesce(d.cents, 0)

   union all
  select 'totals', null, null, null, t.name || ': ' || t.published, t.name || ': ' || t.recomputed
    from hill.nights n
   cross join (select coalesce(sum(p.rent_cents), 0) as rent,
                      coalesce(sum(p.stakes_cents), 0) as stakes,
                      coalesce(sum(p.burned_cents), 0) as burned,
                      coalesce(sum(p.peace_count + p.war_count), 0) as moves
                 from unnest((money_differences.replayed).places) p) r
   cross join (select count(*) as accounts,
                      coalesce(sum(s.granted_cents), 0) as granted,
                      coalesce(sum(s.paid_cents), 0) as paid
                 from settled s) s
   cross join (select coalesce(sum(e.cents), 0) as expired
                 from hill.transfers e
                where e.day = money_differences.night and e.kind = 'expiry') e
   cross join lateral (values
     ('accounts', n.accounts::numeric, s.accounts::numeric),
     ('moves', n.moves, r.moves),
     ('rent cents', n.rent_cents, r.rent),
     ('stakes cents', n.stakes_cents, r.stakes),
     ('burned cents', n.burned_cents, r.burned),
     ('granted cents', n.granted_cents, s.granted),
     ('paid cents', n.paid_cents, s.paid),
     -- known once all wallets show the night
     ('expired cents',
      case when n.day = engine.unsettled_night() then e.expired else n.expired_cents end,
      e.expired)) t (name, published, recomputed)
   where n.day = money_differences.night and t.published is distinct from t.recomputed;
end;

create or replace function engine.night_differences(night integer, replayed engine.resolution)
returns table (subject text, slot smallint, account uuid, seq bigint, published text, recomputed text)
language sql stable parallel safe security invoker
begin atomic
  select r.* from engine.result_differences(night_differences.night, night_differences.replayed) r
   union all
  select m.* from engine.money_differences(night_differences.night, night_differences.replayed) m;
end;

comment on function engine.night_differences is
'Where what was published of a night, or taken for it, differs from the night resolved again (replayed: '
'engine.resolve_places of engine.stored_night, passed as a value). No rows: no difference. Rules 4.9, 5.3, 5.4, 9.4.';

create or replace function engine.rung_nights(first_day integer, last_day integer)
returns table (day integer, missing boolean)
language sql stable parallel safe security invoker
begin atomic
  -- results of places, and tables of settlements, outlast a last night that was taken away
  select d.day, not exists (select from hill.nights n where n.day = d.day)
    from generate_series(
           greatest(1, rung_nights.first_day),
           least(rung_nights.last_day,
                 greatest(engine.last_night(),
                          (select max(p.day) from hill.place_results p),
                          (select max(p.day) from engine.day_partitions() p where p.parent = 'settlements')))) d (day);
end;

comment on function engine.rung_nights is
'The days in a range whose bell has rung, and whether what was published of that night is missing. Rules 2.2.';

create or replace function engine.replay_nights(first_day integer, last_day integer)
returns table (day integer, subject text, slot smallint, account uuid, seq bigint, published text, recomputed text)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan  -- a night's plan is made for its own partitions
as $$
declare
  v            record;
  v_resolution engine.resolution;
begin
  for v in select n.day, n.missing from engine.rung_nights(first_day, last_day) n order by n.day loop
    if v.missing then
      return query select v.day, 'night', null::smallint, null::uuid, null::bigint, 'missing', null;
    else
      v_resolution := engine.resolve_places(engine.stored_night(v.day));
      return query select v.day, d.* from engine.night_differences(v.day, v_resolution) d;
    end if;
  end loop;
end
$$;

comment on function engine.replay_nights is
'Resolves every night in a range of days again, in order, and returns engine.night_differences of each; of one that is '
'missing (engine.rung_nights), a row that says so. Rules 4.9, 5.3, 5.4, 9.4.';
