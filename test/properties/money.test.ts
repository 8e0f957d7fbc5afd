// Random populations over random nights, through the real functions: after every single call the books balance; after
// every bell the night is what its stored input gives again, and every wallet is what a bookkeeper with nothing but a
// list of lots would have. Rules 4.1, 4.9, 5.3, 5.5. HILL_SEED repeats a run.
import { afterAll, describe, expect, test } from 'vitest';
import type { History } from '../../src/records/own.ts';
import {
  type Account,
  anAccount,
  anotherAgent,
  balanced,
  books,
  call,
  closeAccount,
  grant,
  type Hill,
  topUp,
  useHill,
} from '../support/hill/index.ts';
import { aRandomMove, tryToPlay } from '../support/hill/random-play.ts';
import { type Random, randomFrom, seed } from '../support/random.ts';

interface Lot {
  readonly id: number;
  cents: number;
  left: number;
  grantedAt: string;
  expiresAt: string;
}

/** One account's money as a bookkeeper would write it down. */
interface Purse {
  readonly agents: Account[];
  paid: number;
  lots: Lot[];
  /** How many lots had something left when they expired, by day. */
  readonly expiries: Map<number, number>;
  /** Lots that staff take back at the next bell. */
  revoked: Set<Lot>;
  /** Those that they have: what is left of one is of other grants. */
  readonly takenBack: Set<number>;
  /** Closed by its human: at the next bell, whatever tonight's moves leave of it lapses. */
  closed?: boolean;
}

const nothing = () => ({
  expiries: new Map<number, number>(),
  revoked: new Set<Lot>(),
  takenBack: new Set<number>(),
});

const granted = (purse: Purse) => purse.lots.reduce((sum, { left }) => sum + left, 0);

/**
 * What a bell takes: lots that were there at its instant, soonest expiry first, then paid credits; then what has
 * expired.
 */
function settle(
  purse: Purse,
  cents: number,
  day: number,
  bellAt: string,
): { granted: number; paid: number; expired: number } {
  let due = cents;
  for (const lot of purse.lots
    .filter(({ grantedAt }) => grantedAt < bellAt)
    .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1))) {
    const taken = Math.min(lot.left, due);
    lot.left -= taken;
    due -= taken;
  }
  purse.paid -= due;
  const over = purse.lots.filter(({ expiresAt }) => purse.closed || expiresAt <= bellAt);
  const expired = over.reduce((sum, { left }) => sum + left, 0);
  if (expired > 0) purse.expiries.set(day, over.filter(({ left }) => left > 0).length);
  purse.lots = purse.lots.filter((lot) => lot.left > 0 && !over.includes(lot));
  // staff take what is left of a lot, and like a night they take it from those that expire first
  for (const lot of purse.lots.filter((one) => purse.revoked.has(one))) {
    let taking = lot.left;
    for (const first of purse.lots) {
      const taken = Math.min(first.left, taking);
      first.left -= taken;
      taking -= taken;
    }
  }
  for (const { id } of purse.revoked) purse.takenBack.add(id);
  purse.revoked = new Set();
  purse.lots = purse.lots.filter(({ left }) => left > 0);
  if (purse.closed) purse.paid = 0;
  return { granted: cents - due, paid: due, expired };
}

async function addLot(hill: Hill, purse: Purse, cents: number): Promise<void> {
  const { now } = await hill.asWorker().readClock();
  await grant(hill, purse.agents[0] as Account, cents);
  const [{ id, expires_at } = { id: 0, expires_at: '' }] = await hill.rows<{ id: number; expires_at: string }>(
    `select max(l.id)::int as id, engine.iso($1::timestamptz + interval '90 days') as expires_at
       from hill.lots l where l.account_id = $2`,
    [now, purse.agents[0]?.id],
  );
  purse.lots.push({ id, cents, left: cents, grantedAt: now, expiresAt: expires_at });
}

