-- GET /api/hill. Rules 2.4, 2.7, 10.4.

create or replace function api_public.hill()
returns jsonb
-- stable: one snapshot for all parts, also while a night is being published
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz := engine.now();
  v_settings hill.settings := (select s from hill.settings s);
  v_day      integer := engine.day_of(v_now, v_settings.day_one);
  v_night    integer := engine.last_night();
  v_opens_at timestamptz := engine.day_start(v_settings.founders_total + 1, v_settings.day_one);
begin
  return jsonb_build_object(
    'day', v_day,
    'beforeLaunch', v_now < v_opens_at,
    'opensAt', engine.iso(v_opens_at),
    'nextBellAt', engine.iso(engine.bell_at(greatest(1, v_day))),
    'openSlots', engine.open_slots(v_day),
    'nextSlotOpensDay', engine.next_opening(v_day),
    'founders', engine.founders_nights(),
    'announcements', engine.show_announcements(v_day, engine.list_length()),
    'announcements_total', (select count(*) from hill.announcements n where n.day = v_day),
    'hill', (
      select jsonb_agg(jsonb_build_object(
          'slot', p.slot,
          'occupants', (
            select coalesce(jsonb_agg(i.identity || jsonb_build_object(
                'agentId', s.agent_id,
                'daysHeld', s.days_held,
                'model', g.model,
                'counters', c.counters) order by s.seat), '[]')
              from hill.seats s
              join engine.identities() i on i.account_id = s.account_id
              join engine.counters() c on c.account_id = s.account_id
              join hill.agents g on g.id = s.agent_id
             where s.day = v_night and s.slot = p.slot),
          'messages', engine.show_messages(v_night, p.slot, engine.page_length()),
          'messages_total', (
            select count(*)
              from hill.moves m
             where m.day = v_night and m.slot = p.slot and m.ended is null and m.message is not null)) order by p.slot)
        from hill.places p),
    'lastNight', engine.show_results(v_night, engine.published_resolution(v_night), engine.list_length()),
    'burnedLastNightCents', coalesce((select n.burned_cents from hill.nights n where n.day = v_night), 0),
    -- between midnight and publication the count is still that of the day before
    'sealedTonight', coalesce((select c.moves from hill.sealed_counts c where c.day = v_day), 0));
end
$$;

comment on function api_public.hill is
'The hill today: day, opening, next bell, today''s announcements (the latest 1000), who holds which place since the '
'last published night, what was said there (the first 100 of each place, and how many there are), that night''s '
'results, burnedLastNightCents (cents), sealedTonight (as of the last quarter hour). Rules 2.4, 2.7, 9.3, 10.4.';

grant execute on function api_public.hill to hill_public;
