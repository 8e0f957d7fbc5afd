-- night/night_lines.sql · A published night in bulk: its lists in pages, each of which continues where the one before
-- ended, so that a night of any size is read by short statements and never held in memory whole. A past night never
-- changes, so no snapshot has to span the pages. Rules 10.9, 10.11, 12.

create or replace function engine.announcement_page(day integer, after text, how_many integer)
returns table (entries jsonb, next text)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  with key as (
    select n.at, n.account_id, n.slot
      from hill.announcements n
     where n.day = announcement_page.day
       and n.account_id = split_part(announcement_page.after, '.', 1)::uuid
       and n.slot = split_part(announcement_page.after, '.', 2)::smallint
    union all
    select 'infinity', '00000000-0000-0000-0000-000000000000', 0 where announcement_page.after is null

  ), page as (
    select n.*, row_number() over (order by n.at desc, n.account_id, n.slot) as line
      from key k
     cross join lateral (
       select n.* from hill.announcements n
        where n.day = announcement_page.day
          and n.at <= k.at
          and (n.at < k.at or (n.account_id, n.slot) > (k.account_id, k.slot))
        order by n.at desc, n.account_id, n.slot limit announcement_page.how_many + 1) n
  )
  select coalesce(
           jsonb_agg(engine.announcement_json(i.identity, n.slot, n.intention, n.message, n.at, n.verdict)
                     order by n.line)
             filter (where n.line <= announcement_page.how_many),
           '[]'),
         case when count(*) > announcement_page.how_many then
           max(n.account_id || '.' || n.slot) filter (where n.line = announcement_page.how_many) end
    from page n
    join engine.identities() i on i.account_id = n.account_id
$$;

comment on function engine.announcement_page is
'A page of a day''s announcements, latest first, as engine.show_announcements shows them: those after the one named '
'(account.slot; null: from the first), how_many at most. next names the last one on the page; it is null when none '
'follow. The caller checks the form of after. Rules 6, 10.9.';

create or replace function engine.night_account_page(day integer, after text, how_many integer)
returns table (entries jsonb, next text)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select coalesce(
           jsonb_agg(engine.night_account_json(
                       s.account_id::text,
                       engine.reputation(s.peace_count, s.war_count),
                       s.since,
                       coalesce(a.house, false)) order by s.account_id),
           '[]'),
         case when count(*) = night_account_page.how_many then
           (array_agg(s.account_id::text order by s.account_id desc))[1] end
    from (select s.account_id, s.since, s.peace_count, s.war_count
            from hill.settlements s
           where s.day = night_account_page.day
             and s.account_id > coalesce(night_account_page.after::uuid, '00000000-0000-0000-0000-000000000000')
           order by s.account_id limit night_account_page.how_many) s
    left join hill.accounts a on a.id = s.account_id and a.house
$$;

comment on function engine.night_account_page is
'A page of a stored night''s accounts as a night file has them, by id: those after the one named (null: from the '
'first), how_many at most. next names the last one of a full page. Rules 12.1.';

create or replace function engine.night_move_page(day integer, after text, how_many integer)
returns table (entries jsonb, next text)
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select coalesce(
           jsonb_agg(engine.night_move_json(m.seq, m.account_id::text, m.slot, m.move, m.stake_cents, m.at)
                     order by m.account_id, m.seq),
           '[]'),
         case when count(*) = night_move_page.how_many then
           (array_agg(m.account_id || '.' || m.seq order by m.account_id desc, m.seq desc))[1] end
    from (select m.* from hill.moves m
           where m.day = night_move_page.day and m.ended is null
             and (m.account_id, m.seq)
                 > (coalesce(split_part(night_move_page.after, '.', 1)::uuid, '00000000-0000-0000-0000-000000000000'),
                    coalesce(split_part(night_move_page.after, '.', 2)::bigint, 0))
           order by m.account_id, m.seq limit night_move_page.how_many) m
$$;

comment on function engine.night_move_page is
'A page of a stored night''s live moves as a night file has them, by account: those after the one named (account.seq; '
'null: from the first), how_many at most. next names the last one of a full page. Rules 12.1.';

grant execute on function engine.announcement_page, engine.night_account_page, engine.night_move_page to hill_api;
