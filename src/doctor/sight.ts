// What can be seen of a hill: with the owner's login, or with those that serve. Read-only, whoever looks.
import path from 'node:path';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { withClient } from '../db/connect.ts';
import { ownerUrl } from '../db/hill-database.ts';
import { type Door, doors, settingOf } from '../db/logins.ts';
import { findCluster } from '../embedded/index.ts';
import type { Config } from '../process/config.ts';
import { messageOf, StartError } from '../process/start-error.ts';
import type { Figures } from '../worker/calls.ts';
import { Unseen } from './check.ts';

export interface Sight {
  readonly config: Config;
  /** How the hill is run. */
  readonly setting: Config['env'] | 'demo';
  /** Its PostgreSQL is the embedded one. */
  readonly embedded: boolean;
  /** The folder of that, or HILL_DATA_DIR. */
  readonly dataDir: string;
  /** Further addresses at which processes show their health. */
  readonly asked: readonly string[];
  /** Works as the owner, or in a role that it may take on. Throws an Unseen without the owner's login. */
  asOwner<T>(use: (client: pg.Client) => Promise<T>, role?: string): Promise<T>;
  /** Works with any login that is there. */
  asAnybody<T>(use: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Works with the login of a door, if its URL is set and lets in. */
  as<T>(door: Door, use: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Calls what the worker may call, by the owner's or the worker's login. */
  asWorker<T>(use: (client: pg.Client) => Promise<T>): Promise<T>;
  /** What the worker shows to operators. */
  figures(): Promise<Figures>;
}

type Session = <T>(use: (client: pg.Client) => Promise<T>, role?: string) => Promise<T>;

/** Statements of one look, a role included, before those of the next; all that is begun is undone. */
function sessionOn(client: pg.Client): Session {
  let before: Promise<unknown> = Promise.resolve();
  return (use, role) => {
    const work = before.then(async () => {
      try {
        if (role) await client.query(`begin; set local role ${role}`);
        return await use(client);
      } finally {
        await client.query('rollback');
      }
    });
    before = work.catch(() => {});
    return work;
  };
}

const readOnly = `set default_transaction_read_only = on; set statement_timeout = '10s'; set lock_timeout = '1s'; set client_min_messages = error`;

interface Place {
  readonly setting: Sight['setting'];
  readonly url: string | null;
  readonly embedded: boolean;
  readonly dataDir: string;
  readonly config: Config;
}

/** The demonstration's is another folder, and another clock. */
function placeOf(config: Config, demo: string): Place {
  const { dataDir, env } = config;
  if (config.databaseUrl || env === 'production' || Object.values(config.loginUrls).some(Boolean))
    return { setting: env, url: config.databaseUrl, embedded: false, dataDir, config };
  const own = findCluster(dataDir);
  if (own) return { setting: env, url: ownerUrl(own), embedded: true, dataDir, config };
  const shown = findCluster(demo);
  if (!shown)
    throw new StartError(
      `No hill of this checkout runs with HILL_DATA_DIR ${dataDir}. To look at one: npm start, or npm run demo. To look at one with a PostgreSQL of its own, set DATABASE_URL.`,
    );
  const simulated = { ...config, clock: 'simulated' as const, dayOne: null, mailFrom: null, smtp: null };
  return {
    setting: 'demo',
    url: ownerUrl(shown),
    embedded: true,
    dataDir: demo,
    config: { ...simulated, checkpointFile: path.join(demo, 'log', 'checkpoint') },
  };
}

/** Throws a StartError where nothing of a hill can be looked at. */
export async function withSight<T>(
  given: Config,
  { demo, asked = [] }: { readonly demo: string; readonly asked?: readonly string[] },
  use: (sight: Sight) => Promise<T>,
): Promise<T> {
  const { setting, url, embedded, dataDir, config } = placeOf(given, demo);
  const sessions = new Map<'owner' | Door, Session>();
  const why = new Map<'owner' | Door, string>();
  const urls: readonly (readonly ['owner' | Door, string | null, string])[] = [
    ['owner', url, 'DATABASE_URL'],
    ...doors.map((door) => [door, config.loginUrls[door], settingOf(door)] as const),
  ];
  const session = (who: 'owner' | Door): Session => {
    const found = sessions.get(who);
    if (!found) throw new Unseen(why.get(who) ?? `${who} has no login here`);
    return found;
  };
  const sight: Sight = {
    config,
    setting,
    embedded,
    dataDir,
    asked,
    asOwner: async (work, role) => session('owner')(work, role),
    asAnybody: async (work) => session([...sessions.keys()][0] as Door)(work),
    as: async (door, work) => session(door)(work),
    asWorker: async (work) =>
      sessions.has('owner') ? session('owner')(work, 'hill_api_worker') : session('worker')(work),
    figures: once(() => sight.asWorker((client) => call<Figures>(client, 'api_worker.watch'))),
  };
  const open = async (rest: typeof urls): Promise<T> => {
    const [next, ...more] = rest;
    if (!next) {
      if (sessions.size === 0)
        throw new StartError([...new Set(why.values())].join('\n') || 'No database URL is set: see docs/settings.md.');
      return use(sight);
    }
    const [who, at, name] = next;
    if (at === null) {
      why.set(who, `${name} is not set`);
      return open(more);
    }
    let inside = false;
    try {
      return await withClient(at, name, async (client) => {
        await client.query(readOnly);
        sessions.set(who, sessionOn(client));
        inside = true;
        return open(more);
      });
    } catch (error) {
      if (inside) throw error;
      why.set(who, messageOf(error));
      return open(more);
    }
  };
  return open(urls);
}

/** Several checks ask for the same. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= work();
    return asked;
  };
}
