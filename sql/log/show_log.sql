-- What readers get of the log: what is in the tree of the last stored checkpoint, and nothing of what waits or was
-- numbered since. Rules 20.12.

-- Which of the logs of a host has that origin: 1 for the first. Rules 20.2.
create or replace function engine.log_number(origin text)
returns integer language sql immutable strict parallel safe
return coalesce(substring(origin from '/log/([0-9]{1,9})$')::integer, 1);

-- The last log of that number (null: of any) that has a checkpoint, and its last checkpoint with what witnesses signed.
-- Rules 20.12.
create or replace function trusted.shown_log(number integer default null)
returns table (generation integer, origin text, size bigint, note text, signed_at timestamptz)
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select g.generation, g.origin, c.size, engine.cosigned_note(c.generation, c.size), c.signed_at
    from hill.log_generations g
   cross join lateral (select c.* from hill.log_checkpoints c
                        where c.generation = g.generation order by c.size desc limit 1) c
   where engine.log_number(g.origin) = coalesce(number, engine.log_number(g.origin))
   order by g.generation desc limit 1
$$;

-- A tile of a log by its number, cut to a width of at most 256 hashes (C2SP tlog-tiles); at level -1 a bundle of
-- entries. Rules 20.4, 20.12.
create or replace function trusted.log_tile(number integer, level integer, tile bigint, width integer)
returns bytea
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select case
           when width not between 1 and 256 or level not between -1 and 7 or tile < 0 or tile > 1::bigint << 36
                or (tile << 8) + width > l.size >> 8 * greatest(level, 0) then null
           when level = -1 then engine.log_bundle(l.generation, tile << 8, (tile << 8) + width)
           else engine.log_hashes(l.generation, level, tile << 8, (tile << 8) + width) end
    from trusted.shown_log(number) l
$$;

-- The logs of the hill, the one that grows first. Rules 20.12.
create or replace function trusted.show_log()
returns jsonb
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'simulated', (select s.clock = 'simulated' from hill.settings s),
    'logs', (
      select coalesce(jsonb_agg(jsonb_build_object(
                 'origin', g.origin,
                 'number', engine.log_number(g.origin),
                 'keys', g.keys,
                 'handover', (select o.note from hill.log_handovers o where o.generation = g.generation),
                 'beganAt', engine.iso(g.began_at),
                 'signedAt', engine.iso(c.signed_at),
                 'size', c.size,
                 'root', encode(h.root, 'base64'),
                 'witnesses', (
                   select coalesce(jsonb_agg(jsonb_build_object(
                            'name', split_part(s.witness, '+', 1),
                            'key', s.witness,
                            'seenAt', engine.iso(s.seen_at)) order by s.seen_at, s.witness), '[]')
                     from hill.log_cosignatures s
                    where s.generation = c.generation and s.size = c.size)) order by g.generation desc), '[]')
        from hill.log_generations g
       cross join lateral (select c.* from hill.log_checkpoints c
                            where c.generation = g.generation order by c.size desc limit 1) c
        join hill.log_heads h on h.generation = c.generation and h.size = c.size))
$$;

grant execute on function trusted.shown_log, trusted.log_tile, trusted.show_log to hill_api_public;
