// One reading of a night for several files: in step, to the end, and not beyond the first who stops.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeFile } from '../../src/archives/file.ts';
import { together } from '../../src/archives/together.ts';
import { until } from '../support/until.ts';

/** Counts to `last`, and says how far it was read. */
function counting(last: number, { failure, part = String }: { failure?: Error; part?: (n: number) => string } = {}) {
  const told = { read: 0, ended: false };
  const source = async function* () {
    try {
      while (told.read < last) yield part(++told.read);
      if (failure) throw failure;
    } finally {
      told.ended = true;
    }
  };
  return { told, source: source() };
}

const all = async (parts: AsyncIterable<string>) => {
  const found: string[] = [];
  for await (const part of parts) found.push(part);
  return found;
};

test('all readers get all of it, and none runs ahead of another by more than a part', async () => {
  const { told, source } = counting(4);
  const [fast, slow] = together(source, 2) as [AsyncGenerator<string>, AsyncGenerator<string>];
  const first = all(fast);
  expect([await slow.next(), told.read]).toEqual([{ value: '1', done: false }, 1]);
  await new Promise(setImmediate); // the fast one asks for the second part as soon as it can
  expect(told.read).toBe(1);
  expect(await all(slow)).toEqual(['2', '3', '4']);
  expect(await first).toEqual(['1', '2', '3', '4']);
});

test('an error of the source is an error for each', async () => {
  const { source } = counting(2, { failure: new Error('gone') });
  const results = await Promise.allSettled(together(source, 2).map(all));
  expect(results).toMatchObject([1, 2].map(() => ({ status: 'rejected', reason: { message: 'gone' } })));
});

test('a file that cannot be kept ends the other one, too, and the reading', async () => {
  const { told, source } = counting(1_000, { part: () => randomBytes(100_000).toString('base64') });
  const [lost, other] = together(source, 2) as [AsyncGenerator<string>, AsyncGenerator<string>];
  const results = await Promise.allSettled([
    makeFile(lost, () => {
      throw new Error('full');
    }),
    makeFile(other, () => {}),
  ]);
  expect(results).toMatchObject(
    ['full', 'Another reader has stopped.'].map((message) => ({ status: 'rejected', reason: { message } })),
  );
  expect(told.read).toBeLessThan(1_000);
  await until('the reading ends', async () => told.ended);
});
