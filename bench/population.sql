-- A population made in bulk, for benchmarks and crash tests: accounts with credits, mandates and reputations, and two
-- live moves each in tonight's sealed table, as if each had been deposited. Every invariant of the ledger holds
-- afterwards.
--
-- Plain SQL, no psql: run it whole, as a superuser (it bypasses triggers and row-level security) on a prepared hill whose bells are rung. Settings,
-- with their defaults, are set beforehand in the same session, as in  select set_config('population.accounts', '100000', false);
--
--   population.accounts         1000   how many accounts. A second run adds as many more.
--   population.moves            on     two live moves for each on two of places 1 to 9: 1 to 5 mixed (they burn when there are many), 6 with one WAR,
--                                      7 to 9 PEACE only, 10 left vacant
--   population.war_percent      20     how many of the moves on places 1 to 5 are WAR
--   population.granted_percent  50     how many accounts have granted lots beside their paid credits: one lot or two, a tenth of which expire tonight
--   population.history          on     30 nights of random PEACE and WAR counts, so that reputations differ; and two holders of each of places 1 to 9
--                                      where a last night exists and left them empty
--   population.tokens           off    an access token of scope hill:play for each: 'population-1', 'population-2', …
--   population.seed             1      the same seed makes the same population
begin;
set local session_replication_role = replica;  -- millions of rows: their triggers' work is done in bulk below
set local work_mem = '256MB';

create temporary table population on commit drop as
select p.n, f.*, a.id, g.id as agent_id, f.bell_at - interval '1 day' as day_at,
       -- one independent random number from 0 to 9999 for each purpose
       h.r1, h.r2, h.r3, h.r4, h.r5, h.r6, h.r7
  from (select coalesce(nullif(current_setting('population.accounts', true), ''), '1000')::integer as accounts,
               coalesce(nullif(current_setting('population.moves', true), ''), 'on')::boolean as with_moves,
               coalesce(nullif(current_setting('population.war_percent', true), ''), '20')::integer as war_percent,
               coalesce(nullif(current_setting('population.granted_percent', true), ''), '50')::integer as granted_percent,
               coalesce(nullif(current_setting('population.history', true), ''), 'on')::boolean as with_history,
               coalesce(nullif(current_setting('population.tokens', true), ''), 'off')::boolean as with_tokens,
               coalesce(nullif(current_setting('population.seed', true), ''), '1')::bigint as seed,
               engine.last_night() as last_night, engine.bell_at(engine.last_night() + 1) as bell_at,
               (select count(*) from hill.accounts a where a.slug like 'population-%')::integer as made_before) f
 cross join generate_series(f.made_before + 1, f.made_before + f.accounts) p (n)
 cross join lateral (select ('01900000-0000-7000-8000-' || lpad(to_hex(p.n), 12, '0'))::uuid as id) a
 cross join lateral (select ('01900000-0000-7000-8001-' || lpad(to_hex(p.n), 12, '0'))::uuid as id) g
 cross join lateral (
   select (hashint8extended(p.n, f.seed * 10 + 1) & 9223372036854775807) % 10000 as r1, (hashint8extended(p.n, f.seed * 10 + 2) & 9223372036854775807) % 10000 as r2,
          (hashint8extended(p.n, f.seed * 10 + 3) & 9223372036854775807) % 10000 as r3, (hashint8extended(p.n, f.seed * 10 + 4) & 9223372036854775807) % 10000 as r4,
          (hashint8extended(p.n, f.seed * 10 + 5) & 9223372036854775807) % 10000 as r5, (hashint8extended(p.n, f.seed * 10 + 6) & 9223372036854775807) % 10000 as r6,
          (hashint8extended(p.n, f.seed * 10 + 7) & 9223372036854775807) % 10000 as r7) h;
analyze population;

-- Who they are. Seniority by number, a minute apart, all before tonight.
insert into hill.accounts (id, name, slug, created_at)
select p.id, 'Population ' || p.n, 'population-' || p.n, p.day_at - interval '400 days' + p.n % 432000 * interval '1 minute' from population p order by p.n;
insert into hill.agents (id, account_id, name, model, created_at)
select p.agent_id, p.id, 'Population ' || p.n, 'population', p.day_at - interval '100 days' from population p order by p.n;
insert into hill.mandates (account_id, daily_cap_cents, max_stake_cents, updated_at)
select p.id, 100000, 1500, p.day_at - interval '100 days' from population p order by p.n;
insert into oauth.access_tokens (token_hash, agent_id, scopes, created_at, expires_at)
select sha256(convert_to('population-' || p.n, 'UTF8')), p.agent_id, '{hill:read,hill:play}', p.day_at, 'infinity' from population p where p.with_tokens order by p.n;

-- What they have: paid credits for all, lots for some. An account's lots lie end to end, in the order in which they were granted and expire.
create temporary table population_lots on commit drop as
select row_number() over (order by l.n, l.granted_at, l.lot) as number, l.account_id, l.cents, l.granted_at,
       sum(l.cents) over (partition by l.n order by l.granted_at, l.lot) - l.cents as from_cents
  from (select p.n, l.lot, p.id as account_id, 200 + (p.r2 * l.lot) % 1300 as cents,
               -- 90 days ago at noon expires at tonight's bell
               case when p.r3 % 10 = l.lot then p.day_at - interval '89 days 12 hours' else p.day_at - ((p.r3 * l.lot) % 88) * interval '1 day' end as granted_at
          from population p cross join generate_series(1, 2) l (lot)
         where p.r1 < p.granted_percent * 100 and (l.lot = 1 or p.r2 % 2 = 0)) l;
