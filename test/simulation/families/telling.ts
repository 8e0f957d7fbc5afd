// What agents and the public are told, by SQL: also beside what changes it.
import { same } from '../compare.ts';
import { type CallKind, type Family, keysOf, type OfAgent, refusedFor, someAgent } from '../family.ts';
import { barredByToken, barredFromReading } from '../identity.ts';
import {
  type AgentsNight,
  hiddenProfile,
  type PublicHill,
  toldHill,
  toldNight,
  toldWhoami,
  type Whoami,
} from '../told.ts';
import { type Status, toldStatus } from '../told-status.ts';
import { momentIn, type World } from '../world.ts';

export const status: CallKind<OfAgent> = {
  odds: 8,
  beside: 'a bell that rang beside a status',
  draw: (world, random) => {
    const agent = someAgent(world, random);
    return agent ? { agent } : null;
  },
  call: (world, { agent }) => {
    const keys = keysOf(world, agent);
    if (keys && momentIn(world).today > world.model.lastNight + 1) world.reached.add('a status while a bell was due');
    return keys ? { as: 'web', name: 'api_agent.status', args: { token: keys.token } } : null;
  },
  learn: (model, moment, { agent }, answer) => {
    if (refusedFor(answer, `${agent} asks for its status`, barredFromReading(model, agent, moment.now))) return;
    toldStatus(model, moment, agent, (answer as { result: Status }).result);
  },
};

export const whoami: CallKind<OfAgent> = {
  ...status,
  odds: 2,
  call: (world, { agent }) => {
    const keys = keysOf(world, agent);
    return keys ? { as: 'web', name: 'api_agent.whoami', args: { token: keys.token } } : null;
  },
  learn: (model, moment, { agent }, answer) => {
    if (refusedFor(answer, `${agent} asks who it is`, barredFromReading(model, agent, moment.now))) return;
    toldWhoami(model, moment, agent, (answer as { result: Whoami }).result);
  },
};

export const seesNight: CallKind<OfAgent> = {
  ...status,
  odds: 3,
  beside: 'a bell that rang beside a reader',
  call: (world, { agent }) => {
    const keys = keysOf(world, agent);
    return keys ? { as: 'web', name: 'api_agent.night', args: { token: keys.token } } : null;
  },
  learn: (model, { now }, { agent }, answer) => {
    const reasons = { ...barredFromReading(model, agent, now), DAY_NOT_RESOLVED: model.lastNight === 0 };
    if (refusedFor(answer, `${agent} asks for the night`, reasons)) return;
    toldNight(model, agent, (answer as { result: AgentsNight }).result);
  },
};

const seesHill: CallKind<object> = {
  odds: 4,
  beside: 'a bell that rang beside a reader',
  draw: () => ({}),
  call: () => ({ as: 'web', name: 'api_public.hill', args: {} }),
  learn: (model, moment, _, answer) => {
    if (refusedFor(answer, 'the public asks for the hill', {})) return;
    toldHill(model, moment, (answer as { result: PublicHill }).result);
  },
};

/** The slug stays. */
export const rename: CallKind<OfAgent & { name: string }> = {
  odds: 2,
  beside: 'a bell that rang beside a change of name',
  draw: (world, random) => {
    const agent = someAgent(world, random);
    return agent ? { agent, name: random.pick(['Ann', 'Bob', 'Cy', 'Dee']) } : null;
  },
  call: (world, { agent, name }) => {
    const keys = keysOf(world, agent);
    return keys ? { as: 'web', name: 'api_agent.set_profile', args: { token: keys.token, name } } : null;
  },
  learn: (model, { now, racing }, { agent, name }, answer) => {
    const member = model.agents[agent]?.of as string;
    // names of a night are those at its bell: none changes while one rings
    if (racing && 'refused' in answer && answer.refused === 'BELL_RINGING') return;
    const { suspended = true, closed = true } = model.members[member] ?? {};
    const reasons = {
      ...barredByToken(model, agent, now),
      ACCOUNT_CLOSED: closed,
      ACCOUNT_SUSPENDED: suspended,
      PROFILE_HIDDEN: hiddenProfile(member) in model.hidden,
      // one that staff hide keeps its own
      NAME_TAKEN: Object.entries(model.names).some(
        ([other, held]) => other !== member && held === name && model.members[other]?.closed === false,
      ),
    };
    if (refusedFor(answer, `${agent} changes its name`, reasons)) return;
    model.names[member] = name;
  },
};

/** Of two who change one name at once, the later one has it. */
async function check({ hill, model, members }: World): Promise<void> {
  const rows = await hill.rows<{ id: string; name: string }>('select id, name from hill.accounts');
  for (const { id, name } of rows) {
    const member = members.get(id) ?? '';
    const shown =
      model.members[member]?.closed || hiddenProfile(member) in model.hidden ? undefined : model.names[member];
    if (shown !== undefined) same(`the name of ${member}`, name, shown);
  }
}

export const telling: Family = { calls: { rename, status, whoami, seesNight, seesHill }, check };
