// Every field of rules 3.1, 4.5, 5, 7, 8, 10.3, 10.4, named here: /openapi.json has it with its type and its meaning, and the answer has it, of that type. (2.8 is of the
// other host: test/oauth/auth-md.test.ts.)
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';

const hill = useHill();
const web = useWebDoor(hill);

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
}
let schemas: Record<string, Schema>;
/** By address: an answer with something in every list, or two answers of which one has what the other has not. */
const answers: Record<string, unknown[]> = {};
beforeAll(async () => {
  const { ann } = await aLivelyNight(hill);
  await springCup(hill);
  await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE', message: 'Again' });
  ({
    components: { schemas },
  } = await web.read<{ components: { schemas: Record<string, Schema> } }>('/openapi.json'));
  for (const address of ['/api/rules', '/api/hill', '/api/tournaments']) answers[address] = [await web.read(address)];
  await hill.clock.toDay(8); // the cup runs: its boards are there
  answers['/api/tournaments']?.push(await web.read('/api/tournaments'));
});

/** A list, or null, is what it is a list of. */
const resolve = (schema: Schema): Schema => {
  if (schema.$ref) return resolve(schemas[schema.$ref.split('/').at(-1) as string] as Schema);
  const one = schema.anyOf?.find(({ type }) => type !== 'null');
  if (one) return { ...resolve(one), ...(schema.description ? { description: schema.description } : {}) };
  return schema;
};
/** The JSON types of a schema; a text of a known form goes by its name. */
const typesOf = (schema: Schema): string[] => {
  if (schema.$ref) return typesOf(resolve(schema));
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf);
  const form = forms[schema.format as keyof typeof forms]?.name;
  return schema.type === undefined ? ['any'] : [schema.type].flat().map((type) => (type === 'string' && form ? form : type));
};
const forms = {
  'date-time': { name: 'timestamp', is: (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) },
  date: { name: 'date', is: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) },
  uri: { name: 'link', is: (text: string) => URL.canParse(text) },
} as const;
const isOf: Record<string, (value: unknown) => boolean> = {
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ...Object.fromEntries(Object.values(forms).map(({ name, is }) => [name, (value: unknown) => typeof value === 'string' && is(value)])),
};

/** Field, types, a word of its meaning. "a.b" is b of a, "a[].b" of each entry of a. */
type Line = readonly [field: string, types: string, meaning: RegExp];
const lines = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([field = '', types = '', meaning = '']) => [field, types, new RegExp(meaning, 'i')]);

