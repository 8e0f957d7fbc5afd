-- GET /api/day/{n} as NDJSON and CSV, and /api/day/{n}/night.json: one piece of a list. Rules 10.6, 12.

create or replace function api_public.night_lines(
  n integer,
  list text,
  after text default null,
  max integer default 1000)
returns table (lines text, next text)
language sql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$ select l.lines, l.next from engine.night_lines(n, list, after, max) l $$;

comment on function api_public.night_lines is
'engine.night_lines(): a piece of a list of a published night, and where the next one begins. Rules 10.6, 12.1.';

grant execute on function api_public.night_lines to hill_public;
