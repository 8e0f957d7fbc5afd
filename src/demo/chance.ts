// demo/chance.ts · a number that looks random, and is not.
import { createHash } from 'node:crypto';

/** At least 0 and below 1, always the same for the same words. */
export const chance = (words: string): number => createHash('sha256').update(words).digest().readUInt32BE() / 2 ** 32;
