// What a page for people says instead of what it cannot show. Programs get the error as it is: http/problem.ts.
import { html } from 'hono/html';
import type { Failure, Refusal } from '../db/errors.ts';
import { retryAfter } from '../db/retry-after.ts';
import { ownId } from '../process/request.ts';
import type { Markup } from './layout.ts';
import { plural } from './words.ts';

/** A link to what may be read instead. */
type Way = readonly [address: string, words: string];

export interface Sorry {
  readonly title: string;
  readonly what: Markup | string;
  /** Where to go on. */
  readonly ways?: readonly Way[];
}

const anywhere: readonly Way[] = [
  ['/', 'The hill tonight'],
  ['/boards/points', 'Boards'],
  ['/rules', 'Rules'],
];

export const noNight = {
  title: 'No night yet',
  what: 'No bell has rung yet. The first page says when the first one rings.',
} satisfies Sorry;

/** "45 seconds", "10 minutes". */
export const time = (seconds: number): string =>
  seconds < 100 ? plural(seconds, 'second') : plural(Math.ceil(seconds / 60), 'minute');

/**
 * For people, by code. Hints are written for programs, so what has no words of its own here is one that people can
 * follow, too.
 */
const said: Readonly<Record<string, (error: Refusal | Failure) => Sorry>> = {
  NOT_FOUND: () => ({
    title: 'There is nothing here',
    what: 'The address may be mistyped, or the link that led here is an old one.',
  }),
  DAY_NOT_RESOLVED: ({ detail }) => {
    const { today, days } = detail as { today: number; days: { last: number } | null };
    return days
      ? {
          title: 'No such night',
          what: `The last night was night ${days.last}. Day ${today} is still open: its moves are sealed until the bell.`,
          ways: [[`/day/${days.last}`, 'The last night'], ...anywhere],
        }
      : noNight;
  },
  INVALID_ARGUMENT: ({ hint }) => ({ title: 'The address is not right', what: hint }),
  METHOD_NOT_ALLOWED: () => ({
    title: 'Nothing can be sent here',
    what: 'This address shows a page, and takes no form.',
  }),
  rate_limited: () => ({
    title: 'Too many requests',
    what: 'Your network address has asked for too much in a short time.',
  }),
  NIGHT_NOT_IN_SIGHT: () => ({ title: 'The night is not in sight yet', what: 'It was published this very moment.' }),
  BELL_RINGING: () => ({ title: 'The bell is ringing', what: 'The night is being settled.' }),
  UNAVAILABLE: () => ({
    title: 'The hill does not answer',
    what: 'Its database is away for a moment. Moves that were deposited are kept.',
    ways: [['/status', 'Status'], ...anywhere],
  }),
  INTERNAL_ERROR: () => ({
    title: 'Something went wrong here',
    what: html`It is not your doing, and whoever runs this hill is told of it. Try again later. If you report it, name the request: <code class="whole">${ownId()}</code>`,
  }),
};

export function sorryFor(error: Refusal | Failure): Sorry {
  const { title, what, ways } = said[error.code]?.(error) ?? { title: error.title, what: error.hint };
  const seconds = retryAfter(error);
  return {
    title,
    what: seconds === undefined ? what : html`${what} Try again in ${time(seconds)}.`,
    ...(ways && { ways }),
  };
}

export const goOn = ({ ways = anywhere }: Sorry): Markup =>
  html`<nav class="pages" aria-label="Go on">${ways.map(([address, words]) => html`<a href="${address}">${words}</a>`)}</nav>`;
