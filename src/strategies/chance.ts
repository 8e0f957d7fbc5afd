// What a strategy casts dice with: the same throws for the same name, day and question, so that what was played can be
// played again.
import { createHash } from 'node:crypto';

interface Caster {
  readonly day: number;
  readonly me: { readonly name: string };
}

/** At least 0 and below 1. */
export const chance = ({ day, me }: Caster, question: string): number =>
  createHash('sha256').update(`${me.name} ${day} ${question}`).digest().readUInt32BE() / 2 ** 32;

/** One of them; undefined of none. */
export const pick = <T>(view: Caster, question: string, from: readonly T[]): T | undefined =>
  from[Math.floor(chance(view, question) * from.length)];
