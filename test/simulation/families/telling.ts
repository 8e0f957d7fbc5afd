// What agents and the public are told, by SQL: also beside what changes it.
import { type CallKind, type Family, keysOf, type OfAgent, refusedFor, someAgent } from '../family.ts';
import type { Model } from '../model.ts';
import { type AgentsNight, type PublicHill, toldHill, toldNight, toldWhoami, type Whoami } from '../told.ts';
import { type Status, toldStatus } from '../told-status.ts';
import { momentIn } from '../world.ts';

export const deadToken = (model: Model, agent: string): Readonly<Record<string, boolean>> => ({
  INVALID_TOKEN: model.agents[agent]?.cut ?? true,
});

const status: CallKind<OfAgent> = {
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
    if (refusedFor(answer, `${agent} asks for its status`, deadToken(model, agent))) return;
    toldStatus(model, moment, agent, (answer as { result: Status }).result);
  },
};

const whoami: CallKind<OfAgent> = {
  ...status,
  odds: 2,
  call: (world, { agent }) => {
    const keys = keysOf(world, agent);
    return keys ? { as: 'web', name: 'api_agent.whoami', args: { token: keys.token } } : null;
  },
  learn: (model, moment, { agent }, answer) => {
    if (refusedFor(answer, `${agent} asks who it is`, deadToken(model, agent))) return;
    toldWhoami(model, moment, agent, (answer as { result: Whoami }).result);
  },
};

const seesNight: CallKind<OfAgent> = {
  ...status,
  odds: 3,
  beside: 'a bell that rang beside a reader',
  call: (world, { agent }) => {
    const keys = keysOf(world, agent);
    return keys ? { as: 'web', name: 'api_agent.night', args: { token: keys.token } } : null;
  },
  learn: (model, _, { agent }, answer) => {
    const reasons = { ...deadToken(model, agent), DAY_NOT_RESOLVED: model.lastNight === 0 };
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

export const telling: Family = { calls: { status, whoami, seesNight, seesHill } };
