-- Whether every entry of the public log is of something that the hill has, and all that the hill owes the log is in it.
-- engine.check_seal holds one night against the log, with its result. Rules 20.1, 20.4, 20.8, 20.15.

-- All that the log owes an entry to, of nights that are over: what it is, and of which account where that is public.
create or replace function engine.due_entries()
returns table (entry bytea, kind text, day integer, account_id uuid, slot smallint)
language sql stable parallel safe security invoker
begin atomic
  select engine.deposit_entry(m.day, m.commitment), 'deposit', m.day,
         -- what was replaced or withdrawn stays with its account
         case when m.ended is null then m.account_id end, case when m.ended is null then m.slot end
    from hill.moves m
   where m.commitment is not null
   union all
  select engine.deposit_entry(m.day, m.end_commitment), 'deposit', m.day, null, null
    from hill.moves m
   where m.end_commitment is not null
   union all
  select engine.announcement_entry(n.day, n.commitment), 'announcement', n.day, n.account_id, n.slot
    from hill.announcements n
   where n.commitment is not null and n.day <= (select engine.last_night())
   union all
  select engine.night_entry(n.day, n.engine, n.result), 'night', n.day, null, null
    from hill.logged_nights n
   where n.result is not null
   union all
  select engine.file_entry(n.day, n.file), 'file', n.day, null, null from hill.logged_nights n where n.file is not null
   union all
  -- a release before there were such entries rang without one
  select s.entry, 'closing', n.day, null, null
    from hill.logged_nights n
   cross join lateral trusted.seal_entry(n.day) s (entry)
   where exists (select from hill.log_entries x where x.entry = s.entry)
   union all
  select engine.engine_entry(e.sha256), 'engine', e.day, null, null from hill.engines e
   union all
  select engine.receipt_key_entry(k.kid), 'receipt key', null, null, null from oauth.receipt_keys k
   union all
  select e.entry, 'log', null, null, null
    from (select distinct engine.log_entry(g.origin, h.size, h.root) as entry
            from hill.log_generations g
            join hill.log_heads h using (generation)
           where exists (select from hill.log_generations s where s.generation > g.generation)) e
   where exists (select from hill.log_entries x where x.index = 0 and x.entry = e.entry);
end;

-- The entries that count and tell of a night that is over. What is of tonight is told to nobody.
create or replace function engine.told_entries()
returns table (entry bytea, generation integer, index bigint)
language sql stable parallel safe security invoker
begin atomic
  select e.entry, e.generation, e.index
    from hill.log_entries e
    join engine.log_ends() l on l.generation = e.generation and (e.index < l.size or l.size is null)
   where not exists (
     select from generate_series(1, 2) n
      cross join (values ('deposit'), ('announcement')) k (kind)
      where e.entry >= convert_to(format('%s %s ', k.kind, engine.last_night() + n), 'UTF8')
        and e.entry < convert_to(format('%s %s!', k.kind, engine.last_night() + n), 'UTF8'));
end;

-- Where in its log an entry is that stands before one that it should follow. Rules 20.3.
create or replace function engine.disordered_entries()
returns table (generation integer, index bigint)
language sql stable parallel safe security invoker
begin atomic
  select x.generation, x.index
    from (select e.generation, e.index, engine.is_announced(e.entry) as announced, e.entry,
                 lag(engine.is_announced(e.entry)) over w as announced_before, lag(e.entry) over w as before
            from (select h.generation, h.size, lag(h.size, 1, 0::bigint) over (
                           partition by h.generation order by h.size) as from_size
                    from hill.log_heads h
                   where h.whole) h
            join hill.log_entries e
              on e.generation = h.generation and e.index >= h.from_size and e.index < h.size
          window w as (partition by h.generation, h.size order by e.index)) x
   where (x.announced, x.entry) < (x.announced_before, x.before);
end;

