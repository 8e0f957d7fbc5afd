// The calls that can be made in a world, alone or in a race: how often, with what, by which function, and what the
// model learns from the answer.

import type { Receipt } from '../support/hill/doors.ts';
import { refusalOf } from '../support/hill/refusal.ts';
import type { CallKind } from './actions.ts';
import { keysOf, someAgent, someMember } from './actions.ts';
import {
  type Announcement,
  type Answer,
  announced,
  Contradiction,
  type Deposit,
  dayMs,
  deposited,
  type Model,
  ring,
  withdrawn,
} from './model.ts';
import { momentIn, type World } from './world.ts';

const unexpected = (about: string, answer: Answer): never => {
  throw new Contradiction(`${about}: ${JSON.stringify(answer)}`);
};
/** Refused for one of these reasons, or not at all. */
const refusedFor = (answer: Answer, about: string, reasons: Readonly<Record<string, boolean>>): boolean => {
  const holds = Object.keys(reasons).filter((code) => reasons[code]);
  if (!('refused' in answer)) return holds.length > 0 ? unexpected(`${about}, although ${holds}`, answer) : false;
  return holds.includes(answer.refused) ? true : unexpected(`${about}, but ${holds}`, answer);
};

const dayOf = (world: World, day: number | undefined) => (day === undefined ? undefined : momentIn(world).today + day);

interface Who {
  readonly agent: string;
}
interface OfMember {
  readonly member: string;
}

const deposit: CallKind<Deposit> = {
  odds: 60,
  draw: (world, random) => {
    const agent = someAgent(world, random);
    if (!agent) return null;
    // who holds a place often stays, so that rents grow
    const held = Object.keys(world.model.holders).filter(
      (slot) => (world.model.agents[agent]?.of ?? '') in (world.model.holders[Number(slot)] ?? {}),
    );
    if (held.length > 0 && random.chance(world.temper.stay))
      return { agent, slot: Number(random.pick(held)), move: 'PEACE' };
    const war = random.chance(world.temper.war);
    const move = war ? 'WAR' : random.pick(['PEACE', 'PEACE', 'PEACE', 'PASS'] as const);
    return {
      ...{ agent, slot: random.pick(world.temper.places), move },
      ...(move === 'WAR' ? { stake: random.pick([799, 800, 800, 900, 1_500]) } : {}),
      ...(random.chance(0.2) ? { message: random.pick(['Good night', 'x'.repeat(141), 'I come in peace']) } : {}),
      ...(random.chance(0.3) ? { day: random.chance(0.1) ? -1 : 0 } : {}),
    };
  },
  call: (world, { agent, slot, move, stake, message, day }) => {
    const keys = keysOf(world, agent);
    const args = { slot, move, stake_cents: stake, message, day: dayOf(world, day) };
    return keys ? { as: 'web', name: 'api_agent.play', args: { token: keys.token, ...args } } : null;
  },
  learn: (model, moment, action, answer) => deposited(model, moment, action, answer as never),
};

/** Those of agents that are there, one an account. */
const inBatch = ({ agents }: Model, deposits: readonly Deposit[]): Deposit[] => {
  const members = new Set<string>();
  return deposits.filter(({ agent }) => {
    const member = agents[agent]?.of;
    if (!member || members.has(member)) return false;
    members.add(member);
    return true;
  });
};

/** Deposits of several accounts in one statement, as they travel near a bell. */
const batch: CallKind<{ deposits: readonly Deposit[] }> = {
  odds: 8,
  draw: (world, random) => {
    const drawn = Array.from({ length: 2 + random.below(4) }, () => deposit.draw(world, random));
    const deposits = inBatch(
      world.model,
      drawn.filter((one) => one !== null),
    );
    return deposits.length > 0 ? { deposits } : null;
  },
  call: (world, { deposits }) => {
    const there = inBatch(world.model, deposits);
    return there.length === 0
      ? null
      : {
          as: 'web',
          name: 'api_agent.play_many',
          args: {
            tokens: there.map(({ agent }) => keysOf(world, agent)?.token),
            slots: there.map(({ slot }) => slot),
            moves: there.map(({ move }) => move),
            stakes: there.map(({ stake }) => stake ?? null),
            messages: there.map(({ message }) => message ?? null),
            days: there.map(({ day }) => dayOf(world, day) ?? null),
          },
        };
  },
  learn: (model, moment, { deposits }, answer) => {
    if ('refused' in answer) return unexpected('a batch', answer);
    const answers = answer.result as (Receipt | { refused: { state: string } } | { busy: true })[];
    for (const [i, one] of inBatch(model, deposits).entries()) {
      const each = answers[i] as (typeof answers)[0];
      if ('busy' in each) {
        if (!moment.racing) unexpected('a batch that nobody was in the way of', answer);
      } else if ('refused' in each)
        deposited(model, moment, one, { refused: refusalOf({ code: each.refused.state }).code });
      else deposited(model, moment, one, { result: each });
    }
    return undefined;
  },
};

