// Announcements as people read them: what the house says on many places is said once.
import { listed } from '../html/words.ts';
import type { Announcement } from '../records/index.ts';

export interface Said extends Announcement {
  /** The places of all announcements that say the same, in order. */
  readonly slots: readonly number[];
}

/** House agents announce one sentence on each of their places: one entry, where the latest of them stands. */
export function gathered(announcements: readonly Announcement[]): Said[] {
  const all: (Said & { slots: number[] })[] = [];
  for (const one of announcements) {
    const same = one.occupant.house
      ? all.find(
          ({ occupant, intention, message, verdict }) =>
            occupant.house && intention === one.intention && message === one.message && verdict === one.verdict,
        )
      : undefined;
    if (same) same.slots.push(one.slot);
    else all.push({ ...one, slots: [one.slot] });
  }
  for (const { slots } of all) slots.sort((a, b) => a - b);
  return all;
}

/** "place 4", "places 1, 2 and 5", "places 1 to 10". */
export function onPlaces(slots: readonly number[]): string {
  const [first = 0, last = 0] = [slots[0], slots.at(-1)];
  if (slots.length === 1) return `place ${first}`;
  return `places ${slots.length > 2 && last - first === slots.length - 1 ? `${first} to ${last}` : listed(slots.map(String))}`;
}
