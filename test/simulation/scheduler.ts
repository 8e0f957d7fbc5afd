// Calls at once, in an order that the seed has drawn: one statement is released at a time, and whoever waits for a lock
// of another is left to wait. So a race is played again as it was.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './model.ts';
import { Contradiction } from './model.ts';
import { type Call, type Caller, callerOf, type World } from './world.ts';

/** How a caller's transaction ends. `killed`: its session is ended, before or after its call has an answer. */
export type End = 'commit' | 'killed';

export interface Runner {
  readonly call: Call;
  readonly end: End;
}

export interface Ran {
  /** Null if its session was killed. */
  readonly answer: Answer | null;
}

/** What a session says that is ended. */
const ignore = () => {};

interface Running extends Caller {
  readonly pid: number;
  answer?: Answer;
  ended: boolean;
}

/**
 * `order` names a runner twice: for its call and for its end. The answers, and for each release who waited. An end that
 * waits for its call's answer comes once that is there.
 */
export async function race(
  world: World,
  runners: readonly Runner[],
  order: readonly number[],
): Promise<{ readonly ran: readonly Ran[]; readonly waits: readonly string[] }> {
  const running: (Running | undefined)[] = runners.map(() => undefined);
  const waits: string[] = [];
  const due = new Set<number>();

  const open = () => running.filter((one): one is Running => one !== undefined && !one.ended);
  /** Who waits for a lock of another of them. */
  const waiting = async (pids: readonly number[]): Promise<Set<number>> => {
    const { rows } = await world.hill.admin.query<{ pid: number }>(
      'select pid from unnest($1::integer[]) pid where pg_blocking_pids(pid) && $2::integer[]',
      [pids, open().map(({ pid }) => pid)],
    );
    return new Set(rows.map(({ pid }) => pid));
  };
  /** Until everybody has an answer or waits for a lock. */
  const settle = async (): Promise<void> => {
    for (let looks = 0; ; looks++) {
      const asked = open().filter(({ answer }) => !answer);
      if (asked.length === 0) return;
      const stuck = await waiting(asked.map(({ pid }) => pid));
      // whoever was answered meanwhile may have released another
      if (asked.every(({ pid }) => stuck.has(pid))) return;
      if (looks > 10_000) throw new Contradiction('A call of a race neither ended nor waited for a lock');
      await sleep(1);
    }
  };
  const end = async (i: number): Promise<void> => {
    const one = running[i] as Running;
    one.ended = true;
    due.delete(i);
    if (runners[i]?.end === 'killed') {
      await world.hill.admin.query('select pg_terminate_backend($1)', [one.pid]);
      one.client.release(true);
      return;
    }
    await one.client.query('refused' in (one.answer as Answer) ? 'rollback' : 'commit');
    one.client.off('error', ignore);
    one.client.release();
  };

  try {
    for (const i of order) {
      const runner = runners[i] as Runner;
      const one = running[i];
      if (!one) {
        const caller = await callerOf(world, runner.call);
        await caller.begin();
        const { rows } = await caller.client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const started: Running = { ...caller, pid: rows[0]?.pid as number, ended: false };
        caller.client.on('error', ignore);
        running[i] = started;
        void caller.make().then((answer) => {
          started.answer = answer;
        });
      } else if (one.answer || runner.end === 'killed') await end(i);
      else due.add(i);
      await settle();
      const stuck = running.flatMap((each, n) => (each && !each.answer && !each.ended ? [n] : []));
      if (stuck.length > 0) waits.push(`after ${i}: ${stuck} waits`);
      for (let ready = [...due].filter((n) => running[n]?.answer); ready.length > 0; ) {
        await end(ready[0] as number);
        await settle();
        ready = [...due].filter((n) => running[n]?.answer);
      }
    }
    const left = [...due];
    if (left.length > 0) throw new Contradiction(`Calls of a race wait for each other: ${left}`);
  } finally {
    for (const one of open()) one.client.release(true);
  }
  return {
    ran: running.map((one, i) => ({ answer: runners[i]?.end === 'killed' ? null : (one?.answer ?? null) })),
    waits,
  };
}