const withdraw: CallKind<OfMember & { slot: number }> = {
  odds: 4,
  draw: (world, random) => {
    const member = someMember(world, random);
    return member ? { member, slot: random.pick(world.temper.places) } : null;
  },
  call: (world, { member, slot }) => {
    const keys = keysOf(world, member);
    return keys ? { as: 'web', name: 'api_human.withdraw_move', args: { session: keys.session, slot } } : null;
  },
  learn: (model, moment, action, answer) => withdrawn(model, moment, action, answer as never),
};

const announce: CallKind<Announcement> = {
  odds: 8,
  draw: (world, random) => {
    const agent = someAgent(world, random);
    const intention = random.pick(['PEACE', 'WAR', 'PASS'] as const);
    return agent ? { agent, slot: random.pick(world.temper.places), intention } : null;
  },
  call: (world, { agent, slot, intention, message }) => {
    const keys = keysOf(world, agent);
    const args = { slot, intention, message };
    return keys ? { as: 'web', name: 'api_agent.announce', args: { token: keys.token, ...args } } : null;
  },
  learn: (model, moment, action, answer) => announced(model, moment, action, answer),
};

const mandate: CallKind<OfMember & { dailyCap: number; maxStake: number }> = {
  odds: 5,
  draw: (world, random) => {
    const member = someMember(world, random);
    return member
      ? { member, dailyCap: random.pick([0, 300, 1_000, 3_000, 6_000]), maxStake: random.pick([0, 800, 1_500]) }
      : null;
  },
  call: (world, { member, dailyCap, maxStake }) => {
    const keys = keysOf(world, member);
    const args = { daily_cap_cents: dailyCap, max_stake_cents: maxStake };
    return keys ? { as: 'web', name: 'api_human.set_mandate', args: { session: keys.session, ...args } } : null;
  },
  learn: (model, _, { member, dailyCap, maxStake }, answer) => {
    const known = model.members[member] as Model['members'][string];
    if (refusedFor(answer, `${member} sets its mandate`, { INVALID_TOKEN: known.closed, ACCOUNT_CLOSED: known.closed }))
      return;
    Object.assign(known, { dailyCap, maxStake });
  },
};

const grant: CallKind<OfMember & { cents: number }> = {
  odds: 6,
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
  learn: (model, { now }, { member, cents }, answer) => {
    const known = model.members[member] as Model['members'][string];
    if (refusedFor(answer, `${member} is granted credits`, { ACCOUNT_CLOSED: known.closed })) return;
    known.lots.push({ left: cents, grantedAt: now, expiresAt: now + 90 * dayMs });
  },
};

const topUp: CallKind<OfMember & { cents: number }> = {
  odds: 4,
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
  learn: (model, _, { member, cents }, answer) => {
    const known = model.members[member] as Model['members'][string];
    if (refusedFor(answer, `${member} tops up`, { ACCOUNT_CLOSED: known.closed })) return;
    known.paid += cents;
  },
};

const suspend: CallKind<OfMember & { suspended: boolean }> = {
  odds: 2,
  draw: (world, random) => {
    const member = someMember(world, random);
    return member ? { member, suspended: !world.model.members[member]?.suspended && random.chance(0.6) } : null;
  },
  call: (world, { member, suspended }) => {
    const keys = keysOf(world, member);
    const args = { account_id: keys?.id, suspended, reason: 'a world' };
    return keys ? { as: 'staff', name: 'api_staff.suspend_account', args } : null;
  },
  learn: (model, _, { member, suspended }, answer) => {
    const known = model.members[member] as Model['members'][string];
    if (refusedFor(answer, `${member} is suspended: ${suspended}`, {})) return;
    known.suspended = suspended;
  },
};

const cut: CallKind<Who> = {
  odds: 1,
  draw: (world, random) => {
    const agent = someAgent(world, random);
    return agent ? { agent } : null;
  },
  call: (world, { agent }) => {
    const keys = keysOf(world, agent);
    const args = { agent_id: keys?.agentId, reason: 'a world' };
    return keys ? { as: 'staff', name: 'api_staff.cut_agent', args } : null;
  },
  learn: (model, _, { agent }, answer) => {
    if (refusedFor(answer, `${agent} is cut`, {})) return;
    (model.agents[agent] as { cut: boolean }).cut = true;
  },
};

const bell: CallKind<object> = {
  odds: 0, // when it is due: see `worker`
  draw: () => ({}),
  call: () => ({ as: 'worker', name: 'api_worker.ring_next_bell', args: {} }),
  learn: (model, { today }, _, answer) => {
    const due = today > model.lastNight + 1;
    if ('refused' in answer) {
      if (answer.refused === 'NOT_SEALED' && due) return;
      unexpected('the bell', answer);
    } else if (answer.result === null) {
      if (due) throw new Contradiction('a bell that is due did not ring');
    } else if (due) return ring(model);
    else unexpected('a bell that is not due', answer);
    return;
  },
};

export const calls = { deposit, batch, withdraw, announce, mandate, grant, topUp, suspend, cut, bell } as const;
