-- The settlements of a night, and who may read them. Rules 4, 5.4.

-- Writes what each account that moved pays for the day (cents, granted and paid) and the counts that make up its
-- reputation. Rules 4.1, 4.3, 4.9, 5.3, 5.4.
create or replace function trusted.settle_day(day integer)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
-- This joins a million rows to a million. The planner has no statistics of them yet and would look them up one by one.
set enable_nestloop to off
as $$
declare
  v_name text := engine.partition_name('settlements', day);
  v_bell timestamptz := engine.bell_at(day);
  -- when what is granted at the bell expires, by which lots are looked for: there is no index on when they were granted
  v_granted_till timestamptz := v_bell + make_interval(hours => 24 * engine.granted_credits_days());
begin
  -- Indexed after it is filled, which is half the work of inserting into an index. What was reserved is paid, with
  -- granted credits first, and never more than there is: engine.check_night refuses a night that somebody cannot pay.
  -- If the bell is late, credits granted after midnight do not count: a night is settled as it stood at its bell.
  execute format($sql$
    create table hill.%1$I as
    select r.account_id,
           case when r.account_id = any (%4$L::uuid[]) then %2$L::timestamptz else w.since end as since,
           g.granted_cents,
           least(r.cents - g.granted_cents, w.paid_cents) as paid_cents,
           r.day,
           engine.ring_count(engine.ring_at(w.peace_ring, w.ring_day, r.day - 1))::smallint as peace_count,
           engine.ring_count(engine.ring_at(w.war_ring, w.ring_day, r.day - 1))::smallint as war_count,
           r.peace as peace_tonight,
           r.war as war_tonight
      from hill.reservations r
      join hill.wallets w on w.account_id = r.account_id
      -- In this statement, which sees a wallet and its lots at one instant: credits are granted while the bell rings.
      left join (select l.account_id, sum(l.cents)::bigint as cents
                   from hill.lots l
                  where l.expires_at >= %5$L and l.granted_at >= %2$L
                  group by l.account_id) late on late.account_id = r.account_id
     cross join lateral (select least(w.granted_cents - coalesce(late.cents, 0), r.cents) as granted_cents) g
     where r.day = %3$L and r.peace + r.war > 0 $sql$,
    v_name,
    v_bell,
    day,
    -- The house has no seniority: its accounts count as created at this bell, younger than all others, so the
    -- resolution need not know them. Rules 1.3.
    array(select a.id from hill.accounts a where a.house),
    v_granted_till);
  execute format($sql$
    alter table hill.%I
      alter since set not null,
      alter granted_cents set not null,
      alter paid_cents set not null,
      alter peace_count set not null,
      alter war_count set not null,
      alter peace_tonight set not null,
      alter war_tonight set not null,
      add constraint settled_day check (day = %L),
      add primary key (account_id, day) $sql$, v_name, day);
  -- What is known without looking. Until the table is analyzed the planner would take one row in 200 for the day's, and
  -- whoever reads all of them before (engine.queue_page) would do so alone, by way of an index. Decisions 471.
  perform pg_restore_attribute_stats(
            'schemaname', 'hill',
            'relname', v_name,
            'attname', c.name,
            'inherited', false,
            'null_frac', 0::real,
            'n_distinct', c.distinct_values,
            'most_common_vals', c.common,
            'most_common_freqs', c.frequencies)
     from (values ('account_id', -1::real, null::text, null::real[]),
                  ('day', 1::real, format('{%s}', day), array[1::real])) c (name, distinct_values, common, frequencies);
  perform engine.attach_day('settlements', day);
  execute format('alter table hill.%I drop constraint settled_day', v_name);
end
$$;

grant execute on function trusted.settle_day to hill_api_worker;

alter table hill.settlements enable row level security, force row level security;
revoke update, delete, truncate on hill.settlements from hill_owner;
create policy night_read on hill.settlements for select to hill_api, hill_owner, hill_dba using (true);
create policy staff_read on hill.settlements for select to hill_staff
  using ((select api_staff.staff_name()) is not null);
grant select (account_id, since, day, peace_count, war_count, peace_tonight, war_tonight) on hill.settlements
  to hill_api;
grant select on hill.settlements to hill_api_agent, hill_api_human, hill_api_worker, hill_staff, hill_dba;

create policy owner_settles on hill.reservations for select to hill_owner using ((select current_user) = 'hill_owner');
create policy owner_locks on hill.reservations for update to hill_owner
  using ((select current_user) = 'hill_owner') with check ((select current_user) = 'hill_owner');

comment on table hill.settlements is
'What each account that moved paid for a night (cents, granted and paid credits), and the PEACE and WAR counts of 30 '
'nights and the seniority that gave it its reputation and order. With hill.moves and the seats of the night before: '
'the stored input of the night. Rules 4, 5.4.';
comment on column hill.settlements.account_id is 'Who moved.';
comment on column hill.settlements.since is
'Its seniority, which orders equals; of the house, this bell. Rules 1.3, 4.2.';
comment on column hill.settlements.granted_cents is 'What the night took from granted credits.';
comment on column hill.settlements.paid_cents is 'What it took from paid credits.';
comment on column hill.settlements.day is 'The night.';
comment on column hill.settlements.peace_count is 'PEACE moves of the 30 nights before, for its reputation. Rules 4.3.';
comment on column hill.settlements.war_count is 'WAR moves of the 30 nights before.';
comment on column hill.settlements.peace_tonight is 'Live PEACE moves of this night, which later reputations count.';
comment on column hill.settlements.war_tonight is 'Live WAR moves of this night.';
