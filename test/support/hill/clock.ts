// The hill's simulated clock in a test: it stands still until the test moves it, so that instants can be named exactly.
import type pg from 'pg';
import { notifyOthers } from '../../../src/db/notify.ts';
import { sqlState } from '../../../src/worker/failure.ts';
import { signAs, testOrigin } from '../log/sign.ts';
import { until } from '../until.ts';
import { call, type NightFigures, workerDoor } from './doors.ts';

export interface HillClock {
  /** The day now. */
  day(): Promise<number>;
  /** Later today: '21:59:59.999999'. */
  at(time: string): Promise<void>;
  /** A little later. */
  tick(milliseconds?: number): Promise<void>;
  /** To where the house deposits before the next bell, if the clock is not there yet. */
  toLastMinute(): Promise<void>;
  /** To the instant of the next bell, and no further: it is due and has not rung. */
  toMidnight(): Promise<void>;
  /** Rings the next bell: the clock goes to its instant if it is not due yet. Builds the boards, as the worker does. */
  ringBell(): Promise<NightFigures>;
  /** Rings every bell up to that day's morning and goes on to the time of day. */
  toDay(day: number, time?: string): Promise<void>;
}

export function hillClock(worker: () => pg.Pool): HillClock {
  // The database computes all instants: JavaScript would drop the microseconds.
  const set = (instant: string, ...values: unknown[]) =>
    worker().query(`select api_worker.set_clock(${instant}, null)`, values);
  const read = () =>
    call<{ day: number; last_night: number; now: string; next_bell_at: string; house_at: string }>(
      worker(),
      'api_worker.read_clock',
    );
  const ring = async (): Promise<NightFigures> => {
    const { now, next_bell_at, last_night } = await read();
    if (now < next_bell_at) await set('$1::timestamptz', next_bell_at);
    const told = () =>
      call<Omit<NightFigures, 'milliseconds'> | null>(worker(), 'api_worker.read_night', { day: last_night + 1 });
    const night = await ringSealed(worker(), async () => (await told()) !== null);
    notifyOthers(worker()); // as a worker does
    if (night) return night;
    // a worker of the test heard of the clock, and was faster
    const rung = await told();
    if (!rung) throw new Error('No bell was due');
    return { ...rung, milliseconds: 0 };
  };
  const clock: HillClock = {
    day: async () => (await read()).day,
    at: async (time) => {
      const { now } = await read();
      await set("($1::timestamptz at time zone 'UTC')::date::timestamp at time zone 'UTC' + $2::interval", now, time);
    },
    tick: async (milliseconds = 1) => {
      const { now } = await read();
      await set("$1::timestamptz + $2 * interval '1 millisecond'", now, milliseconds);
    },
    toLastMinute: async () => {
      const { now, house_at } = await read();
      if (now < house_at) await set('$1::timestamptz', house_at);
    },
    toMidnight: async () => {
      const { next_bell_at } = await read();
      await set('$1::timestamptz', next_bell_at);
    },
    ringBell: async () => {
      const night = await ring();
      await workerDoor(worker()).buildAllBoards();
      return night;
    },
    toDay: async (day, time = '10:00') => {
      while ((await read()).last_night < day - 1) await ring();
      await workerDoor(worker()).buildAllBoards();
      await clock.at(time);
    },
  };
  return clock;
}

/**
 * Where the log of the tests has begun, the day is closed and signed first. A log of another name is a real worker's,
 * who does it.
 */
async function ringSealed(worker: pg.Pool, isRung: () => Promise<boolean>): Promise<NightFigures | null> {
  const ring = () => call<NightFigures | null>(worker, 'api_worker.ring_next_bell');
  try {
    return await ring();
  } catch (error) {
    if (sqlState(error) !== 'ZHSEA') throw error; // NOT_SEALED
  }
  const { origin } = await call<{ origin: string }>(worker, 'api_worker.log_head');
  if (origin !== testOrigin) {
    await until('a worker rings', isRung);
    return null;
  }
  await call(worker, 'api_worker.close_next_day');
  await signAs(worker);
  return ring();
}
