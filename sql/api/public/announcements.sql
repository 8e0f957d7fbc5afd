-- GET /api/announcements: all that was announced today. Rules 6.1, 6.2.

create or replace function api_public.announcements(
  max integer default null,
  cursor text default null,
  proofs boolean default false)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_max  integer := coalesce(announcements.max, engine.list_length());
  -- A cursor stays with the day that it came from: nothing is skipped or met twice if the bell rings between two pages.
  v_day  integer;
  v_page record;
begin
  if v_max not between 1 and engine.list_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'limit is out of bounds.', jsonb_build_object(
      'argument', 'limit',
      'minimum', 1,
      'maximum', engine.list_length()));
  end if;
  if announcements.cursor !~ format('^\d{1,9}~%s$', engine.mark_form('announcements')) then
    perform engine.refuse('INVALID_ARGUMENT', 'cursor is not one that this list gave.', '{"argument": "cursor"}');
  end if;
  v_day := coalesce(split_part(announcements.cursor, '~', 1)::integer, engine.today());
  select p.entries, p.next into v_page
    from engine.announcement_page(v_day, split_part(announcements.cursor, '~', 2), v_max, proofs) p;
  return jsonb_build_object(
    'day', v_day,
    'announcements', v_page.entries,
    'announcements_total', (select count(*) from hill.announcements n where n.day = v_day),
    'next_cursor', v_day || '~' || v_page.next);
end
$$;

comment on function api_public.announcements is
'What was announced today, the latest first, with announcements_total. Takes how many at most (1 to 1000, which is '
'the default), a cursor, and whether each comes with what opens its commitment (proofs; it does not by default). '
'next_cursor continues with the announcements of the same day, and is null at the end. '
'Errors: INVALID_ARGUMENT. Rules 6.1, 6.2.';

grant execute on function api_public.announcements to hill_public;
