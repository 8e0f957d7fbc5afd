// How long a caller is told to wait: what the refusal says, or the one number of the rules.
import { expect, test } from 'vitest';
import { Failure, rateLimited, refusal } from '../../src/db/errors.ts';
import { retryAfter } from '../../src/db/retry-after.ts';
import { rule } from '../../src/db/rules.ts';
import { refused } from '../../src/mcp/door/answers.ts';
import { asOAuthError } from '../../src/oauth/errors.ts';

test('a refusal that names its seconds is believed', () => {
  expect(retryAfter(rateLimited(17))).toBe(17);
  expect(retryAfter(refusal('BELL_RINGING', '', '', { retry_after_seconds: 2 }))).toBe(2);
});

test('what is unavailable is tried again after the seconds of the rules, at every door', () => {
  const failure = new Failure('UNAVAILABLE');
  expect(retryAfter(failure)).toBe(rule('retry_seconds'));
  expect(asOAuthError(failure).retryAfterSeconds).toBe(rule('retry_seconds'));
  expect(refused(failure, null).headers['Retry-After']).toBe(String(rule('retry_seconds')));
});

test('nothing is said where waiting would not help', () => {
  for (const error of [new Failure('INTERNAL_ERROR'), refusal('NOT_FOUND', '', '')]) {
    expect(retryAfter(error)).toBeUndefined();
    expect(refused(error, null).headers).not.toHaveProperty('Retry-After');
  }
});
