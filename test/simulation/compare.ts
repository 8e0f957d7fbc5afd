// The hill's tables against the model.
import { isDeepStrictEqual } from 'node:util';
import { everythingPlayed, hillBoards, naiveBoards } from '../support/naive/naive-boards.ts';
import type { Published } from './model.ts';
import { Contradiction, granted, reserved } from './model.ts';
import { isBarred, paidCents } from './money.ts';
import { momentIn, type World } from './world.ts';

interface Row {
  readonly account: string;
  readonly paid: number;
  readonly granted: number;
  readonly lots: readonly number[];
  readonly daily_cap: number;
  readonly max_stake: number;
  readonly suspended: boolean;
  readonly barred: boolean;
  readonly closed: boolean;
  readonly moves: number;
  readonly reserved: number;
  readonly live:
    | readonly { slot: number; move: string; stake: number; cost: number; message: string | null; seq: number }[]
    | null;
}

/** The innermost part in which two values differ. */
function difference(hill: unknown, model: unknown, at = ''): string {
  const keys = [hill, model].map((value) => (value && typeof value === 'object' ? Object.keys(value).sort() : null));
  if (!keys[0] || !isDeepStrictEqual(keys[0], keys[1]))
    return `${at}: the hill has ${JSON.stringify(hill)}, the model ${JSON.stringify(model)}`;
  const [one, other] = [hill, model] as Record<string, unknown>[];
  const key = keys[0].find((each) => !isDeepStrictEqual(one?.[each], other?.[each])) as string;
  return difference(one?.[key], other?.[key], `${at}, ${key}`);
}

export function same(what: string, hill: unknown, model: unknown): void {
  if (!isDeepStrictEqual(hill, model)) throw new Contradiction(`${what}${difference(hill, model)}`);
}

/** Gives the moves of the model the order in which the hill has them. */
export async function noteOrder({ hill, model, members }: World): Promise<void> {
  const rows = await hill.rows<{ account: string; slot: number; seq: number }>(
    'select account_id as account, slot, seq::int from hill.sealed_moves where ended is null',
  );
  for (const { account, slot, seq } of rows) {
    const live = model.members[members.get(account) as string]?.live[slot];
    if (live) live.seq = seq;
  }
}

/** Every account. */
export async function compare(world: World): Promise<void> {
  const { hill, model, members } = world;
  await noteOrder(world);
  const { rows } = await hill.root.query<Row>({
    name: 'every account',
    text: `
    select a.id as account, w.paid_cents::int as paid, w.granted_cents::int as granted,
           array(select l.remaining_cents::int from engine.account_lots(a.id) l where l.remaining_cents > 0 order by l.lot_id) as lots,
           m.daily_cap_cents::int as daily_cap, m.max_stake_cents::int as max_stake,
           m.weekly_cap_cents::int as weekly_cap, coalesce(m.paused_until, 0) as paused_until, a.suspended_at is not null as suspended,
           a.barred_at is not null as barred,
           exists (select from hill.closings c where c.account_id = a.id) as closed,
           case r.day when s.last_night + 1 then r.moves else 0 end as moves,
           case r.day when s.last_night + 1 then r.cents::int else 0 end as reserved,
           (select jsonb_agg(jsonb_build_object('slot', v.slot, 'move', v.move, 'stake', v.stake_cents, 'cost', v.cost_cents,
                                                'message', v.message, 'seq', v.seq) order by v.slot)
              from hill.sealed_moves v where v.account_id = a.id and v.ended is null) as live
      from hill.accounts a
     cross join lateral engine.credits_of(a.id) w
      join hill.mandates m on m.account_id = a.id
      join hill.reservations r on r.account_id = a.id
     cross join hill.settings s
     order by a.id`,
  });
  same('the accounts', rows.length, Object.keys(model.members).length);
  for (const { account, live, ...row } of rows) {
    const name = members.get(account) as string;
    const member = model.members[name];
    if (!member) throw new Contradiction(`The hill has an account that nobody made: ${account}`);
    same(
      `${name}, tonight`,
      live ?? [],
      Object.entries(member.live).map(([slot, { move, stake, cost, message, seq }]) => ({
        ...{ seq, cost, move, slot: Number(slot), stake, message: message ?? null },
      })),
    );
    same(name, row, {
      paid: paidCents(member),
      granted: granted(member),
      lots: member.lots.map(({ left }) => left),
      daily_cap: member.dailyCap,
      max_stake: member.maxStake,
      weekly_cap: member.weeklyCap,
      paused_until: member.pausedUntil,
      suspended: member.suspended,
      barred: isBarred(model.money, name),
      closed: member.closed,
      moves: member.moves,
      reserved: reserved(member),
    });
  }
  const [night] = await hill.rows<{ night: number }>('select last_night as night from hill.settings');
  same('the last night', night?.night, model.lastNight);
}

