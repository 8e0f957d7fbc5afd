// Deposits, alone and together, what is withdrawn of them, and announcements.
import type { Receipt } from '../../support/hill/doors.ts';
import { refusalOf } from '../../support/hill/refusal.ts';
import { type CallKind, type Family, keysOf, type OfMember, someAgent, someMember, unexpected } from '../family.ts';
import { type Announcement, announced, type Deposit, deposited, type Model, withdrawn } from '../model.ts';
import { momentIn, type World } from '../world.ts';

const dayOf = (world: World, day: number | undefined) => (day === undefined ? undefined : momentIn(world).today + day);

export const deposit: CallKind<Deposit> = {
  odds: 120,
  beside: 'a bell that rang beside a deposit',
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
  odds: 12,
  beside: 'a bell that rang beside a deposit',
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

export const withdraw: CallKind<OfMember & { slot: number }> = {
  odds: 4,
  beside: 'a bell that rang beside a withdrawal',
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

export const announce: CallKind<Announcement> = {
  odds: 8,
  beside: 'a bell that rang beside an announcement',
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

export const playing: Family = { calls: { deposit, batch, withdraw, announce } };
