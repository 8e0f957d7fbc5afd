// GET /api/rules. Rules 3.1, 4.4, 4.5, 5, 7, 10.3, 13.1.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Rules } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill({ day: 9, founders: 7 });
const web = useWebDoor(hill);
let rules: Rules;

beforeAll(async () => {
  await hill.clock.toDay(9);
  rules = await web.read<Rules>('/api/rules');
});

describe('the rules record', () => {
  test('has the values that rules 10.3 gives', () => {
    expect(rules).toMatchObject({
      version: 1,
      currency: 'USD',
      unit: 'cents',
      hill: {
        slots: 10,
        open_slots_tonight: 10,
        founders_nights: { total: 7, left: 0, launchDay: 8, active: false },
        next_slot_opens_on_day: null,
        max_occupants_per_slot: 2,
        points_formula: '11 - slot',
        points_when_shared: 'divided by the number of occupants',
        example_points: { 1: 10, 2: 9, 3: 8, 4: 7, 5: 6, 6: 5, 7: 4, 8: 3, 9: 2, 10: 1 },
      },
      day: {
        boundary: '00:00 UTC',
        bell: '00:00 UTC, resolved within minutes',
        moves_are_sealed_until_the_bell: true,
        announcements_are_public_immediately: true,
        announcements_close_utc: '22:00',
        announcements_close_error: 'ANNOUNCE_CLOSED',
      },
      randomness: { present: false },
    });
  });

  test('prices the moves as rules 3.1 does', () => {
    expect(rules.moves).toMatchObject({
      PEACE: {
        challenger_cost_cents: 300,
        holder_cost: 'ceil(300 * 1.15^days_held) cents',
        holder_cost_by_days_held_cents: {
          0: 300,
          1: 345,
          2: 397,
          3: 457,
          5: 604,
          7: 799,
          10: 1214,
          14: 2123,
          20: 4910,
          30: 19864,
        },
      },
      WAR: { min_stake_cents: 800, stake_decides_the_outcome: false },
      PASS: { cost_cents: 0 },
    });
  });

  test('tells the four outcomes of rules 4.4, and who pays', () => {
    expect(rules.resolution.map(({ outcome, who_pays }) => [outcome, who_pays])).toEqual([
      ['VACANT', 'nobody'],
      ['PEACE', 'every PEACE pays its rent, served or not'],
      ['WAR', 'the warrior pays its stake; every PEACE still pays its rent'],
      ['BURN', 'everyone'],
    ]);
  });

  test('has the credits, limits and rankings of rules 5.1, 7, 13.1', () => {
    expect(rules.credits).toEqual({
      prepaid: true,
      closed_loop: true,
      refundable: false,
      cash_value: false,
      granted_credits_expire_days: 90,
      granted_credits_spent_first: true,
      granted_credits_count_for_the_wall: false,
      min_topup_cents: 2000,
      max_topup_cents: 100000,
    });
    expect(rules.limits).toMatchObject({
      slots: 10,
      max_occupants_per_slot: 2,
      max_places_contested_per_account_per_day: 2,
      max_moves_per_account_per_day: 4,
      message_max_length: 140,
      default_mandate: { daily_cap_cents: 1000, max_stake_cents: 1500 },
      war_min_stake_cents: 800,
      peace_challenger_cost_cents: 300,
      min_topup_cents: 2000,
      max_topup_cents: 100000,
      granted_credits_expire_days: 90,
      announcements_close_utc: '22:00',
      efficiency_top_n: 100,
      efficiency_min_spend_cents: 500,
      window_days: 30,
      access_token_seconds: 900,
      identity_assertion_hours: 24,
      claim_token_hours: 24,
      claim_code_seconds: 600,
      claim_poll_interval_seconds: 5,
      refresh_token_days: 30,
    });
    expect(rules.rankings).toMatchObject({
      leaderboard: { window_days: 30, money_involved: false },
      wall: { size: 5, window_days: 30 },
      efficiency: { eligibility_top_n: 100, min_spend_cents: 500 },
      announcements: { verdicts: ['kept', 'betrayed', 'bluffed', 'ghosted'], affect_resolution: false },
    });
  });

  test('reads its numbers where the game does', async () => {
    await hill.asRoot(async (root) => {
      await root.query('begin');
      try {
        await root.query(
          'create or replace function engine.seats_per_place() returns integer language sql immutable parallel safe return 3',
        );
        await root.query(
          'create or replace function engine.slot_count() returns integer language sql immutable parallel safe return 12',
        );
        await root.query(
          "create or replace function engine.announcements_close() returns interval language sql immutable parallel safe return interval '21 hours'",
        );
        await root.query(
          'create or replace function engine.default_daily_cap_cents() returns bigint language sql immutable parallel safe return 1234',
        );
        const { rows } = await root.query('select api_public.rules() as rules');
        expect(rows[0].rules).toMatchObject({
          hill: { max_occupants_per_slot: 3, slots: 12, points_formula: '13 - slot', example_points: { 1: 12, 10: 3 } },
          day: { announcements_close_utc: '21:00' },
          limits: { max_occupants_per_slot: 3, default_mandate: { daily_cap_cents: 1234 } },
        });
        expect(JSON.stringify(rows[0].rules.resolution)).toContain('up to 3 occupants');
        const hint = await root.query("select hint from engine.errors() where code = 'ANNOUNCE_CLOSED'");
        expect(hint.rows[0].hint).toContain('from 21:00 UTC');
      } finally {
        await root.query('rollback');
      }
    });
  });
});