/** A published night: what the tables have, and what its stored input resolves to once more. */
export async function compareNight(
  { hill, members }: World,
  { night, paid, expired, verdicts }: Published,
): Promise<void> {
  const [row] = await hill.rows<{
    again: never;
    slots: never;
    paid: { account: string; granted: number; paid: number }[];
    expired: number | null;
    unsettled: boolean;
    verdicts: { account: string; slot: number; verdict: string }[];
  }>(
    `select engine.resolution_json(engine.stored_night($1), engine.resolve_places(engine.stored_night($1))) as again,
            (select jsonb_agg(jsonb_build_object('slot', p.slot, 'outcome', p.outcome, 'peace_count', p.peace_count, 'war_count', p.war_count,
                       'burned_cents', p.burned_cents,
                       'occupants', (select coalesce(jsonb_agg(jsonb_build_object('account', s.account_id, 'days_held', s.days_held,
                                                                                  'via', s.via, 'points', s.points) order by s.seat), '[]')
                                       from hill.seats s where s.day = p.day and s.slot = p.slot)) order by p.slot)
               from hill.place_results p where p.day = $1) as slots,
            (select coalesce(jsonb_agg(jsonb_build_object('account', s.account_id, 'granted', s.granted_cents, 'paid', s.paid_cents)), '[]')
               from hill.settlements s where s.day = $1) as paid,
            (select n.expired_cents::int from hill.nights n where n.day = $1) as expired,
            coalesce(engine.unsettled_night() = $1, false) as unsettled,
            (select coalesce(jsonb_agg(jsonb_build_object('account', n.account_id, 'slot', n.slot, 'verdict', n.verdict)), '[]')
               from hill.announcements n where n.day = $1) as verdicts`,
    [night.day],
  );
  if (!row) throw new Contradiction(`night ${night.day} is not there`);
  const named = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (key, inner) =>
      key === 'account'
        ? (members.get(inner) ?? inner)
        : key === 'evicted'
          ? inner.map((id: string) => members.get(id) ?? id).sort()
          : inner,
    );
  const expected = named(night);
  same(`night ${night.day}, resolved again`, named(row.again), expected);
  same(
    `night ${night.day}, its places`,
    named(row.slots),
    expected.slots.map(({ evicted: _, ...slot }: { evicted: unknown }) => slot),
  );
  same(
    `night ${night.day}, its verdicts`,
    Object.fromEntries(
      named(row.verdicts).map(({ account, slot, verdict }: Readonly<Record<string, string>>) => [
        `${account}.${slot}`,
        verdict,
      ]),
    ),
    verdicts,
  );
  same(`night ${night.day}, what expired`, row.expired, row.unsettled ? null : expired);
  same(
    `night ${night.day}, what was paid`,
    Object.fromEntries(named(row.paid).map(({ account, ...cents }: { account: string }) => [account, cents])),
    Object.fromEntries(
      Object.entries(paid).map(([account, cents]) => [account, { paid: cents.paid, granted: cents.granted }]),
    ),
  );
}

/** The boards, once they are built, against boards from all that was published. */
export async function compareBoards({ hill, model }: World): Promise<void> {
  same('the boards', await hillBoards(hill), naiveBoards(await everythingPlayed(hill), model.lastNight));
}

/** A night that was published is compared at once, and again at the end of the world. */
export async function tookPlace(world: World, published: Published | undefined): Promise<void> {
  if (!published) return;
  const { night, expired } = published;
  world.nights.set(Number(night.day), published);
  if (momentIn(world).today > Number(night.day) + 1) world.reached.add('a bell that was late by a day');
  if (expired > 0) world.reached.add('credits that expired');
  if (night.slots.some(({ occupants }) => occupants.some(({ days_held }) => Number(days_held) >= 5)))
    world.reached.add('a place that one kept for five nights');
  if (night.slots.some(({ outcome }) => outcome === 'BURN')) world.reached.add('a place that burned');
  if (night.queue.some(({ served_slot }) => served_slot !== null)) world.reached.add('a seat from the queue');
  await compareNight(world, published);
}