/** One thing that somebody does. */
async function act(hill: Hill, random: Random, purses: readonly Purse[]): Promise<void> {
  const purse = random.pick(purses);
  if (purse.closed) return;
  const agent = random.pick(purse.agents);
  switch (random.below(20)) {
    case 0: {
      const cents = 2000 + random.below(3000);
      await topUp(hill, agent, cents);
      purse.paid += cents;
      break;
    }
    case 1:
    case 2:
      await addLot(hill, purse, 1 + random.below(700));
      break;
    case 3:
      await hill.asHuman(agent).withdrawMove(1 + random.below(4));
      break;
    case 4:
      await hill.asHuman(agent).setMandate(random.pick([0, 300, 1000, 3000]), random.pick([0, 800, 1500]));
      break;
    case 5:
      await hill.clock.tick(random.below(60_000) + 0.001);
      break;
    case 6:
      // one may leave, with its moves of that night; somebody stays to play
      if (!random.chance(0.1) || purses.filter(({ closed }) => !closed).length < 3) break;
      await closeAccount(hill, agent);
      purse.closed = true;
      break;
    case 7: {
      const { now } = await hill.asWorker().readClock();
      const lots = purse.lots.filter(({ id, expiresAt }) => expiresAt > now && !purse.takenBack.has(id));
      if (lots.length === 0) break;
      const lot = random.pick(lots);
      const stays = purse.revoked.delete(lot);
      if (!stays) purse.revoked.add(lot);
      await hill.asStaff().call('api_staff.revoke_grant', { lot_id: lot.id, reason: 'a test', revoked: !stays });
      break;
    }
    default:
      await tryToPlay(hill, agent, aRandomMove(random, [1, 2, 3, 4]));
  }
}

/** The night that the bell has just rung, against its own stored input and against the bookkeeper. */
async function check(hill: Hill, purses: readonly Purse[], day: number, bellAt: string): Promise<void> {
  // the published tables, the resolution of the stored input, and the night file's resolution are one and the same
  const [night] = await hill.rows<{ again: unknown; file: unknown; published: unknown }>(
    `select engine.resolution_json(engine.stored_night($1), engine.resolve_places(engine.stored_night($1))) as again,
            engine.resolve_night(engine.night_json(engine.stored_night($1))) as file,
            (select jsonb_build_object('day', $1::integer,
               'slots', jsonb_agg(jsonb_build_object('slot', p.slot, 'outcome', p.outcome, 'peace_count', p.peace_count, 'war_count', p.war_count,
                          'burned_cents', p.burned_cents,
                          'occupants', (select coalesce(jsonb_agg(jsonb_build_object('account', s.account_id, 'days_held', s.days_held, 'via', s.via, 'points', s.points) order by s.seat), '[]')
                                          from hill.seats s where s.day = p.day and s.slot = p.slot)) order by p.slot),
               'charges', (select coalesce(jsonb_agg(jsonb_build_object('account', m.account_id, 'slot', m.slot, 'move', m.move, 'cents', m.cost_cents,
                                                       'burned', m.move = 'WAR' and r.outcome = 'BURN') order by m.slot, m.seq), '[]')
                             from hill.moves m join hill.place_results r on r.day = m.day and r.slot = m.slot where m.day = $1 and m.ended is null))
               from hill.place_results p where p.day = $1) as published`,
    [day],
  );
  if (!night) throw new Error(`There is no night ${day}`);
  const { queue: _, slots, ...rest } = night.again as { queue: unknown; slots: { evicted: unknown }[] };
  expect(night.file, `night ${day}`).toEqual(night.again);
  expect(night.published, `night ${day}`).toEqual({ ...rest, slots: slots.map(({ evicted: _, ...slot }) => slot) });

  const costs = new Map(
    (
      await hill.rows<{ account: string; cents: number }>(
        'select account_id as account, sum(cost_cents)::int as cents from hill.moves where day = $1 and ended is null group by 1',
        [day],
      )
    ).map(({ account, cents }) => [account, cents]),
  );
  const settlements = new Map(
    (
      await hill.rows<{ account: string; granted: number; paid: number }>(
        'select account_id as account, granted_cents as granted, paid_cents as paid from hill.settlements where day = $1',
        [day],
      )
    ).map(({ account, granted, paid }) => [account, { granted, paid }]),
  );
  expect([...settlements.keys()].sort()).toEqual([...costs.keys()].sort());

  let expired = 0;
  for (const purse of purses) {
    const account = purse.agents[0] as Account;
    const took = settle(purse, costs.get(account.id) ?? 0, day, bellAt);
    expired += took.expired;
    if (costs.has(account.id))
      expect(settlements.get(account.id), `${account.name}, night ${day}`).toEqual({
        granted: took.granted,
        paid: took.paid,
      });
    if (purse.closed)
      expect(
        await hill.rows('select granted_cents, paid_cents from hill.wallets where account_id = $1', [account.id]),
      ).toEqual([{ granted_cents: 0, paid_cents: 0 }]);
    else
      expect(await hill.asHuman(account).ownState(), `${account.name} after night ${day}`).toMatchObject({
        granted_cents: granted(purse),
        paid_cents: purse.paid,
        lots: purse.lots.map(({ left, expiresAt }) => ({ remaining_cents: left, expires_at: expiresAt })),
      });
    // each cent of each charge has a source, and no source gave more than it had
    const [traced] = await hill.rows(
      `select coalesce(sum(s.cents) filter (where s.lot_id is not null), 0)::int as granted, coalesce(sum(s.cents) filter (where s.lot_id is null), 0)::int as paid,
              bool_and(s.cents > 0) is not false as positive,
              (select count(*)::int from hill.moves m where m.day = $2 and m.account_id = $1 and m.ended is null
                  and m.cost_cents <> (select sum(c.cents) from engine.charge_sources($1, $2) c where c.seq = m.seq)) as untraced
         from engine.charge_sources($1, $2) s`,
      [account.id, day],
    );
    expect(traced).toEqual({ granted: took.granted, paid: took.paid, positive: true, untraced: 0 });
  }
  expect(await hill.rows('select expired_cents::int as expired from hill.nights where day = $1', [day])).toEqual([
    { expired },
  ]);
}

