// Tournaments and their codes: who is in, until when, and the standings by the nights that were published. Rules 8.
import type { State } from './states.ts';

export interface Cup {
  readonly opens: number;
  closes: number;
  readonly starts: number;
  readonly ends: number;
  /** When each member signed up. */
  entries: Record<string, number>;
}

export interface Code {
  readonly cup: string;
  readonly cents: number;
  readonly uses: number;
  readonly expiresAt: number;
  revoked: boolean;
  /** When each member redeemed it. */
  by: Record<string, number>;
}

export interface Cups {
  cups: Record<string, Cup>;
  codes: Record<string, Code>;
  /** What was met in the calls: see states.ts. */
  met: State[];
}

export const noCups = (): Cups => ({ cups: {}, codes: {}, met: [] });

/** Rules 8.2. */
export function phaseOf({ opens, closes, starts, ends }: Cup, today: number, lastNight: number): string {
  if (today < opens) return 'announced';
  if (today <= closes) return 'open';
  if (today < starts) return 'closed';
  return lastNight < ends ? 'running' : 'ended';
}

export const inOrder = ({ opens, closes, starts, ends }: Omit<Cup, 'entries'>): boolean =>
  opens <= closes && closes < starts && starts <= ends;
