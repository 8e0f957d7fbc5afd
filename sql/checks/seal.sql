-- Whether a night is the one that the log has: its deposits, engine, result and file. Rules 20.35, 20.36; decisions
-- 420, 421, 422.

-- What was replaced or withdrawn stays with its account: this policy is for trusted.ended_deposits, which tells nothing
-- but commitments. To the role itself, as in sql/moves/policies.sql: the login that owns the database is a member of
-- every role.
create policy owner_counts on hill.moves for select to hill_owner using ((select current_user) = 'hill_owner');

-- The root of the tree over the first entries of a log, from the entries alone: no stored tile is believed. RFC 6962,
-- 2.1; rules 20.35.
create or replace function engine.root_of_entries(generation integer, size bigint)
returns bytea
language sql stable parallel safe security invoker
begin atomic
  select engine.fold(string_agg(engine.fold(t.hashes), '' order by t.tile))
    from (select e.index >> 8 as tile, string_agg(engine.leaf_hash(e.entry), '' order by e.index) as hashes
            from hill.log_entries e
           where e.generation = root_of_entries.generation and e.index < root_of_entries.size
           group by 1) t;
end;

-- How many entries of each log count. Rules 20.2.
create or replace function engine.log_ends()
returns table (generation integer, size bigint)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select g.generation,
         case when lead(g.generation) over (order by g.generation) is not null then
           (select coalesce(max(c.size), 0) from hill.log_checkpoints c where c.generation = g.generation) end
    from hill.log_generations g
$$;

-- Where the log covers a night: the first head that has its entry, the first signed one if any is, and the last head of
-- each log before that one. right_root. Rules 20.35.
create or replace function trusted.logged_heads(day integer)
returns table (generation integer, origin text, size bigint, root bytea, right_root boolean, checkpoint text)
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  with night as materialized (
    select e.generation, e.index
      from hill.log_entries e
      join engine.log_ends() l on l.generation = e.generation and (e.index < l.size or l.size is null)
     where e.entry >= format('night %s ', logged_heads.day)::bytea
       and e.entry < format('night %s!', logged_heads.day)::bytea
     order by e.generation, e.index limit 1)
  select g.generation, g.origin, h.size, h.root,
         engine.root_of_entries(g.generation, h.size) is not distinct from h.root, h.note
    from night n
    join hill.log_generations g on g.generation <= n.generation
   cross join lateral (
     select h.size, h.root, c.note
       from hill.log_heads h
       left join hill.log_checkpoints c on c.generation = h.generation and c.size = h.size
      where h.generation = g.generation and h.size > case when g.generation = n.generation then n.index else 0 end
      order by c.note is null, case when g.generation = n.generation then h.size else -h.size end
      limit 1) h
$$;

create or replace function trusted.logged_lines(day integer)
returns table (kind text, words text[], generation integer, index bigint)
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select x.words[1], x.words[2:], e.generation, e.index
    from unnest(array['deposit', 'announcement', 'night', 'closed', 'unsealed', 'file']) k (kind)
    join hill.log_entries e
      on e.entry >= format('%s %s ', k.kind, logged_lines.day)::bytea
     and e.entry < format('%s %s!', k.kind, logged_lines.day)::bytea
    join engine.log_ends() l on l.generation = e.generation and (e.index < l.size or l.size is null)
   cross join lateral (select string_to_array(convert_from(e.entry, 'UTF8'), ' ') as words) x
   -- what was numbered today and is not signed is told to nobody
   where logged_lines.day <= engine.last_night()
$$;

comment on function trusted.logged_lines is
'The entries of a day that is resolved, each with its number: deposit, announcement, night, closed, unsealed or file, '
'and the words behind that. Rules 20.8, 20.12, 20.35.';

-- Whether the log names an engine, and its sources are kept and have that SHA-256. Rules 20.9, 20.35.
create or replace function trusted.has_engine(sha256 bytea)
returns boolean
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select exists (select from hill.log_entries e where e.entry = engine.engine_entry(has_engine.sha256))
     and exists (select from hill.engines e
                  where e.sha256 = has_engine.sha256 and sha256(e.source) = has_engine.sha256)
