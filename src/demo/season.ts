// demo/season.ts · day after day: the agents announce, then deposit, each at its hour; the bell rings by itself; the night is told.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, readClock } from '../worker/calls.ts';
import { tellNight } from './night-told.ts';
import type { Doors, Player } from './player.ts';

/** The hour at which those who announce do so, one after the other, before anybody deposits. */
const announcingHour = 3;

export async function playSeason(
  doors: Doors,
  players: readonly Player[],
  tell: (text: string) => void,
  stopping: AbortSignal,
): Promise<void> {
  let told = (await readClock(doors.worker)).last_night;
  while (!stopping.aborted) {
    const { day, last_night } = await readClock(doors.worker);
    for (; told < last_night && !stopping.aborted; told++) tell(await tellNight(doors.api, told + 1));
    if (day !== last_night + 1) {
      await pause(20, stopping); // the bell is ringing
      continue;
    }
    await playDay(doors, players, day, stopping);
    await until(doors, stopping, (clock) => (clock.last_night >= day ? 0 : msToNext(clock)));
  }
}

/** In a fixed order, one agent at a time: so the order of deposits, which decides who is seated, is the same each time. */
async function playDay(doors: Doors, players: readonly Player[], day: number, stopping: AbortSignal): Promise<void> {
  const at = (hour: number) => until(doors, stopping, (clock) => (clock.day === day ? msToHour(clock, hour) : 0));
  await at(announcingHour);
  for (const player of players) {
    if (stopping.aborted) return;
    await player.announce(day);
  }
  for (const player of players) {
    await at(player.part.strategy.hour);
    if (stopping.aborted) return;
    await player.play(day);
  }
}

/** Looks at the clock, waits as long as it is told, and looks again, until that is no longer. */
async function until(doors: Doors, stopping: AbortSignal, ms: (clock: Clock) => number): Promise<void> {
  while (!stopping.aborted) {
    const wait = ms(await readClock(doors.worker));
    if (wait <= 0) return;
    await pause(Math.min(wait, 1_000), stopping);
  }
}

const msToHour = ({ now, rate }: Clock, hour: number): number => {
  const left = hour * 3_600_000 - (Date.parse(now) % 86_400_000);
  return rate > 0 ? left / rate : Math.sign(left) * 1_000;
};

// A simulated second before the bell is no time at all: not to ask without end, at least this.
const msToNext = ({ seconds_to_next }: Clock): number => Math.max(20, (seconds_to_next ?? 1) * 1_000);

const pause = (ms: number, stopping: AbortSignal): Promise<void> => sleep(ms, undefined, { signal: stopping }).catch(() => {});
