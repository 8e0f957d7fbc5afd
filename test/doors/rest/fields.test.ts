// Every field of specification 2.1 to 2.7, named here: /openapi.json has it with its type and its meaning, and the answer has it. (2.8 is of the other host:
// test/doors/oauth/door-a.test.ts.)
import { beforeAll, describe, expect, test } from 'vitest';
import { aLivelyNight } from '../../support/a-lively-night.ts';
import { useHill } from '../../support/index.ts';
import { springCup } from '../../support/spring-cup.ts';
import { useWebDoor } from '../../support/web-door.ts';

const hill = useHill();
const web = useWebDoor(hill);

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
}
let schemas: Record<string, Schema>;
beforeAll(async () => {
  await aLivelyNight(hill);
  await springCup(hill);
  ({
    components: { schemas },
  } = await web.read<{ components: { schemas: Record<string, Schema> } }>('/openapi.json'));
});

/** A list, or null, is what it is a list of. */
const resolve = (schema: Schema): Schema => {
  if (schema.$ref) return resolve(schemas[schema.$ref.split('/').at(-1) as string] as Schema);
  const one = schema.anyOf?.find(({ type }) => type !== 'null');
  if (one) return { ...resolve(one), ...(schema.description ? { description: schema.description } : {}) };
  return schema;
};
const typesOf = (schema: Schema): string[] => {
  if (schema.$ref) return typesOf(resolve(schema));
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf);
  return schema.type === undefined ? ['any'] : [schema.type].flat();
};

/** Field, JSON types, a word of its meaning. "a.b" is b of a, "a[].b" of each entry of a. */
type Line = readonly [field: string, types: string, meaning: RegExp];
const lines = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([field = '', types = '', meaning = '']) => [field, types, new RegExp(meaning, 'i')]);

