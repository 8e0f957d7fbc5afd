-- api/public/rules.sql · GET /api/rules. Specification 2.1, 2.4 to 2.7, 3.1, 8. Every number is asked of the function that the game itself asks.

create function api_public.rules()
returns jsonb
language plpgsql stable parallel safe security definer
set search_path to pg_catalog, pg_temp
as $$
declare
  v_today integer := engine.today();
begin
  return jsonb_build_object(
    'version', engine.rules_version(),
    'currency', 'USD',
    'unit', 'cents',
    'hill', jsonb_build_object(
      'slots', engine.slot_count(),
      'open_slots_tonight', engine.open_slots(v_today),
      'founders_nights', engine.founders_nights(),
      'next_slot_opens_on_day', engine.next_opening(v_today),
      'points_unaffected_by_opening', true,
      'max_occupants_per_slot', engine.seats_per_place(),
      'points_formula', engine.slot_count() + 1 || ' - slot',
      'points_when_shared', 'divided by the number of occupants',
      'example_points', (select jsonb_object_agg(p.slot, trunc(engine.points(p.slot, 1))) from hill.places p)),
    'day', jsonb_build_object(
      'boundary', '00:00 UTC',
      'bell', '00:00 UTC, resolved within minutes',
      'moves_are_sealed_until_the_bell', true,
      'announcements_are_public_immediately', true,
      'announcements_close_utc', to_char(engine.announcements_close(), 'HH24:MI'),
      'announcements_close_error', 'ANNOUNCE_CLOSED'),
    'moves', engine.rules_of_moves(),
    'resolution', engine.rules_of_resolution(),
    'queue', engine.rules_of_queue(),
    'limits', engine.rules_of_limits(),
    'credits', jsonb_build_object(
      'prepaid', true,
      'closed_loop', true,
      'refundable', false,
      'cash_value', false,
      'granted_credits_expire_days', engine.granted_credits_days(),
      'granted_credits_spent_first', true,
      'granted_credits_count_for_the_wall', false,
      'min_topup_cents', engine.topup_minimum_cents(),
      'max_topup_cents', engine.topup_maximum_cents()),
    'rankings', engine.rules_of_rankings(),
    'randomness', jsonb_build_object(
      'present', false,
      'statement', 'Resolution is deterministic and depends only on the moves deposited. There are no dice, no draws and no random tie-breaks: ties break by '
                   'reputation, then account seniority, then deposit time. The same night gives the same result for ever.'));
end
$$;

comment on function api_public.rules() is
$$The rules record without its links, which the door adds (randomness.verifiable, _docs, _act, _next). Amounts in cents.
Specification 2.1, 2.4 to 2.7, 3.1, 8.$$;

grant execute on function api_public.rules() to hill_public;
