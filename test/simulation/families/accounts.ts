// Who comes and goes: accounts, their agents, what humans set and what staff end.
import { type Account, anAccount, anotherAgent } from '../../support/hill/accounts.ts';
import type { Random } from '../../support/random.ts';
import {
  type CallKind,
  type Family,
  keysOf,
  type OfAgent,
  type OfMember,
  refusedFor,
  type StepKind,
  someAgent,
  someMember,
} from '../family.ts';
import { barredBySession, endAgent, forgetHuman } from '../identity.ts';
import { bellAt, type Model, momentFor, newMember } from '../model.ts';
import { hiddenProfile } from '../told.ts';
import { type Call, callAlone, momentIn, setNow, type World } from '../world.ts';

function keep(world: World, name: string, member: string, keys: Account): void {
  world.agents.set(name, keys);
  world.members.set(keys.id, member);
  world.members.set(keys.agentId, name);
  world.model.agents[name] = { of: member, cut: false };
}

interface Limits {
  readonly dailyCap: number;
  readonly maxStake: number;
}
const someLimits = (random: Random): Limits => ({
  ...{ dailyCap: random.pick([0, 300, 1_000, 3_000, 6_000]), maxStake: random.pick([0, 800, 1_500]) },
});

const mandate: CallKind<OfMember & Limits> = {
  odds: 5,
  needed: true,
  beside: 'a bell that rang beside a mandate',
  draw: (world, random) => {
    const member = someMember(world, random);
    return member ? { member, ...someLimits(random) } : null;
  },
  call: (world, { member, dailyCap, maxStake }) => {
    const keys = keysOf(world, member);
    const args = { daily_cap_cents: dailyCap, max_stake_cents: maxStake };
    return keys ? { as: 'web', name: 'api_human.set_mandate', args: { session: keys.session, ...args } } : null;
  },
  learn: (model, _, { member, dailyCap, maxStake }, answer) => {
    const known = model.members[member] as Model['members'][string];
    if (refusedFor(answer, `${member} sets its mandate`, barredBySession(model, member))) return;
    Object.assign(known, { dailyCap, maxStake });
  },
};

const weekly: CallKind<OfMember & { cents: number | null }> = {
  odds: 3,
  needed: true,
  beside: 'a bell that rang beside a mandate',
  draw: (world, random) => {
    const member = someMember(world, random);
    return member ? { member, cents: random.pick([null, 0, 900, 4_000, 9_000]) } : null;
  },
  call: (world, { member, cents }) => {
    const keys = keysOf(world, member);
    return keys ? { as: 'web', name: 'api_human.set_weekly_cap', args: { session: keys.session, cents } } : null;
  },
  learn: (model, _, { member, cents }, answer) => {
    if (refusedFor(answer, `${member} sets its weekly cap`, barredBySession(model, member))) return;
    (model.members[member] as Model['members'][string]).weeklyCap = cents;
  },
};

const pause: CallKind<OfMember & { until: number }> = {
  odds: 2,
  needed: true,
  beside: 'a bell that rang beside a mandate',
  /** 0 ends it. */
  draw: (world, random) => {
    const member = someMember(world, random);
    return member ? { member, until: random.pick([0, 0, 1, 2, 4].map((n) => n && momentIn(world).today + n)) } : null;
  },
  call: (world, { member, until }) => {
    const keys = keysOf(world, member);
    const date = until > 0 ? new Date(bellAt(until - 1)).toISOString().slice(0, 10) : null;
    return keys ? { as: 'web', name: 'api_human.pause', args: { session: keys.session, until: date } } : null;
  },
  learn: (model, moment, { member, until }, answer) => {
    const known = model.members[member] as Model['members'][string];
    const { today } = momentFor(known, moment);
    const reasons = { ...barredBySession(model, member), INVALID_ARGUMENT: until > 0 && until <= today };
    if (refusedFor(answer, `${member} pauses until ${until}`, reasons)) return;
    known.pausedUntil = until;
  },
};

