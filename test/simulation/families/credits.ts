// Credits that staff grant and humans pay for.
import { type CallKind, type Family, keysOf, type OfMember, refusedFor, someMember } from '../family.ts';
import { Contradiction, dayMs, type Model, momentFor } from '../model.ts';

const grant: CallKind<OfMember & { cents: number }> = {
  odds: 6,
  beside: 'a bell that rang beside a grant',
  draw: (world, random) => {
    const member = someMember(world, random);
    // much now and then, so that some of it is left when it expires
    return member
      ? { member, cents: random.chance(0.15) ? random.pick([9_000, 60_000]) : 1 + random.below(900) }
      : null;
  },
  call: (world, { member, cents }) => {
    const keys = keysOf(world, member);
    const args = { account_id: keys?.id, cents, reason: 'a world' };
    return keys ? { as: 'staff', name: 'api_staff.grant_credits', args } : null;
  },
  learn: (model, moment, { member, cents }, answer) => {
    const known = model.members[member] as Model['members'][string];
    const { now } = momentFor(known, moment);
    if (refusedFor(answer, `${member} is granted credits`, { ACCOUNT_CLOSED: known.closed })) return;
    known.lots.push({ left: cents, grantedAt: now, expiresAt: now + 90 * dayMs });
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

export const credits: Family = { calls: { grant, topUp } };
