// One connection, or one clear line that says why there is none.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { messageOf, StartError } from '../process/start-error.ts';
import { Client } from './client.ts';

/** A database: its URL, or a connection to it that several steps share. Each leaves the session as it found it. */
export type Place = string | { readonly url: string; readonly client: pg.Client };

export const urlOf = (place: Place): string => (typeof place === 'string' ? place : place.url);

/**
 * Connects, lets `use` work and closes. `setting` is the environment variable that the URL came from, for the error
 * message.
 */
export async function withClient<T>(place: Place, setting: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  if (typeof place !== 'string') return use(place.client);
  const client = await connect(place, setting);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function connect(url: string, setting: string): Promise<pg.Client> {
  const patience = Date.now() + 60_000;
  for (;;) {
    const client = new Client({
      connectionString: url,
      application_name: 'hill setup',
      connectionTimeoutMillis: 10_000,
    });
    // A connection that is lost later fails the query that was running; without this listener it would end the process
    // instead.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      // The server is starting up, or recovering from a crash.
      if (codeOf(error) !== '57P03' || Date.now() > patience)
        throw new StartError(`${setting}: ${explain(error, new URL(url))}`);
      await sleep(250);
    }
  }
}

const codeOf = (error: unknown): string | undefined => {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return (first as { code?: string } | undefined)?.code;
};

function explain(error: unknown, url: URL): string {
  const where = `${url.hostname}:${url.port || 5432}`;
  const database = decodeURIComponent(url.pathname.slice(1));
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `nothing answers at ${where}. Start PostgreSQL there, or correct the host and port.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `there is no host "${url.hostname}". Correct the host.`;
    case '28P01':
    case '28000':
      return `${where} does not let "${decodeURIComponent(url.username)}" in (${messageOf(error)}). Correct the user or the password.`;
    case '53300':
      return `${where} has no connection left for "${decodeURIComponent(url.username)}" (${messageOf(error)}). Raise its max_connections, or lower HILL_DATABASE_CONNECTIONS of the processes.`;
    case '3D000':
      return `${where} has no database "${database}". Create it with: createdb ${database}`;
    default:
      return `cannot connect to "${database}" at ${where}: ${messageOf(error)}.`;
  }
}
