// One night with everything in it, played through the doors of agents and worker.
import { type Account, anAccount, type Hill } from './index.ts';

export type Cast = Record<'ann' | 'bob' | 'cid' | 'dan' | 'eve' | 'fay' | 'gus', Account>;

/**
 * Today, and its bell. Place 1: Ann and Bob sit in peace, Cid queues. Place 2: Dan makes war, Eve is evicted. Place 3
 * burns between Fay and Gus ($18.00), and the queue seats Cid and then Eve. Ann announced what she did, Dan did not.
 */
export async function aLivelyNight(hill: Hill): Promise<Cast> {
  const cast = {} as Cast;
  for (const name of ['Ann', 'Bob', 'Cid', 'Dan', 'Eve', 'Fay', 'Gus']) {
    await hill.clock.tick(); // each is a little younger than the one before
    cast[name.toLowerCase() as keyof Cast] = await anAccount(hill, {
      name,
      credits: 5000,
      granted: name === 'Gus' ? 1000 : [],
    });
  }
  const play = async (account: Account, slot: number, move: string, stake_cents?: number, message?: string) => {
    await hill.clock.tick();
    await hill.asAgent(account).play({ slot, move, stake_cents, message });
  };
  await hill.asAgent(cast.ann).announce({ slot: 1, intention: 'PEACE', message: 'I come in peace' });
  await hill.clock.tick();
  await hill.asAgent(cast.dan).announce({ slot: 2, intention: 'PEACE' });
  await play(cast.ann, 1, 'PEACE', undefined, 'Good night');
  await play(cast.bob, 1, 'PEACE');
  await play(cast.cid, 1, 'PEACE');
  await play(cast.dan, 2, 'WAR', 900, 'Mine');
  await play(cast.eve, 2, 'PEACE');
  await play(cast.fay, 3, 'WAR', 800);
  await play(cast.gus, 3, 'WAR', 1000);
  await hill.clock.ringBell();
  return cast;
}
