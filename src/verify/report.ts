// Whom the checks ask, and where what they find goes: one plain sentence a check.
import type { Served } from './reading.ts';

/** What holds, or does not. */
export type Say = (holds: boolean, sentence: string) => void;

/** A hill that is being checked. */
export interface Checked {
  readonly hill: Served;
  /** Reports a check: one sentence if it holds, the other if not. */
  check(holds: boolean, right: string, wrong: string): void;
  /** Reports what is no check. */
  note(sentence: string): void;
}

export const checked = (hill: Served, say: Say, note: (sentence: string) => void): Checked => ({
  hill,
  check: (holds, right, wrong) => say(holds, holds ? right : wrong),
  note,
});

/** Of all checks. */
export const concluded = (wrong: number): string =>
  wrong === 0 ? 'All of it holds.' : `${wrong} of these checks failed.`;
