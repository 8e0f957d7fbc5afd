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

-- Turns tonight's sealed moves into the day's partition of hill.moves, where they are public, and makes the sealed
-- table of the next day. Runs in the bell's transaction, so nobody sees it before the night is published.
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
  perform engine.drop_sealed_policies();
  revoke all on hill.sealed_moves from hill_api_agent, hill_api_human, hill_api_worker;
  revoke all (ended, ended_at, end_salt, end_commitment) on hill.sealed_moves
    from hill_api_agent, hill_api_human, hill_api_worker;
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

  create table hill.sealed_moves (like hill.moves including defaults, primary key (account_id, seq, day));
  create unique index sealed_moves_live on hill.sealed_moves (account_id, slot) where ended is null;
  create index sealed_moves_order on hill.sealed_moves (slot, move, at) where ended is null;
  create index sealed_moves_messages on hill.sealed_moves (slot, at) where ended is null and message is not null;
  perform engine.guard_sealed_moves(day + 1);
end
$$;

grant execute on function trusted.unseal_day to hill_api_worker;
