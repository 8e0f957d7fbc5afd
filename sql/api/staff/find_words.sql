-- What was said, and is published. Rules 18.2, 18.5.

create type api_staff.found_words as (
  account_id uuid,
  day integer,
  slot smallint,
  said_in text,
  words text,
  hidden boolean);

comment on type api_staff.found_words is
'What an account said on a place on a day, in its move or its announcement (said_in: message or announcement), and '
'whether staff hide it.';
comment on column api_staff.found_words.account_id is 'Who said it.';
comment on column api_staff.found_words.day is 'On which day.';
comment on column api_staff.found_words.slot is 'On which place.';
comment on column api_staff.found_words.said_in is 'In what: message or announcement.';
comment on column api_staff.found_words.words is 'What was said, hidden or not.';
comment on column api_staff.found_words.hidden is 'Whether staff hide it.';

create or replace function api_staff.find_words(
  text text default null,
  first_day integer default null,
  last_day integer default null,
  slot integer default null)
returns setof api_staff.found_words
language plpgsql stable parallel restricted security definer
set search_path to pg_catalog, pg_temp
set plan_cache_mode to force_custom_plan  -- planned for the nights that are asked for, not for the partitions of all
as $$
declare
  v_staff text := engine.enter_looking();
  v_text  text := lower(btrim(text));
  v_last  integer := coalesce(last_day, engine.today());
  v_first integer := coalesce(first_day, v_last - engine.window_nights());
begin
  if coalesce(char_length(v_text) not between 2 and 100, slot is null) then
    perform engine.refuse('INVALID_ARGUMENT', 'text has 2 to 100 characters; without a text, slot is a place.',
      '{"argument": "text"}');
  end if;
  return query
  select w.account_id, w.day, w.slot, w.said_in, coalesce(h.words, w.words), h.day is not null
    from (select m.account_id, m.day, m.slot, 'message' as said_in, 'move' as place, m.message as words
            from hill.moves m
           where m.day between v_first and v_last and m.ended is null and m.message <> ''
          union all
          select n.account_id, n.day, n.slot, 'announcement', 'announcement', n.message
            from hill.announcements n
           where n.day between v_first and v_last and n.message <> '') w
    left join hill.hidden_words h
      on h.day = w.day and h.account_id = w.account_id and h.slot = w.slot and h.said_in = w.place
   where (v_text is null or strpos(lower(coalesce(h.words, w.words)), v_text) > 0)
     and (find_words.slot is null or w.slot = find_words.slot)
   order by w.day desc, w.slot, w.said_in, w.account_id
   limit 200;
end
$$;

comment on function api_staff.find_words is
'What was said in the moves of past nights and in announcements, the latest first, at most 200: with a text in it (2 '
'to 100 characters, in any case), or on a place (slot), or both, from first_day to last_day (null: the last 30 nights '
'and today). Also what staff hide. Errors: INVALID_TOKEN, INVALID_ARGUMENT. Rules 18.2, 18.5.
- text: a part of what was said, 2 to 100 characters in any case; null with a place.
- first_day: from which day on; null for the last 30 nights.
- last_day: up to which day; null for today.
- slot: the place; null for all, with a text.';

grant execute on function api_staff.find_words to hill_staff;
