-- What only the owner of the tables may do for the boards: write a leaderboard, and drop old ones. Rules 7.2.

-- Writes the leaderboard after the last night, computed from an earlier board. Rules 7.2.
create or replace function trusted.rank_day(board integer, day integer)
returns integer
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
-- as for trusted.settle_day; and nothing here comes in the order of accounts, so that it would have to be sorted first
set enable_nestloop to off
set enable_mergejoin to off
-- All that comes before the ranks is done by several processes, as the defaults would have it for few rows alone.
set parallel_setup_cost to 100
set parallel_tuple_cost to 0.005
as $$
declare
  v_name    text := engine.partition_name('leaderboard', day);
  v_entries integer;
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
  get diagnostics v_entries = row_count;

  -- A bell that has rung meanwhile wrote its night into the wallets, and these ranks may include it.
  if engine.last_night() <> day then
    execute format('drop table hill.%I', v_name);
    return null;
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
  return v_entries;
end
$$;

-- Drops the leaderboards of the nights before the last two, and returns how many. Rules 7.2.
create or replace function trusted.drop_old_boards()
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

grant execute on function trusted.rank_day, trusted.drop_old_boards to hill_api_worker;
