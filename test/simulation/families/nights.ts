// The clock, and what a worker does when a bell is due.
import { settleAll } from '../../../src/worker/tasks.ts';
import { compareBoards, noteOrder, tookPlace } from '../compare.ts';
import { type CallKind, type Family, refusedFor, type StepKind, unexpected } from '../family.ts';
import { checkLog } from '../log.ts';
import { bellAt, Contradiction, dayMs, momentOf, ring } from '../model.ts';
import { signWorld } from '../outside.ts';
import { type Call, callAlone, momentIn, setNow } from '../world.ts';

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

/** Staff wait no longer for a signature. Refused where none is waited for, which the model does not know. */
const letRing: CallKind<object> = {
  odds: 0.5,
  draw: ({ model, now }) => (momentOf(now).today > model.lastNight + 1 ? {} : null),
  call: ({ model }) => ({
    ...{ as: 'staff', name: 'api_staff.let_bell_ring', args: { day: model.lastNight + 1, reason: 'a world' } },
  }),
  learn: (model, { today }, _, answer) => {
    if ('refused' in answer && answer.refused === 'NOT_ALLOWED') return;
    if (refusedFor(answer, 'staff let the bell ring', {})) return;
    if (today <= model.lastNight + 1) throw new Contradiction('Staff let a bell ring that is not due');
    model.met.push('a bell that staff let ring unsigned');
  },
};

/**
 * The clock goes on: by seconds, by minutes, to the bell, or by days on which nobody rings. These are counted from the
 * bell: in a smaller world it is earlier by then.
 */
const pass: StepKind<{ ms: number; from?: 'bell' }> = {
  odds: 15,
  draw: (_, random) => {
    const roll = random.below(20);
    if (roll < 13) return { ms: 1_000 * (1 + random.below(random.pick([60, 7_200, 7_200]))) };
    return { from: 'bell', ms: roll < 19 ? random.pick([0, 0, 1, 60_000]) : dayMs * random.below(4) };
  },
  step: (world, { ms, from }) => setNow(world, ms + (from ? bellAt(momentIn(world).today) : world.now)),
};

/** What a worker does when a bell is due, one step at a time, so that anything can happen between two of them. */
export const worker: StepKind<{ step: 'close' | 'sign' | 'ring' | 'settle' | 'tend' | 'boards' }> = {
  odds: 0, // when a bell is due: see simulate.ts
  draw: (_, random) => ({ step: random.pick(['close', 'sign', 'ring', 'ring', 'settle', 'tend', 'boards'] as const) }),
  step: async (world, { step }) => {
    const { hill } = world;
    if (step === 'close') return await callAlone(world, { as: 'worker', name: 'api_worker.close_next_day', args: {} });
    if (step === 'sign') {
      const signed = await signWorld(world);
      await checkLog(world);
      return signed;
    }
    if (step === 'ring') {
      await noteOrder(world);
      const answer = await callAlone(world, bell.call(world, {}) as Call);
      if ('refused' in answer) world.reached.add('a bell that waited for its closing to be signed');
      await tookPlace(world, bell.learn(world.model, momentIn(world), {}, answer));
      return answer;
    }
    if (step === 'settle') {
      const piece = await callAlone(world, { as: 'worker', name: 'api_worker.settle_wallets', args: {} });
      if ('result' in piece && piece.result !== null) world.reached.add('a night that was settled in two pieces');
      return piece;
    }
    if (step === 'tend') return hill.asWorker().refreshSealedCount();
    await settleAll(hill.as('worker'));
    await hill.asWorker().buildAllBoards();
    await compareBoards(world);
    return undefined;
  },
};

/** Midnight, and a worker that nothing is in the way of; once or several times. */
const night: StepKind<{ times?: number }> = {
  odds: 1,
  draw: () => ({}),
  step: async (world, { times = 1 }) => {
    const answers: unknown[] = [];
    for (let i = 0; i < times; i++) {
      const { today } = momentIn(world);
      if (today === world.model.lastNight + 1) await setNow(world, bellAt(today));
      for (const step of ['close', 'sign', 'ring', 'tend', 'boards'] as const)
        answers.push(await worker.step(world, { step }));
    }
    return answers;
  },
};

/** How many accounts a bell settles itself, and a worker in a piece: of worlds so small, all or hardly any. */
const settling: StepKind<{ atOnce: number; piece: number }> = {
  odds: 0.5,
  draw: (_, random) => ({ atOnce: random.pick([0, 0, 1, 2_000]), piece: random.pick([1, 1, 2, 10_000]) }),
  step: async ({ hill }, { atOnce, piece }) => {
    for (const [name, count] of [
      ['settled_at_once', atOnce],
      ['settling_piece', piece],
    ])
      await hill.root.query(
        `create or replace function engine.${name}() returns integer language sql immutable parallel safe return ${count}`,
      );
  },
};

export const nights: Family = { calls: { bell, letRing }, steps: { pass, settling, worker, night } };
