-- How entries get their numbers, and the tree grows: in batches, with a few statements for each level and none for a
-- row. Rules 20.3, 20.4.

-- The entries of a log that no stored checkpoint of it has, but for its first, which names the log before it. Rules
-- 20.2.
create or replace function engine.unsigned_entries(generation integer)
returns setof bytea
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select e.entry
    from hill.log_entries e
   where e.generation = unsigned_entries.generation
     and e.index >= (select coalesce(max(c.size), 0) from hill.log_checkpoints c
                      where c.generation = unsigned_entries.generation)
     and substr(e.entry, 1, 4) <> 'log '::bytea          -- what came before that log is said by the next one
$$;

-- Begins a log of an origin, which no log of the hill had, and returns its generation. keys are those that sign it, as
-- clients are told of them (C2SP signed-note). Errors: 23505. Rules 20.2.
create or replace function trusted.begin_log(
  origin text,
  old_origin text default null,
  old_size bigint default null,
  old_root bytea default null,
  keys text[] default '{}')
returns integer
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_generation integer;
  v_at         timestamptz;
begin
  perform trusted.lock_one('log');
  insert into hill.log_generations (generation, origin, keys, began_at)
  select coalesce(max(g.generation), 0) + 1, begin_log.origin, begin_log.keys, engine.now() from hill.log_generations g
  returning generation into v_generation;
  -- What was numbered in the log before it and never signed there is promised, and in no log that anybody is shown.
  insert into hill.log_waiting (at, entry)
  select '-infinity', e.entry from engine.unsigned_entries(v_generation - 1) e (entry);
  insert into hill.log_entries (generation, index, entry)
  select v_generation, 0, f.entry
    from (select coalesce(engine.log_entry(old_origin, old_size, old_root),
                          -- of a log that nothing was signed of: what that one said
                          (select e.entry from hill.log_entries e
                            where e.generation = v_generation - 1 and e.index = 0
                              and substr(e.entry, 1, 4) = 'log '::bytea)) as entry) f
   where f.entry is not null;
  insert into hill.log_heads (generation, size, root, at)
  select v_generation, s.size, engine.log_root(v_generation, s.size), '-infinity'
    from (select count(*) as size from hill.log_entries e where e.generation = v_generation) s;
  select h.at into v_at
    from hill.log_heads h where h.generation = v_generation - 1 order by h.size desc limit 1;
  while v_at is not null and (engine.append_log(v_at) ->> 'whole') = 'false' loop
  end loop;
  return v_generation;
end
$$;

-- About how many entries one transaction numbers at most: seconds of work, of which an end in the middle costs no more.
-- Rules 20.3.
create or replace function engine.log_piece()
returns integer language sql immutable parallel safe
return 131072;

-- Numbers a batch, all that waits from before an instant, sorted by what the entries say and announcements last.
-- Errors: READ_COMMITTED_ONLY; P0002 before trusted.begin_log. Rules 20.3, 20.4.
create or replace function engine.append_log(until timestamptz)
returns jsonb
language plpgsql volatile parallel unsafe security invoker
set search_path to pg_catalog, pg_temp
set work_mem to '64MB'
as $$
declare
  v_generation integer;
  v_old        bigint;
  v_from       bytea;   -- where the piece begins and ends in the order of the batch; null: as far as that goes
  v_to         bytea;
  v_size       bigint;
  v_root       bytea;
