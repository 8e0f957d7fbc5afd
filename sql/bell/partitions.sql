-- Partitions by day, and tonight's sealed moves, which become one at the bell. Each partition is closed to everyone
-- before it is attached: rows are reached through the parent and its policies. Rules 9.1.

-- The name of a table's partition for a day, such as moves_000012.
create or replace function engine.partition_name(parent text, day integer)
returns text language sql immutable parallel safe
return parent || '_' || lpad(day::text, 6, '0');

-- The partitions of the tables that grow by the day, with the day of each.
create or replace function engine.day_partitions()
returns table (parent name, relation oid, name name, day integer)
language sql stable parallel safe security invoker
begin atomic
  select p.relname, c.oid, c.relname, substring(pg_get_expr(c.relpartbound, c.oid) from $re$\((\d+)\)$re$)::integer
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent
    join pg_namespace n on n.oid = p.relnamespace
   where n.nspname = 'hill' and p.relkind = 'p' and c.relkind = 'r';
end;

-- Closes a day's table to direct use, before it is attached or after it was restored. Rules 9.1.
create or replace function engine.close_partition(name text)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  execute format('alter table hill.%I enable row level security, force row level security', name);
  -- No policy covers TRUNCATE, so the privileges go, the owner's too: the rows of a past night are never changed or
  -- removed.
  execute format('revoke update, delete, truncate on hill.%I from hill_owner', name);
  if name like 'moves\_%' then
    execute format('comment on table hill.%I is %L', name, 'The moves of day ' || split_part(name, '_', 2)::integer);
  end if;
end
$$;

-- Closes a day's table to direct use and attaches it to its parent. Called by the owner-run functions of the bell.
create or replace function engine.attach_day(parent text, day integer)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name text := engine.partition_name(parent, day);
begin
  perform engine.close_partition(v_name);
  execute format('alter table hill.%I attach partition hill.%I for values in (%L)', parent, v_name, day);
end
$$;

-- Makes the table for the sealed moves of a day ahead, unless it is there and as moves are by now. It waits in schema
-- engine, where nobody looks for tables, until the bell puts it into its place.
create or replace function engine.prepare_sealed_moves(day integer, anew boolean default false)
returns void
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
as $$
declare
  v_name text := format('engine.%I', engine.partition_name('sealed_moves', day));
  v_old  record;
begin
  -- Each column stands in both: one that is missing, or too many, would keep the table from becoming a partition.
  if not anew and not exists (
       select from pg_attribute a
        where a.attrelid in ('hill.moves'::regclass, to_regclass(v_name)) and a.attnum > 0 and not a.attisdropped
        group by a.attname, a.atttypid, a.attnotnull having count(*) = 1) then
    return;
  end if;
  for v_old in select c.oid::regclass as name from pg_class c
                where c.relnamespace = 'engine'::regnamespace and c.relkind = 'r' order by c.relname loop
    execute format('drop table %s', v_old.name);
  end loop;
  execute format($sql$
    create table %1$s (
      like hill.moves including defaults, constraint sealed_moves_pkey primary key (account_id, seq, day));
    create unique index sealed_moves_live on %1$s (account_id, slot) where ended is null;
    create index sealed_moves_order on %1$s (slot, move, at) where ended is null;
    create index sealed_moves_messages on %1$s (slot, at) where ended is null and message is not null$sql$, v_name);
  perform engine.guard_sealed_moves(v_name::regclass, day);
end
$$;

-- Prepares tomorrow's, so that deposits are refused for a sixth less by a bell of 10,000 accounts.
create or replace function trusted.make_next_table()
returns void
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  -- If a bell is ringing, it makes its own.
  if engine.try_day() then
    lock table hill.day_lock in share update exclusive mode;   -- one maker at a time, and deposits go on
    perform engine.prepare_sealed_moves(engine.last_night() + 2);
  end if;
end
$$;

-- Turns tonight's sealed moves into the day's partition of hill.moves, where they are public, and puts the sealed table
-- of the next day into its place. Runs in the bell's transaction, so nobody sees it before the night is published.
create or replace function trusted.unseal_day(day integer)
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
  perform engine.drop_policies('hill.sealed_moves');
  revoke all on hill.sealed_moves from hill_api_agent, hill_api_human, hill_api_worker;
  for v_old in select i.indexrelid::regclass::text as name, c.relname
                 from pg_index i
                 join pg_class c on c.oid = i.indexrelid
                where i.indrelid = 'hill.sealed_moves'::regclass
                order by c.relname loop
    execute format('alter index %s rename to %I', v_old.name, replace(v_old.relname, 'sealed_moves', v_name));
  end loop;
  execute format('alter table hill.sealed_moves rename to %I', v_name);

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

  perform engine.prepare_sealed_moves(day + 1);
  execute format('alter table engine.%1$I set schema hill; alter table hill.%1$I rename to sealed_moves',
    engine.partition_name('sealed_moves', day + 1));
end
$$;

grant execute on function trusted.make_next_table, trusted.unseal_day to hill_api_worker;