-- Whether the log's entries are what the hill has: the first half of engine.check_public_log.
create or replace function trusted.check_log_entries()
returns setof engine.check
language sql stable parallel safe security definer  -- hill_owner: what is not live, and the log, are not for a DBA
set search_path to pg_catalog, pg_temp
as $$
  with due as materialized (
    select d.entry, max(d.kind) as kind, max(d.day) as day, min(d.account_id::text)::uuid as account_id,
           min(d.slot) as slot, count(*) as times
      from engine.due_entries() d
     group by d.entry
  ), told as materialized (
    select e.entry, min(e.index) as index, min(e.generation) as generation, count(*) as times
      from engine.told_entries() e
     group by e.entry
  ), compared as materialized (
    select d.kind, d.day, d.account_id, d.slot, coalesce(d.entry, t.entry) as entry, t.generation, t.index,
           case when d.entry is null then 'is of nothing that the hill has'
                when t.entry is null then 'is not in the log'
                when d.times <> t.times then format('is there %s times, not %s', t.times, d.times) end as fault
      from due d
      full join told t on t.entry = d.entry
     where t.entry is not null or not exists (select from hill.log_waiting w where w.entry = d.entry)
  )
  select 'The entries, tiles and roots of the log are those of one another',
         (select count(*) from hill.log_entries) + (select count(*) from hill.log_heads), count(f.fault),
         min(format('log %s: %s (number %s)', g.origin, f.fault, f.number))
    from hill.log_generations g
    left join lateral engine.check_log(g.generation) f on true

   union all
  select 'Each batch of the log is in its order', (select count(*) from hill.log_heads), count(*),
         min(format('entry %s of log %s', d.index, d.generation))
    from engine.disordered_entries() d

   union all
  select 'What was signed of the log names the root of its size', count(*), count(*) filter (where x.wrong),
         min(format('log %s with %s entries', x.origin, x.size)) filter (where x.wrong)
    from (select g.origin, c.size,
                 starts_with(c.note, format(e'%s\n%s\n%s\n', g.origin, c.size, encode(h.root, 'base64')))
                   is not true as wrong
            from hill.log_checkpoints c
            join hill.log_generations g using (generation)
            left join hill.log_heads h on h.generation = c.generation and h.size = c.size) x

   union all
  select 'Each deposit and announcement of a past night is in the log, once', count(*), count(c.fault),
         (array_agg(coalesce(engine.account_words(c.account_id) || ' on place ' || c.slot || ', day ' || c.day,
                             encode(c.entry, 'escape')) || ': the ' || c.kind || ' ' || c.fault
                    order by c.day, c.slot) filter (where c.fault is not null))[1]
    from compared c where c.kind in ('deposit', 'announcement')

   union all
  select 'Each night, night file, engine and receipt key is in the log, once', count(*), count(c.fault),
         (array_agg(coalesce('day ' || c.day, encode(c.entry, 'escape')) || ': the ' || c.kind || ' ' || c.fault
                    order by c.day) filter (where c.fault is not null))[1]
    from compared c where c.kind in ('night', 'closing', 'file', 'engine', 'receipt key')

   union all
  select 'Each entry of the log is of something that the hill has', count(*) filter (where c.index is not null),
         count(*) filter (where c.kind is null),
         (array_agg(format('entry %s of log %s (%s) %s', c.index, c.generation, encode(c.entry, 'escape'), c.fault)
                    order by c.generation, c.index) filter (where c.kind is null))[1]
    from compared c
   -- a later release may have been here, and have been taken back: what only that one knows is for it to check
   where engine.knows_entry(c.entry)
$$;