describe.each([0, 1, 2])(`population %i (HILL_SEED=${seed})`, (population) => {
  const hill = useHill();
  const random = randomFrom(seed + population);
  const purses: Purse[] = [];
  afterAll(() =>
    console.log(
      `money: population ${population} of HILL_SEED=${seed}, ${purses.filter(({ closed }) => closed).length} accounts were closed`,
    ),
  );

  test('keeps every cent, at every call and every bell', async () => {
    for (let i = 0; i < 5; i++) {
      const paid = random.pick([0, 500, 3000, 20_000]);
      const account = await anAccount(hill, { credits: paid, daily_cap_cents: 4000 });
      const purse: Purse = { agents: [account], paid, lots: [], ...nothing() };
      if (random.chance(0.5)) purse.agents.push(await anotherAgent(hill, account));
      purses.push(purse);
      for (let lots = random.below(3); lots > 0; lots--)
        await addLot(hill, purse, (population === 2 ? 2000 : 100) + random.below(600));
    }
    const players = [...purses];
    // one who never plays
    purses.push({ agents: [await anAccount(hill)], paid: 0, lots: [], ...nothing() });
    for (const cents of [500, 1]) await addLot(hill, purses.at(-1) as Purse, cents);
    const ring = async () => {
      const { next_bell_at } = await hill.asWorker().readClock();
      const { day } = await hill.clock.ringBell();
      await check(hill, purses, day, next_bell_at);
    };
    for (let night = 1; night <= 8; night++) {
      for (let i = 10 + random.below(25); i > 0; i--) {
        await act(hill, random, players);
        expect(await books(hill.root)).toEqual(balanced);
      }
      // now and then the bell is late, and credits come in before it rings
      if (random.chance(0.3)) {
        await hill.clock.toMidnight();
        await hill.clock.tick(random.below(3 * 86_400_000));
        const open = purses.filter(({ closed }) => !closed);
        await addLot(hill, random.pick(open), 1 + random.below(900));
        const [first] = open as [Purse];
        if (random.chance(0.5)) await topUp(hill, first.agents[0] as Account, 2000).then(() => (first.paid += 2000));
      }
      await ring();
      expect(await books(hill.root)).toEqual(balanced);
      // several bells may be missing, and nobody deposits before they have rung
      for (
        let clock = await hill.asWorker().readClock();
        clock.now >= clock.next_bell_at;
        clock = await hill.asWorker().readClock()
      )
        await ring();
      // the last population lives long enough for lots to expire, spent in part or not at all: nothing can before day
      // 91
      if (population === 2 && night === 4) await hill.clock.toDay(89);
    }
    if (population === 2) {
      const [{ count } = { count: 0 }] = await hill.rows<{ count: number }>(
        "select count(*) from hill.transfers where kind = 'expiry'",
      );
      expect(count).toBeGreaterThan(0);
    }
  });

  test('can say what each account had after each day', async () => {
    const [{ wrong } = { wrong: null }] = await hill.rows<{ wrong: unknown }>(`
      select jsonb_agg(jsonb_build_array(w.account_id, d.day)) as wrong
        from hill.wallets w cross join generate_series(0, engine.last_night()) d (day) cross join engine.balance_after(w.account_id, d.day) b
       where b.granted_cents < 0 or b.paid_cents < 0
          or (d.day = engine.last_night() and (b.granted_cents, b.paid_cents) <> (w.granted_cents - coalesce((select sum(t.cents) from hill.transfers t
                where t.credit_account_id = w.account_id and t.kind = 'grant' and t.day > d.day), 0), w.paid_cents - coalesce((select sum(t.cents) from hill.transfers t
                where t.credit_account_id = w.account_id and t.kind = 'topup' and t.day > d.day), 0)))`);

    expect(wrong).toBeNull();
  });

  test('tells each human of every night what the ledger has, page by page', async () => {
    const [{ day: last } = { day: 0 }] = await hill.rows<{ day: number }>('select engine.last_night() as day');
    for (const { agents, closed, expiries } of purses) {
      if (closed) continue;
      const { id, session } = agents[0] as Account;
      let seen = last + 1;
      let before: number | undefined;
      for (let earlier = true; earlier; ) {
        const page: History = await call<History>(hill.as('web'), 'api_human.history', { session, before });
        expect(page.to).toBe(seen - 1);
        seen = before = page.from;
        earlier = page.earlier;
        const [ledger] = await hill.rows<{ balances: unknown; nights: unknown; transfers: unknown }>(
          `select (select jsonb_agg(jsonb_build_object('day', d.day, 'granted_cents', b.granted_cents, 'paid_cents', b.paid_cents,
                            'points', (select coalesce(trim_scale(sum(s.points)), 0) from hill.seats s where s.account_id = $1 and s.day = d.day)) order by d.day)
                     from generate_series($2::int, $3::int) d (day) cross join engine.balance_after($1, d.day) b) as balances,
                  (select coalesce(jsonb_agg(jsonb_build_object('day', s.day, 'granted_cents', s.granted_cents, 'paid_cents', s.paid_cents,
                            'moves', (select count(*) from hill.moves m where m.account_id = $1 and m.day = s.day and m.ended is null),
                            'cost_cents', (select sum(m.cost_cents) from hill.moves m where m.account_id = $1 and m.day = s.day and m.ended is null),
                            'lots', (select coalesce(jsonb_agg(jsonb_build_array(engine.iso(l.granted_at), engine.iso(l.expires_at), c.cents) order by l.from_cents), '[]')
                                       from (select c.lot_id, sum(c.cents) as cents from engine.charge_sources($1, s.day) c group by 1) c
                                       join hill.lots l on l.id = c.lot_id)) order by s.day desc), '[]')
                     from hill.settlements s where s.account_id = $1 and s.day between $2 and $3) as nights,
                  (select coalesce(jsonb_agg(jsonb_build_array(t.day, t.kind, t.granted, t.paid) order by t.day desc, t.kind), '[]')
                     from (select e.day, e.kind, sum(e.granted_cents) as granted, sum(e.paid_cents) as paid from engine.entries($1) e
                            where e.kind <> 'night' and e.day >= $2 and (e.day <= $3 or $3 = $4) group by 1, 2) t) as transfers`,
          [id, page.from, page.to, last],
        );
        expect(page.balances, `to day ${page.to}`).toEqual(ledger?.balances);
        expect(page.transfers.map((t) => [t.day, t.kind, t.granted_cents, t.paid_cents])).toEqual(ledger?.transfers);
        for (const { day, count } of page.transfers.filter(({ kind }) => kind === 'expiry'))
          expect(count).toBe(expiries.get(day));
        expect(
          page.nights
            .filter(({ moves }) => moves.length > 0)
            .map(({ day, granted_cents, paid_cents, moves, lots }) => ({
              ...{ day, granted_cents, paid_cents, moves: moves.length },
              cost_cents: moves.reduce((sum, { cost_cents }) => sum + cost_cents, 0),
              lots: lots.map((lot) => [lot.granted_at, lot.expires_at, lot.amount_cents]),
            })),
        ).toEqual(ledger?.nights);
        for (const { day, moves } of page.nights)
          expect(
            moves.reduce((sum, { seat }) => sum + (seat?.points ?? 0), 0),
            `the seats of day ${day}`,
          ).toBe(page.balances.find((balance) => balance.day === day)?.points);
      }
    }
  });
});
