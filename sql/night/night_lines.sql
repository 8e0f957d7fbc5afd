-- A published night in bulk: its lists in pages, each of which continues where the one before ended, so that a night of
-- any size is read by short statements and never held in memory whole. A past night never changes, so no snapshot has
-- to span the pages. Rules 10.9, 10.11, 12.

-- A page of a day's announcements, latest first, as engine.show_announcements shows them, and with proofs each with
-- what opens its commitment (opening; not of those from before the log had them). Rules 6, 10.9, 20.47.
create or replace function engine.announcement_page(
  day integer,
  after text,
  how_many integer,
  proofs boolean default true)
returns table (entries jsonb, next text)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  with key as (
    select n.at, n.account_id, n.slot
      from engine.read_announcement_mark(announcement_page.after) k
      join hill.announcements n on n.day = announcement_page.day and n.account_id = k.account_id and n.slot = k.slot
    union all
    select 'infinity', '00000000-0000-0000-0000-000000000000', 0 where announcement_page.after is null

  ), page as (
    select n.*, row_number() over (order by n.at desc, n.account_id, n.slot) as line
      from key k
     cross join lateral (
       select n.*, engine.announcement_opening(n) as opening from hill.announcements n
        where n.day = announcement_page.day
          and n.at <= k.at
          and (n.at < k.at or (n.account_id, n.slot) > (k.account_id, k.slot))
        order by n.at desc, n.account_id, n.slot limit announcement_page.how_many + 1) n
  )
  select coalesce(
           jsonb_agg(engine.announcement_json(i.identity::jsonb, n.slot, n.intention, n.message, n.at, n.verdict)
                     || case when n.salt is null or not announcement_page.proofs then '{}'
                             else jsonb_build_object('opening', n.opening) end
                     order by n.line)
             filter (where n.line <= announcement_page.how_many),
           '[]'),
         case when count(*) > announcement_page.how_many then
           max(engine.announcement_mark(n.account_id, n.slot)) filter (where n.line = announcement_page.how_many) end
    from page n
   cross join lateral engine.identity_on(n.account_id, announcement_page.day) i
$$;

-- A page of a stored night's accounts as a night file has them, by id. Rules 12.1.
create or replace function engine.night_account_page(day integer, after text, how_many integer)
returns table (entries text[], next text)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select coalesce(
           array_agg(engine.night_account_json(
                       s.account_id::text,
                       engine.reputation(s.peace_count, s.war_count),
                       s.since,
                       coalesce(a.house, false)) order by s.account_id),
           '{}'),
         case when count(*) = night_account_page.how_many then
           (array_agg(s.account_id::text order by s.account_id desc))[1] end
    from (select s.account_id, s.since, s.peace_count, s.war_count
            from hill.settlements s
           where s.day = night_account_page.day
             and s.account_id > coalesce(night_account_page.after::uuid, '00000000-0000-0000-0000-000000000000')
           order by s.account_id limit night_account_page.how_many) s
    left join hill.accounts a on a.id = s.account_id and a.house
$$;

-- A page of a stored night's live moves as a night file has them, by account. Rules 12.1.
create or replace function engine.night_move_page(day integer, after text, how_many integer)
returns table (entries text[], next text)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select coalesce(
           array_agg(engine.night_move_json(m.seq, m.account_id::text, m.slot, m.move, m.stake_cents, m.at)
                     order by m.account_id, m.seq),
           '{}'),
         case when count(*) = night_move_page.how_many then
           (array_agg(engine.move_mark(m.account_id, m.seq) order by m.account_id desc, m.seq desc))[1] end
    from (select m.*
            from engine.read_move_mark(night_move_page.after) k
           cross join hill.moves m
           where m.day = night_move_page.day and m.ended is null
             and (m.account_id, m.seq)
                 > (coalesce(k.account_id, '00000000-0000-0000-0000-000000000000'), coalesce(k.seq, 0))
           order by m.account_id, m.seq limit night_move_page.how_many) m
$$;

-- Entries of a list of a published night, each as a line of JSON (null: none), and the position of the last (next;
-- null: the list ends). Errors: DAY_NOT_RESOLVED, INVALID_ARGUMENT. Rules 10.6, 12.1.
create or replace function engine.night_lines(
  n integer,
  list text,
  after text default null,
  max integer default 1000)
returns table (lines text, next text)
language plpgsql stable parallel safe security invoker
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
      select array_agg(e.entry::text order by e.line) as entries, null::text as next
        into v_page
        from (select engine.published_resolution(n) as resolution offset 0) r
       cross join lateral jsonb_array_elements(engine.show_results(
               n,
               r.resolution,
               engine.list_length(),
               array(select d from engine.seating(n, r.resolution) d))) with ordinality e (entry, line);
    when 'moves' then
      select m.entries, m.next into v_page from engine.show_moves(n, engine.published_resolution(n), after, max) m;
    when 'announcements' then
      select array(select e::text from jsonb_array_elements(a.entries) e) as entries, a.next
        into v_page
        from engine.announcement_page(n, after, max) a;
    when 'queue' then
      select q.entries, q.next into v_page from engine.show_queue(n, engine.published_resolution(n), after, max) q;
    when 'night' then
      select array[engine.night_head(engine.stored_night(n))::text] as entries, null::text as next into v_page;
    when 'night_accounts' then
      select a.entries, a.next into v_page from engine.night_account_page(n, after, max) a;
    when 'night_moves' then
      select m.entries, m.next into v_page from engine.night_move_page(n, after, max) m;
    else
      perform engine.refuse('INVALID_ARGUMENT', 'There is no such list.', '{"argument": "list"}');
  end case;
  return query select nullif(array_to_string(v_page.entries, e'\n'), ''), v_page.next;
end
$$;
