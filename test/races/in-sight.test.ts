// A night in the moment in which it is committed, and the server has not told its other processes of its partitions. Decisions 461.
import { beforeAll, expect, test } from 'vitest';
import { anAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
beforeAll(() => hill.clock.ringBell());

test.each(['api_public.clock()', 'engine.see_last_night()'])('%s: whoever asks has all of the last night in sight', async (ask) => {
  const ann = await anAccount(hill, { credits: 5000 });
  await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
  const day = await hill.clock.day();
  await hill.asRoot(async (client) => {
    // The moment made longer: PostgreSQL listens when a transaction takes a lock that is new to it, and this one has all that its looks need.
    await client.query(`begin; prepare ask (integer) as select ${ask} where $1 > 0; prepare look as
      select (select count(*)::int from hill.nights where day = ${day}) as nights,
             (select count(*)::int from hill.settlements where day = ${day}) as settled,
             (select count(*)::int from hill.moves where day = ${day}) as moves`);
    for (let n = 0; n < 6; n++) await client.query(`execute ask (${day - 1}); execute look`);
    await hill.clock.ringBell();
    expect((await client.query('execute look')).rows).toEqual([{ nights: 1, settled: 0, moves: 0 }]);
    await client.query(`execute ask (${day})`);
    expect((await client.query('execute look')).rows).toEqual([{ nights: 1, settled: 1, moves: 1 }]);
    await client.query('rollback; deallocate all');
  });
});
