-- api/public/night_lines.sql · GET /api/day/{n} as NDJSON and CSV, and /api/day/{n}/night.json: one piece of a list.
-- Rules 10.6, 12.

create or replace function api_public.night_lines(
  n integer,
  list text,
  after text default null,
  max integer default 1000)
returns table (lines text, next text)
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_page record;
begin
  perform engine.find_night(n);
  if max is null or max not between 1 and engine.piece_length() or after !~ '^[0-9a-f.-]{1,80}$' then
    perform engine.refuse('INVALID_ARGUMENT', 'after or max is out of bounds.', '{"argument": "after"}');
  end if;
  case list
    when 'results' then
      select t.results as entries, null::text as next into v_page
        from engine.add_reasons(
               n,
               engine.published_resolution(n),
               engine.show_results(n, engine.list_length()),
               '[]',
               '[]') t;
    when 'moves' then
      select t.moves as entries, m.next into v_page
        from engine.show_moves(n, after, max) m
       cross join lateral engine.add_reasons(n, engine.published_resolution(n), '[]', m.entries, '[]') t;
    when 'announcements' then
      select a.entries, a.next into v_page from engine.announcement_page(n, after, max) a;
    when 'queue' then
      select t.queue as entries, q.next into v_page
        from engine.published_resolution(n) r
       cross join lateral engine.show_queue(n, r, after, max) q
       cross join lateral engine.add_reasons(n, r, '[]', '[]', q.entries) t;
    when 'night' then
      select jsonb_build_array(engine.night_head(engine.stored_night(n))) as entries, null::text as next into v_page;
    when 'night_accounts' then
      select a.entries, a.next into v_page from engine.night_account_page(n, after, max) a;
    when 'night_moves' then
      select m.entries, m.next into v_page from engine.night_move_page(n, after, max) m;
    else
      perform engine.refuse('INVALID_ARGUMENT', 'There is no such list.', '{"argument": "list"}');
  end case;
  return query
  select string_agg(e.entry::text, e'\n' order by e.line), v_page.next
    from jsonb_array_elements(v_page.entries) with ordinality e (entry, line);
end
$$;

comment on function api_public.night_lines is
'Entries of a list of a published night, each as a line of JSON (null: none), and the position of the last (next; '
'null: the list ends). Takes the position after which to go on (null: the first) and how many at most (1 to 20000). '
'Lists as /api/day/{n} shows them: results, moves, announcements, queue. Of its night file: night (day, open_slots, '
'holders), night_accounts, night_moves. '
'Errors: DAY_NOT_RESOLVED, INVALID_ARGUMENT. Rules 10.6, 12.1.';

grant execute on function api_public.night_lines to hill_public;
