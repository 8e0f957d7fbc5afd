// Finds out what has changed: one connection that looks in the database twice a second, and at once when somebody
// notifies. It is made again whenever it is lost. A notification says no more than "look": any login can send one, and
// none may come. Decisions 480.
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Logger } from '../process/log.ts';
import { call, type SqlFunction } from './call.ts';
import { Client } from './client.ts';
import { lookChannel } from './notify.ts';

export interface Audience {
  /** From now on every change is found. Earlier ones may have been missed. */
  up(query: <R extends pg.QueryResultRow>(text: string) => Promise<R | undefined>): void;
  /** No change is found any more. */
  lost(): void;
  /** What has changed, as sql/reading/changes.sql names it; with `night`, the last one that is published. */
  changed(change: string, lastNight: number | null): void;
}

export interface Lookout {
  /** Resolves when everything committed before has been handed on, or at once while nothing is found. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** When nobody notifies, a change is found after this time. */
const everyMs = 500;
/** However many notifications come, looks are this far apart. */
const leastMs = 20;
/** A connection that died silently is noticed after this time. */
const deadlineMs = 5_000;
const connectMs = 3_000;

interface Look {
  readonly snapshot: string;
  readonly taken_at: string;
  readonly last_night: number | null;
  /** Null: anything may have changed. */
  readonly changes: readonly string[] | null;
  /** The queue of notifications is filling: who listens may hold it back. */
  readonly filling: boolean;
}

export function lookOut(url: string, changes: SqlFunction, audience: Audience, log: Logger): Lookout {
  const stopping = new AbortController();
  let waiting: (() => void)[] = [];
  let woken = Promise.withResolvers<void>();
  let connected = false;

  const once = async (): Promise<void> => {
    const client = new Client({
      connectionString: url,
      application_name: 'hill lookout',
      connectionTimeoutMillis: connectMs,
      deadlineMs,
    });
    const over = new AbortController();
    const ending = AbortSignal.any([stopping.signal, over.signal]);
    const pause = (ms: number) => sleep(ms, undefined, { signal: ending }).catch(() => {});
    client.on('error', () => over.abort()).on('end', () => over.abort());
    client.on('notification', () => woken.resolve());
    const inTurn = pLimit(1);
    const ask = <R extends pg.QueryResultRow>(text: string): Promise<R | undefined> =>
      inTurn(async () => (await client.query<R>(text)).rows[0]);
    let up = false;
    let listens = false;
    let last: Look | undefined;
    const look = async () => {
      const asked = waiting;
      waiting = [];
      woken = Promise.withResolvers();
      try {
        last = await inTurn(() => call<Look>(client, changes, { snapshot: last?.snapshot, taken_at: last?.taken_at }));
        if (last.changes === null) {
          if (up) audience.lost();
          up = true;
          audience.up(ask);
        } else for (const change of last.changes) audience.changed(change, last.last_night);
      } finally {
        for (const done of asked) done();
      }
      if (listens === last.filling) {
        await ask(listens ? 'unlisten *' : `listen ${lookChannel}`);
        listens = !listens;
      }
    };
    try {
      await client.connect();
      connected = true;
      while (!ending.aborted) {
        await look();
        await pause(leastMs);
        await Promise.race([woken.promise, pause(everyMs - leastMs)]);
      }
    } catch (error) {
      log.debug(`the lookout has no connection: ${(error as Error).message}`);
    } finally {
      connected = false;
      if (up) audience.lost();
      for (const done of waiting) done();
      waiting = [];
      over.abort();
      await client.end().catch(() => {});
    }
  };
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await once();
      if (!stopping.signal.aborted) await sleep(500, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    look: () =>
      new Promise((resolve) => {
        if (!connected) return resolve();
        waiting.push(resolve);
        woken.resolve();
      }),
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}
