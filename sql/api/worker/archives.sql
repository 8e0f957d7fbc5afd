-- What the worker calls to make nights into files. Rules 10.12.

create or replace function api_worker.night_lines(
  n integer,
  list text,
  after text default null,
  max integer default 1000)
returns table (lines text, next text)
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select l.lines, l.next from engine.night_lines(n, list, after, max) l $$;

create or replace function api_worker.next_night_to_archive(forms text[], version integer, passed_over integer[])
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.next_archives(forms, version, passed_over) $$;

-- Workers of the version before call it while new ones take their place. It goes with the next release.
create or replace function api_worker.next_archives(forms text[], version integer)
returns jsonb language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.next_archives(forms, version, '{}') $$;

create or replace function api_worker.add_archive_piece(archive_id bigint, piece integer, body bytea)
returns bigint language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.add_archive_piece(archive_id, piece, body) $$;

create or replace function api_worker.keep_archives(day integer, times integer, version integer, files jsonb)
returns boolean language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.keep_archives(day, times, version, files) $$;

create or replace function api_worker.prune_archives()
returns bigint language sql volatile parallel unsafe security definer set search_path to pg_catalog, pg_temp
as $$ select trusted.prune_archives() $$;

comment on function api_worker.night_lines is
'engine.night_lines(): a piece of a list of a published night, and where the next one begins.';
comment on function api_worker.next_archives is 'See api_worker.next_night_to_archive.';
comment on function api_worker.next_night_to_archive is
'trusted.next_archives(): day and times of the next night to make into files, but for days that are to be passed over; '
'null if there is none.';
comment on function api_worker.add_archive_piece is
'trusted.add_archive_piece(): the number of the file whose piece was stored.';
comment on function api_worker.keep_archives is
'trusted.keep_archives(): whether the files of a night were published; false if it was told anew meanwhile.';
comment on function api_worker.prune_archives is 'trusted.prune_archives(): how many pieces were deleted.';

grant execute on function
  api_worker.night_lines, api_worker.next_archives, api_worker.next_night_to_archive, api_worker.add_archive_piece,
  api_worker.keep_archives, api_worker.prune_archives
  to hill_worker;
