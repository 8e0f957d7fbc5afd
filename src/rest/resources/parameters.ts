// The arguments that several addresses take. What is wrong with one is said in words: arguments.ts.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';

export const nights = rule('window_nights');
export const longest = rule('list_length');

const largest = 2_147_483_647;

/** What is wrong with a text that is not there once. */
export const once = {
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : 'is given more than once'),
};
/**
 * A whole number in a URL. One beyond the database's integers is treated as the largest integer: equally unknown, or
 * equally out of bounds.
 */
export const whole = z
  .string(once)
  .regex(/^-?\d{1,20}$/, 'is not a whole number')
  .transform((digits) => Math.max(-largest, Math.min(largest, Number(digits))))
  .meta({ type: 'integer' });
/** How many entries an answer has at most; `usual` without it. */
export const limit = (what: string, usual: number, most: number) =>
  whole
    .refine((n) => n >= 1 && n <= most, { message: 'is out of bounds', params: { minimum: 1, maximum: most } })
    .meta({ type: 'integer', minimum: 1, maximum: most, default: usual })
    .optional()
    .describe(`Most ${what} in the answer, 1 to ${most}.`);
/** The arguments by which a list is paged. */
export const page = (usual: number, most = longest) => ({
  limit: limit('entries of a list', usual, most),
  cursor: z
    .string(once)
    .regex(/^[\w.~-]{1,200}$/, 'is not a cursor')
    .optional()
    .describe('next_cursor of the page before.'),
});
export const nothing = z.object({});
export const name = /^[\w-]{1,100}$/;
/** In lower case, so that an identity has one cache key. */
export const slug = z.string().regex(name, 'is not a slug').toLowerCase();
export const nightNumber = whole.describe('Number of a day whose bell has been resolved.');