interface Joins {
  readonly name: string;
  readonly paid: number;
  /** What its human sets at once. */
  readonly limits?: Limits;
}
/** Several at a time, so that a world that is made small has one action for all of them. */
const join: StepKind<{ who: readonly Joins[] }> = {
  odds: 3,
  needed: true,
  draw: (world, random) => {
    const all = Object.values(world.model.members);
    const living = all.filter(({ closed }) => !closed).length;
    const count = Math.min(9 - living, all.length === 0 ? random.pick([3, 6]) : 1);
    const who = Array.from({ length: count }, (_, i) => ({
      ...{ name: `m${all.length + 1 + i}`, paid: random.pick([0, 2_000, 3_000, 20_000]) },
      ...(random.chance(0.3) ? { limits: someLimits(random) } : {}),
    }));
    return count > 0 ? { who } : null;
  },
  step: async (world, { who }) => {
    for (const { name, paid, limits } of who) {
      // of a world that is played in part: what took its database back is left out, and it joins twice
      if (name in world.model.members) continue;
      await setNow(world, world.now + 1);
      const keys = await anAccount(world.hill, { name, credits: paid });
      const credits = paid > 0 ? [{ left: paid, at: world.now }] : [];
      world.model.members[name] = { ...newMember(new Date(world.now).toISOString()), paid: credits };
      keep(world, name, name, keys);
      if (!limits) continue;
      const set = { member: name, ...limits };
      mandate.learn(world.model, momentIn(world), set, await callAlone(world, mandate.call(world, set) as Call));
    }
  },
};

const second: StepKind<{ name: string; member: string }> = {
  odds: 2,
  needed: true,
  draw: (world, random) => {
    const member = someMember(world, random);
    const living = Object.values(world.model.agents).filter((agent) => !agent.cut).length;
    return member && living < 14 ? { name: `a${world.agents.size + 1}`, member } : null;
  },
  step: async (world, { name, member }) => {
    const keys = keysOf(world, member);
    // who signs in by a provider gets others by a claim or a consent: see claims.ts and tokens.ts
    if (!keys || name in world.model.agents) return 'nobody';
    if (world.model.members[member]?.closed || member in world.model.identity.first) return 'nobody';
    keep(world, name, member, await anotherAgent(world.hill, keys));
    return undefined;
  },
};

export function closeAccount(model: Model, member: string): void {
  const known = model.members[member] as Model['members'][string];
  known.closed = true;
  forgetHuman(model, member);
  for (const [name, agent] of Object.entries(model.agents)) if (agent.of === member) endAgent(model, name);
  if (Object.keys(known.live).length > 0) model.met.push('an account closed with moves of tonight');
}

/** A human closes the account, as its page does. Who signs in by a provider: see people.ts. */
export const close: CallKind<OfMember> = {
  odds: 1.2,
  beside: 'a bell that rang beside a closing',
  draw: (world, random) => {
    const member = someMember(world, random);
    return member ? { member } : null;
  },
  call: (world, { member }) => {
    const keys = keysOf(world, member);
    if (!keys || member in world.model.identity.first) return null;
    return { as: 'web', name: 'api_human.close_account', args: { session: keys.session, slug: member } };
  },
  learn: (model, moment, { member }, answer) => {
    const { today } = momentFor(model.members[member] as Model['members'][string], moment);
    const reasons = {
      ...barredBySession(model, member),
      BELL_RINGING: today > model.lastNight + 1,
      INVALID_ARGUMENT: hiddenProfile(member) in model.hidden,
    };
    if (refusedFor(answer, `${member} closes its account`, reasons)) return;
    closeAccount(model, member);
  },
};

const suspend: CallKind<OfMember & { suspended: boolean }> = {
  odds: 2,
  beside: 'a bell that rang beside a suspension',
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

const cut: CallKind<OfAgent> = {
  odds: 1,
  beside: 'a bell that rang beside a cut',
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

const letIn: CallKind<OfAgent> = {
  odds: 0.5,
  draw: (world, random) => {
    const cut = Object.keys(world.model.agents).filter((agent) => world.model.agents[agent]?.cut);
    const agent = cut.length > 0 && random.chance(0.8) ? random.pick(cut) : someAgent(world, random);
    return agent ? { agent } : null;
  },
  call: (world, { agent }) => {
    const keys = keysOf(world, agent);
    const args = { agent_id: keys?.agentId, reason: 'a world' };
    return keys ? { as: 'staff', name: 'api_staff.uncut_agent', args } : null;
  },
  learn: (model, _, { agent }, answer) => {
    const known = model.agents[agent] as Model['agents'][string];
    const closed = model.members[known.of]?.closed === true;
    const ended = Object.values(model.identity.grants).some((grant) => grant.agent === agent && grant.over);
    const reasons = { ACCOUNT_CLOSED: closed, NOT_ALLOWED: !closed && ended };
    if (refusedFor(answer, `${agent} is let in again`, reasons)) return;
    if (known.cut) model.met.push('an agent that staff let in again');
    known.cut = false;
  },
};

export const accounts: Family = {
  calls: { mandate, weekly, pause, suspend, cut, letIn, close },
  steps: { join, second },
};
