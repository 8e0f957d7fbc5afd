-- bell/partitions.sql · What only the owner of the tables may do at a bell. Each partition is closed to everyone before
-- it is attached: rows are reached through the parent and its policies. Decisions 7.

create or replace function engine.partition_name(parent text, day integer)
returns text language sql immutable parallel safe
return parent || '_' || lpad(day::text, 6, '0');

comment on function engine.partition_name is 'The name of a table''s partition for a day, such as moves_000012.';

create or replace function engine.attach_day(parent text, day integer)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name text := engine.partition_name(parent, day);
begin
  execute format('alter table hill.%I enable row level security, force row level security', v_name);
  -- No policy covers TRUNCATE, so the privileges go, the owner's too: the rows of a past night are never changed or
  -- removed.
  execute format('revoke update, delete, truncate on hill.%I from hill_owner', v_name);
  execute format('alter table hill.%I attach partition hill.%I for values in (%L)', parent, v_name, day);
end
$$;

comment on function engine.attach_day is
'Closes a day''s table to direct use and attaches it to its parent. Called by the owner-run functions of the bell.';

create or replace function engine.unseal_day(day integer)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
-- A superuser's dump may be reading the table, and everyone who reads its own moves would wait behind this lock. The
-- bell is tried again.
set lock_timeout to '2s'
as $$
declare
  v_name text := engine.partition_name('moves', day);
  v_old  record;
begin
  for v_old in select p.policyname from pg_policies p where p.schemaname = 'hill' and p.tablename = 'sealed_moves' loop
    execute format('drop policy %I on hill.sealed_moves', v_old.policyname);
  end loop;
  revoke all on hill.sealed_moves from hill_api_agent, hill_api_human, hill_api_worker;
  revoke all (ended, ended_at) on hill.sealed_moves from hill_api_agent, hill_api_human, hill_api_worker;
  for v_old in select i.indexrelid::regclass::text as name, c.relname
                 from pg_index i
                 join pg_class c on c.oid = i.indexrelid
                where i.indrelid = 'hill.sealed_moves'::regclass loop
    execute format('alter index %s rename to %I', v_old.name, replace(v_old.relname, 'sealed_moves', v_name));
  end loop;
  execute format('alter table hill.sealed_moves rename to %I', v_name);
  execute format('comment on table hill.%I is %L', v_name, 'The moves of day ' || day);

  -- One scan of all rows: what the policies asked of each deposit holds for the whole night. It saves the scan that
  -- attaching would make.
  execute format(
    'alter table hill.%I add constraint moves_form %s, add constraint sealed_day check (day = %s)',
    v_name,
    (select pg_get_constraintdef(k.oid)
       from pg_constraint k
      where k.conrelid = 'hill.moves'::regclass and k.conname = 'moves_form'),
    day);
  perform engine.attach_day('moves', day);
  execute format('alter table hill.%I drop constraint sealed_day', v_name);

  create table hill.sealed_moves (like hill.moves including defaults, primary key (account_id, seq, day));
  create unique index sealed_moves_live on hill.sealed_moves (account_id, slot) where ended is null;
  create index sealed_moves_order on hill.sealed_moves (slot, move, at) where ended is null;
  create index sealed_moves_messages on hill.sealed_moves (slot, at) where ended is null and message is not null;
  perform engine.guard_sealed_moves(day + 1);
end
$$;

comment on function engine.unseal_day is
'Turns tonight''s sealed moves into the day''s partition of hill.moves, where they are public, and makes the sealed '
'table of the next day. No row is copied or changed. Runs in the bell''s transaction, so nobody sees it before the '
'night is published.';

create or replace function engine.settle_day(day integer)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
-- This joins a million rows to a million. The planner has no statistics of them yet and would look them up one by one.
set enable_nestloop to off
as $$
declare
  v_name text := engine.partition_name('settlements', day);
begin
  -- Indexed after it is filled, which is half the work of inserting into an index. What was reserved is paid, with
  -- granted credits first. If the bell is late, credits granted after midnight do not count: a night is settled as it
  -- stood at its bell.
  execute format($sql$
    create table hill.%1$I as
    select r.account_id,
           case when r.account_id = any (%4$L::uuid[]) then %2$L::timestamptz else w.since end as since,
           g.granted_cents,
           r.cents - g.granted_cents as paid_cents,
           r.day,
           engine.ring_count(engine.ring_at(w.peace_ring, w.ring_day, r.day - 1))::smallint as peace_count,
           engine.ring_count(engine.ring_at(w.war_ring, w.ring_day, r.day - 1))::smallint as war_count,
           r.peace as peace_tonight,
           r.war as war_tonight
      from hill.reservations r
      join hill.wallets w on w.account_id = r.account_id
      left join (select l.account_id, sum(l.cents)::bigint as cents
                   from hill.lots l
                  where l.expires_at >= %2$L::timestamptz + make_interval(hours => 24 * engine.granted_credits_days())
                    and l.granted_at >= %2$L
                  group by l.account_id) late on late.account_id = r.account_id
     cross join lateral (select least(w.granted_cents - coalesce(late.cents, 0), r.cents) as granted_cents) g
     where r.day = %3$L and r.peace + r.war > 0 $sql$,
    v_name,
    engine.bell_at(day),
    day,
    -- The house has no seniority: its accounts count as created at this bell, younger than all others, so the
    -- resolution need not know them. Decisions 11.
    array(select a.id from hill.accounts a where a.house));
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
  perform engine.attach_day('settlements', day);
  execute format('alter table hill.%I drop constraint settled_day', v_name);
