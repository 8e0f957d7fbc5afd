// The public door with the settings that a test of humans wants, really listening.
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { makePool } from '../../../src/db/pool.ts';
import { parseConfig } from '../../../src/process/config.ts';
import type { Stoppable } from '../../../src/process/listen.ts';
import { aWatch, type Watch } from '../../../src/watch/index.ts';
import { startWeb } from '../../../src/web/index.ts';
import type { TestDatabase } from '../hill/database.ts';
import { secret } from '../hill/secret.ts';
import { freePort } from '../ports.ts';
import { type Visit, Visitor } from './visitor.ts';

export interface HumansDoor {
  readonly baseUrl: string;
  readonly metrics: Watch['metrics'];
  /** All that it has logged, at every level. */
  logged(): string;
  /** A visitor who has signed in by the development sign-in. */
  signIn(email: string): Promise<Visitor>;
  /** A page, as a visitor sees it after all redirects. */
  page(visitor: Visitor, path: string): Promise<Visit>;
}

/** `settings` is asked when the servers that it names are listening; `ready` when this one is. */
export function useHumansDoor(
  database: TestDatabase,
  settings: (baseUrl: string) => Record<string, string> = () => ({}),
): HumansDoor {
  let web: Stoppable;
  let pool: ReturnType<typeof makePool>;
  let logged = '';
  const watch = aWatch();
  const door = {
    baseUrl: '',
    metrics: watch.metrics,
    logged: () => logged,
    async signIn(email: string) {
      const visitor = new Visitor();
      const page = await visitor.go(`${door.baseUrl}/sign-in`);
      const answer = await visitor.send(page, '/sign-in/development', { email });
      if (answer.status !== 303) throw new Error(`not signed in: ${answer.status} ${await answer.text()}`);
      return visitor;
    },
    page: (visitor: Visitor, path: string) => visitor.go(door.baseUrl + path),
  };
  beforeAll(async () => {
    const port = await freePort();
    door.baseUrl = `http://localhost:${port}`;
    const given: Record<string, string> = {
      PORT: String(port),
      HILL_SIGNING_SECRET: secret,
      ...settings(door.baseUrl),
    };
    // in production only a public address is taken, and this is the machine of the test
    const at = { baseUrl: door.baseUrl, authUrl: door.baseUrl };
    const config =
      given.HILL_ENV === 'production' && !given.BASE_URL
        ? { ...parseConfig({ ...given, BASE_URL: 'https://hill.example' }), ...at }
        : parseConfig(given);
    const log = pino(
      { level: 'trace' },
      {
        write(line: string) {
          logged += line;
        },
      },
    );
    pool = makePool({ url: database.url('web'), name: 'test humans door', log });
    web = await startWeb(config, pool, log, undefined, watch);
  });
  afterAll(async () => {
    await web?.stop();
    await pool?.end();
  });
  return door;
}
