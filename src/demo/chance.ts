// demo/chance.ts · a number that looks like chance and is none.
import { createHash } from 'node:crypto';

/** From 0 to below 1, always the same for the same words. */
export const chance = (words: string): number => createHash('sha256').update(words).digest().readUInt32BE() / 2 ** 32;
