// The arguments of a public read: what is unknown or malformed is refused, and told what is wrong with it. Rules 10.13;
// decisions 252.
import type { z } from 'zod';
import { refusal } from '../db/errors.ts';

type Query = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Throws INVALID_ARGUMENT. A value that was sent is never repeated; the name of a parameter is, if it is no more than a
 * name.
 */
export function readArguments(args: z.ZodType<object>, query: Query, params: Query): Record<string, unknown> {
  const known = Object.keys((args as z.ZodObject).shape).filter((name) => !(name in params));
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownParameter(unknown, known);
  const parsed = args.safeParse({ ...query, ...params });
  if (parsed.success) return parsed.data as Record<string, unknown>;
  const [issue] = parsed.error.issues as [z.core.$ZodIssue];
  const argument = String(issue.path[0]);
  const bounds = issue.code === 'custom' ? issue.params : undefined;
  throw refusal(
    'INVALID_ARGUMENT',
    `${argument} ${issue.message}.`,
    'Read /openapi.json for the arguments of each address.',
    {
      argument,
      ...bounds,
    },
  );
}

function unknownParameter(name: string, known: readonly string[]): Error {
  const plain = /^[a-z_]\w{0,29}$/i.test(name);
  const [nearest] = known.filter((one) => plain && isNear(name.toLowerCase(), one));
  const message = [
    plain ? `Unknown parameter \`${name}\`.` : 'Unknown parameter.',
    ...(nearest === undefined ? [] : [`Did you mean \`${nearest}\`?`]),
  ].join(' ');
  const hint =
    known.length === 0
      ? 'This address takes no parameters: leave it out.'
      : `This address takes ${known.map((one) => `\`${one}\``).join(', ')}: correct the name, or leave it out.`;
  return refusal('INVALID_ARGUMENT', message, hint, { ...(plain ? { argument: name } : {}), parameters: known });
}

/** Whether one is the beginning of the other, or they differ by at most two letters. */
function isNear(given: string, known: string): boolean {
  if (given.length > 2 && (known.startsWith(given) || given.startsWith(known))) return true;
  return distance(given, known) <= (known.length > 3 ? 2 : 1);
}

/** Levenshtein's, by rows. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries())
      next.push(
        Math.min((next[j] as number) + 1, (row[j + 1] as number) + 1, (row[j] as number) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row[to.length] as number;
}