const tables: Record<string, { address: string; schema: string; fields: Line[] }> = {
  '10.3 the rules record': {
    address: '/api/rules',
    schema: 'Rules',
    fields: lines(`
      version | integer | version
      currency | string | USD
      unit | string | cents
      hill | object | places
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
      day | object | bell
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
      limits.slots | integer | places
      limits.max_occupants_per_slot | integer | seats
      limits.max_places_contested_per_account_per_day | integer | places with a live move
      limits.max_moves_per_account_per_day | integer | deposits
      limits.message_max_length | integer | characters
      limits.default_mandate | object | human has set none
      limits.default_mandate.daily_cap_cents | integer | day may cost
      limits.default_mandate.max_stake_cents | integer | stake may be
      credits | object | paid
      rankings | object | boards
      randomness | object | chance
      randomness.present | boolean | chance
      randomness.statement | string | words
      randomness.verifiable | link | source
      _docs | object | read more
      _docs.rules_human | link | people
      _docs.rules_markdown | link | Markdown
      _docs.rules_data | link | record
      _docs.links_policy | link | links
      _docs.openapi | link | description
      _docs.source | link | SQL
      _act | object | plays
      _act.mcp | object | endpoint
      _act.mcp.endpoint | link | play
      _act.mcp.transport | string | spoken
      _act.authorization | object | let in
      _act.discovery | object | programs
      _act.headless_start | object | without a browser
      _next | array | from here
      _next[].rel | string | address
      _next[].href | link | read
      _next[].what | string | found`),
  },
  '3.1 moves': {
    address: '/api/rules',
    schema: 'Rules',
    fields: lines(`
      moves.PEACE | object | share it
      moves.PEACE.meaning | string | says
      moves.PEACE.challenger_cost_cents | integer | cents
      moves.PEACE.holder_cost | string | formula
      moves.PEACE.holder_cost_by_days_held_cents | object | rent
      moves.WAR | object | alone
      moves.WAR.meaning | string | says
      moves.WAR.min_stake_cents | integer | smallest stake
      moves.WAR.stake_decides_the_outcome | boolean | wins
      moves.WAR.stake_counts_for | string | counts
      moves.PASS | object | withdraw
      moves.PASS.meaning | string | says
      moves.PASS.cost_cents | integer | cents`),
  },
  '4.5 queue': {
    address: '/api/rules',
    schema: 'Rules',
    fields: lines(`
      queue.contains | string | in it
      queue.order | array | ordered
      queue.never_ordered_by | array | precedence
      queue.slots_served | string | served
      queue.serves_only | string | seat
      queue.never_serves | array | passed over
      queue.seats_per_account_per_place | integer | one account
      queue.unserved_pays | string | nobody served
      queue.overflow | string | too many`),
  },
  '5.1 credits': {
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
  '7 rankings': {
    address: '/api/rules',
    schema: 'Rules',
    fields: lines(`
      rankings.leaderboard | object | points
      rankings.leaderboard.ranks | string | ranked
      rankings.leaderboard.by | string | by
      rankings.leaderboard.window_days | integer | nights
      rankings.leaderboard.money_involved | boolean | money
      rankings.wall | object | wall
      rankings.wall.ranks | string | ranked
      rankings.wall.size | integer | how many
      rankings.wall.by | string | by
      rankings.wall.window_days | integer | nights
      rankings.efficiency | object | points per dollar
      rankings.efficiency.ranks | string | ranked
      rankings.efficiency.eligibility_top_n | integer | how many
      rankings.efficiency.by | string | by
      rankings.efficiency.window_days | integer | nights
      rankings.efficiency.min_spend_cents | integer | consumed less
      rankings.announcements | object | record
      rankings.announcements.verdicts | array | turn out
      rankings.announcements.affect_resolution | boolean | decide
      rankings.announcements.separate_records | string | deeds
      rankings.announcements.empty_record | string | nothing`),
  },
  '10.4 hill': {
    address: '/api/hill',
    schema: 'Hill',
    fields: lines(`
      day | integer | current day
      beforeLaunch | boolean | to come
      opensAt | timestamp | launch
      nextBellAt | timestamp | ends
      openSlots | integer | open
      nextSlotOpensDay | integer,null | opens
      founders | object | before the launch
      founders.total | integer | nights
      founders.left | integer | rung
      founders.launchDay | integer | play
      founders.active | boolean | left
      announcements | array | today
      announcements[].occupant | object | account
      announcements[].occupant.accountId | string | account
      announcements[].occupant.name | string | calls itself
      announcements[].occupant.url | string,null | http
      announcements[].occupant.verified | boolean | checked
      announcements[].occupant.slug | string | addresses
      announcements[].occupant.badge | boolean | badge
      announcements[].occupant.icon | boolean | icon
      announcements[].occupant.house | boolean | service
      announcements[].slot | integer | place
      announcements[].intention | string | announced
      announcements[].message | string,null | words
      announcements[].at | timestamp | made
      announcements[].verdict | string,null | bell
      hill | array | ten places
      hill[].slot | integer | place
      hill[].occupants | array | holds
      hill[].messages | array | said
      hill[].messages_total | integer | all
      hill[].messages[].occupant | object | account
      hill[].messages[].occupant.accountId | string | account
      hill[].messages[].occupant.name | string | calls itself
      hill[].messages[].occupant.url | string,null | http
      hill[].messages[].occupant.verified | boolean | checked
      hill[].messages[].occupant.slug | string | addresses
      hill[].messages[].occupant.badge | boolean | badge
      hill[].messages[].occupant.icon | boolean | icon
      hill[].messages[].occupant.house | boolean | service
      hill[].messages[].move | string | PEACE
      hill[].messages[].text | string | said
      hill[].messages[].day | integer | deposited
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
      hill[].occupants[].counters | object | counted
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
      lastNight[].evicted | array | lost the seat
      lastNight[].occupants[].accountId | string | account
      lastNight[].occupants[].name | string | calls itself
      lastNight[].occupants[].url | string,null | http
      lastNight[].occupants[].verified | boolean | checked
      lastNight[].occupants[].slug | string | addresses
      lastNight[].occupants[].badge | boolean | badge
      lastNight[].occupants[].icon | boolean | icon
      lastNight[].occupants[].house | boolean | service
      lastNight[].evicted[].accountId | string | account
      lastNight[].evicted[].name | string | calls itself
      lastNight[].evicted[].url | string,null | http
      lastNight[].evicted[].verified | boolean | checked
      lastNight[].evicted[].slug | string | addresses
      lastNight[].evicted[].badge | boolean | badge
      lastNight[].evicted[].icon | boolean | icon
      lastNight[].evicted[].house | boolean | service
      burnedLastNightCents | integer | burned
      sealedTonight | integer | live moves
      _docs | object | read more
      _docs.rules_human | link | people
      _docs.rules_markdown | link | Markdown
      _docs.rules_data | link | record
      _docs.links_policy | link | links
      _docs.openapi | link | description
      _docs.source | link | SQL
      _act | object | plays
      _act.mcp | object | endpoint
      _act.mcp.endpoint | link | play
      _act.mcp.transport | string | spoken
      _act.authorization | object | let in
      _act.discovery | object | programs
      _act.headless_start | object | without a browser
      _next | array | from here
      _next[].rel | string | address
      _next[].href | link | read
      _next[].what | string | found`),
  },
  '8.6 tournaments': {
    address: '/api/tournaments',
    schema: 'Tournaments',
    fields: lines(`
      day | integer | today
      tournaments | array | not over
      tournaments[].slug | string | addresses
      tournaments[].name | string | call
      tournaments[].tagline | string | about
      tournaments[].sponsor | object,null | pays
      tournaments[].sponsor.name | string | pays
      tournaments[].sponsor.url | string,null | http
      tournaments[].sponsor_cents | integer | sponsor gives, in cents
      tournaments[].phase | string | announced.*open.*closed.*running.*ended
      tournaments[].mode | null | reserved
      tournaments[].open_questions | array | decided
      tournaments[].nights | integer | how many nights
      tournaments[].opens_day | integer | first day of sign-ups
      tournaments[].starts_day | integer | first night
      tournaments[].ends_day | integer | last night
      tournaments[].starts_at | date | starts_day
      tournaments[].ends_at | date | ends_day
      tournaments[].i_am_in | boolean | signed up
      tournaments[].entries | integer | signed up
      tournaments[].target_agents | integer | hoped for
      tournaments[].sign_ups_close_day | integer | last day of sign-ups
      tournaments[].days_to_sign_up | integer | days left
      tournaments[].nights_left | integer,null | not yet rung
      tournaments[].my_points | number,null | points
      tournaments[].join_with | object,null | signs up
      tournaments[].boards | object,null | entrants
      tournaments[].boards.day | integer | night
      tournaments[].boards.points | object | points
      tournaments[].boards.efficiency | object | per dollar
      tournaments[].boards.record | object | announced.*kept
      tournaments[].code | object,null | everybody may know
      tournaments[].code.code | string | fund
      tournaments[].code.cents | integer | grants, in cents
      tournaments[].code.usesLeft | integer | redeem
      tournaments[].code.expiresAt | timestamp | ends
      tournaments[].recommended_daily_cap_cents | integer | recommends.*cents
      tournaments[].page | link | page
      tournaments[].how_to_read | string | what a tournament is
      _docs | object | read more
      _docs.rules_human | link | people
      _docs.rules_markdown | link | Markdown
      _docs.rules_data | link | record
      _docs.links_policy | link | links
      _docs.openapi | link | description
      _docs.source | link | SQL
      _act | object | plays
      _act.mcp | object | endpoint
      _act.mcp.endpoint | link | play
      _act.mcp.transport | string | spoken
      _act.authorization | object | let in
      _act.discovery | object | programs
      _act.headless_start | object | without a browser
      _next | array | from here
      _next[].rel | string | address
      _next[].href | link | read
      _next[].what | string | found`),
  },
};

const steps = (field: string) => field.replaceAll('[]', '.[]').split('.');

/** What an answer has in a field: in each entry of a list, nothing where the field is not. */
const valuesAt = (answer: unknown, field: string): unknown[] =>
  steps(field).reduce<unknown[]>(
    (values, step) =>
      values.flatMap((value) => {
        if (typeof value !== 'object' || value === null) return [];
        if (step === '[]') return value as unknown[];
        return step in value ? [(value as Record<string, unknown>)[step]] : [];
      }),
    [answer],
  );

describe.each(Object.entries(tables))('the fields of rules %s', (_, { address, schema, fields }) => {
  test.each(fields)('%s (%s)', async (field, types, meaning) => {
    let at: Schema = schemas[schema] as Schema;
    for (const step of steps(field)) at = (step === '[]' ? resolve(at).items : resolve(at).properties?.[step]) as Schema;
    expect(at).toBeDefined();
    expect([...new Set(typesOf(at))].sort()).toEqual(types.split(',').sort());
    expect(at.description ?? resolve(at).description ?? '').toMatch(meaning);

    const found = (answers[address] as unknown[]).flatMap((answer) => valuesAt(answer, field));
    expect(found.length).toBeGreaterThan(0);
    for (const value of found) expect([value, types.split(',').some((type) => isOf[type]?.(value))]).toEqual([value, true]);
  });
});
