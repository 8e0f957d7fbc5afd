// What holds others up: a transaction that is left open over midnight, a reader who never ends, a clock that goes back.

import { stepClock } from '../clock.ts';
import { noteOrder } from '../compare.ts';
import type { Family, StepKind } from '../family.ts';
import { notePromise } from '../log.ts';
import { type Answer, bellAt, Contradiction, type Deposit } from '../model.ts';
import { callAlone, callerOf, momentIn, setNow } from '../world.ts';
import { deposit as play } from './playing.ts';
import { aWorker, doTasks, learnNights } from './workers.ts';

interface Stalls {
  readonly deposit: Deposit;
  /** Of others, while that transaction is open. */
  readonly others: readonly Deposit[];
  readonly midnight: boolean;
  readonly end: 'commit' | 'killed';
}
/** A deposit whose transaction stays open. Those of others go on; the bell waits, and has it if it is committed. */
const stall: StepKind<Stalls> = {
  odds: 1,
  fault: true,
  draw: (world, random) => {
    const deposit = play.draw(world, random);
    const others = Array.from({ length: random.below(3) }, () => play.draw(world, random)).filter(
      (one) => one !== null,
    );
    return (
      deposit && {
        deposit,
        others,
        midnight: random.chance(0.7),
        end: random.pick(['commit', 'commit', 'killed'] as const),
      }
    );
  },
  step: async (world, { deposit, others, midnight, end }) => {
    const call = play.call(world, deposit);
    if (!call) return 'nobody';
    const memberOf = ({ agent }: Deposit) => world.model.agents[agent]?.of;
    const { client, begin, make } = await callerOf(world, call);
    const answers: Answer[] = [];
    let ended = false;
    try {
      await begin();
      const [at, answer] = [momentIn(world), await make()];
      answers.push(answer);
      for (const other of others) {
        const another = memberOf(other) === memberOf(deposit) ? null : play.call(world, other);
        if (!another) continue;
        answers.push(await callAlone(world, another));
        play.learn(world.model, momentIn(world), other, answers.at(-1) as Answer);
        notePromise(world.log, answers.at(-1));
      }
      const holds = 'result' in answer;
      if (midnight && holds) {
        if (at.today === world.model.lastNight + 1) await setNow(world, bellAt(at.today));
        const failure = await doTasks(world, aWorker(world), ['bells']);
        if ((await learnNights(world)) > 0) throw new Contradiction('A bell rang over a deposit that was under way');
        if (failure) world.reached.add('a bell that waited for an open transaction');
      }
      ended = true;
      if (end === 'killed') client.release(true);
      else {
        await client.query(holds ? 'commit' : 'rollback');
        client.release();
        play.learn(world.model, at, deposit, answer);
        notePromise(world.log, answer);
      }
    } finally {
      if (!ended) client.release(true);
    }
    await noteOrder(world);
    return answers;
  },
};

/** A DBA reads in a transaction that stays open, until the next one is begun or ended. */
const read: StepKind<{ open: boolean }> = {
  odds: 0.6,
  fault: true,
  draw: ({ reading }) => ({ open: !reading }),
  step: async (world, { open }) => {
    world.reading?.release(true);
    world.reading = null;
    if (!open) return undefined;
    const client = await world.hill.root.connect();
    await client.query('begin isolation level repeatable read; set local role hill_dba');
    await client.query(
      'select (select count(*) from hill.moves), (select count(*) from hill.nights), (select count(*) from hill.leaderboard)',
    );
    world.reading = client;
    return undefined;
  },
};

/** A real clock steps back. A day that is not closed goes on. */
const back: StepKind<{ ms: number }> = {
  odds: 1.5,
  fault: true,
  draw: (_, random) => ({ ms: random.pick([1_000, 60_000, 3_600_000, 3 * 3_600_000, 30 * 3_600_000]) }),
  step: async (world, { ms }) => {
    const { today } = momentIn(world);
    await stepClock(world, Math.max(world.now - ms, bellAt(0) + 1));
    if (momentIn(world).today < today) world.reached.add('a clock that went back over midnight');
    return undefined;
  },
};

export const stalls: Family = { steps: { stall, read, back } };