const tables: Record<string, { address: string; schema: string; fields: Line[] }> = {
  '2.1 rules': {
    address: '/api/rules',
    schema: 'Rules',
    fields: lines(`
      version | integer | version
      currency | string | USD
      unit | string | cents
      hill.slots | integer | places
      hill.open_slots_tonight | integer | tonight
      hill.founders_nights | object | founders
      hill.founders_nights.total | integer | nights
      hill.founders_nights.left | integer | bell has not rung
      hill.founders_nights.launchDay | integer | everybody may play
      hill.founders_nights.active | boolean | left
      hill.next_slot_opens_on_day | integer,null | opens
      hill.points_unaffected_by_opening | boolean | points
      hill.max_occupants_per_slot | integer | hard cap
      hill.points_formula | string | points
      hill.points_when_shared | string | shared
      hill.example_points | object | points
      day.boundary | string | begins
      day.bell | string | resolved
      day.moves_are_sealed_until_the_bell | boolean | bell
      day.announcements_are_public_immediately | boolean | at once
      day.announcements_close_utc | string | UTC
      day.announcements_close_error | string | code
      moves | object | moves
      resolution | array | resolved
      resolution[].when | string | moves
      resolution[].outcome | string | night
      resolution[].detail | string | happens
      resolution[].who_pays | string | pays
      queue | object | queue
      limits | object | limit
      credits | object | paid
      rankings | object | boards
      randomness.present | boolean | chance
      randomness.statement | string | words
      randomness.verifiable | string | source
      _docs.rules_human | string | people
      _docs.rules_markdown | string | Markdown
      _docs.rules_data | string | record
      _docs.links_policy | string | links
      _docs.openapi | string | description
      _docs.source | string | SQL
      _act | object | plays
      _act.mcp.endpoint | string | play
      _act.mcp.transport | string | spoken
      _act.authorization | object | let in
      _act.discovery | object | programs
      _act.headless_start | object | without a browser
      _next | array | from here
      _next[].rel | string | address
      _next[].href | string | read
      _next[].what | string | found`),
  },
  '2.4 moves': {
    address: '/api/rules',
    schema: 'Rules',
    fields: lines(`
      moves.PEACE | object | share it
      moves.PEACE.challenger_cost_cents | integer | cents
      moves.PEACE.holder_cost | string | formula
      moves.PEACE.holder_cost_cents_by_days_held | object | rent
      moves.WAR | object | alone
      moves.WAR.min_stake_cents | integer | smallest stake
      moves.WAR.stake_decides_the_outcome | boolean | wins
      moves.WAR.stake_counts_for | string | counts
      moves.PASS | object | withdraw
      moves.PASS.cost_cents | integer | cents`),
  },
  '2.5 queue': {
    address: '/api/rules',
    schema: 'Rules',
    fields: lines(`
      queue.contains | string | in it
      queue.order | array | ordered
      queue.never_ordered_by | array | precedence
      queue.slots_served | string | served
      queue.serves_only | string | seat
      queue.never_serves | array | passed over
      queue.overflow | string | too many`),
  },
  '2.6 credits': {
    address: '/api/rules',
    schema: 'Rules',
    fields: lines(`
      credits.prepaid | boolean | before they are spent
      credits.closed_loop | boolean | here alone
      credits.refundable | boolean | paid back
      credits.cash_value | boolean | worth money
      credits.granted_credits_expire_days | integer | days
      credits.granted_credits_spent_first | boolean | first
      credits.granted_credits_count_for_the_wall | boolean | real spend
      credits.min_topup_cents | integer | smallest
      credits.max_topup_cents | integer | largest`),
  },
  '2.7 rankings': {
    address: '/api/rules',
    schema: 'Rules',
    fields: lines(`
      rankings.leaderboard.ranks | string | ranked
      rankings.leaderboard.by | string | by
      rankings.leaderboard.window_days | integer | nights
      rankings.leaderboard.money_involved | boolean | money
      rankings.wall.ranks | string | ranked
      rankings.wall.by | string | by
      rankings.wall.window_days | integer | nights
      rankings.efficiency.ranks | string | ranked
      rankings.efficiency.eligibility_top_n | integer | how many
      rankings.efficiency.by | string | by
      rankings.efficiency.min_spend_cents | integer | cents
      rankings.announcements.verdicts | array | turn out
      rankings.announcements.affect_resolution | boolean | decide
      rankings.announcements.separate_records | string | deeds
      rankings.announcements.empty_record | string | nothing`),
  },
  '2.2 hill': {
    address: '/api/hill',
    schema: 'Hill',
    fields: lines(`
      day | integer | current day
      beforeLaunch | boolean | to come
      opensAt | string | launch
      nextBellAt | string | ends
      openSlots | integer | open
      nextSlotOpensDay | integer,null | opens
      founders.total | integer | nights
      founders.left | integer | rung
      founders.launchDay | integer | play
      founders.active | boolean | left
      announcements | array | today
      hill | array | ten places
      hill[].slot | integer | place
      hill[].occupants | array | holds
      hill[].messages | array | said
      hill[].occupants[].accountId | string | account
      hill[].occupants[].name | string | calls itself
      hill[].occupants[].url | string,null | http
      hill[].occupants[].verified | boolean | checked
      hill[].occupants[].slug | string | addresses
      hill[].occupants[].badge | boolean | badge
      hill[].occupants[].icon | boolean | icon
      hill[].occupants[].house | boolean | service
      hill[].occupants[].agentId | string | agent
      hill[].occupants[].daysHeld | integer | bells
      hill[].occupants[].model | string | runs on
      hill[].occupants[].counters.views | integer | views
      hill[].occupants[].counters.clicks | integer | clicks
      hill[].occupants[].counters.agents | integer | agents
      lastNight | array | last published night
      lastNight[].day | integer | day
      lastNight[].slot | integer | place
      lastNight[].outcome | string | VACANT
      lastNight[].peaceCount | integer | PEACE
      lastNight[].warCount | integer | WAR
      lastNight[].burnedCents | integer | burned
      lastNight[].occupants | array | sits
      lastNight[].evicted | array | earliest
      lastNight[].occupants[].accountId | string | account
      lastNight[].occupants[].house | boolean | service
      burnedLastNightCents | integer | burned
      sealedTonight | integer | live moves
      _docs.source | string | SQL
      _act | object | plays
      _next | array | from here`),
  },
  '2.3 tournaments': {
    address: '/api/tournaments',
    schema: 'Tournaments',
    fields: lines(`
      day | integer | .
      tournaments | array | .
      tournaments[].slug | string | .
      tournaments[].name | string | .
      tournaments[].tagline | string | .
      tournaments[].sponsor | object,null | .
      tournaments[].sponsor_cents | integer | cents
      tournaments[].phase | string | .
      tournaments[].mode | null | .
      tournaments[].open_questions | array | .
      tournaments[].nights | integer | nights
      tournaments[].opens_day | integer | .
      tournaments[].starts_day | integer | .
      tournaments[].ends_day | integer | .
      tournaments[].starts_at | string | .
      tournaments[].ends_at | string | .
      tournaments[].i_am_in | boolean | .
      tournaments[].entries | integer | .
      tournaments[].target_agents | integer,null | .
      tournaments[].sign_ups_close_day | integer | .
      tournaments[].days_to_sign_up | integer | .
      tournaments[].nights_left | integer,null | .
      tournaments[].my_points | number,null | .
      tournaments[].join_with | object,null | .
      tournaments[].boards | object,null | .
      tournaments[].code | object,null | .
      tournaments[].code.code | string | .
      tournaments[].code.cents | integer | cents
      tournaments[].code.usesLeft | integer | .
      tournaments[].code.expiresAt | string | .
      tournaments[].recommended_daily_cap_cents | integer,null | cents
      tournaments[].page | string | .
      tournaments[].how_to_read | string | .
      _docs | object | .
      _act | object | .
      _next | array | .`),
  },
};

const steps = (field: string) => field.replaceAll('[]', '.[]').split('.');

describe.each(Object.entries(tables))('specification %s', (_, { address, schema, fields }) => {
  test.each(fields)('%s (%s)', async (field, types, meaning) => {
    let at: Schema = schemas[schema] as Schema;
    for (const step of steps(field)) at = (step === '[]' ? resolve(at).items : resolve(at).properties?.[step]) as Schema;
    expect(at).toBeDefined();
    const found = typesOf(at);
    // what is not shown to be null may be, and integers are numbers
    for (const type of found) expect(`${types},null`.split(',')).toContain(type);
    expect(found.filter((type) => type !== 'null' || types === 'null').length).toBeGreaterThan(0);
    expect(at.description ?? resolve(at).description ?? '').toMatch(meaning);
  });

  test('and the answer has each of them', async () => {
    const record = await web.read<unknown>(address);
    const missing = fields
      .map(([field]) => field)
      .filter((field) => {
        let values: unknown[] = [record];
        for (const step of steps(field))
          values = values.flatMap((value) =>
            value === null || typeof value !== 'object'
              ? []
              : step === '[]'
                ? (value as unknown[])
                : step in value
                  ? [(value as Record<string, unknown>)[step]]
                  : [],
          );
        return values.length === 0;
      });
    expect(missing).toEqual([]);
  });
});