begin
  perform trusted.lock_one('log');
  select h.generation, h.size, coalesce(b.at, append_log.until), b.entry
    into strict v_generation, v_old, until, v_from
    from (select * from hill.log_heads order by generation desc, size desc limit 1) h
    left join lateral (
     -- A batch that is not whole goes on behind its last entry, before another begins.
     select h.at, e.entry
       from hill.log_entries e
      where not h.whole and e.generation = h.generation and e.index = h.size - 1
        and exists (select from hill.log_waiting w
                     where w.at < h.at
                       and (engine.is_announced(w.entry), w.entry) >= (engine.is_announced(e.entry), e.entry))) b
      on true;
  -- By a sample, since an order of all that waits would be worked out for each piece again.
  with sample as materialized (
    select engine.is_announced(w.entry) as announced, w.entry
      from hill.log_waiting w tablesample bernoulli (least(100, 100 * 1000 / engine.log_piece()::real))
     where w.at < append_log.until
       and (v_from is null or (engine.is_announced(w.entry), w.entry) >= (engine.is_announced(v_from), v_from))),
  last as (
    select s.* from sample s order by s.announced, s.entry offset least(1000, engine.log_piece()) - 1 limit 1)
  select s.entry into v_to
    from sample s join last l on (s.announced, s.entry) > (l.announced, l.entry)
   order by s.announced, s.entry limit 1;
  with taken as (
    delete from hill.log_waiting w
     where w.at < append_log.until
       and (v_from is null or (engine.is_announced(w.entry), w.entry) >= (engine.is_announced(v_from), v_from))
       and (v_to is null or (engine.is_announced(w.entry), w.entry) < (engine.is_announced(v_to), v_to))
    returning w.entry)
  insert into hill.log_entries (generation, index, entry)
  -- Sorted by what they say, which for what is sealed is a hash: the order tells nobody who came first.
  select v_generation,
         v_old - 1 + row_number() over (order by engine.is_announced(t.entry), t.entry),
         t.entry
    from taken t;
  get diagnostics v_size = row_count;
  if v_size = 0 then
    return null;
  end if;
  v_size := v_old + v_size;
  insert into hill.log_tiles (generation, level, tile, hashes, root)
  select v_generation, 0, t.tile, t.hashes, engine.fold(t.hashes)
    from (select e.index >> 8 as tile, string_agg(engine.leaf_hash(e.entry), '' order by e.index) as hashes
            from hill.log_entries e
           where e.generation = v_generation and e.index >= (v_old >> 8) << 8 and e.index < (v_size >> 8) << 8
           group by 1) t;
  for v_level in 1..7 loop
    exit when v_old >> 8 * (v_level + 1) = v_size >> 8 * (v_level + 1);
    insert into hill.log_tiles (generation, level, tile, hashes, root)
    select v_generation, v_level, t.tile, t.hashes, engine.fold(t.hashes)
      from (select b.tile >> 8 as tile, string_agg(b.root, '' order by b.tile) as hashes
              from hill.log_tiles b
             where b.generation = v_generation
               and b.level = v_level - 1
               and b.tile >= (v_old >> 8 * (v_level + 1)) << 8
               and b.tile < (v_size >> 8 * (v_level + 1)) << 8
             group by 1) t;
  end loop;
  v_root := engine.log_root(v_generation, v_size);
  insert into hill.log_heads (generation, size, root, at, whole)
  values (v_generation, v_size, v_root, append_log.until, v_to is null);
  return jsonb_build_object(
    'generation', v_generation, 'old_size', v_old, 'size', v_size, 'root', encode(v_root, 'base64'),
    'until', append_log.until, 'whole', v_to is null);
end
$$;

-- Whether a day is over and not closed. Rules 20.40.
create or replace function engine.day_waits()
returns boolean
language sql volatile parallel safe security invoker
begin atomic
  select engine.now() >= engine.bell_at(s.closed_day + 1) from hill.settings s;
end;

-- Numbers what happened before the last quarter hour, once a quarter, so that the log tells no more of when than the
-- public count does. Rules 9.3, 20.3, 20.40.
create or replace function trusted.number_log()
returns jsonb
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_quarter timestamptz := date_bin('15 minutes', engine.now(), 'epoch');
begin
  perform trusted.lock_one('log');
  if (select not h.whole or v_quarter > h.at
        from hill.log_heads h order by h.generation desc, h.size desc limit 1) is not true
     -- what is still under way when a day ends would come in a batch of its own: closing numbers all of it in one
     or engine.day_waits() then
    return null;
  end if;
  return engine.append_log(v_quarter);
end
$$;

-- Real seconds until the log may have to be numbered and signed: 0 if it has to be now; null on a clock that stands
-- still. Rules 20.3, 20.11.
create or replace function trusted.seconds_to_log()
returns double precision
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  -- By what happened before the last quarter hour alone: what waits since then must not show in when somebody looks.
  select case when h.at is null
                or not exists (select from hill.log_checkpoints c where (c.generation, c.size) = (h.generation, h.size))
                or not h.whole
                or h.at < q.quarter and exists (select from hill.log_waiting w where w.at < q.quarter)
                   and not engine.day_waits() then 0
              when r.rate > 0 then
                greatest(extract(epoch from q.quarter + interval '15 minutes' - n.now) / r.rate,
                         case when r.rate > 1 then 5 end)::double precision end
    from (select engine.now() as now) n
   cross join lateral (select date_bin('15 minutes', n.now, 'epoch') as quarter) q
   cross join (select coalesce(max(s.rate), 1) as rate from hill.settings s) r
    left join lateral (select * from hill.log_heads order by generation desc, size desc limit 1) h on true
$$;

grant execute on function trusted.begin_log, trusted.number_log, trusted.seconds_to_log to hill_api_worker;
