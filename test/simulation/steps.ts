// What takes several calls, and is done alone.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ownSources, prepareDatabase } from '../../src/db/migrate.ts';
import { type Account, anAccount, anotherAgent, closeAccount } from '../support/hill/accounts.ts';
import { signAs } from '../support/log/sign.ts';
import { keysOf, type StepKind, someMember } from './actions.ts';
import { calls } from './calls.ts';
import { compareBoards, compareNight, noteOrder } from './compare.ts';
import { checkLog } from './log.ts';
import { bellAt, dayMs, newMember, type Published } from './model.ts';
import { watchedDeposit } from './seal.ts';
import { type Call, callAlone, momentIn, setNow, type World } from './world.ts';

function keep(world: World, name: string, member: string, keys: Account): void {
  world.agents.set(name, keys);
  world.members.set(keys.id, member);
  world.members.set(keys.agentId, name);
  world.model.agents[name] = { of: member, cut: false };
}

interface Joins {
  readonly name: string;
  readonly paid: number;
}
/** Several at a time, so that a world that is made small has one action for all of them. */
const join: StepKind<{ who: readonly Joins[] }> = {
  odds: 3,
  draw: (world, random) => {
    const all = Object.values(world.model.members);
    const living = all.filter(({ closed }) => !closed).length;
    const count = Math.min(9 - living, all.length === 0 ? random.pick([3, 6]) : 1);
    const who = Array.from({ length: count }, (_, i) => ({
      ...{ name: `m${all.length + 1 + i}`, paid: random.pick([0, 500, 3_000, 20_000]) },
    }));
    return count > 0 ? { who } : null;
  },
  step: async (world, { who }) => {
    for (const { name, paid } of who) {
      await setNow(world, world.now + 1);
      const keys = await anAccount(world.hill, { name, credits: paid });
      world.model.members[name] = { ...newMember(new Date(world.now).toISOString()), paid };
      keep(world, name, name, keys);
    }
  },
};

const second: StepKind<{ name: string; member: string }> = {
  odds: 2,
  draw: (world, random) => {
    const member = someMember(world, random);
    const living = Object.values(world.model.agents).filter((agent) => !agent.cut).length;
    return member && living < 14 ? { name: `a${world.agents.size + 1}`, member } : null;
  },
  step: async (world, { name, member }) => {
    const keys = keysOf(world, member);
    if (!keys || world.model.members[member]?.closed) return 'nobody';
    keep(world, name, member, await anotherAgent(world.hill, keys));
    return undefined;
  },
};

const close: StepKind<{ member: string }> = {
  odds: 0.5,
  draw: (world, random) => {
    const member = someMember(world, random);
    return member ? { member } : null;
  },
  step: async (world, { member }) => {
    const keys = keysOf(world, member);
    const known = world.model.members[member];
    if (!keys || !known || known.closed || momentIn(world).today > world.model.lastNight + 1) return 'not now';
    await closeAccount(world.hill, keys);
    known.closed = true;
    if (Object.keys(known.live).length > 0) world.reached.add('an account closed with moves of tonight');
    for (const agent of Object.values(world.model.agents)) if (agent.of === member) agent.cut = true;
    return undefined;
  },
};

/** The clock goes on: by minutes, to the bell, or by days on which nobody rings. */
const pass: StepKind<{ ms: number }> = {
  odds: 12,
  draw: (world, random) => {
    const toBell = bellAt(momentIn(world).today) - world.now;
    const roll = random.below(20);
    if (roll < 13) return { ms: 1_000 * (1 + random.below(7_200)) };
    if (roll < 19) return { ms: toBell + random.pick([0, 0, 1, 60_000]) };
    return { ms: toBell + dayMs * random.below(4) };
  },
  step: (world, { ms }) => setNow(world, world.now + ms),
};

/** What a worker does when a bell is due, one step at a time, so that anything can happen between two of them. */
const worker: StepKind<{ step: 'close' | 'sign' | 'ring' | 'tend' | 'boards' }> = {
  odds: 0, // when a bell is due: see simulate.ts
  draw: (_, random) => ({ step: random.pick(['close', 'sign', 'ring', 'ring', 'tend', 'boards'] as const) }),
  step: async (world, { step }) => {
    const { hill } = world;
    const pool = hill.as('worker');
    if (step === 'close') return await callAlone(world, { as: 'worker', name: 'api_worker.close_next_day', args: {} });
    if (step === 'sign') {
      await signAs(pool);
      return checkLog(world);
    }
    if (step === 'ring') {
      await noteOrder(world);
      const answer = await callAlone(world, calls.bell.call(world, {}) as Call);
      if ('refused' in answer) world.reached.add('a bell that waited for its closing to be signed');
      await tookPlace(world, calls.bell.learn(world.model, momentIn(world), {}, answer));
      return answer;
    }
    if (step === 'tend') return hill.asWorker().refreshSealedCount();
    await hill.asWorker().buildAllBoards();
    await compareBoards(world);
    return undefined;
  },
};

/** Midnight, and a worker that nothing is in the way of. */
const night: StepKind<object> = {
  odds: 1,
  draw: () => ({}),
  step: async (world) => {
    const { today } = momentIn(world);
    if (today === world.model.lastNight + 1) await setNow(world, bellAt(today));
    const answers: unknown[] = [];
    for (const step of ['close', 'sign', 'ring', 'tend', 'boards'] as const)
      answers.push(await worker.step(world, { step }));
    return answers;
  },
};

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

let altered: string | undefined;
/** The hill's SQL with other texts of the functions that deposit and ring. */
function alteredSql(): string {
  if (altered) return altered;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-sql-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  altered = folder;
  fs.cpSync(ownSources.sql, altered, { recursive: true });
  for (const folder of ['moves', 'bell', 'api/agent', 'api/worker', 'ledger'])
    for (const name of fs.readdirSync(path.join(altered, folder))) {
      const file = path.join(altered, folder, name);
      fs.writeFileSync(
        file,
        fs.readFileSync(file, 'utf8').replaceAll('\nbegin\n', '\nbegin\n  -- of another release\n'),
      );
    }
  return altered;
}

/** A deploy: another text of many functions, and back again. */
const deploy: StepKind<{ release: 'own' | 'other' }> = {
  odds: 0.3,
  draw: (_, random) => ({ release: random.pick(['own', 'other'] as const) }),
  step: async (world, { release }) => {
    await prepareDatabase(world.hill.ownerUrl, {
      ...ownSources,
      sql: release === 'own' ? ownSources.sql : alteredSql(),
    });
    if (momentIn(world).today > world.model.lastNight + 1) world.reached.add('a deploy while a bell was due');
    return undefined;
  },
};

export const steps = { join, second, close, pass, worker, night, deploy, watchedDeposit } as const;
