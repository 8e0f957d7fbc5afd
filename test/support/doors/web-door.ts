// The public door, really listening, on a test's database.
import { afterAll, beforeAll } from 'vitest';
import { makePool } from '../../../src/db/pool.ts';
import { parseConfig } from '../../../src/process/config.ts';
import { makeLog } from '../../../src/process/log.ts';
import { startWeb, type Web } from '../../../src/web/index.ts';
import type { TestDatabase } from '../hill/database.ts';
import { secret } from '../hill/secret.ts';
import { freePort } from '../ports.ts';

export interface WebDoor {
  readonly baseUrl: string;
  get(path: string, init?: RequestInit): Promise<Response>;
  /** The body of an answer that must be 200. */
  read<T>(path: string): Promise<T>;
}

export function useWebDoor(
  database: TestDatabase,
  url = () => database.url('web'),
  settings: Record<string, string> = {},
): WebDoor {
  let web: Web;
  const pools: { end(): Promise<void> }[] = [];
  const door: WebDoor & { baseUrl: string } = {
    baseUrl: '',
    get: async (path, init = {}) => {
      await web.caughtUp(); // a test that has changed something reads it; what is late by milliseconds is for the tests of the memory
      return fetch(door.baseUrl + path, init);
    },
    read: async <T>(path: string) => {
      const answer = await door.get(path);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
  };
  beforeAll(async () => {
    const config = parseConfig({
      PORT: String(await freePort()),
      HILL_SIGNING_SECRET: secret,
      ...settings,
    });
    const log = makeLog({ logLevel: 'error', logFormat: 'json' });
    log.level = 'silent'; // what fails on purpose is no news
    const pool = makePool({ url: url(), name: 'test web door', log });
    pools.push(pool);
    web = await startWeb(config, pool, log);
    door.baseUrl = `http://127.0.0.1:${config.port}`;
  });
  afterAll(async () => {
    await web.stop();
    await Promise.all(pools.map((pool) => pool.end()));
  });
  return door;
}
