-- GET /api/day/{n}. Rules 10.2, 10.6, 15.4.

create or replace function api_public.day(n integer, max integer default null, cursor text default null)
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_max         integer := coalesce(max, engine.list_length());
  v_night       hill.nights;
  v_resolution  engine.resolution;
  v_from        record;  -- where to go on with each list
  v_moves       record;
  v_said        record;
  v_said_total  bigint;
  v_queue       record;
  v_queue_total bigint;
  v_seal        jsonb := trusted.night_seal(n);
begin
  if v_max not between 1 and engine.list_length() then
    perform engine.refuse('INVALID_ARGUMENT', 'limit is out of bounds.', jsonb_build_object(
      'argument', 'limit',
      'minimum', 1,
      'maximum', engine.list_length()));
  end if;
  v_night := engine.find_night(n);
  v_from := engine.read_night_cursor(cursor, n);
  v_resolution := engine.published_resolution(n);

  if v_from.moves = '' then
    select '{}'::text[] as entries, null::text as next into v_moves;
  else
    select m.entries, m.next into v_moves from engine.show_moves(n, v_resolution, v_from.moves, v_max) m;
  end if;
  v_said_total := (select count(*) from hill.announcements a where a.day = day.n);
  if v_from.announcements = '' then
    select '[]'::jsonb as entries, null::text as next into v_said;
  else
    select a.entries, a.next into v_said from engine.announcement_page(n, v_from.announcements, v_max) a;
  end if;
  v_queue_total := engine.queue_length(v_resolution.places, v_resolution.seats);
  if v_from.queue = '' then
    select '{}'::text[] as entries, null::text as next into v_queue;
  else
    select q.entries, q.next into v_queue from engine.show_queue(n, v_resolution, v_from.queue, v_max) q;
  end if;

  return jsonb_build_object(
    'day', n,
    'resolvedAt', engine.iso(v_night.resolved_at),
    'headline', engine.headline(n),
    'stories', case when cursor is null then engine.stories(n) else '[]' end,
    'closed', v_seal -> 'closed',
    'unsealed', v_seal -> 'unsealed',
    -- Who was evicted is told on the first page; on the others it is with the moves.
    'results', engine.show_results(
                 n,
                 v_resolution,
                 case when cursor is null then v_max else 0 end,
                 array(select d from engine.seating(n, v_resolution) d)),
    'burnedCents', v_night.burned_cents,
    'moves', ('[' || array_to_string(v_moves.entries, ',') || ']')::jsonb,
    'moves_total', v_night.moves,
    'announcements', v_said.entries,
    'announcements_total', v_said_total,
    'queue', ('[' || array_to_string(v_queue.entries, ',') || ']')::jsonb,
    'queue_total', v_queue_total,
    'evicted_total', (
      select coalesce(sum(engine.count_evicted(engine.stored_night(n), p, v_resolution.seats)), 0)
        from unnest(v_resolution.places) p),
    'next_cursor', engine.night_cursor(n, v_moves.next, v_said.next, v_queue.next));
end
$$;

comment on function api_public.day is
'What happened at the bell of day n: resolvedAt, headline (see engine.night_headline), stories (see engine.stories; '
'on the first page), closed and unsealed (see trusted.night_seal), results (ten, shaped like lastNight), moves (all '
'live ones), announcements with verdict, queue with who was served where, burnedCents (cents), each with the reasons '
'(see engine.show_results, show_moves, show_queue). Of each list at most max entries (1 to 1000, which is the '
'default), with its *_total; next_cursor, given back as cursor, continues all of them, and is null when all are at '
'their end; another day refuses it. evicted of a result is on the first page alone: later ones come with the moves, '
'whose decision says it. Errors: DAY_NOT_RESOLVED, with the days that exist; INVALID_ARGUMENT. Rules 9.4, 10.2, '
'10.6, 15.4.';

grant execute on function api_public.day to hill_public;
