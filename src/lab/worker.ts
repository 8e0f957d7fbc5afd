// One worker: plays the worlds that it is sent, one after the other, each in a database that ends with it.
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { messageOf, StartError } from '../process/start-error.ts';
import type { Task, Told, WorkerData } from './crew.ts';
import { loadStrategy } from './strategies.ts';
import { asSuperuser, copyDatabase, dropDatabase } from './template.ts';
import { playWorld } from './world.ts';

const { url, players } = workerData as WorkerData;
const cluster = { url: (database = 'postgres') => url.replace(/[^/]*$/, encodeURIComponent(database)) };
const tell = (told: Told) => parentPort?.postMessage(told);
const strategies = Promise.all(players.map(loadStrategy)).then(
  (ready) => new Map(ready.map((strategy) => [strategy.name, strategy])),
);
const database = `world ${threadId}`;

parentPort?.on('message', ({ world, template }: Task) => {
  play(world, template).catch((error) =>
    tell({ failed: { message: messageOf(error), expected: error instanceof StartError } }),
  );
});

/** Tells the figures when the database is gone: then the next one may come. */
async function play(world: Task['world'], template: string): Promise<void> {
  const known = await strategies;
  await copyDatabase(cluster, template, database);
  const figures = await asSuperuser(cluster, database, (db) =>
    playWorld(db, world, known, () => tell({ night: true })),
  ).finally(() => dropDatabase(cluster, database));
  tell({ figures });
}
