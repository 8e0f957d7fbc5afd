// Events that are posted: who subscribes, and a worker that posts to receivers that answer, fail or are gone.
import type { Delivery } from '../../../src/outside/webhooks.ts';
import { endDelivery, takeDelivery } from '../../../src/worker/calls.ts';
import type { Random } from '../../support/random.ts';
import { same } from '../compare.ts';
import { type CallKind, type Family, keysOf, type OfAgent, refusedFor, type StepKind, someAgent } from '../family.ts';
import { barredByToken, uuidOf } from '../identity.ts';
import { Contradiction, type Model } from '../model.ts';
import { attempted, endSubscription, eventNames, isSent, type Subscription, take, textOf } from '../posts.ts';
import type { World } from '../world.ts';
import { aName } from './people.ts';

/** Whoever asks for the list of an account's subscriptions ends those of agents that were cut. */
function endCut(model: Model, member: string): void {
  for (const one of Object.values(model.posts))
    if (one.member === member && !one.ended && model.agents[one.agent]?.cut) endSubscription(one);
}

interface Subscribes extends OfAgent {
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
}
const subscribe: CallKind<Subscribes> = {
  odds: 3,
  beside: 'a bell that rang beside a subscription',
  draw: (world, random) => {
    const agent = someAgent(world, random);
    const events = random.chance(0.6) ? eventNames : eventNames.filter(() => random.chance(0.5));
    const url = `https://example.com/${random.below(6)}`;
    return agent ? { agent, name: aName('w', random), url, events } : null;
  },
  call: (world, { agent, name, url, events }) => {
    const keys = keysOf(world, agent);
    const args = { token: keys?.token, id: uuidOf(name), url, events, sealed_secret: 'c2VhbGVk' };
    return keys ? { as: 'web', name: 'api_agent.subscribe', args } : null;
  },
  learn: (model, { now }, { agent, name, url, events }, answer) => {
    const { of: member } = model.agents[agent] as { of: string };
    const barred = barredByToken(model, agent, now);
    // what an agent that is let in asks for comes after what was cut is over
    const living = Object.values(model.posts).filter((one) => one.member === member && isSent(model, one));
    const reasons = {
      ...barred,
      ACCOUNT_CLOSED: model.members[member]?.closed ?? true,
      INVALID_ARGUMENT: events.length === 0,
      ALREADY_SUBSCRIBED: living.some((one) => one.url === url),
      TOO_MANY_SUBSCRIPTIONS: living.length >= 5,
    };
    if (refusedFor(answer, `${agent} subscribes ${url}`, reasons)) return;
    endCut(model, member);
    model.posts[name] = { member, agent, url, events, level: 0, told: {} };
  },
};

const cancel: CallKind<OfAgent & { name: string }> = {
  odds: 0.5,
  draw: (world, random) => {
    const names = Object.keys(world.model.posts);
    const name = names.length > 0 ? random.pick(names) : null;
    const agent = name && random.chance(0.9) ? world.model.posts[name]?.agent : someAgent(world, random);
    return name && agent ? { agent, name } : null;
  },
  call: (world, { agent, name }) => {
    const keys = keysOf(world, agent);
    const args = { token: keys?.token, id: uuidOf(name) };
    return keys ? { as: 'web', name: 'api_agent.cancel_subscription', args } : null;
  },
  learn: (model, { now }, { agent, name }, answer) => {
    const { of: member } = model.agents[agent] as { of: string };
    const one = model.posts[name];
    const reasons = {
      ...barredByToken(model, agent, now),
      ACCOUNT_CLOSED: model.members[member]?.closed ?? true,
      NOT_FOUND: one?.member !== member,
    };
    if (refusedFor(answer, `${agent} ends ${name}`, reasons)) return;
    endSubscription(one as Subscription);
  },
};

const outcomes = ['delivered', 'delivered', 'delivered', 'status', 'status', 'busy', 'gone', 'died'] as const;
interface Posts {
  /** Of one after the other; a worker that died says nothing. */
  readonly outcomes: readonly (typeof outcomes)[number][];
  /**
   * Real time passes before, or before each: what has failed is due again, what a dead worker has taken is free.
   */
  readonly after: 'a while' | 'days' | 'each';
}
const posts: StepKind<Posts> = {
  odds: 4,
  fault: true, // in real time
  draw: ({ model }, random: Random) => {
    if (Object.keys(model.posts).length === 0) return null;
    // receivers that are down until an event is given up
    if (random.chance(0.04)) return { outcomes: Array.from({ length: 40 }, () => 'status' as const), after: 'each' };
    return {
      outcomes: Array.from({ length: 1 + random.below(8) }, () => random.pick(outcomes)),
      after: random.chance(0.1) ? 'days' : 'a while',
    };
  },
  step: async (world, { outcomes: all, after }) => {
    await passes(world, after);
    const states: unknown[] = [];
    for (const outcome of all) {
      if (after === 'each') await passes(world, after);
      const delivery = await next(world);
      if (!delivery) break;
      states.push(outcome === 'died' ? 'died' : await tell(world, delivery, outcome));
      if (outcome === 'died') world.reached.add('a worker that died with an event in its hands');
    }
    return states;
  },
};

