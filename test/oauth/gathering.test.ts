// When requests that sent one refresh token at once are answered: late enough that all have been sent, and apart, so
// that no two are saved in one millisecond.
import { expect, test } from 'vitest';
import { gathering } from '../../src/oauth/gathering.ts';

/** When an answer leaves that was asked for and is ready at these milliseconds. */
const leaving =
  (wait = gathering()) =>
  (token: string, sent: number, ready: number) =>
    ready + wait(token, sent, ready);

test('answers to one token leave one after another, the first when all have been sent', () => {
  const leaves = leaving();

  expect([leaves('a', 1000, 1010), leaves('a', 1000, 1010), leaves('a', 1001, 1020)]).toEqual([1250, 1650, 2050]);
  expect([leaves('a', 1002, 2440), leaves('a', 1002, 2441)]).toEqual([2450, 2850]); // a database that is slow
});

test('one that was late waits no longer, and other tokens wait for nobody', () => {
  const leaves = leaving();

  expect(leaves('a', 1000, 1900)).toBe(1900);
  expect(leaves('b', 1000, 1010)).toBe(1250);
  expect(leaves('a', 5000, 5010)).toBe(5250);
});
