// The tool explore_and_debrief: what an agent could do tonight, and what became of what it did. Rules 3.1, 3.7, 4.4,
// 4.5, 5.4, 6.3, 9.1; protocol 9.4.
import { beforeAll, describe, expect, test } from 'vitest';
import { openProof } from '../../src/log/proof.ts';
import { derivedSigner } from '../../src/log/signing.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { type Account, anAccount, call, type Receipt, refusalOf, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { commitmentTo, endingOf, entryOf } from '../support/log/commitment.ts';
import { signLog } from '../support/log/sign.ts';

const hill = useHill();
const mcp = useMcp(hill);

interface Supposed {
  outcome: string;
  i_sit: boolean;
  occupants: number;
  days_held: number | null;
  points: number;
  rule: string | null;
  why: string | null;
}
interface Option {
  move: string;
  cost_cents: number | null;
  stake_cents: number | null;
  largest_stake_cents?: number | null;
  allowed: boolean;
  code: string | null;
  hint: string | null;
  changes_nothing: boolean | null;
  day_total_cents: number | null;
  reputation_after: number;
  if_nobody_else_moves: Supposed | null;
  if_holders_stay: Supposed | null;
}
interface Told {
  slot: number;
  move: string;
  stake_cents: number | null;
  message: string | null;
  deposited_at: string;
  ended: string | null;
  by_human: boolean;
  salt: string;
  ends: string;
  message_salt: string | null;
  commitment: string;
  proof: string | null;
}
interface Place {
  slot: number;
  open: boolean;
  occupants: { name: string; slug: string; me: boolean; days_held: number; rent_cents: number; reputation: number }[];
  announced: { name: string; intention: string }[];
  my_live_move: object | null;
  options: Option[];
}
interface Explored {
  mode: string;
  day: number;
  claimed: boolean;
  explore: {
    bell_at: string;
    barred_by: string | null;
    hints?: Record<string, string>;
    mine: Record<string, unknown> | null;
    places: Place[];
  };
  how_to_be_claimed?: { steps: string[]; guide: string };
}

let cast: Cast;
const tokens = new Map<string, string>();

beforeAll(async () => {
  cast = await aLivelyNight(hill);
  await hill.clock.at('10:00');
  for (const account of Object.values(cast)) tokens.set(account.id, await mcp.token(account));
});

const tokenOf = async (account: Account) => tokens.get(account.id) ?? mcp.token(account);
const explore = async (account: Account, slot?: number) =>
  mcp.call<Explored>(await tokenOf(account), 'explore_and_debrief', { mode: 'explore', slot });
const option = ({ explore: { places } }: Explored, slot: number, move: string) =>
  (places.find((place) => place.slot === slot) as Place).options.find((each) => each.move === move) as Option;

/** What play says, and then it never happened. */
const tryOut = (account: Account, slot: number, move: string, stake_cents: number | null) =>
  hill.asRoot(async (client) => {
    await client.query('begin');
    try {
      return {
        code: null,
        receipt: await call<Receipt>(client, 'api_agent.play', { token: account.token, slot, move, stake_cents }),
      };
    } catch (error) {
      return { code: refusalOf(error).code, receipt: null };
    } finally {
      await client.query('rollback');
    }
  });

const all = Array.from({ length: 10 }, (_, i) => i + 1);
/** Each place as it is told by itself. */
const eachPlace = async (account: Account, slots = all): Promise<Place[]> =>
  Promise.all(slots.map(async (slot) => (await explore(account, slot)).explore.places[0] as Place));