/** No world waits for real time, so what is due comes nearer instead. */
async function passes({ hill, model }: World, after: Posts['after']): Promise<void> {
  const real = after === 'days' ? '4 days' : '0';
  await hill.root.query(
    `begin; set local session_replication_role = replica;
     update hill.deliveries set due_at = least(due_at, clock_timestamp()) where ended_at is null;
     update hill.subscriptions set busy_until = null, failing_since = failing_since - interval '${real}'; commit`,
  );
  for (const one of Object.values(model.posts)) {
    delete one.busy;
    if (after === 'days' && one.failing) one.hopeless = true;
  }
}

interface Taken extends Delivery {
  readonly name: string;
  readonly text: string;
}
async function next({ hill, model }: World): Promise<Taken | null> {
  const delivery = await takeDelivery(hill.as('worker'));
  // on the way it ends those of agents that were cut
  const cut = Object.values(model.posts).filter(({ agent, ended }) => !ended && model.agents[agent]?.cut);
  const ended = new Set(
    (await hill.rows<{ id: string }>('select id from hill.subscriptions where ended_at is not null')).map(
      ({ id }) => id,
    ),
  );
  for (const [name, one] of Object.entries(model.posts))
    if (cut.includes(one) && ended.has(uuidOf(name))) endSubscription(one);
  if (!delivery) return null;
  const name = Object.keys(model.posts).find((one) => uuidOf(one) === delivery.subscription_id);
  const text = textOf(JSON.parse(delivery.body));
  const told = JSON.stringify(model.posts[name ?? '']);
  if (!take(model, name, text, delivery.attempt))
    throw new Contradiction(`${name} is sent ${text} for the ${delivery.attempt}th time: ${told}`);
  return { ...delivery, name: name as string, text };
}

async function tell({ hill, model, reached }: World, delivery: Taken, outcome: string): Promise<unknown> {
  const { name, text } = delivery;
  const { state } = await endDelivery(hill.as('worker'), delivery, { outcome, status: null });
  const expected = attempted(model.posts[name] as Subscription, text, outcome);
  if (state !== expected) throw new Contradiction(`${text} for ${name}, ${outcome}, is ${state}, not ${expected}`);
  if (state === 'given_up') reached.add('an event that was given up');
  if (outcome === 'status' && state === 'ended') reached.add('a subscription that ended because nothing arrived');
  return `${text}: ${state}`;
}

/** Receivers that answer have everything in the end. */
export async function postAll(world: World): Promise<void> {
  if (Object.keys(world.model.posts).length === 0) return;
  await passes(world, 'a while');
  for (let delivery = await next(world); delivery; delivery = await next(world))
    await tell(world, delivery, 'delivered');
  for (const one of Object.values(world.model.posts))
    if (isSent(world.model, one) && Object.values(one.told).some(({ state }) => state === 'waiting'))
      throw new Contradiction(`${one.url} of ${one.member} was not told all: ${JSON.stringify(one.told)}`);
}

interface Row {
  readonly id: string;
  readonly ended: boolean;
  readonly level: number;
  readonly told: readonly (readonly [
    type: string,
    data: Readonly<Record<string, unknown>>,
    state: string,
    attempts: number,
  ])[];
}
async function check({ hill, model }: World): Promise<void> {
  const all = Object.entries(model.posts).filter(([, { member }]) => !model.members[member]?.closed);
  if (Object.keys(model.posts).length === 0) return;
  const { rows } = await hill.root.query<Row>({
    name: 'subscriptions and deliveries',
    text: `
    select s.id, s.ended_at is not null as ended, s.fuel_level as level,
           (select coalesce(jsonb_agg(jsonb_build_array(d.body -> 'type', d.body -> 'data', coalesce(d.ended_as, 'waiting'), d.attempts)), '[]')
              from hill.deliveries d where d.subscription_id = s.id) as told
      from hill.subscriptions s`,
  });
  const there = new Map(rows.map((row) => [row.id, row]));
  same('how many subscriptions there are', rows.length, all.length);
  for (const [name, one] of all) {
    const row = there.get(uuidOf(name));
    if (!row) throw new Contradiction(`The subscription ${name} of ${one.member} is gone`);
    // it ends by and by; and what a bell writes beside the end of a subscription is dropped when it is due
    const cut = model.agents[one.agent]?.cut === true;
    const state = (now: string) => ((cut || one.ended) && now === 'dropped' ? 'waiting' : now);
    same(
      `${name} of ${one.member}`,
      {
        ended: cut || row.ended,
        level: row.level,
        told: row.told.map(([type, data, now, tries]) => `${textOf({ type, data })}: ${state(now)}, ${tries}`).sort(),
      },
      {
        ended: cut || one.ended === true,
        level: one.level,
        told: Object.entries(one.told)
          .map(([text, now]) => `${text}: ${state(now.state)}, ${now.attempts}`)
          .sort(),
      },
    );
  }
}

export const events: Family = { calls: { subscribe, cancel }, steps: { posts }, check };
