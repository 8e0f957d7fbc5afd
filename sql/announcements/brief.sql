-- announcements/brief.sql · Announcements in few words, for the tools. Rules 6.1.

create or replace function engine.brief_announcements(day integer, slot smallint)
returns jsonb
language sql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
  select jsonb_build_object(
      'announcements', coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'slot', n.slot,
        'by', a.slug,
        'house', nullif(a.house, false),
        'intention', n.intention,
        'message', n.message,
        'at', engine.iso(n.at),
        'verdict', n.verdict)) order by n.line) filter (where n.line <= engine.brief_length()), '[]'),
      'more_announcements', count(*) > engine.brief_length(),
      'announcements_total', (
        select count(*) from hill.announcements n
         where n.day = brief_announcements.day
           and (brief_announcements.slot is null or n.slot = brief_announcements.slot)))
    from (select n.*, row_number() over (order by n.at desc, n.account_id, n.slot) as line
            from (select n.* from hill.announcements n
                   where n.day = brief_announcements.day
                     and (brief_announcements.slot is null or n.slot = brief_announcements.slot)
                   order by n.at desc, n.account_id, n.slot limit engine.brief_length() + 1) n) n
    join hill.accounts a on a.id = n.account_id
$$;

comment on function engine.brief_announcements is
'The latest announcements of a day, on one place or all (null): slot, by (slug), intention, message, at, and the '
'verdict once the bell has rung; whether there are more, and how many in all. Rules 6.2, 6.3.';

create or replace function engine.own_announcements(account_id uuid, day integer)
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'slot', n.slot,
      'intention', n.intention,
      'message', n.message,
      'at', engine.iso(n.at),
      'verdict', n.verdict)) order by n.slot), '[]')
    from hill.announcements n
   where n.day = own_announcements.day and n.account_id = own_announcements.account_id;
end;

comment on function engine.own_announcements is
'What an account announced on a day, by place: slot, intention, message, at, and the verdict once the bell has rung. '
'Rules 6.1, 6.3.';

grant execute on function engine.brief_announcements, engine.own_announcements to hill_api_agent;
