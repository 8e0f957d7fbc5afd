// html/night-title.ts · a night in one line, for events, feeds and calendars.
import { dollars, listed, plural } from './words.ts';

/** A night as engine.night_brief tells it. */
export interface NightBrief {
  readonly day: number;
  readonly bellAt: string;
  readonly resolvedAt: string;
  readonly accounts: number;
  readonly moves: number;
  readonly burnedCents: number;
  readonly places: readonly {
    readonly slot: number;
    readonly outcome: 'VACANT' | 'PEACE' | 'WAR' | 'BURN';
    readonly burnedCents: number;
    readonly occupants: readonly { readonly slug: string; readonly name: string; readonly daysHeld: number }[];
  }[];
}

/** The one place from which events and feeds take the headline of a night. */
export function headlineOf({ day, places, burnedCents }: NightBrief): string {
  const taken = places.filter(({ outcome }) => outcome === 'WAR').length;
  const shared = places.filter(({ outcome }) => outcome === 'PEACE').length;
  const facts = [
    ...(taken > 0 ? [`${plural(taken, 'place')} taken by war`] : []),
    ...(shared > 0 ? [`${taken > 0 ? shared : plural(shared, 'place')} held in peace`] : []),
    ...(burnedCents > 0 ? [`${dollars(burnedCents)} burned`] : []),
  ];
  return `Night ${day}: ${facts.length > 0 ? listed(facts) : 'nobody moved'}`;
}