describe('exploring', () => {
  test('shows a place with who sits there, what was announced and three options', async () => {
    await hill.asAgent(cast.ann).announce({ slot: 1, intention: 'PEACE', message: 'I stay' });
    const found = await explore(cast.cid, 1);
    const places = await eachPlace(cast.cid);

    expect(found).toMatchObject({ mode: 'explore', day: 2, claimed: true });
    expect(found.explore).toMatchObject({
      barred_by: null,
      bell_at: '2026-03-03T00:00:00.000000Z',
      mine: { name: 'Cid', moves_left: 4, places_left: 2 },
    });
    expect(places.map(({ slot, options }) => [slot, options.map(({ move }) => move).join()])).toEqual(
      all.map((slot) => [slot, 'PEACE,WAR,PASS']),
    );
    expect(places[0]).toMatchObject({
      occupants: [
        { name: 'Ann', me: false, days_held: 0, rent_cents: 300, reputation: 1 },
        { name: 'Bob', me: false },
      ],
      announced: [{ name: 'Ann', intention: 'PEACE', message: 'I stay' }],
    });
    expect(places[2]?.occupants).toMatchObject([{ name: 'Cid', me: true, days_held: 0 }, { name: 'Eve' }]);
  });

  test('tells of all places in brief what it tells of each: who, what it costs, whether it is refused, and the points', async () => {
    await hill.asAgent(cast.cid).play({ slot: 3, move: 'PEACE' });
    const found = (await explore(cast.cid)).explore;
    const places = await eachPlace(cast.cid);
    await hill.asAgent(cast.cid).play({ slot: 3, move: 'PASS' });

    expect(found.mine).toMatchObject({ moves_left: 3, places_left: 1, reserved_cents: 300 });
    const seen = (to: Supposed | null) => to && { i_sit: to.i_sit, points: to.points };
    const codes = new Set<string>();
    for (const [i, { slot, occupants, my_live_move, options }] of found.places.entries()) {
      const whole = places[i] as Place;
      expect([slot, my_live_move ?? null]).toEqual([whole.slot, whole.my_live_move]);
      expect(occupants).toEqual(
        whole.occupants.map(({ slug, days_held, rent_cents, reputation, me }) => ({
          ...{ slug, days_held, rent_cents, reputation },
          ...(me ? { me } : {}),
        })),
      );
      expect(options.map(({ move }) => move)).toEqual(slot === 3 ? ['PEACE', 'WAR', 'PASS'] : ['PEACE', 'WAR']);
      for (const told of options) {
        const one = whole.options.find(({ move }) => move === told.move) as Option;
        expect({ ...told, code: told.code ?? null, changes_nothing: told.changes_nothing ?? false }).toMatchObject({
          cost_cents: one.cost_cents,
          code: one.code,
          changes_nothing: one.changes_nothing,
          if_holders_stay: seen(one.if_holders_stay),
        });
        expect(told.if_nobody_else_moves ?? told.if_holders_stay).toEqual(seen(one.if_nobody_else_moves));
        if (told.code) codes.add(told.code);
      }
    }
    expect(codes).toContain('OVER_DAILY_CAP');
    expect(Object.keys(found.hints ?? {}).sort()).toEqual([...codes].sort());
  });

  test('is what it does unless told otherwise; a day makes it a debrief', async () => {
    const token = await tokenOf(cast.cid);
    expect(await mcp.call(token, 'explore_and_debrief')).toEqual(await explore(cast.cid));
    expect(await mcp.call(token, 'explore_and_debrief', { day: 1 })).toMatchObject({ mode: 'debrief', day: 1 });
  });

  test('says of each option what play would say: the code, the cost, the day’s sum', async () => {
    // one in each strait: rich, at the cap, poor, with moves made, with both places taken, with no move left, a tenant
    // of many days
    const rich = await anAccount(hill, {
      name: 'Rich',
      credits: 90_000,
      daily_cap_cents: 100_000,
      max_stake_cents: 50_000,
    });
    const meek = await anAccount(hill, { name: 'Meek', credits: 90_000, max_stake_cents: 700 });
    const poor = await anAccount(hill, { name: 'Poor', credits: 350 });
    const busy = await anAccount(hill, { name: 'Busy', credits: 90_000, daily_cap_cents: 5000 });
    await hill.asAgent(busy).play({ slot: 5, move: 'WAR', stake_cents: 900, message: 'Mine' });
    await hill.asAgent(busy).play({ slot: 6, move: 'PEACE' });
    const spent = await anAccount(hill, { name: 'Spent', credits: 90_000, daily_cap_cents: 5000 });
    for (const move of ['PEACE', 'PASS', 'PEACE', 'PASS']) await hill.asAgent(spent).play({ slot: 5, move });
    const capped = await anAccount(hill, {
      name: 'Capped',
      credits: 90_000,
      daily_cap_cents: 900,
      max_stake_cents: 50_000,
    });
    await hill.asAgent(capped).play({ slot: 5, move: 'WAR', stake_cents: 850 });
    const stopped = await anAccount(hill, { name: 'Stopped', credits: 90_000, suspended: true });
    await hill.root.query('update hill.places set opens_day = 9 where slot = 10');

    const codes = new Set<string | null>();
    for (const account of [rich, meek, poor, busy, spent, capped, stopped, cast.ann, cast.cid]) {
      const found = await explore(account);
      for (const { slot, options } of await eachPlace(account, [1, 3, 5, 10])) {
        for (const {
          move,
          stake_cents,
          allowed,
          code,
          hint,
          cost_cents,
          changes_nothing,
          day_total_cents,
          largest_stake_cents,
        } of options) {
          const about = `${account.name}: ${move} on ${slot}`;
          const { code: said, receipt } = await tryOut(account, slot, move, stake_cents);
          expect(code, about).toBe(said);
          expect(allowed, about).toBe(said === null);
          codes.add(code);
          if (receipt) {
            expect(cost_cents, about).toBe(receipt.reserved_cents);
            expect(receipt.moves_left === (found.explore.mine as { moves_left: number }).moves_left, about).toBe(
              changes_nothing,
            );
          } else expect(hint, about).toMatch(/\w/);
          if (move === 'WAR' && largest_stake_cents) {
            expect((await tryOut(account, slot, 'WAR', largest_stake_cents)).code, about).toBeNull();
            expect((await tryOut(account, slot, 'WAR', largest_stake_cents + 1)).code, about).not.toBeNull();
          }
          if (account === busy && slot === 5 && move === 'PEACE') expect(day_total_cents).toBe(600);
        }
      }
    }
    expect([...codes].map(String).sort()).toEqual(
      [
        'ACCOUNT_SUSPENDED',
        'INSUFFICIENT_CREDITS',
        'NO_MOVES_LEFT',
        'OVER_DAILY_CAP',
        'SLOT_CLOSED',
        'STAKE_OVER_MANDATE',
        'TOO_MANY_PLACES',
        'null',
      ].sort(),
    );
    await hill.root.query('update hill.places set opens_day = 1 where slot = 10');
  });

  test('lets the engine say what would happen, as ask_the_bell does', async () => {
    for (const account of [cast.ann, cast.dan, cast.gus]) {
      const places = await eachPlace(account, [1, 2, 3]);
      for (const holders_stay of [false, true]) {
        for (const { slot, options } of places) {
          for (const { move, if_holders_stay, if_nobody_else_moves } of options) {
            const supposed = (holders_stay ? if_holders_stay : if_nobody_else_moves) as Supposed;
            if (move === 'PASS') {
              expect(supposed).toMatchObject({ i_sit: false, points: 0 });
              continue;
            }
            const { result } = await mcp.call<{
              result: {
                slots: {
                  slot: number;
                  outcome: string;
                  occupants: { account: string; points: number; days_held: number }[];
                }[];
              };
            }>(await tokenOf(account), 'ask_the_bell', { moves: [{ who: 'me', slot, move }], holders_stay });
            const { outcome, occupants } = result.slots.find(
              (each) => each.slot === slot,
            ) as (typeof result.slots)[number];
            const mine = occupants.find((occupant) => occupant.account === account.name.toLowerCase());
            expect(supposed, `${account.name}: ${move} on ${slot}`).toMatchObject({
              outcome,
              i_sit: mine !== undefined,
              occupants: occupants.length,
              points: mine?.points ?? 0,
              days_held: mine?.days_held ?? null,
            });
          }
        }
      }
    }
    expect(option(await explore(cast.cid, 1), 1, 'PEACE').if_holders_stay).toMatchObject({
      i_sit: false,
      rule: 'holder_first',
      why: 'the holders come first, @bob on the last seat',
    });
  });

  test('says what a move does to the reputation of the nights to come', async () => {
    const fred = await anAccount(hill, { name: 'Fred', credits: 9000, daily_cap_cents: 5000 });
    const other = await anAccount(hill, { name: 'Other', credits: 9000, daily_cap_cents: 5000 });
    await hill.asAgent(fred).play({ slot: 8, move: 'PEACE' });
    const foreseen = await explore(fred, 9);
    expect(
      [option(foreseen, 9, 'PEACE'), option(foreseen, 9, 'WAR'), option(foreseen, 9, 'PASS')].map(
        (each) => each.reputation_after,
      ),
    ).toEqual([1, 0.5, 1]);
    expect(option(await explore(fred, 8), 8, 'WAR').reputation_after).toBe(0);
    expect(option(await explore(fred, 8), 8, 'PASS').reputation_after).toBe(0);
    await hill.asAgent(fred).play({ slot: 9, move: 'WAR', stake_cents: 800 });
    await hill.asAgent(other).play({ slot: 9, move: 'PEACE' });
    await hill.clock.ringBell();

    expect((await explore(fred)).explore.mine).toMatchObject({ reputation: 0.5 });
  });

  test('tells an agent that nobody has claimed what a newcomer could do, and how to be claimed', async () => {
    const { access_token } = succeeded(await mcp.exchange((await mcp.register('Newcomer')).identity_assertion));
    const found = await mcp.call<Explored>(access_token, 'explore_and_debrief', { mode: 'explore' });

    expect(found).toMatchObject({ claimed: false, explore: { mine: null, barred_by: 'INSUFFICIENT_SCOPE' } });
    expect(found.explore.places).toHaveLength(10);
    expect(option(found, 4, 'PEACE')).toMatchObject({
      cost_cents: 300,
      code: 'INSUFFICIENT_SCOPE',
      if_holders_stay: { i_sit: true, points: 7 },
    });
    expect(found.how_to_be_claimed).toMatchObject({ guide: `${mcp.baseUrl}/auth.md` });
    expect(await mcp.call(access_token, 'explore_and_debrief', { mode: 'debrief', day: 1 })).toMatchObject({
      claimed: false,
      debrief: { mine: null, night: { accounts: 7, moves: 7 } },
      how_to_be_claimed: { guide: `${mcp.baseUrl}/auth.md` },
    });
  });

  test('says the same before and after the deposit of another account', async () => {
    const spy = await tokenOf(cast.bob);
    const day = await hill.clock.day();
    const look = async () =>
      Promise.all(
        [
          ['explore_and_debrief', { mode: 'explore' }] as const,
          ['explore_and_debrief', { mode: 'debrief' }] as const,
          [
            'ask_the_bell',
            {
              moves: [
                { who: 'eve', slot: 3, move: 'PEACE' },
                { who: 'me', slot: 3, move: 'WAR' },
              ],
              holders_stay: true,
            },
          ] as const,
        ].map(async ([name, args]) => (await mcp.callTool(spy, name, args)).message.result),
      );
    const before = await look();
    await hill.asAgent(cast.eve).play({ slot: 3, move: 'WAR', stake_cents: 913, message: 'zugzwang', day });
    await hill.asAgent(cast.gus).play({ slot: 1, move: 'PEACE', day });

    expect(JSON.stringify(await look())).toBe(JSON.stringify(before));
    // and the account itself sees its own
    expect((await explore(cast.eve, 3)).explore.places[0]?.my_live_move).toMatchObject({
      move: 'WAR',
      stake_cents: 913,
    });
  });

  test('calls no stake possible that the weekly cap refuses', async () => {
    const eve = await anAccount(hill, { credits: 9000, daily_cap_cents: 5000 });
    await hill.asHuman(eve).setWeeklyCap(850);

    const { message } = await mcp.callTool(await tokenOf(eve), 'explore_and_debrief', { mode: 'explore' });
    expect(message.result?.content[0]?.text).toContain('850 of the cap left, largest stake now 850.');
  });

  test('refuses what it cannot explore', async () => {
    const token = await tokenOf(cast.ann);
    const refused = (args: object) => mcp.refusal(token, 'explore_and_debrief', args);
    expect(await refused({ mode: 'explore', slot: 11 })).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'slot' });
    for (const far of [{ slot: 3e9 }, { day: 3e9 }, { day: -3e9 }, { day: 1.5 }])
      for (const mode of ['explore', 'debrief'])
        expect(await refused({ mode, ...far })).toMatchObject({
          code: 'INVALID_ARGUMENT',
          argument: Object.keys(far)[0],
        });
    expect(await refused({ mode: 'debrief', slot: 0 })).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'slot' });
    expect(await refused({ mode: 'explore', day: 1 })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'day',
      today: await hill.clock.day(),
    });
    expect(await refused({ mode: 'debrief', day: 99 })).toMatchObject({ code: 'DAY_NOT_RESOLVED', days: { first: 1 } });
    expect(await refused({ mode: 'ponder' })).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'mode' });
    await hill.clock.toMidnight();
    expect(await refused({ mode: 'explore' })).toMatchObject({ code: 'BELL_RINGING', retry_after_seconds: 5 });
    expect(await mcp.call(token, 'explore_and_debrief', { mode: 'debrief', day: 1 })).toMatchObject({ day: 1 });
    await hill.clock.ringBell();
  });
});

