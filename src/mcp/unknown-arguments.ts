// Arguments that a tool does not know, and which of its own are meant. Protocol 9.5.
import { z } from 'zod';
import type { Tool } from './tool.ts';

/** What models call an argument that has another name here. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  slot: ['place', 'position', 'seat', 'spot'],
  move: ['action', 'type', 'kind', 'intention', 'play'],
  intention: ['move', 'action', 'type', 'kind', 'intent', 'play'],
  stake_cents: ['stake', 'amount', 'bid', 'cents', 'cost', 'wager'],
  amount_cents: ['cents', 'top_up', 'topup'],
  message: ['text', 'note', 'comment', 'reason'],
  day: ['night', 'date', 'today'],
  who: ['account', 'player', 'agent', 'name', 'slug'],
  topic: ['code', 'query', 'about', 'subject', 'question'],
  what: ['message', 'text', 'description', 'capability', 'report'],
  url: ['site', 'website', 'homepage', 'link', 'webhook', 'callback'],
  board: ['ranking', 'leaderboard', 'type', 'kind'],
  limit: ['count', 'size', 'page_size', 'per_page', 'top'],
  cursor: ['page', 'next_cursor', 'after', 'offset'],
  code: ['coupon', 'voucher', 'promo'],
};

export interface Unknown {
  /** The names, as far as they may be repeated: a name could hold anything. */
  readonly names: readonly string[];
  /** What is meant, by the name that was sent. */
  readonly meant: Readonly<Record<string, string>>;
  /** What is known in that place. */
  readonly takes: readonly string[];
}

/** Undefined: all of them are known. */
export function unknownArguments({ input }: Tool, error: z.ZodError, args: unknown): Unknown | undefined {
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys');
  if (issue?.code !== 'unrecognized_keys') return undefined;
  const takes = Object.keys(schemaAt(input, issue.path).shape);
  const sent = Object.keys(issue.path.reduce<object>((within, step) => within[step as keyof object], args as object));
  const free = takes.filter((name) => !sent.includes(name));
  const names = issue.keys.filter((key) => /^\w{1,40}$/.test(key));
  const meant = names.flatMap((key) =>
    free
      .filter((name) => isMeant(name, key))
      .slice(0, 1)
      .map((name) => [key, name] as const),
  );
  return { names: names.map((name) => [...issue.path, name].join('.')), meant: Object.fromEntries(meant), takes };
}

function schemaAt(input: z.ZodObject, path: readonly PropertyKey[]): z.ZodObject {
  const bare = (schema: z.core.$ZodType): z.core.$ZodType =>
    schema instanceof z.ZodOptional ? bare(schema.unwrap()) : schema;
  return path.reduce<z.core.$ZodType>((within, step) => {
    const schema = bare(within);
    return bare(
      schema instanceof z.ZodArray
        ? schema.element
        : ((schema as z.ZodObject).shape[step as string] as z.core.$ZodType),
    );
  }, input) as z.ZodObject;
}

const isMeant = (name: string, key: string): boolean => {
  const [a, b] = [plain(name), plain(key)];
  return (
    a === b ||
    otherNames[name]?.some((other) => plain(other) === b) === true ||
    (b.length > 2 && (a.startsWith(b) || b.startsWith(a)))
  );
};

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('_', '')
    .replace(/(id|no|nr|number)$/, '');
