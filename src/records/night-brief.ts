// A night in few words, for events, feeds and calendars.

/** A night as engine.night_brief tells it. */
export interface NightBrief {
  readonly day: number;
  readonly headline: string;
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
    readonly occupants: readonly { readonly slug: string; readonly name: string; readonly daysHeld: number }[];
  }[];
}