$$;

-- The day of the first deposit, or announcement (kind), that the log has: of what was before there is no commitment.
-- Rules 20.15, 20.46.
create or replace function trusted.first_logged_day(kind text default 'deposit')
returns integer
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select split_part(convert_from(e.entry, 'UTF8'), ' ', 2)::integer
    from hill.log_entries e
   where e.entry >= format('%s ', kind)::bytea and e.entry < format('%s!', kind)::bytea
   order by e.generation, e.index limit 1
$$;

-- The SHA-256 of the night file of a day. Null if there is none, or the night was told anew. Rules 10.10, 20.35.
create or replace function trusted.first_night_file(day integer)
returns bytea
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select a.sha256
    from hill.archives a
   where a.day = first_night_file.day
     and a.form = 'night.json'
     and not exists (select from hill.retellings r where r.day = a.day)
$$;

-- The commitments of a day whose deposits are not live, without account, place or salt, and whether what is kept sealed
-- of each opens it. Rules 9.4, 20.15, 20.35.
create or replace function trusted.ended_deposits(day integer)
returns table (commitment bytea, opens boolean)
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select m.commitment,
         m.commitment is not distinct from engine.commitment(
           m.day, m.account_id, m.slot, m.move::text, m.stake_cents, m.message_hash, engine.iso(m.at), m.ends, m.salt)
    from hill.moves m
   where m.day = ended_deposits.day and m.ended is not null and m.commitment is not null
  union all
  -- taken back by the human
  select m.end_commitment,
         m.end_commitment is not distinct from engine.commitment(
           m.day, m.account_id, m.slot, 'PASS', 0, null, engine.iso(m.ended_at),
           engine.ending(m.salt, m.commitment), m.end_salt)
    from hill.moves m
   where m.day = ended_deposits.day and m.end_commitment is not null
$$;

-- Which live moves of a day (seq) say other words than their account sealed.
create or replace function trusted.altered_words(day integer)
returns table (seq bigint)
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select m.seq
    from hill.moves m
   where m.day = altered_words.day and m.ended is null
     and m.message <> engine.veiled_words()  -- hidden by staff, who leave the hash
     and m.message_hash is distinct from engine.message_hash(m.message_salt, m.message)
$$;

-- Which announcements of a day say other words than when they were made.
create or replace function trusted.altered_announcements(day integer)
returns table (account_id uuid, slot smallint)
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select n.account_id, n.slot
    from hill.announcements n
   where n.day = altered_announcements.day
     and n.message <> engine.veiled_words()  -- hidden by staff, who leave the hash
     and n.message_hash is distinct from engine.message_hash(n.message_salt, n.message)
$$;

create or replace function trusted.night_closing(day integer)
returns table (generation integer, size bigint, right_root boolean, named boolean)
language sql stable parallel safe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  select s.generation, s.size,
         coalesce(engine.root_of_entries(s.generation, s.size), sha256('')) = h.root,
         starts_with(c.note, format(e'%s\n%s\n%s\n', g.origin, s.size, encode(h.root, 'base64')))
    from hill.sealed_nights s
    join hill.log_generations g on g.generation = s.generation
    join hill.log_heads h on h.generation = s.generation and h.size = s.size
    join hill.log_checkpoints c on c.generation = s.generation and c.size = s.size
   where s.day = night_closing.day
$$;

comment on function trusted.night_closing is
'What was signed of a day before its bell: generation and size of that checkpoint, whether the entries have the root '
'of that size, and whether the checkpoint names it. No row if nothing was. Rules 20.35, 20.44.';

