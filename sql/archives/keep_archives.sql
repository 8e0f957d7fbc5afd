-- What the worker stores: one night at a time, all of its files in one transaction. Rules 10.12; decisions 243.

-- Whether a file has all that it should have: its pieces, unless it is large and of a night before the last 30. Rules
-- 10.12.
create or replace function engine.is_stored(archive hill.archives, last_night integer)
returns boolean
language sql stable parallel safe security invoker
begin atomic
  select is_stored.last_night - (archive).day >= engine.window_nights()
         and (archive).coded_bytes > engine.archive_large_bytes()
      or exists (select from hill.archive_pieces p where p.archive_id = (archive).id and p.piece = 1);
end;

-- The last night that lacks a file of these forms in this version, but for days that are to be passed over: day, and
-- how often it was told anew (times). Rules 10.12.
create or replace function trusted.next_archives(forms text[], version integer, passed_over integer[])
returns jsonb
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_last integer := engine.last_night();
  v_day  integer;
begin
  -- on a simulated clock whose nights last seconds, nobody reads them and the next one waits
  if exists (select from hill.settings s where s.rate > 8640) then
    return null;
  end if;
  perform from hill.locks l where l.name = 'archives' for update skip locked;
  if not found then
    return null;   -- another worker is at it
  end if;
  -- its long lists are read in the order of indexes that are made with the boards
  select n.day into v_day
    from hill.nights n
   where n.day <= engine.board_day()
     and n.day <> all (next_archives.passed_over)
     and exists (select from unnest(next_archives.forms) f (form)
                  where not exists (select from hill.archives a
                                     where a.day = n.day
                                       and a.form = f.form
                                       and a.version = next_archives.version
                                       and engine.is_stored(a, v_last)))
   order by n.day desc limit 1;
  return case when v_day is not null then jsonb_build_object(
    'day', v_day,
    'times', (select coalesce(max(r.times), 0) from hill.retellings r where r.day = v_day)) end;
end
$$;

-- Stores a piece of a file that is being made, and returns the number of the file, which the first piece gives it
-- (null). Rules 10.12.
create or replace function trusted.add_archive_piece(archive_id bigint, piece integer, body bytea)
returns bigint
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
declare
  v_id bigint := coalesce(archive_id, nextval('hill.archives_id_seq'));
begin
  insert into hill.archive_pieces (archive_id, piece, body)
  values (v_id, add_archive_piece.piece, add_archive_piece.body);
  return v_id;
end
$$;

-- Publishes the files of a night, whose pieces the same transaction has stored, and logs its night file. Rules 10.10,
-- 10.12, 20.10.
create or replace function trusted.keep_archives(day integer, times integer, version integer, files jsonb)
returns boolean
language plpgsql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
begin
  -- Whoever takes something from the night has recorded that and not yet committed, and is waited for; or comes later,
  -- and finds these rows.
  lock table hill.retellings in share mode;
  if keep_archives.times
     <> (select coalesce(max(r.times), 0) from hill.retellings r where r.day = keep_archives.day) then
    return false;
  end if;
  delete from hill.archives a where a.day = keep_archives.day;
  insert into hill.archives (
    id, day, form, version, bytes, sha256, coded_bytes, coded_sha256, pieces, made_at)
  select f.id,
         keep_archives.day,
         f.form,
         keep_archives.version,
         f.bytes,
         decode(f.sha256, 'hex'),
         f.coded_bytes,
         decode(f.coded_sha256, 'hex'),
         f.pieces,
         engine.now()
    from jsonb_to_recordset(keep_archives.files) f (
           id bigint, form text, bytes bigint, sha256 text, coded_bytes bigint, coded_sha256 text, pieces integer);
  perform trusted.log_file(a.day, a.sha256)
     from hill.archives a where a.day = keep_archives.day and a.form = 'night.json';
  perform trusted.note_change('archives');
  return true;
end
$$;

-- Deletes pieces of files that were made anew, and of large files of nights before the last 30; 200 at most. Rules
-- 10.12.
create or replace function trusted.prune_archives()
returns bigint
language sql volatile parallel unsafe security definer  -- hill_owner
set search_path to pg_catalog, pg_temp
as $$
  with pruned as (
    delete from hill.archive_pieces d
     where (d.archive_id, d.piece) in (
             select p.archive_id, p.piece
               from hill.archive_pieces p
              where not exists (select from hill.archives a
                                 where a.id = p.archive_id
                                   and not (a.coded_bytes > engine.archive_large_bytes()
                                            and engine.last_night() - a.day >= engine.window_nights()))
              limit 200)
    returning 1)
  select count(*) from pruned
$$;

grant execute on function
  trusted.next_archives, trusted.add_archive_piece, trusted.keep_archives, trusted.prune_archives
  to hill_api_worker;