-- Whether what the log has of nights is what they are now: the second half of engine.check_public_log.
create or replace function trusted.check_log_nights()
returns setof engine.check
language sql stable parallel safe security definer  -- hill_owner: hidden words, and the log, are not for a DBA
set search_path to pg_catalog, pg_temp
as $$
  select 'Each live move and announcement of a past night opens its commitment', count(*),
         count(*) filter (where x.wrong),
         (array_agg(format('%s on place %s, day %s: the %s of %s is not what was sealed',
                           engine.account_words(x.account_id), x.slot, x.day, x.kind, engine.iso(x.at))
                    order by x.day, x.slot) filter (where x.wrong))[1]
    from (select 'deposit' as kind, m.account_id, m.slot, m.day, m.at,
                 m.commitment is distinct from engine.commitment(
                   m.day, m.account_id, m.slot, m.move::text, m.stake_cents, m.message_hash, engine.iso(m.at),
                   m.ends, m.salt)
                 -- staff may hide the words, and keep them
                 or m.message is not null and m.message_hash is distinct from
                      engine.message_hash(
                        coalesce(h.message_salt, m.message_salt), coalesce(h.words, m.message)) as wrong
            from hill.moves m
            left join hill.hidden_words h
              on h.account_id = m.account_id and h.day = m.day and h.slot = m.slot and h.said_in = 'move'
           where m.ended is null
             and (m.commitment is not null or m.day > trusted.first_logged_day())
           union all
          select 'announcement', n.account_id, n.slot, n.day, n.at,
                 n.commitment is distinct from engine.announcement_commitment(
                   n.day, n.account_id, n.slot, n.intention::text, n.message_hash, engine.iso(n.at), n.salt)
                 or n.message is not null and n.message_hash is distinct from
                      engine.message_hash(
                        coalesce(h.message_salt, n.message_salt), coalesce(h.words, n.message))
            from hill.announcements n
            left join hill.hidden_words h
              on h.account_id = n.account_id and h.day = n.day and h.slot = n.slot and h.said_in = 'announcement'
           where n.day <= (select engine.last_night())
             and (n.commitment is not null or n.day > trusted.first_logged_day('announcement'))) x

   union all
  select 'What is published of each night since the log began is the result that was logged', count(*),
         count(*) filter (where x.result is distinct from x.published),
         (array_agg(format('day %s: %s; sql/replay/day.sql shows where', x.day,
                           case when x.result is null then 'no result is logged' else 'another result is logged' end)
                    order by x.day) filter (where x.result is distinct from x.published))[1]
    from (select n.day, l.result,
                 sha256(convert_to(engine.result_text(
                   row(n.day, null, null, null, null, null)::engine.night, engine.published_resolution(n.day)),
                   'UTF8')) as published
            from engine.rung_nights(1, 999999999) n
            left join hill.logged_nights l on l.day = n.day
           where n.day >= (select min(f.day) from hill.logged_nights f where f.result is not null)) x

   union all
  select 'What was kept of a day that was closed is in the log', count(*), count(*) filter (where x.fault is not null),
         (array_agg(format('day %s: %s', x.day, x.fault) order by x.day) filter (where x.fault is not null))[1]
    from (select coalesce(d.day, s.day) as day,
                 case when d.day is null then 'it was sealed and is not closed'
                      when d.generation is not null and h.size is null then 'its closing is no head of the log'
                      when s.day is not null and c.size is null then 'its seal is not signed'
                      when s.generation = d.generation and s.size < d.size then 'its seal is older than its closing'
                 end as fault
            from hill.closed_days d
            full join hill.sealed_nights s on s.day = d.day
            left join hill.log_heads h on h.generation = d.generation and h.size = d.size
            left join hill.log_checkpoints c on c.generation = s.generation and c.size = s.size) x
$$;

create or replace function engine.check_public_log()
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  select c.* from trusted.check_log_entries() c
   union all
  select c.* from trusted.check_log_nights() c;
end;

comment on function engine.check_public_log is
'Whether every entry of the public log is of something that the hill has, with the hash, the number and the root that '
'belong to it, and all that the hill owes the log is in it: deposits, announcements, nights, files, engines, closings '
'and seals. Rules 20.4, 20.35.';

grant execute on function trusted.check_log_entries, trusted.check_log_nights to hill_dba;