create or replace function engine.check_seal(day integer)
returns setof engine.check
language sql stable parallel safe security invoker
begin atomic
  with head as materialized (select h.* from trusted.logged_heads(check_seal.day) h),
  closing as materialized (select c.* from trusted.night_closing(check_seal.day) c),
  line as materialized (
    select l.kind, l.words, coalesce(l.index < h.size, false) as in_time,
           -- in the log of the closing before its end, or in one before that
           coalesce((l.generation, l.index) < (c.generation, c.size), false) as closed
      from trusted.logged_lines(check_seal.day) l
      left join head h using (generation)
      left join closing c on true),
  night as materialized (
    select decode(l.words[2], 'hex') as engine, decode(l.words[3], 'hex') as result from line l where l.kind = 'night'),
  logged as materialized (
    select decode(l.words[2], 'hex') as commitment, l.in_time from line l where l.kind = 'deposit'),
  altered as materialized (select w.seq from trusted.altered_words(check_seal.day) w),
  live as materialized (
    select m.slot, m.account_id, m.commitment,
           coalesce(m.commitment = engine.commitment(
             m.day, m.account_id, m.slot, m.move::text, m.stake_cents, m.message_hash, engine.iso(m.at),
             m.ends, m.salt), false)
           and not exists (select from altered w where w.seq = m.seq) as opens
      from hill.moves m
     where m.day = check_seal.day
       and m.ended is null
       -- of the day on which the log began the first may be from before it
       and (m.commitment is not null
            or check_seal.day > trusted.first_logged_day()
            or m.at > (select min(f.at) from hill.moves f
                        where f.day = check_seal.day and f.ended is null and f.commitment is not null))),
  reworded as materialized (select w.* from trusted.altered_announcements(check_seal.day) w),
  announced as materialized (
    select n.slot, n.account_id, n.commitment,
           coalesce(n.commitment = engine.announcement_commitment(
             n.day, n.account_id, n.slot, n.intention::text, n.message_hash, engine.iso(n.at), n.salt), false)
           and not exists (select from reworded w where (w.account_id, w.slot) = (n.account_id, n.slot)) as opens
      from hill.announcements n
     where n.day = check_seal.day
       -- of the first day that has any in the log, the first may be from before
       and (n.commitment is not null
            or check_seal.day > trusted.first_logged_day('announcement')
            or n.at > (select min(f.at) from hill.announcements f
                        where f.day = check_seal.day and f.commitment is not null))),
  logged_announcement as materialized (
    select decode(l.words[2], 'hex') as commitment, l.in_time from line l where l.kind = 'announcement'),
  ended as materialized (select d.* from trusted.ended_deposits(check_seal.day) d),
  resolved as materialized (
    select engine.result_text(n.night, engine.resolve_places(n.night)) as again,
           engine.result_text(n.night, engine.published_resolution(check_seal.day)) as published
      from (select engine.stored_night(check_seal.day) as night) n)

  select 'The entries of the log have the root that it had when it covered the night',
         sum(h.size)::bigint, count(*) filter (where not h.right_root),
         min(h.origin || ' with ' || h.size || ' entries') filter (where not h.right_root)
    from head h

   union all
  select 'What was signed of that root names it', count(*), count(*) filter (where x.wrong),
         min(x.origin) filter (where x.wrong)
    from (select h.origin,
                 not starts_with(h.checkpoint,
                   format(e'%s\n%s\n%s\n', h.origin, h.size, encode(h.root, 'base64'))) as wrong
            from head h where h.checkpoint is not null) x

   union all
  select 'The log says what resolved the night, and what came of it, once', count(*), abs(count(*) - 1),
         count(*) || ' entries'
    from night

   union all
  select 'The log names the engine, and its sources have that hash', count(*),
         count(*) filter (where not trusted.has_engine(n.engine)),
         min(encode(n.engine, 'hex')) filter (where not trusted.has_engine(n.engine))
    from night n

   union all
  select 'The night, resolved again, has the result that the log has', count(*),
         count(*) filter (where sha256(convert_to(r.again, 'UTF8')) <> n.result),
         min(encode(n.result, 'hex')) filter (where sha256(convert_to(r.again, 'UTF8')) <> n.result)
    from night n cross join resolved r

   union all
  select 'What is published is that result', count(*), count(*) filter (where r.published <> r.again),
         min((select p.line
                from string_to_table(r.published, e'\n') with ordinality p (line, n)
               where p.line <> all (string_to_array(r.again, e'\n')) order by p.n limit 1))
    from resolved r

   union all
  select 'Each live move opens its commitment', count(*), count(*) filter (where not l.opens),
         min(format('%s on place %s', engine.account_words(l.account_id), l.slot)) filter (where not l.opens)
    from live l

   union all
  select 'Each live move was in the log by then', count(*), count(*) filter (where d.commitment is null),
         min(format('%s on place %s', engine.account_words(l.account_id), l.slot)) filter (where d.commitment is null)
    from live l
    left join logged d on d.commitment = l.commitment and d.in_time

   union all
  select 'What was replaced or withdrawn opens its commitment, which was in the log by then', count(*),
         count(*) filter (where not e.opens or d.commitment is null),
         min(encode(e.commitment, 'hex')) filter (where not e.opens or d.commitment is null)
    from ended e
    left join logged d on d.commitment = e.commitment and d.in_time

   union all
  select 'Each deposit that the log has of the day is one of these', count(*),
         count(*) filter (where k.commitment is null),
         min(encode(d.commitment, 'hex')) filter (where k.commitment is null)
    from logged d
    left join (select l.commitment from live l union all select e.commitment from ended e) k using (commitment)

   union all
  select 'The log has as many deposits of the day as the hill', (select count(*) from logged),
         abs((select count(*) from logged) - (select count(*) from live) - (select count(*) from ended)),
         format('%s in the log, %s live and %s not', (select count(*) from logged), (select count(*) from live),
                (select count(*) from ended))

   union all
  select 'Each announcement opens its commitment, which was in the log by then', count(*),
         count(*) filter (where not n.opens or l.commitment is null),
         min(format('%s on place %s', engine.account_words(n.account_id), n.slot))
           filter (where not n.opens or l.commitment is null)
    from announced n
    left join logged_announcement l on l.commitment = n.commitment and l.in_time

   union all
  select 'Each announcement that the log has of the day is one of these, once', count(*),
         greatest(count(*) filter (where n.commitment is null), count(*) - (select count(*) from announced)),
         min(encode(l.commitment, 'hex')) filter (where n.commitment is null)
    from logged_announcement l
    left join announced n using (commitment)

   union all
  select 'What was signed of the day before its bell is the beginning of the log', count(*),
         count(*) filter (where not (c.right_root and c.named)), min(c.size || ' entries')
    from closing c

   union all
  select 'What the log says of how the day was closed is how it was', count(*), count(*) filter (where x.wrong),
         min(x.said) filter (where x.wrong)
    from (select s.said,
                 convert_to(s.said, 'UTF8') is distinct from trusted.seal_entry(check_seal.day) as wrong
            from line l
           cross join lateral (select l.kind || ' ' || array_to_string(l.words, ' ') as said) s
           where l.kind in ('closed', 'unsealed')) x

   union all
  select 'Each deposit that the log has of the day was in it when the day was closed', count(*),
         count(*) filter (where not l.closed), min(l.words[2]) filter (where not l.closed)
    from line l cross join closing c where l.kind = 'deposit'

   union all
  select 'What came of the night came into the log after that', count(*), count(*) filter (where l.closed),
         min(l.words[3]) filter (where l.closed)
    from line l cross join closing c where l.kind = 'night'

   union all
  select 'The night file is the one that the log has', count(*), count(*) filter (where x.wrong),
         min(encode(x.sha256, 'hex')) filter (where x.wrong)
    from (select f.sha256, encode(f.sha256, 'hex') <> l.words[2] as wrong
            from line l
           cross join (select trusted.first_night_file(check_seal.day) as sha256) f
           where l.kind = 'file' and f.sha256 is not null) x;
end;

comment on function engine.check_seal is
'What must hold of a resolved day and of what the log has of it: the tree over its entries, the engine, the result of '
'the night resolved again, each deposit and announcement, what was signed before the bell, and the night file, unless '
'that was made anew since somebody''s name was taken from it. Signatures are for npm run verify. Of a day that the log '
'does not cover the third fails. Rules 20.35.';

grant execute on function
  trusted.logged_heads,
  trusted.logged_lines,
  trusted.has_engine,
  trusted.first_logged_day,
  trusted.ended_deposits,
  trusted.altered_words,
  trusted.altered_announcements,
  trusted.first_night_file,
  trusted.night_closing
  to hill_dba;
