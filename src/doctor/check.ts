// What a check is, and what it finds.
import type { Sight } from './sight.ts';

/** In the order in which they are shown. */
export const subjects = [
  'database',
  'seal',
  'roles',
  'connections',
  'clock',
  'bell',
  'log',
  'standby',
  'secrets',
  'payments',
  'mail',
  'sign-in',
  'backup',
  'disk',
  'processes',
] as const;

/** none: it does not apply here. unseen: nobody could look, for the reason that it says. */
export type State = 'ok' | 'warn' | 'FAIL' | 'none' | 'unseen';

export interface Finding {
  readonly state: State;
  /** A line for the operator. Never a secret, and nothing that changes with a deposit. */
  readonly says: string;
  /** What to type, where that is not the check's own. */
  readonly type?: string | undefined;
}

/** To add one: write it into the file of its subject, and plant its fault in test/doctor, which misses none. */
export interface Check {
  /** Stable: programs follow it. It begins with its subject. */
  readonly code: `${(typeof subjects)[number]}.${string}`;
  /** Looks and changes nothing. What it throws is unseen. */
  look(sight: Sight): Promise<Finding> | Finding;
  /** What to type if it is not well. */
  readonly type: string;
}

/** Without words where it is not worth a line. */
export const ok = (says = ''): Finding => ({ state: 'ok', says });
export const warn = (says: string, type?: string): Finding => ({ state: 'warn', says, type });
export const fail = (says: string, type?: string): Finding => ({ state: 'FAIL', says, type });
export const none = (why: string): Finding => ({ state: 'none', says: why });

/** Nobody could look. */
export class Unseen extends Error {
  override readonly name = 'Unseen';
}