insert into hill.transfers (day, at, kind, debit_code, credit_account_id, cents, reason)
select 0, p.day_at - interval '100 days', 'topup', 'cash', p.id, 20000, 'Population' from population p order by p.n;
with granted as (
  insert into hill.transfers (day, at, kind, debit_code, credit_account_id, cents, reason)
  select 0, l.granted_at, 'grant', 'grants', l.account_id, l.cents, 'Population ' || l.number from population_lots l order by l.number
  returning id, reason
)
insert into hill.lots (account_id, transfer_id, from_cents, cents, granted_at, expires_at)
select l.account_id, g.id, l.from_cents, l.cents, l.granted_at, l.granted_at + make_interval(days => engine.granted_credits_days())
  from granted g join population_lots l on g.reason = 'Population ' || l.number order by g.id;

insert into hill.wallets (account_id, since, paid_cents, granted_cents, ring_day, peace_ring, war_ring)
select p.id, p.day_at - interval '400 days' + p.n % 432000 * interval '1 minute', 20000, coalesce(l.cents, 0), r.last_night, r.peace, r.war & ~r.peace
  from population p
  left join (select l.account_id, sum(l.cents) as cents from population_lots l group by 1) l on l.account_id = p.id
 cross join lateral (
   -- Bits of a ring in pairs, 00 or 01: at most one PEACE or one WAR a night. Ten profiles and 30 random nights give thousands of reputations.
   select p.last_night, case when p.with_history then hashint8extended(p.n, p.seed * 10 + 8) & b.pairs else 0 end as peace,
          case when p.with_history and p.r7 % 10 > 3 then hashint8extended(p.n, p.seed * 10 + 9) & hashint8extended(p.n, p.seed * 10 + 10 * (p.r7 % 10)) & b.pairs
               else 0 end as war
     from (select x'0555555555555555'::bit(64)::bigint as pairs) b) r
 order by p.n;
update hill.ledger_accounts l
   set balance_cents = l.balance_cents - case l.code when 'cash' then (select 20000 * count(*) from population)
                                                     else (select coalesce(sum(g.cents), 0) from population_lots g) end
 where l.code in ('cash', 'grants');

-- Who holds places: the first accounts of the population, where the last night left nobody.
insert into hill.seats (day, slot, seat, account_id, agent_id, seq, days_held, via, points)
select p.last_night, (p.n - p.made_before + 1) / 2, 1 + (p.n - p.made_before + 1) % 2, p.id, p.agent_id, -p.n, p.r4 % 6, 'holder',
       engine.points(((p.n - p.made_before + 1) / 2)::integer, 2)
  from population p
 where p.n - p.made_before <= 18 and p.with_history and p.last_night > 0
   and not exists (select from hill.seats s where s.day = p.last_night and s.slot = (p.n - p.made_before + 1) / 2);

-- What they play tonight: two different places each; a holder of the first 18 plays on the place that it holds.
create temporary table population_moves on commit drop as
select p.id as account_id, p.agent_id, m.slot::smallint as slot, m.move, m.stake_cents,
       case m.move when 'WAR' then m.stake_cents
                   else engine.move_cents('PEACE', 0, coalesce((select s.days_held from hill.seats s where s.day = p.last_night and s.slot = m.slot and s.account_id = p.id), 0))
       end as cost_cents,
       -- to the microsecond over 23 hours, in no order of accounts; equal instants happen
       p.day_at + ((hashint8extended(p.n * 2 + m.which, p.seed) & 9223372036854775807) % 82800000000) * interval '1 microsecond' as at,
       case when p.r7 % 3 = 0 then 'Message of ' || p.n end as message
  from population p
 cross join lateral (select case when p.n - p.made_before <= 18 then (p.n - p.made_before + 1) / 2 else 1 + p.r5 % 9 end as first) f
 cross join lateral (
   select 1 as which, f.first as slot, p.r4 as r union all
   select 2, 1 + (f.first + p.r6 % 8) % 9, p.r3) w
 cross join lateral (
   select w.which, w.slot, k.move, case when k.move = 'WAR' then 800 + p.r2 % 700 else 0 end as stake_cents
     from (select case when w.slot <= 5 and w.r % 100 < p.war_percent then 'WAR'
                       when w.slot = 6 and w.which = 1 and p.n = p.made_before + 11 then 'WAR'   -- a holder of place 6, in the first run
                       else 'PEACE' end::hill.move as move) k) m
 where p.with_moves;
insert into hill.sealed_moves (day, account_id, agent_id, at, slot, move, stake_cents, cost_cents, message)
select (select engine.last_night() + 1), m.account_id, m.agent_id, m.at, m.slot, m.move, m.stake_cents, m.cost_cents, m.message
  from population_moves m order by m.at;
insert into hill.reservations (account_id, day, cents, peace, war, moves)
select p.id, case when m.account_id is null then 0 else p.last_night + 1 end, coalesce(m.cents, 0), coalesce(m.peace, 0), coalesce(m.war, 0), coalesce(m.moves, 0)
  from population p
  left join (select m.account_id, sum(m.cost_cents) as cents, count(*) filter (where m.move = 'PEACE') as peace,
                    count(*) filter (where m.move = 'WAR') as war, count(*) as moves
               from population_moves m group by 1) m on m.account_id = p.id
 order by p.n;
commit;

analyze hill.accounts;
analyze hill.agents;
analyze hill.mandates;
analyze hill.wallets;
analyze hill.reservations;
analyze hill.lots;
analyze hill.transfers;
analyze hill.sealed_moves;