describe('a debrief', () => {
  const debrief = async (account: Account, args: object = { day: 1 }) =>
    (
      await mcp.call<{ debrief: { mine: Record<string, unknown> } }>(await tokenOf(account), 'explore_and_debrief', {
        mode: 'debrief',
        ...args,
      })
    ).debrief;

  test('follows a PEACE that found no seat through the queue to a burned place, against whom and by which key', async () => {
    expect(await debrief(cast.cid)).toEqual({
      mine: {
        reputation: 0,
        reputation_after: 1,
        moves: [
          {
            ...{ slot: 1, move: 'PEACE', outcome: 'PEACE', cost_cents: 300 },
            decisions: [
              {
                ...{ about_slot: 1, fate: 'queued', rule: 'deposit_order', tie_break: 'deposit_time' },
                rival: { slug: 'bob' },
              },
              {
                ...{ about_slot: 3, fate: 'served', rule: 'queue_order', tie_break: 'seniority' },
                rival: { slug: 'eve' },
              },
            ],
            seat: { slot: 3, via: 'queue', days_held: 0, points: 4 },
          },
        ],
        places: [{ slot: 3, change: 'won' }],
        totals: { cost_cents: 300, granted_cents: 0, paid_cents: 300, points: 4 },
      },
      rules: {
        deposit_order: expect.stringMatching(/Rules 4\.2, 4\.4/),
        queue_order: expect.stringMatching(/Rules 4\.(2, 4\.)?5/),
      },
    });
    // of one place all that was compared
    expect(await debrief(cast.cid, { day: 1, slot: 1 })).toMatchObject({
      night: { accounts: 7, moves: 7, burned_cents: 1800 },
      mine: {
        name: 'Cid',
        reputation: 0,
        reputation_after: 1,
        moves: [
          {
            slot: 1,
            move: 'PEACE',
            outcome: 'PEACE',
            cost_cents: 300,
            burned: false,
            paid_from: [{ money: 'paid', amount_cents: 300 }],
            seat: { slot: 3, via: 'queue', days_held: 0, points: 4 },
            decisions: [
              {
                about_slot: 1,
                fate: 'queued',
                rule: 'deposit_order',
                tie_break: 'deposit_time',
                key: 'at',
                rival: { name: 'Bob' },
                why: expect.stringMatching(/^behind @bob: later, /),
                sentence: expect.stringMatching(/Rules 4\.2, 4\.4/),
              },
              {
                about_slot: 3,
                fate: 'served',
                rule: 'queue_order',
                tie_break: 'seniority',
                key: 'since',
                rival: { name: 'Eve' },
                why: expect.stringMatching(/^ahead of @eve: same reputation, older account, /),
                sentence: expect.stringMatching(/Rules 4\.(2, 4\.)?5/),
              },
            ],
          },
        ],
        totals: { cost_cents: 300, granted_cents: 0, paid_cents: 300, points: 4 },
      },
    });
    expect((await debrief(cast.cid, { day: 1, slot: 3 })).mine).toMatchObject({
      places: [{ slot: 3, change: 'won', days_held_before: null, days_held_after: 0, via: 'queue', points: 4 }],
    });
  });

  test('says from which money a stake burned, and which verdicts fell', async () => {
    expect(await debrief(cast.gus, { day: 1, slot: 3 })).toMatchObject({
      mine: {
        moves: [
          {
            burned: true,
            seat: null,
            cost_cents: 1000,
            paid_from: [{ money: 'granted', amount_cents: 1000 }],
            decisions: [{ fate: 'burned', rule: 'burn', tie_break: 'none', rival: { name: 'Fay' } }],
          },
        ],
        totals: { granted_cents: 1000, paid_cents: 0, points: 0 },
      },
    });
    expect(await debrief(cast.ann, { day: 1, slot: 1 })).toMatchObject({
      mine: { announcements: [{ slot: 1, intention: 'PEACE', verdict: 'kept', played: 'PEACE' }] },
    });
    expect(await debrief(cast.dan)).toMatchObject({
      mine: {
        announcements: [{ slot: 2, intention: 'PEACE', verdict: 'betrayed', played: 'WAR' }],
        moves: [
          {
            stake_cents: 900,
            message: 'Mine',
            decisions: [{ fate: 'seated', rule: 'lone_war' }],
            seat: { via: 'war', points: 9 },
          },
        ],
      },
    });
    expect(await debrief(cast.eve)).toMatchObject({
      mine: {
        moves: [
          {
            decisions: [{ fate: 'evicted', rule: 'lone_war', rival: { slug: 'dan' } }, { fate: 'served' }],
          },
        ],
      },
    });
  });

  test('shows how places changed hands, what was left, and what was not live, to its own account alone', async () => {
    const day = await hill.clock.day();
    const [abe, bea] = [
      await anAccount(hill, { name: 'Abe', credits: 9000, daily_cap_cents: 9000 }),
      await anAccount(hill, { name: 'Bea', credits: 9000, daily_cap_cents: 9000 }),
    ];
    await hill.asAgent(abe).play({ slot: 7, move: 'PEACE' });
    await hill.asAgent(abe).play({ slot: 8, move: 'PEACE' });
    await hill.asAgent(bea).play({ slot: 9, move: 'PEACE' });
    await hill.clock.ringBell();
    await hill.asAgent(abe).play({ slot: 7, move: 'WAR', stake_cents: 800, message: 'Away' });
    await hill.asAgent(abe).play({ slot: 7, move: 'PEACE' });
    await hill.asAgent(bea).play({ slot: 7, move: 'WAR', stake_cents: 800 });
    await hill.asAgent(bea).play({ slot: 9, move: 'PEACE' });
    await hill.clock.ringBell();

    expect((await debrief(abe, {})).mine).toMatchObject({
      moves: [
        {
          slot: 7,
          move: 'PEACE',
          decisions: [{ fate: 'evicted' }, { fate: 'waits', rule: 'nothing_to_serve' }],
        },
      ],
      left: [{ about_slot: 8, rule: 'abandoned' }],
      not_live: [{ slot: 7, move: 'WAR', stake_cents: 800, message: 'Away', ended: 'replaced' }],
      places: [
        { slot: 7, change: 'lost' },
        { slot: 8, change: 'left' },
      ],
    });
    expect((await debrief(bea, {})).mine).toMatchObject({
      places: [{ slot: 7, change: 'won' }],
      totals: { cost_cents: 1100, points: 6 },
    });
    expect((await debrief(bea, { slot: 9 })).mine).toMatchObject({
      places: [{ slot: 9, change: 'kept', days_held_before: 0, days_held_after: 1 }],
    });
    expect((await debrief(abe, { day: day + 1, slot: 8 })).mine).toMatchObject({
      moves: [],
      left: [{ about_slot: 8, fate: 'left', days_held: 0 }],
      not_live: [],
      places: [{ slot: 8 }],
    });
  });

  test('with proofs tells all that its account deposited, also what was not live or its human withdrew, with what opens it in the log', async () => {
    const abe = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
    await hill.asAgent(abe).play({ slot: 6, move: 'WAR', stake_cents: 800, message: 'Mine' });
    const replaced = await hill.asAgent(abe).play({ slot: 6, move: 'PEACE' });
    await hill.clock.tick();
    await hill.asHuman(abe).withdrawMove(6);
    await hill.clock.tick();
    const lived = await hill.asAgent(abe).play({ slot: 5, move: 'PEACE' });
    const { day } = await hill.clock.ringBell();
    const told = async (args: object) => (await debrief(abe, { day, proofs: true, ...args })).mine.deposits as Told[];

    const unsigned = await told({});
    expect(unsigned.map(({ slot, move, ended, by_human, proof }) => [slot, move, ended, by_human, proof])).toEqual([
      [6, 'WAR', 'replaced', false, null],
      [6, 'PEACE', 'withdrawn', false, null],
      [6, 'PASS', 'pass', true, null],
      [5, 'PEACE', null, false, null],
    ]);
    expect(unsigned[1]).toMatchObject({
      salt: replaced.salt,
      ends: endingOf(unsigned[0] as Told),
      commitment: replaced.commitment,
    });
    for (const deposit of unsigned)
      expect(commitmentTo({ ...deposit, day, account_id: abe.id, stake_cents: deposit.stake_cents ?? 0 })).toBe(
        deposit.commitment,
      );
    expect(unsigned[3]?.commitment).toBe(lived.commitment);

    await hill.clock.at('00:15');
    await signLog(hill);
    const log = derivedSigner(secret, 'hill.example/log', 'ed25519');
    for (const { proof, commitment } of await told({}))
      openProof(proof as string, Buffer.from(entryOf(day, commitment)), log);
    expect((await told({ slot: 5 })).map(({ slot }) => slot)).toEqual([5]);
    expect((await debrief(abe, { day })).mine).not.toHaveProperty('deposits');
    expect((await debrief(cast.ann, { day, proofs: true })).mine).toMatchObject({ deposits: [] });
  });

  test('is read by the SDK’s client, against the schema that the tool gives', async () => {
    const client = await mcp.client(await tokenOf(cast.cid));
    await client.listTools();
    for (const args of [
      { mode: 'explore' },
      { mode: 'explore', slot: 3 },
      { mode: 'debrief', day: 1, proofs: true },
      { mode: 'debrief' },
    ]) {
      const { isError, content } = await client.callTool({ name: 'explore_and_debrief', arguments: args });
      expect(isError).toBeFalsy();
      const [{ text } = { text: '' }] = content as { text: string }[];
      expect(text).toMatch(args.mode === 'explore' ? /^Day \d+, bell at / : /^Night \d+: \d+ moves? of \d+ accounts?/);
      expect(text).not.toMatch(/undefined|null|NaN|\[object/);
    }
  });
});
