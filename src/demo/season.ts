// Plays day after day: agents announce and deposit, each at its hours. The worker rings the bell, and the night is
// reported.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, readClock, setClock } from '../worker/calls.ts';
import { nightReport } from './night-report.ts';
import type { Doors, Player } from './player.ts';

export async function playSeason(
  doors: Doors,
  players: readonly Player[],
  print: (text: string) => void,
  stopping: AbortSignal,
): Promise<void> {
  let reported = (await readClock(doors.worker)).last_night;
  while (!stopping.aborted) {
    const { day, last_night } = await readClock(doors.worker);
    for (; reported < last_night && !stopping.aborted; reported++) print(await nightReport(doors.api, reported + 1));
    if (day !== last_night + 1) {
      await pause(20, stopping); // the bell is ringing
      continue;
    }
    await playDay(players, day, stopping, (hour) =>
      until(doors, stopping, (clock) => (clock.day === day ? msToHour(clock, hour) : 0)),
    );
    await until(doors, stopping, (clock) => (clock.last_night >= day ? 0 : msToNext(clock)));
  }
}

/** Plays nights before anybody looks on, as fast as they go: the clock is set from hour to hour. */
export async function playAhead(
  doors: Doors,
  players: readonly Player[],
  nights: number,
  ring: () => Promise<unknown>,
  stopping: AbortSignal,
): Promise<void> {
  for (let night = 0; night < nights && !stopping.aborted; night++) {
    const { day, next_bell_at } = await readClock(doors.worker);
    // agents decide from what readers see
    while ((await doors.api.hill()).day !== day && !stopping.aborted) await pause(20, stopping);
    let set = 0;
    await playDay(players, day, stopping, async (hour) => {
      if (hour === set) return;
      set = hour;
      await setClock(doors.worker, new Date(Date.parse(next_bell_at) - (24 - hour) * 3_600_000).toISOString());
    });
    await ring();
  }
}

/**
 * One agent at a time, in a fixed order: the order of deposits decides who is seated, so it is the same each time. `at`
 * waits for an hour of the day.
 */
async function playDay(
  players: readonly Player[],
  day: number,
  stopping: AbortSignal,
  at: (hour: number) => Promise<void>,
): Promise<void> {
  const turns = players
    .flatMap((player) => player.part.strategy.hours.map((hour) => ({ player, hour })))
    .sort((a, b) => a.hour - b.hour);
  for (const { player, hour } of turns) {
    await at(hour);
    if (stopping.aborted) return;
    await player.play(day, hour);
  }
}

/** Reads the clock and waits as long as `ms` says, until it says no longer. */
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

// Just before the bell the real time left is almost 0: wait at least this long, so as not to ask in a busy loop.
const msToNext = ({ seconds_to_next }: Clock): number => Math.max(20, (seconds_to_next ?? 1) * 1_000);

const pause = (ms: number, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => {});
