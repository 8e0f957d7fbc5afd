// A fetch that must be refused, and must have reached nothing that is not public.
import { expect } from 'vitest';
import { isPublic } from '../../../src/outside/fetcher/address.ts';
import { type Asked, FetchRefused, type Reason } from '../../../src/outside/fetcher/index.ts';
import type { Internet } from './internet.ts';

/** Gives the refusal, for more to be said of it. */
export async function refusedWith(
  reason: Reason,
  internet: Internet,
  url: string,
  asked: Asked = {},
): Promise<FetchRefused> {
  const before = { heard: internet.canary.heard(), reached: internet.reached.length };

  const refusal = await internet.fetch(url, asked).then(
    (answer) => expect.fail(`answered with ${answer.status}`),
    (error: unknown) => error,
  );

  expect(refusal).toBeInstanceOf(FetchRefused);
  expect((refusal as FetchRefused).reason).toBe(reason);
  const dialled = internet.reached.slice(before.reached);
  if (reason.startsWith('url_') && (asked.maxRedirects ?? 0) === 0) expect(dialled).toEqual([]);
  expect(dialled.filter((endpoint) => !isPublic(endpoint.replace(/:\d+$/, '')))).toEqual([]);
  expect(internet.canary.heard()).toBe(before.heard);
  // What an outsider could come to read names no address.
  expect((refusal as FetchRefused).message).not.toMatch(/\d+\.\d+|::|example|localhost/);
  return refusal as FetchRefused;
}
