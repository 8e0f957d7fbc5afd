-- Announcements in few words, for the tools. Rules 6.1.

-- The members of what engine.brief_announcements gives, as JSON, with at most so many of guests. No more than
-- engine.list_length() are counted: agents ask all day, and each would count all that is said.
create or replace function engine.tell_announcements(day integer, slot smallint, most integer)
returns text
language sql stable parallel safe security invoker
begin atomic
  with house as materialized (
    select a.id from hill.accounts a where a.house

  ), latest as (
    select n.*
      from hill.announcements n
     where n.day = tell_announcements.day
       and (tell_announcements.slot is null or n.slot = tell_announcements.slot)
       and n.account_id <> all (array(select h.id from house h))
     order by n.at desc, n.account_id, n.slot
     limit tell_announcements.most

  ), of_the_house as (
    select n.intention, n.verdict, string_agg(n.slot::text, ', ' order by n.slot) as slots
      from house h
      join hill.announcements n on n.day = tell_announcements.day and n.account_id = h.id
     where tell_announcements.slot is null or n.slot = tell_announcements.slot
     group by n.intention, n.verdict
  )
  select concat(
    '"announcements": [', (
      select string_agg(concat(
                 '{"slot": ', n.slot,
                 ', "by": ' || to_json(a.slug)::text,
                 ', "intention": "', n.intention, '"',
                 ', "message": ' || to_json(n.message)::text,
                 ', "at": "', engine.iso(n.at), '"',
                 ', "verdict": "' || n.verdict::text || '"',
                 '}'), ', ' order by n.at desc, n.account_id, n.slot)
        from latest n
       cross join lateral engine.profile_on(n.account_id, tell_announcements.day) a),
    '], "house_announcements": [', (
      select string_agg(concat(
                 '{"intention": "', o.intention, '"',
                 ', "verdict": "' || o.verdict::text || '"',
                 ', "slots": [', o.slots, ']}'), ', ' order by o.intention, o.verdict)
        from of_the_house o),
    '], "announcements_total": ', (
      select count(*)
        from (select from hill.announcements n
               where n.day = tell_announcements.day
                 and (tell_announcements.slot is null or n.slot = tell_announcements.slot)
               limit engine.list_length()) counted));
end;

-- The announcements of a day, on one place or all (null). Rules 6.2, 6.3.
create or replace function engine.brief_announcements(day integer, slot smallint)
returns jsonb
language sql stable parallel safe security invoker
return concat('{', engine.tell_announcements(day, slot, engine.brief_length()), '}')::jsonb;

-- What an account announced on a day, by place: slot, intention, message, at, and the verdict once the bell has rung.
-- Rules 6.1, 6.3.
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
