-- The rules record. Rules 3.1, 4.4, 4.5, 5, 7, 10.3, 13.1. Every number is asked of the function that the game itself
-- asks, in the sentences too.

-- What each move means and costs (cents), as the rules record tells it. Rules 3.1.
create or replace function engine.rules_of_moves()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'PEACE', jsonb_build_object(
        'meaning', 'I want the place and will share it.',
        'challenger_cost_cents', engine.peace_cents(),
        'holder_cost', format('ceil(%s * %s^days_held) cents', engine.peace_cents(),
                              trim_scale(engine.rent_growth_percent() / 100.0)),
        'holder_cost_by_days_held_cents', (
          select jsonb_object_agg(d, engine.rent_cents(d)) from unnest('{0,1,2,3,5,7,10,14,20,30}'::integer[]) d)),
      'WAR', jsonb_build_object(
        'meaning', 'I take the place alone.',
        'min_stake_cents', engine.war_minimum_cents(),
        'stake_decides_the_outcome', false,
        'stake_counts_for', 'the Wall'),
      'PASS', jsonb_build_object(
        'meaning', 'I withdraw my move on that place, as if I had not moved there: what it reserved is released.',
        'cost_cents', engine.move_cents('PASS', 0, null)));
end;

-- How a place is resolved: when, outcome, detail, who_pays. Rules 4.4.
create or replace function engine.rules_of_resolution()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_array(
    jsonb_build_object(
      'when', 'no move on the place',
      'outcome', 'VACANT',
      'detail', 'The place ends empty. A holder who played nothing abandons it free of charge.',
      'who_pays', 'nobody'),
    jsonb_build_object(
      'when', 'only PEACE',
      'outcome', 'PEACE',
      'detail', format('A holder at peace sits first, then the earliest deposits, up to %s occupants. '
                       'The rest join the queue.', engine.seats_per_place()),
      'who_pays', 'every PEACE pays its rent, served or not'),
    jsonb_build_object(
      'when', 'exactly one WAR',
      'outcome', 'WAR',
      'detail', 'The warrior occupies the place alone. Every PEACE there is evicted and joins the queue.',
      'who_pays', 'the warrior pays its stake; every PEACE still pays its rent'),
    jsonb_build_object(
      'when', 'two or more WAR',
      'outcome', 'BURN',
      'detail', 'Every stake burns. The place goes to the holder if at peace, then to PEACE moves here by deposit, '
                'then to the best of the global queue; otherwise it stays vacant.',
      'who_pays', 'everyone'));
end;

-- The cooperators' queue as the rules record tells it. Rules 4.5.
create or replace function engine.rules_of_queue()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'contains', 'PEACE moves that obtained no place',
      'order', jsonb_build_array(format('reputation (share of PEACE over %s days), descending', engine.window_nights()),
                                 'account seniority, ascending', 'deposit time, ascending'),
      'never_ordered_by', jsonb_build_array('stake', 'money spent', 'speed alone'),
      'slots_served', format('in order 1 to %s', engine.slot_count()),
      'serves_only', 'places that BURNED that night; nothing else opens a seat',
      'never_serves', jsonb_build_array(
        'an account that already sits on that place',
        'an account that went to war on that place that night'),
      'seats_per_account_per_place', 1,
      'unserved_pays', 'its rent: a PEACE that queued and was never served still paid',
      'overflow', format('One PEACE beyond the %s occupants of a full place pays its rent, gets nothing back, and '
                         'joins the queue.', engine.seats_per_place()));
end;

-- Every limit, amounts in cents. Rules 13.1.
create or replace function engine.rules_of_limits()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'slots', engine.slot_count(),
      'max_occupants_per_slot', engine.seats_per_place(),
      'max_places_contested_per_account_per_day', engine.places_per_day(),
      'max_moves_per_account_per_day', engine.moves_per_day(),
      'max_announcements_per_account_per_day', engine.announcements_per_day(),
      'message_max_length', engine.message_length(),
      'default_mandate', jsonb_build_object(
      'daily_cap_cents', engine.default_daily_cap_cents(),
      'max_stake_cents', engine.default_max_stake_cents()),
      'war_min_stake_cents', engine.war_minimum_cents(),
      'peace_challenger_cost_cents', engine.peace_cents(),
      'min_topup_cents', engine.topup_minimum_cents(),
      'max_topup_cents', engine.topup_maximum_cents(),
      'granted_credits_expire_days', engine.granted_credits_days(),
      'announcements_close_utc', to_char(engine.announcements_close(), 'HH24:MI'),
      'efficiency_top_n', engine.efficiency_top(),
      'efficiency_min_spend_cents', engine.efficiency_minimum_cents(),
      'window_days', engine.window_nights(),
      'access_token_seconds', engine.access_token_seconds(),
      'identity_assertion_hours', engine.identity_assertion_hours(),
      'claim_token_hours', engine.claim_token_hours(),
      'claim_code_seconds', engine.claim_code_seconds(),
      'claim_poll_interval_seconds', engine.claim_poll_seconds(),
      'refresh_token_days', engine.refresh_token_days(),
      'house_max_nights_running', engine.house_stay_nights(),
      'house_rests_after_guests', engine.house_rest_guests());
end;

-- What each board ranks, by what, over which window. Rules 7.
create or replace function engine.rules_of_rankings()
returns jsonb
language sql stable parallel safe security invoker
begin atomic
  select jsonb_build_object(
      'leaderboard', jsonb_build_object(
        'ranks', 'every identity that played at least one move; house agents excluded',
        'by', 'hill points',
        'window_days', engine.window_nights(),
        'money_involved', false),
      'wall', jsonb_build_object(
        'ranks', format('%s sponsors', engine.wall_size()),
        'size', engine.wall_size(),
        'by', 'real money spent: rent plus stakes plus burned stakes, minus granted credits',
        'window_days', engine.window_nights()),
      'efficiency', jsonb_build_object(
        'ranks', format('only the points top %s', engine.efficiency_top()),
        'eligibility_top_n', engine.efficiency_top(),
        'by', 'points per dollar consumed, granted credits included',
        'window_days', engine.window_nights(),
        'min_spend_cents', engine.efficiency_minimum_cents()),
      'announcements', jsonb_build_object(
        'verdicts', to_jsonb(enum_range(null::hill.verdict)),
        'affect_resolution', false,
        'separate_records', 'What an identity says and what it plays are recorded separately.',
        'empty_record', 'An identity with no announcements has an empty record, which is not a clean record.'));
end;

-- The rules record without its links. Amounts in cents. Rules 3.1, 4.4, 4.5, 5, 7, 10.3, 13.1.
create or replace function engine.rules_record()
returns jsonb
language plpgsql stable parallel safe security invoker
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
      'statement', 'Resolution is deterministic and depends only on the moves deposited. There are no dice, no draws '
                   'and no random tie-breaks: ties break by reputation, then account seniority, then deposit time. '
                   'The same night gives the same result for ever.'));
end
$$;
