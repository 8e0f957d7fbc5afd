// Credits that staff grant and humans pay for.
import {
  type CallKind,
  type Family,
  keysOf,
  newName,
  type OfMember,
  refusedFor,
  type StepKind,
  someMember,
} from '../family.ts';
import { Contradiction, expiryOf, type Model, momentFor } from '../model.ts';

/** Whose order a key has made. */
const ordered = (model: Model, key: string) => Object.values(model.members).find(({ orders }) => key in orders);

const grant: CallKind<OfMember & { key: string; cents: number }> = {
  odds: 6,
  beside: 'a bell that rang beside a grant',
  draw: (world, random) => {
    const member = someMember(world, random);
    // much now and then, so that some of it is left when it expires
    return member
      ? {
          member,
          key: newName('ORDER', random),
          cents: random.chance(0.15) ? random.pick([9_000, 50_000]) : 1 + random.below(900),
        }
      : null;
  },
  call: (world, { member, cents, key }) => {
    const keys = keysOf(world, member);
    const args = { account_id: keys?.id, cents, key, reason: 'a world' };
    return keys ? { as: 'staff', name: 'api_staff.grant_credits', args } : null;
  },
  learn: (model, moment, { member, key, cents }, answer) => {
    const known = model.members[member] as Model['members'][string];
    const { now } = momentFor(known, moment);
    const made = known.orders[key];
    const others = !made && ordered(model, key) !== undefined;
    const reasons = { ACCOUNT_CLOSED: !made && known.closed, NOT_ALLOWED: others };
    if (refusedFor(answer, `${member} is granted credits`, reasons)) return;
    const { lot_id: lot } = (answer as { result: { lot_id: number } }).result;
    if (made && made.lot !== lot) throw new Contradiction(`the order ${key} was made twice`);
    if (made) return;
    known.orders[key] = { lot, expiresAt: expiryOf(model, now) };
    known.lots.push({ order: key, left: cents, grantedAt: now, expiresAt: expiryOf(model, now) });
  },
};

const revokeGrant: CallKind<{ key: string; revoked: boolean }> = {
  odds: 2,
  beside: 'a bell that rang beside a grant that is taken back',
  draw: (world, random) => {
    const member = someMember(world, random);
    const keys = Object.keys(world.model.members[member ?? '']?.orders ?? {});
    return keys.length > 0 ? { key: random.pick(keys), revoked: random.chance(0.8) } : null;
  },
  call: ({ model }, { key, revoked }) => {
    const lot = ordered(model, key)?.orders[key]?.lot;
    const args = { lot_id: lot, reason: 'a world', revoked };
    return lot === undefined ? null : { as: 'staff', name: 'api_staff.revoke_grant', args };
  },
  learn: (model, moment, { key, revoked }, answer) => {
    const known = ordered(model, key);
    const gone = !known; // a copy of the database that does not have it took the place of this one
    const { now, today } = known ? momentFor(known, moment) : moment;
    const order = known?.orders[key];
    const stands = order?.revokedOn !== undefined;
    const late = stands && ((order?.taken ?? false) || (order?.revokedOn ?? today) < today);
    const unfit = revoked ? (order?.expiresAt ?? 0) <= now : !stands;
    const reasons = { NOT_FOUND: gone, NOT_ALLOWED: !gone && (late || unfit) };
    if (refusedFor(answer, `the grant of ${key} is ${revoked ? '' : 'not '}taken back`, reasons) || !order) return;
    if (!revoked) delete order.revokedOn;
    else order.revokedOn ??= today;
  },
};

const topUp: CallKind<OfMember & { cents: number }> = {
  odds: 4,
  needed: true,
  beside: 'a bell that rang beside a top-up',
  draw: (world, random) => {
    const member = someMember(world, random);
    return member ? { member, cents: 2_000 + random.below(4_000) } : null;
  },
  call: (world, { member, cents }) => {
    const keys = keysOf(world, member);
    return keys
      ? { as: 'hill_api_worker', name: 'engine.top_up', args: { account_id: keys.id, cents, reason: 'a world' } }
      : null;
  },
  learn: (model, { now }, { member, cents }, answer) => {
    const known = model.members[member] as Model['members'][string];
    if (refusedFor(answer, `${member} tops up`, { ACCOUNT_CLOSED: known.closed })) return;
    const { result: transfer } = answer as { result: number };
    if (known.paid.some((credit) => (credit.transfer ?? 0) > transfer))
      throw new Contradiction(`${member} is credited ${cents} cents before what it was credited sooner`);
    known.paid.push({ left: cents, at: now, transfer });
  },
};

const granted = ({ members, cups: { codes } }: Model): boolean =>
  [...Object.values(members).map(({ orders }) => orders), ...Object.values(codes).map(({ by }) => by)].some(
    (made) => Object.keys(made).length > 0,
  );

/** How long credits live in a world that has none yet: most worlds are over before 90 days are. */
const shortLife: StepKind<{ days: number }> = {
  odds: 8,
  draw: ({ model }, random) => (granted(model) ? null : { days: random.pick([1, 2, 5, 12]) }),
  step: async ({ hill, model }, { days }) => {
    if (granted(model)) return;
    await hill.root.query(
      `create or replace function engine.granted_credits_days() returns integer language sql immutable parallel safe return ${days}`,
    );
    model.creditDays = days;
  },
};

export const credits: Family = { calls: { grant, revokeGrant, topUp }, steps: { shortLife } };
