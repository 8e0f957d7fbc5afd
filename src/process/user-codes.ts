// The codes that humans type for a device: eight letters that are hard to mistake, and what the database is given of
// them. RFC 8628, 6.1.
import { randomInt } from 'node:crypto';
import type { Config } from './config.ts';
import { agreedSecret, deriver } from './secret.ts';

const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

export const newUserCode = (): string =>
  shown(Array.from({ length }, () => letters[randomInt(letters.length)]).join(''));

/**
 * A code as it was typed, in whatever case and with whatever marks between its letters, as it is shown: XXXX-XXXX.
 * undefined if it cannot be one.
 */
export function readUserCode(typed: string): string | undefined {
  const code = typed.replace(/[\s\p{P}]/gu, '').toUpperCase();
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? shown(code) : undefined;
}

const shown = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/**
 * What the database knows a code by. Eight letters are quickly tried, so it keeps the hash of a text that only the web
 * process can derive: neither a backup nor the web process's login to the database tells which codes wait.
 */
export const keptUserCode = (config: Config): ((code: string) => string) =>
  deriver(() => agreedSecret(config), 'hill user codes');
