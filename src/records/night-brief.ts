// A night in few words, for events, feeds and calendars.
import type { Identity, Story } from './index.ts';

type Named = Pick<Identity, 'slug' | 'name' | 'namesake'>;

/** A night as engine.night_brief tells it. */
export interface NightBrief {
  readonly day: number;
  readonly headline: string;
  readonly stories: readonly Story[];
  readonly bellAt: string;
  readonly resolvedAt: string;
  readonly accounts: number;
  readonly moves: number;
  readonly burnedCents: number;
  readonly places: readonly {
    readonly slot: number;
    readonly outcome: 'VACANT' | 'PEACE' | 'WAR' | 'BURN';
    readonly warCount: number;
    readonly burnedCents: number;
    /** The first of those whose stakes did. */
    readonly burned: readonly Named[];
    readonly occupants: readonly (Named & { readonly daysHeld: number })[];
  }[];
}
