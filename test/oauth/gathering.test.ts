// When requests that sent one refresh token at once are answered: late enough that all have been sent, and apart, so that no two are saved in one millisecond.
import { expect, test } from 'vitest';
import { gathering } from '../../src/oauth/gathering.ts';

test('answers to one token leave one after another, the first when all have been sent', () => {
  const wait = gathering();

  expect([1000, 1000, 1001, 1020].map((now) => now + wait('a token', now))).toEqual([1250, 1300, 1350, 1400]);
});

test('other tokens, and the same one later, wait for nobody', () => {
  const wait = gathering();
  wait('a token', 1000);

  expect(wait('another token', 1000)).toBe(250);
  expect(wait('a token', 5000)).toBe(250);
});