end
$$;

comment on function engine.settle_day is
'Writes what each account that moved pays for the day (cents, granted and paid) and the counts that make up its '
'reputation: the bell''s stored input. Specification 2.6; decisions 3, 4.';

create or replace function engine.debit_wallets(day integer)
returns void
language sql volatile parallel unsafe security definer  -- hill_owner: nobody else may touch a balance
set search_path to pg_catalog, pg_temp
set enable_nestloop to off  -- as for engine.settle_day
as $$
  update hill.wallets w
     set paid_cents = w.paid_cents - s.paid_cents,
         granted_cents = w.granted_cents - s.granted_cents,
         ring_day = s.day,
         peace_ring = engine.ring_at(w.peace_ring, w.ring_day, s.day) | ((1 << s.peace_tonight) - 1),
         war_ring = engine.ring_at(w.war_ring, w.ring_day, s.day) | ((1 << s.war_tonight) - 1)
    from hill.settlements s
   where s.day = debit_wallets.day and w.account_id = s.account_id
$$;

comment on function engine.debit_wallets is
'Takes a day''s settlements (cents) from the wallets and counts the day''s moves in their rings, one row for each '
'account that moved. Decisions 3, 4.';

create or replace function engine.rank_day(board integer, day integer)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
set enable_nestloop to off  -- as for engine.settle_day
as $$
declare
  v_name text := engine.partition_name('leaderboard', day);
begin
  execute format($sql$
    create table hill.%I as
    select %L::integer as day,
           b.rank::integer as rank,
           b.account_id,
           b.points,
           b.reputation,
           b.paid_cents,
           b.consumed_cents
      from engine.rank_accounts(%L, %L) b $sql$, v_name, day, board, day);

  -- A bell that has rung meanwhile wrote its night into the wallets, and these ranks may include it.
  if engine.last_night() <> day then
    execute format('drop table hill.%I', v_name);
    return false;
  end if;

  execute format($sql$
    alter table hill.%I
      alter account_id set not null,
      alter points set not null,
      alter reputation set not null,
      alter paid_cents set not null,
      alter consumed_cents set not null,
      add constraint ranked_day check (day = %L),
      add primary key (day, rank) $sql$, v_name, day);
  perform engine.attach_day('leaderboard', day);
  execute format('alter table hill.%I drop constraint ranked_day', v_name);
  return true;
end
$$;

comment on function engine.rank_day is
'Writes the leaderboard after the last night, computed from an earlier board. Attaching it waits for no reader, and '
'no reader waits for it. Returns false, and writes nothing, if the next bell has rung meanwhile. Specification 2.7; '
'decisions 6.';

create or replace function engine.drop_old_boards()
returns integer
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
-- All readers of the boards queue behind this lock request, so it waits hardly longer than one of them takes.
set lock_timeout to '100ms'
as $$
declare
  -- the board before the last stays, for readers who are paging through it when the bell rings
  v_kept    text := engine.partition_name('leaderboard', engine.board_day() - 1);
  v_dropped integer := 0;
  v_old     record;
begin
  if not exists (select from pg_inherits i
                   join pg_class c on c.oid = i.inhrelid
                  where i.inhparent = 'hill.leaderboard'::regclass and c.relname < v_kept) then
    return 0;
  end if;
  lock table hill.leaderboard in access exclusive mode;
  for v_old in select c.relname
                 from pg_inherits i
                 join pg_class c on c.oid = i.inhrelid
                where i.inhparent = 'hill.leaderboard'::regclass and c.relname < v_kept loop
    execute format('drop table hill.%I', v_old.relname);
    v_dropped := v_dropped + 1;
  end loop;
  return v_dropped;
exception
  -- A long read is under way. The boards work without this, and the old ones go once it is over.
  when lock_not_available or deadlock_detected then
    return 0;
end
$$;

comment on function engine.drop_old_boards is
'Drops the leaderboards of the nights before the last two, and returns how many. Run it in a transaction of its own: '
'it takes a lock that blocks all readers of the boards. If the lock is not free at once, nothing is dropped, and a '
'later call will do. Safe to call at any time. Decisions 6.';

create or replace function engine.index_night(day integer)
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name text := engine.partition_name('settlements', day);
begin
  -- The expression that engine.reputation_order is inlined to: an index on the function itself would have to be dropped
  -- whenever these files are reloaded.
  execute format($sql$
    create index if not exists %I on hill.%I
      ((- case when peace_count::integer + war_count::integer = 0 then 0
               else peace_count::integer::double precision / (peace_count::integer + war_count::integer) end), since)
     where peace_tonight > 0 $sql$, v_name || '_queue', v_name);
  execute format('analyze hill.%I', v_name);  -- or the planner would not know how small a part of it a page is

  v_name := engine.partition_name('moves', day);
  execute format($sql$create index if not exists %I on hill.%I (slot, at, seq)
                       where ended is null and move = 'WAR'$sql$, v_name || '_war', v_name);
end
$$;

comment on function engine.index_night is
'Makes the indexes of a resolved night that engine.queue_page and engine.moves_page need, and analyzes its '
'settlements. Runs after the bell, which should not wait for it. Decisions 8.';

grant execute on function
  engine.unseal_day,
  engine.settle_day,
  engine.debit_wallets,
  engine.rank_day,
  engine.drop_old_boards,
  engine.index_night
  to hill_api_worker;

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
'the stored input of the night. Decisions 3, 4.';
