// db/listener.ts · one connection that listens for notifications (LISTEN), and is made again whenever it is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import pg from 'pg';
import type { Logger } from '../process/log.ts';
import { Client } from './client.ts';

export interface Hearing {
  /** From now on every notification is heard. Earlier ones may have been missed. */
  up(query: <R extends pg.QueryResultRow>(text: string) => Promise<R | undefined>): void;
  /** No notification is heard any more. */
  lost(): void;
  told(channel: string, payload: string): void;
}

export interface Listener {
  stop(): Promise<void>;
}

/** A connection that died silently is noticed after this time, or twice this time at most. */
const heartbeatMs = 5_000;
const connectMs = 3_000;

export function listenTo(url: string, channels: readonly string[], hearing: Hearing, log: Logger): Listener {
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});

  const once = async (): Promise<void> => {
    const client = new Client({
      connectionString: url,
      application_name: 'hill listener',
      connectionTimeoutMillis: connectMs,
      deadlineMs: heartbeatMs,
    });
    const gone = new Promise<void>((resolve) => client.on('error', () => resolve()).on('end', () => resolve()));
    let heard = false;
    const inTurn = pLimit(1);
    const ask = <R extends pg.QueryResultRow>(text: string): Promise<R | undefined> =>
      inTurn(async () => (await client.query<R>(text)).rows[0]);
    try {
      await client.connect();
      client.on('notification', ({ channel, payload }) => hearing.told(channel, payload ?? ''));
      for (const channel of channels) await ask(`listen ${pg.escapeIdentifier(channel)}`);
      heard = true;
      hearing.up(ask);
      while (!stopping.signal.aborted) {
        if (await Promise.race([gone.then(() => true), pause(heartbeatMs).then(() => false)])) break;
        await ask('select 1');
      }
    } catch (error) {
      log.debug(`the listener has no connection: ${(error as Error).message}`);
    } finally {
      if (heard) hearing.lost();
      await client.end().catch(() => {});
    }
  };
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await once();
      if (!stopping.signal.aborted) await pause(500);
    }
  })();

  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}
