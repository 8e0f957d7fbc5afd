// Dice that fall the same for the same seed, whatever the machine and however many workers there are.
import { createHash } from 'node:crypto';

const bytes = (question: string): Buffer => createHash('sha256').update(question).digest();

/** At least 0 and below 1. */
export const roll = (question: string): number => bytes(question).readUInt32BE() / 2 ** 32;

/** An id for ever. */
export function idOf(question: string): string {
  const hex = bytes(question).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** In an order that the question decides. */
export const shuffled = <T>(question: string, things: readonly T[]): T[] =>
  things
    .map((thing, n) => ({ thing, at: roll(`${question} ${n}`) }))
    .sort((a, b) => a.at - b.at)
    .map(({ thing }) => thing);
