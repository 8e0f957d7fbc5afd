-- GET /api/days, /archive/{sha256}, and nights in bulk. Rules 10.12.

create or replace function api_public.archive(n integer, form text, version integer)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_night hill.nights := engine.find_night(n);
begin
  return jsonb_build_object(
    'entries', v_night.moves + (select count(*) from hill.announcements x where x.day = n),
    'file', (select engine.archive_json(a)
               from hill.archives a
              where a.day = n and a.form = archive.form and a.version = archive.version));
end
$$;

comment on function api_public.archive is
'The file of a published night in a form and a version of it: file (see engine.archive_json; null: not made yet); and '
'how many moves and announcements the night has (entries). Errors: DAY_NOT_RESOLVED. Rules 10.12.';

create or replace function api_public.archive_of(sha256 text)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_file jsonb;
begin
  if archive_of.sha256 !~ '^[0-9a-f]{64}$' then
    perform engine.refuse('INVALID_ARGUMENT', 'sha256 is 64 hexadecimal digits in lower case.',
                          '{"argument": "sha256"}');
  end if;
  select engine.archive_json(a) into v_file
    from hill.archives a where a.sha256 = decode(archive_of.sha256, 'hex') order by a.id limit 1;
  if v_file is null then
    perform engine.refuse('NOT_FOUND', 'No night has a file with that hash.', '{"argument": "sha256"}');
  end if;
  return v_file;
end
$$;

comment on function api_public.archive_of is
'The file with a SHA-256 (hexadecimal): see engine.archive_json. Of two that are the same bytes, either. Errors: '
'INVALID_ARGUMENT; NOT_FOUND, also where the night was told anew. Rules 10.12.';

create or replace function api_public.archive_piece(id bigint, piece integer)
returns bytea
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
  select p.body from hill.archive_pieces p where p.archive_id = archive_piece.id and p.piece = archive_piece.piece
$$;

comment on function api_public.archive_piece is
'A piece of the gzip of a file, the first of which is 1; null if the file is not stored. Rules 10.12.';

create or replace function api_public.days(max integer default null, cursor text default null)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_max  integer := coalesce(max, engine.page_length());
  v_last integer := engine.last_night();
  v_from integer;
begin
  if v_max not between 1 and engine.page_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'limit is out of bounds.', jsonb_build_object(
      'argument', 'limit',
      'minimum', 1,
      'maximum', engine.page_length()));
  end if;
  if cursor !~ '^[1-9]\d{0,8}$' then
    perform engine.refuse('INVALID_ARGUMENT', 'cursor is not one that this list gave.', '{"argument": "cursor"}');
  end if;
  -- a cursor is the night after which to go on, so a bell between two pages neither skips nor repeats one
  v_from := least(v_last, days.cursor::integer - 1);
  v_from := coalesce(v_from, v_last);
  return jsonb_build_object(
    'days', (
      select coalesce(jsonb_agg(engine.show_night_figures(d.day) order by d.day desc), '[]')
        from generate_series(greatest(1, v_from - v_max + 1), v_from) d (day)),
    'days_total', v_last,
    'next_cursor', case when v_from - v_max > 0 then (v_from - v_max + 1)::text end);
end
$$;

comment on function api_public.days is
'The nights that are over, the last first, in pages of 1 to 100 (which is the default): see engine.show_night_figures; '
'days_total; and next_cursor, null at the end. Errors: INVALID_ARGUMENT. Rules 10.12.';

grant execute on function api_public.archive, api_public.archive_of, api_public.archive_piece, api_public.days
  to hill_public;
