-- Where a page of a list of a night ended, as text that a reader gives back for the next one: the shape of each stands
-- here alone. Rules 10.9.

-- After a move of a night.
create or replace function engine.move_mark(account_id uuid, seq bigint)
returns text
language sql immutable parallel safe
return account_id::text || '.' || seq::text;

-- What engine.move_mark made; nulls for null.
create or replace function engine.read_move_mark(mark text)
returns table (account_id uuid, seq bigint)
language sql immutable parallel safe security invoker
begin atomic
  select split_part(mark, '.', 1)::uuid, split_part(mark, '.', 2)::bigint;
end;

-- After an announcement of a day.
create or replace function engine.announcement_mark(account_id uuid, slot smallint)
returns text
language sql immutable parallel safe
return account_id::text || '.' || slot::text;

-- What engine.announcement_mark made; nulls for null.
create or replace function engine.read_announcement_mark(mark text)
returns table (account_id uuid, slot smallint)
language sql immutable parallel safe security invoker
begin atomic
  select split_part(mark, '.', 1)::uuid, split_part(mark, '.', 2)::smallint;
end;

-- After an entry of a night's queue.
create or replace function engine.queue_mark(place bigint, account_id uuid, seq bigint)
returns text
language sql immutable parallel safe
return place::text || '.' || account_id::text || '.' || seq::text;

-- What engine.queue_mark made; nulls for null.
create or replace function engine.read_queue_mark(mark text)
returns table (place bigint, account_id uuid, seq bigint)
language sql immutable parallel safe security invoker
begin atomic
  select split_part(mark, '.', 1)::bigint, split_part(mark, '.', 2)::uuid, split_part(mark, '.', 3)::bigint;
end;

-- The regular expression of the marks of a list (moves, announcements, queue); of another, that of an empty text.
create or replace function engine.mark_form(list text)
returns text
language sql immutable parallel safe
return replace(
  case list when 'moves' then 'UUID[.]\d{1,18}'
            when 'announcements' then 'UUID[.]\d{1,2}'
            when 'queue' then '\d{1,9}[.]UUID[.]\d{1,18}'
            else '' end,
  'UUID', '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}');

-- One cursor for all long lists of a night: the mark in each, null for one that is at its end. Null where all are.
create or replace function engine.night_cursor(day integer, moves text, announcements text, queue text)
returns text
language sql immutable parallel safe
return case when coalesce(moves, announcements, queue) is not null
  then day::text || '~' || coalesce(moves, '') || '~' || coalesce(announcements, '') || '~' || coalesce(queue, '') end;

-- What engine.night_cursor made of a night: an empty text for a list that is at its end, and nulls for null. Errors:
-- INVALID_ARGUMENT.
create or replace function engine.read_night_cursor(
  cursor text,
  night integer,
  out moves text,
  out announcements text,
  out queue text)
language plpgsql stable parallel safe security invoker
set search_path to pg_catalog, pg_temp
as $$
begin
  if cursor !~ format('^%s~(%s)?~(%s)?~(%s)?$', night, engine.mark_form('moves'),
                      engine.mark_form('announcements'), engine.mark_form('queue')) then
    perform engine.refuse('INVALID_ARGUMENT', 'cursor is not one that this day gave.', '{"argument": "cursor"}');
  end if;
  moves := split_part(cursor, '~', 2);
  announcements := split_part(cursor, '~', 3);
  queue := split_part(cursor, '~', 4);
end
$$;
