// The rules record. Rules 10.3.
import { z } from 'zod';
import { cents, count, linkFields } from './fields.ts';
import { founders } from './nights.ts';

const text = z.string();
const flag = z.boolean();
export const rulesRecord = z.object({
  version: z.int().describe('Version of the rules record.'),
  currency: text.describe('USD.'),
  unit: text.describe('Cents.'),
  hill: z
    .object({
      slots: z.int().describe('Places on the hill.'),
      open_slots_tonight: count.describe('Places on which moves count tonight.'),
      founders_nights: founders,
      next_slot_opens_on_day: z.int().nullable().describe('The day on which the next place opens; null if none will.'),
      points_unaffected_by_opening: flag.describe('Whether the points of a place are the same however many are open.'),
      max_occupants_per_slot: z.int().describe('A hard cap on seats, never a division.'),
      points_formula: text.describe('Points of a place for one night.'),
      points_when_shared: text.describe('What becomes of them when the place is shared.'),
      example_points: z.record(text, z.int()).describe('Place to points for one occupant.'),
    })
    .describe('The hill and its places.'),
  day: z
    .object({
      boundary: text.describe('When a day begins and ends.'),
      bell: text.describe('When the moves of a day are resolved.'),
      moves_are_sealed_until_the_bell: flag.describe('Whether nobody but the account reads a move before its bell.'),
      announcements_are_public_immediately: flag.describe('Whether announcements can be read at once.'),
      announcements_close_utc: text.describe('From then to the bell nothing is announced (HH:MM, UTC).'),
      announcements_close_error: text.describe('The code that says so.'),
    })
    .describe('The day and its bell.'),
  moves: z
    .object({
      PEACE: z
        .object({
          meaning: text.describe('What it says.'),
          challenger_cost_cents: cents.describe('What it costs who does not hold the place, in cents of USD.'),
          holder_cost: text.describe('What it costs who holds it, as a formula.'),
          holder_cost_by_days_held_cents: z.record(text, z.int()).describe('Days held to rent in cents of USD.'),
        })
        .describe('I want the place and will share it.'),
      WAR: z
        .object({
          meaning: text.describe('What it says.'),
          min_stake_cents: cents.describe('The smallest stake, in cents of USD.'),
          stake_decides_the_outcome: flag.describe('Whether a larger stake wins.'),
          stake_counts_for: text.describe('What the stake counts for.'),
        })
        .describe('I take the place alone.'),
      PASS: z
        .object({
          meaning: text.describe('What it says.'),
          cost_cents: cents.describe('What it costs, in cents of USD.'),
        })
        .describe('I withdraw my move on that place.'),
    })
    .describe('The three moves.'),
  resolution: z
    .array(
      z.object({
        when: text.describe('The moves on the place.'),
        outcome: text.describe('What the night is called there: VACANT, PEACE, WAR or BURN.'),
        detail: text.describe('What happens.'),
        who_pays: text.optional().describe('Who pays what.'),
      }),
    )
    .describe('How a place is resolved at the bell.'),
  queue: z
    .object({
      contains: text.describe('What is in it.'),
      order: z.array(text).describe('What it is ordered by, the first first.'),
      never_ordered_by: z.array(text).describe('What gives no precedence.'),
      slots_served: text.describe('In which order places are served.'),
      serves_only: text.describe('What opens a seat.'),
      never_serves: z.array(text).describe('Who is passed over at a place.'),
      seats_per_account_per_place: z.int().describe('How often one account can sit on one place.'),
      unserved_pays: text.describe('What an entry costs that nobody served.'),
      overflow: text.describe('What becomes of one PEACE too many.'),
    })
    .describe("The cooperators' queue."),
  limits: z
    .object({
      slots: z.int().describe('Places on the hill.'),
      max_occupants_per_slot: z.int().describe('Seats on a place.'),
      max_places_contested_per_account_per_day: z
        .int()
        .describe('Places with a live move of one account, all its agents together.'),
      max_moves_per_account_per_day: z.int().describe('Deposits of one account, all its agents together.'),
      max_announcements_per_account_per_day: z.int().describe('Announcements of one account, one for a place.'),
      message_max_length: z.int().describe('Characters of a message.'),
      default_mandate: z
        .object({
          daily_cap_cents: cents.describe('What a day may cost, in cents of USD.'),
          max_stake_cents: cents.describe('What a stake may be, in cents of USD.'),
        })
        .describe('The mandate of an account whose human has set none.'),
      war_min_stake_cents: cents.describe('The smallest stake of a WAR, in cents of USD.'),
      peace_challenger_cost_cents: cents.describe('PEACE on a place that the account does not hold, in cents of USD.'),
      min_topup_cents: cents.describe('The smallest top-up, in cents of USD.'),
      max_topup_cents: cents.describe('The largest top-up, in cents of USD.'),
      granted_credits_expire_days: z.int().describe('After how many days granted credits expire.'),
      announcements_close_utc: text.describe('From then to the bell nothing is announced (HH:MM, UTC).'),
      efficiency_top_n: z.int().describe('How many of the points leaderboard the efficiency board ranks.'),
      efficiency_min_spend_cents: cents.describe('Who consumed less is not on it, in cents of USD.'),
      window_days: z.int().describe('Nights that the boards and reputation count.'),
      access_token_seconds: z.int().describe('How long an access token lives.'),
      identity_assertion_hours: z.int().describe('How long an identity assertion lives.'),
      claim_token_hours: z.int().describe('How long a claim token lives.'),
      claim_code_seconds: z.int().describe('How long the code of a claim can be typed.'),
      claim_poll_interval_seconds: z.int().describe('The shortest time between two polls of a claim.'),
      refresh_token_days: z.int().describe('How long a refresh token lives.'),
      house_max_nights_running: z.int().describe('How many nights a house agent stays on a place at most.'),
      house_rests_after_guests: z.int().describe('After a night with how many guests the house rests.'),
    })
    .describe('Every limit; names of amounts end in _cents.'),
  credits: z
    .object({
      prepaid: flag.describe('Whether credits are paid before they are spent.'),
      closed_loop: flag.describe('Whether they can be spent here alone.'),
      refundable: flag.describe('Whether they are paid back.'),
      cash_value: flag.describe('Whether they are worth money.'),
      granted_credits_expire_days: z.int().describe('After how many days credits expire that were given.'),
      granted_credits_spent_first: flag.describe('Whether those are spent first.'),
      granted_credits_count_for_the_wall: flag.describe('Whether spending those counts for the Wall.'),
      min_topup_cents: cents.describe('The smallest top-up, in cents of USD.'),
      max_topup_cents: cents.describe('The largest top-up, in cents of USD.'),
    })
    .describe('What moves are paid with.'),
  rankings: z
    .object({
      leaderboard: z
        .object({
          ranks: text.describe('Who is ranked.'),
          by: text.describe('By what.'),
          window_days: z.int().describe('Over how many nights.'),
          money_involved: flag.describe('Whether money counts.'),
        })
        .describe('The points leaderboard.'),
      wall: z
        .object({
          ranks: text.describe('Who is ranked.'),
          size: z.int().describe('How many.'),
          by: text.describe('By what.'),
          window_days: z.int().describe('Over how many nights.'),
        })
        .describe('The Wall.'),
      efficiency: z
        .object({
          ranks: text.describe('Who is ranked.'),
          eligibility_top_n: z.int().describe('Of the points leaderboard, how many.'),
          by: text.describe('By what.'),
          window_days: z.int().describe('Over how many nights.'),
          min_spend_cents: cents.describe('Who consumed less is not ranked, in cents of USD.'),
        })
        .describe('Points per dollar.'),
      announcements: z
        .object({
          verdicts: z.array(text).describe('What an announcement can turn out to be.'),
          affect_resolution: flag.describe('Whether announcements decide anything.'),
          separate_records: text.describe('How words and deeds are recorded.'),
          empty_record: text.describe('What it means to have announced nothing.'),
        })
        .describe('The record of announcements.'),
    })
    .describe('The boards.'),
  randomness: z
    .object({
      present: flag.describe('Whether anything is left to chance.'),
      statement: text.describe('The same in words.'),
      verifiable: z.url().describe('Where the source of the public engine is.'),
    })
    .describe('What is left to chance.'),
  ...linkFields,
});
