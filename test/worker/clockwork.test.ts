// The worker follows the hill's clock: the bell at midnight, the count on the quarter hour, whatever the pace. Rules
// 2.2, 9.3, 17.3.
import { describe, expect, test } from 'vitest';
import { anAccount, balanced, books, useHill } from '../support/hill/index.ts';
import { aWorker, warnings } from '../support/hill/worker.ts';
import { until } from '../support/until.ts';

const lastNight = async (hill: ReturnType<typeof useHill>) => (await hill.asWorker().readClock()).last_night;

describe('at the pace of the real clock', () => {
  const hill = useHill();
  const count = async () =>
    (await hill.rows<{ moves: number }>('select moves from hill.sealed_counts where counted_at is not null'))[0]?.moves;

  test('sealed moves are counted on the quarter hour, as of that instant', async () => {
    const [ann, bob] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
    await hill.clock.at('10:29:58.5');
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await aWorker(hill);
    await hill.asWorker().refreshSealedCount(); // of the quarter before, when there was none
    expect(await count()).toBe(0);
    await hill.asWorker().setClock(null, 1);

    await until('the quarter hour', async () => (await count()) === 1);
    await hill.asAgent(bob).play({ slot: 4, move: 'PEACE' });
    expect(await hill.asWorker().refreshSealedCount()).toBe(false);
    expect(await count()).toBe(1);
  });

  test('the bell rings at midnight, and not when the worker next looks at the clock', async () => {
    await hill.clock.at('23:59:58.5');
    await aWorker(hill);
    await until('the bell', async () => (await lastNight(hill)) === 1);

    const [late] = await hill.rows<{ seconds: number }>(
      'select extract(epoch from resolved_at - bell_at)::float as seconds from hill.nights',
    );
    expect(late?.seconds).toBeLessThan(5);
    expect(late?.seconds).toBeGreaterThanOrEqual(0);
  });
});

describe('at a day in half a second, two workers at once', () => {
  const hill = useHill();

  test('every day has one night, with the house in it, and the boards follow', async () => {
    await hill.asWorker().setClock(null, 172_800);
    const workers = [await aWorker(hill), await aWorker(hill)];
    const played = async () =>
      (await hill.rows<{ nights: number }>('select count(*)::int as nights from hill.nights where moves > 0'))[0]
        ?.nights ?? 0;
    // a machine that has too much to do skips a day's deposits here and there, but not for ever
    await until('six nights, and four with moves', async () => (await lastNight(hill)) >= 6 && (await played()) >= 4);
    await hill.asWorker().setClock(null, 0);
    await Promise.all(workers.map((worker) => worker.stop()));

    const last = await lastNight(hill);
    expect(await hill.rows('select count(*), min(day), max(day) from hill.nights')).toEqual([
      { count: last, min: 1, max: last },
    ]);
    const rung = workers.flatMap(({ said }) =>
      said.map(({ msg }) => /^night (\d+) is resolved/.exec(msg)?.[1]).filter((day) => day !== undefined),
    );
    expect(new Set(rung).size).toBe(rung.length); // none by both
    expect(workers.flatMap(({ said }) => warnings(said))).toEqual([]);
    expect(await books(hill.root)).toEqual(balanced);
  });
});
