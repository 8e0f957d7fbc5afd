// Connections on which nobody waits for ever: not to connect, not for a statement, not to close.
import pg from 'pg';

export interface ClientSettings extends pg.ClientConfig {
  /**
   * A statement that is not answered in this time takes its connection with it. Without it, a statement may take as
   * long as the server works on it.
   */
  readonly deadlineMs?: number | undefined;
}

export interface Query extends pg.QueryConfig {
  /** Of this statement, in place of the connection's. */
  readonly deadlineMs?: number;
}

/** How often the server is asked whether it is still working on a statement that may take long. */
const pulseMs = 3_000;
/** One beat may be missed: the statement may have ended while the server was being asked. */
const mostMissed = 2;
const goodbyeMs = 1_000;

/**
 * For every connection, also of a pool. A peer that has vanished is noticed after some 20 s, even on an idle
 * connection.
 */
export const patience = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** What pg's types leave out. */
interface Inside {
  readonly processID: number;
  readonly connection: { readonly stream: { destroy(why?: Error): void } };
}

/**
 * A connection whose statement has passed its deadline is destroyed, so that a late answer reaches no other caller.
 * Where no deadline can be set, as for a bell, another connection asks every few seconds whether the server is still
 * working on the statement. If it is not, or cannot be reached, the statement is lost.
 */
class PatientClient extends pg.Client {
  readonly #settings: ClientSettings;
  /**
   * The server's process for this session. What a connect tells is the pooler's own number, if there is one between.
   */
  backend: number | undefined;

  constructor(settings: ClientSettings) {
    super({ ...patience, ...settings });
    this.#settings = settings;
  }

  override connect(...args: never[]): never {
    const call = super.connect as (...args: unknown[]) => unknown;
    const [callback] = args as unknown[];
    if (typeof callback === 'function')
      return call.call(this, (error: unknown, ...more: unknown[]) => {
        noteUnreached(error);
        callback(error, ...more);
      }) as never;
    return connected(call.call(this) as Promise<unknown>) as never;
  }

  override query(...args: never[]): never {
    const call = super.query as (...args: unknown[]) => unknown;
    const given: unknown[] = args;
    const done = this.#watch((given[0] as Query | undefined)?.deadlineMs ?? this.#settings.deadlineMs);
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const answer = call.call(this, ...given.slice(0, -1), (error: unknown, result: unknown) => {
        done();
        callback(error, result);
      });
      return answer as never;
    }
    const answer = call.call(this, ...given);
    if (answer instanceof Promise) return until(answer, done) as never;
    done(); // a cursor, which is read piece by piece
    return answer as never;
  }

  /** Closes in good order, but does not wait long for that. */
  override end(...args: never[]): never {
    const impatience = setTimeout(() => this.#destroy(), goodbyeMs);
    this.once('end', () => clearTimeout(impatience));
    return (super.end as (...args: unknown[]) => unknown).call(this, ...args) as never;
  }

  /** Begins to watch a statement. Call what it returns when the statement has ended. */
  #watch(deadlineMs: number | undefined): () => void {
    if (deadlineMs !== undefined) {
      const timer = setTimeout(() => this.#destroy(new Error(`no answer in ${deadlineMs} ms`)), deadlineMs);
      return () => clearTimeout(timer);
    }
    let missed = 0;
    let timer: NodeJS.Timeout | undefined;
    let over = false;
    const beat = async () => {
      const alive = await this.#isWorking();
      if (over) return;
      missed = alive ? 0 : missed + 1;
      if (missed >= mostMissed) this.#destroy(new Error('the server is not working on the statement any more'));
      else timer = setTimeout(beat, pulseMs);
    };
    timer = setTimeout(beat, pulseMs);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }

  async #isWorking(): Promise<boolean> {
    const { deadlineMs: _, ...settings } = this.#settings;
    const other = new Client({
      ...settings,
      application_name: 'hill pulse',
      connectionTimeoutMillis: pulseMs,
      deadlineMs: pulseMs,
    });
    other.on('error', () => {});
    try {
      await other.connect();
      // a session whose state this login may not see counts as working
      const { rows } = await other.query<{ working: boolean }>(
        "select coalesce(state, '') !~ '^idle' as working from pg_stat_activity where pid = $1",
        [this.backend ?? (this as unknown as Inside).processID],
      );
      return rows[0]?.working ?? false;
    } catch {
      return false;
    } finally {
      await other.end().catch(() => {});
    }
  }

  #destroy(why?: Error): void {
    (this as unknown as Inside).connection.stream.destroy(why);
  }
}

const unreached = new WeakSet<object>();

let refusedAt = Number.NEGATIVE_INFINITY;

function noteUnreached(error: unknown): void {
  if (typeof error !== 'object' || error === null) return;
  unreached.add(error);
  if (isNoRoom(error)) refusedAt = performance.now();
}

/** The server answered that it, or this login, has no connection left. */
export const isNoRoom = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === '53300';

/** For who sees that calls wait in vain for a connection of their own pool. */
export function noRoom(): Error {
  refusedAt = performance.now();
  return Object.assign(new Error('calls wait for a connection'), { code: '53300' });
}

/** Whether this process lacked a connection so lately. */
export const lackedRoom = (withinMs: number): boolean => performance.now() - refusedAt < withinMs;

/**
 * Whether this is why there was no connection. The server says so with a state of its own for each reason (no such
 * database, closed to connections, no right to connect, another password), and of those states most mean something else
 * when a statement fails with them.
 */
export const wasUnreached = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && unreached.has(error);

async function connected<T>(connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    noteUnreached(error);
    throw error;
  }
}

/**
 * Awaits, since an error's stack names those who wait for it only if nobody else does: a second `then` would leave it
 * without its callers.
 */
async function until<T>(answer: Promise<T>, done: () => void): Promise<T> {
  try {
    return await answer;
  } finally {
    done();
  }
}

// with the overloads of pg's own class
export const Client = PatientClient as unknown as new (settings: ClientSettings) => pg.Client;

/** Asks the server for the process that it has for this session, so that another connection can find it. */
export async function knowBackend(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  (client as unknown as PatientClient).backend = rows[0]?.pid;
}
