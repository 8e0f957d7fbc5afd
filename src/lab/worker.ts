// One worker: plays the worlds that it is sent, one after the other, each in a database that ends with it.
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { messageOf, StartError } from '../process/start-error.ts';
import type { Sent, Task, Told, WorkerData } from './crew.ts';
import { endAll, loadAll, type Ready } from './strategies.ts';
import { asSuperuser, copyDatabase, dropDatabase } from './template.ts';
import { playWorld } from './world.ts';

const { url, players, patience } = workerData as WorkerData;
const cluster = { url: (database = 'postgres') => url.replace(/[^/]*$/, encodeURIComponent(database)) };
const tell = (told: Told) => parentPort?.postMessage(told);
const database = `world ${threadId}`;
let playing: Promise<Ready[]> = Promise.resolve([]);

parentPort?.on('message', (sent: Sent) => {
  if (sent === null) {
    playing.then(endAll, () => {}).finally(() => tell({ ended: true }));
    return;
  }
  const { label, seed } = sent.world;
  play(sent).catch((error) => {
    const expected = error instanceof StartError;
    const where = expected ? `Seed ${seed}${label && `, ${label}`}: ` : '';
    tell({ failed: { message: `${where}${messageOf(error)}`, expected } });
  });
});

/** Tells the figures when the database is gone: then the next one may come. Each world has programs of its own. */
async function play({ world, template }: Task): Promise<void> {
  playing = loadAll(
    players.filter(({ name }) => world.players.includes(name)),
    patience,
  );
  const ready = await playing;
  try {
    await copyDatabase(cluster, template, database);
    const figures = await asSuperuser(cluster, database, (db) =>
      playWorld(db, world, new Map(ready.map((one) => [one.name, one])), () => tell({ night: true })),
    ).finally(() => dropDatabase(cluster, database));
    tell({ figures });
  } finally {
    await endAll(ready);
  }
}
