// Loads what sql/ defines into a database that is in use: only what differs from the last load, in one transaction that
// never waits long for a lock and so never makes others wait. If it cannot get a lock, it starts again.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../process/start-error.ts';
import { call } from './call.ts';
import { callers, catalog, holders, inCatalog, revocations, signatures } from './catalog.ts';
import { cached } from './sql-cache.ts';
import { type Segment, shown, sqlFolder, sqlFolderSegments } from './sql-folder.ts';
import { type Item, readItems, restricted, type SqlItems, type Statement } from './sql-items.ts';

/** Shorter than deadlock_timeout: in a deadlock with a caller, it is the load that gives way. */
const lockPatience = '500ms';
const longestMs = 60_000;
/** A lock that was not free, a deadlock, a row of the catalog that another transaction changed. */
const passing = new Set(['55P03', '40P01', '40001', 'XX000']);
/** The server parses a message before it executes the first statement of it. */
const mostTogether = 200;

/**
 * Returns the ids of the items that were created again or dropped; none if the database already has this folder.
 * `schemaState` stands for the tables: when they change, what is defined on them is checked again. `source` is the file
 * that the database keeps of what is loaded: see db/engine-source.ts.
 */
export async function loadSqlFolder(
  client: pg.Client,
  schemaState: string,
  folder = sqlFolder,
  source?: () => Buffer,
): Promise<readonly string[]> {
  const segments = sqlFolderSegments(folder);
  const hash = hashOf(schemaState, segments, folder);
  await client.query(ownTables);
  const { rows } = await client.query<{ hash: string }>('select hash from graphile_migrate.sql_folder');
  if (rows[0]?.hash === hash) return [];

  const wanted = await itemsOf(segments);
  const patience = Date.now() + longestMs;
  for (let tries = 1; ; tries++) {
    try {
      return await loadOnce(client, wanted, hash, source);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !passing.has(error.code ?? '')) throw error;
      if (Date.now() > patience) throw new StartError(await whatIsInTheWay(client, error), { cause: error });
      await sleep(Math.min(50 * tries, 1_000) * (0.5 + Math.random())); // longer each time, and never in step with another process
    }
  }
}

/** Whether that would find nothing to do. */
export async function isLoaded(client: pg.Client, schemaState: string): Promise<boolean> {
  const { rows: found } = await client.query("select 1 where to_regclass('graphile_migrate.sql_folder') is not null");
  if (found.length === 0) return false;
  const { rows } = await client.query<{ hash: string }>('select hash from graphile_migrate.sql_folder');
  return rows[0]?.hash === hashOf(schemaState, sqlFolderSegments(sqlFolder), sqlFolder);
}

/** As readItems reads them, which takes longer than all else in a new database. */
async function itemsOf(segments: readonly Segment[]): Promise<SqlItems> {
  interface Plain {
    readonly items: readonly Item[];
    readonly statements: readonly (Omit<Statement, 'items'> & { readonly items: readonly string[] })[];
  }
  const read = await cached<Plain>('items', segments, async (given) => {
    const { items, statements } = await readItems(given);
    const named = statements.map((statement) => ({ ...statement, items: statement.items.map(({ id }) => id) }));
    return new Map([['all', { items: [...items.values()], statements: named }]]);
  });
  const all = read.get('all') as Plain;
  const items = new Map(all.items.map((item) => [item.id, item]));
  const statements = all.statements.map((statement) => ({
    ...statement,
    items: statement.items.map((id) => items.get(id) as Item),
  }));
  return { items, statements };
}

const hashOf = (schemaState: string, segments: readonly Segment[], folder: string): string =>
  createHash('sha256')
    .update(JSON.stringify([schemaState, ...segments.map(({ file, text }) => [file.slice(folder.length), text])]))
    .digest('hex');

const ownTables = `
  create table if not exists graphile_migrate.sql_folder (
    one        boolean primary key default true check (one),
    hash       text not null,
    loaded_at  timestamptz not null default now()
  );
  create table if not exists graphile_migrate.sql_items (
    id     text primary key,
    kind   text not null,
    name   text not null,
    "on"   text,
    hash   text not null
  );`;

async function loadOnce(client: pg.Client, wanted: SqlItems, hash: string, source?: () => Buffer): Promise<string[]> {
  await client.query(`
    begin isolation level read committed;
    set local lock_timeout = '${lockPatience}';
    set local client_min_messages = warning;
    -- two processes that load take turns, and the second finds little to do
    lock table graphile_migrate.sql_folder in exclusive mode`);
  try {
    // A night is resolved by functions of one version, so no load runs beside a bell: each waits for the other, by the
    // lock that deposits take.
    const { rows } = await client.query<{ there: boolean }>("select to_regclass('hill.day_lock') is not null as there");
    if (rows[0]?.there) await client.query('lock table hill.day_lock in row exclusive mode nowait');
    const changed = await new Load(client, wanted).run();
    await client.query(
      `insert into graphile_migrate.sql_folder (hash) values ($1)
       on conflict (one) do update set hash = excluded.hash, loaded_at = excluded.loaded_at`,
      [hash],
    );
    // With what it is of, so that no night is resolved by one and said to be by another.
    if (source) {
      await client.query('set local role hill_owner');
      await call(client, 'engine.load_engine', { source: source() });
    }
    await client.query('commit');
    return changed;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** What is known of an item in the database. */
type Known = Pick<Item, 'id' | 'kind' | 'name' | 'on'>;

class Load {
  readonly #client: pg.Client;
  readonly #wanted: SqlItems;
  readonly #firsts = new Map<string, Statement>();
  /** Ids of items that have to be created again. */
  readonly #stale = new Set<string>();
  /** Ids of items in the database now, of the kinds that the catalog shows. */
  #present = new Set<string>();
  /** What takes back the privileges that there are, by item. */
  #revocations = new Map<string, readonly string[]>();
  /** The role of the session when all that is waiting has been sent. */
  #role: string | null = null;
  /** What is sent in one message: SQL, and the statement of sql/ that it is. */
  #waiting: { readonly text: string; readonly statement?: Statement }[] = [];

  constructor(client: pg.Client, wanted: SqlItems) {
    this.#client = client;
    this.#wanted = wanted;
    for (const statement of wanted.statements)
      for (const { id } of statement.items) if (!this.#firsts.has(id)) this.#firsts.set(id, statement);
  }

  async run(): Promise<string[]> {
    const { items, statements } = this.#wanted;
    const before = await this.#loadedBefore();
    for (const { id, hash } of items.values()) if (before.get(id)?.hash !== hash) this.#stale.add(id);
    await this.#look();
    const gone = [...before.values()].filter(({ id }) => !items.has(id));
    await this.#lookAtPrivileges();

    // Functions first: nobody has to wait for them. What locks a table comes last, so that the lock is held as briefly
    // as possible.
    for (const statement of statements) if (!onTable(statement)) await this.#execute(statement);
    await this.#send();
    this.#lockTables();
    for (const statement of statements) if (onTable(statement)) await this.#execute(statement);
    // Last, when nothing refers to them: a trigger that calls another function by now would go with the former, and its
    // table be locked from then on.
    for (const item of gone) await this.#drop(item);

    await this.#as(null);
    const list = [...items.values()];
    await this.#client.query('delete from graphile_migrate.sql_items i where i.id <> all ($1)', [
      list.map(({ id }) => id),
    ]);
    await this.#client.query(
      `insert into graphile_migrate.sql_items (id, kind, name, "on", hash) select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
       on conflict (id) do update set hash = excluded.hash where sql_items.hash <> excluded.hash`,
      (['id', 'kind', 'name', 'on', 'hash'] as const).map((key) => list.map((item) => item[key])),
    );
    return [...this.#stale, ...gone.map(({ id }) => id)];
  }

  /** Versions before this list dropped and built everything: their items are in the database, with unknown hashes. */
  async #loadedBefore(): Promise<Map<string, Known & { hash: string | null }>> {
    const { rows } = await this.#client.query<Known & { hash: string }>(
      'select id, kind, name, "on", hash from graphile_migrate.sql_items',
    );
    if (rows.length > 0) return new Map(rows.map((row) => [row.id, row]));
    const { rows: found } = await this.#client.query<Known>(
      `select c.id, c.kind, c.name, c.on from (${catalog}) c
        where exists (select from graphile_migrate.sql_folder)
          and c.schema ~ case when c.on is null then '^(engine|api_.*)$' else '^(hill|oauth)$' end`,
    );
    return new Map(found.map((row) => [row.id, { ...row, hash: null }]));
  }

  /** Marks what is wanted and missing. */
  async #look(): Promise<void> {
    await this.#as(null);
    const { rows } = await this.#client.query<{ id: string }>(`select c.id from (${catalog}) c`);
    this.#present = new Set(rows.map(({ id }) => id));
    for (const { id, kind } of this.#wanted.items.values())
      if (inCatalog.has(kind) && !this.#present.has(id)) this.#stale.add(id);
  }

  /** All of them before the first is changed, each as the role that will change it. */
  #lockTables(): void {
    const roles = new Map<string, Statement['role']>();
    for (const id of this.#stale) {
      const item = this.#wanted.items.get(id);
      if (item?.on && item.kind !== 'privileges') roles.set(item.on, this.#firsts.get(id)?.role ?? null);
    }
    for (const table of [...roles.keys()].sort()) {
      this.#later(roles.get(table) ?? null, `lock table ${quoted(table)} in access exclusive mode`);
    }
  }

  /** Of all that will be granted again: nothing in between changes them. */
  async #lookAtPrivileges(): Promise<void> {
    await this.#as(null);
    const names = [...this.#stale].flatMap((id) => {
      const item = this.#wanted.items.get(id);
      return item?.kind === 'privileges' ? [item.name] : [];
    });
    const { rows } = await this.#client.query<{ name: string; statements: string[] }>(
      `select w.name, array(select r.statement from (${revocations('w.name')}) r) as statements from unnest($1::text[]) w (name)`,
      [names],
    );
    this.#revocations = new Map(rows.map(({ name, statements }) => [name, statements]));
  }

  async #execute(statement: Statement): Promise<void> {
    const stale = statement.items.filter(({ id }) => this.#stale.has(id));
    const [item] = stale;
    if (!item || (item.kind === 'schema' && this.#present.has(item.id))) return;
    const begun = stale.filter(({ id }) => this.#firsts.get(id) === statement);
    // before the next is prepared for, all that stands before it has to be there
    if (begun.some(({ id }) => this.#present.has(id))) await this.#send();
    try {
      for (const one of begun) await this.#prepare(one, statement);
      if (item.kind === 'function' && begun.includes(item) && this.#present.has(item.id)) {
        await this.#replace(item, statement);
        return;
      }
    } catch (error) {
      throw located(error, statement);
    }
    this.#later(statement.role, restricted(statement.text, stale), statement);
    if (this.#waiting.length >= mostTogether) await this.#send();
  }

  /**
   * In a new database nearly all of sql/ goes so: the server and this process would wait for each other some thousand
   * times.
   */
  #later(role: string | null, text: string, statement?: Statement): void {
    if (role !== this.#role) this.#waiting.push({ text: setRole(role) });
    this.#role = role;
    this.#waiting.push({ text, ...(statement ? { statement } : {}) });
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    // A statement may end in a comment.
    const together = waiting.map(({ text }) => `${text}\n;`).join('\n');
    try {
      await this.#client.query(`savepoint together;${together}release savepoint together`);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || passing.has(error.code ?? '')) throw error;
      // Which of them it was is found by sending one at a time.
      await this.#client.query('rollback to savepoint together');
      for (const { text, statement } of waiting) {
        try {
          await this.#client.query(text);
        } catch (error) {
          throw statement ? located(error, statement) : error;
        }
      }
    }
  }

  /** Prepares for the first statement of an item. */
  async #prepare(item: Item, { role }: Statement): Promise<void> {
    if (item.kind === 'privileges') for (const text of this.#revocations.get(item.name) ?? []) this.#later(null, text);
    if (!this.#present.has(item.id)) return;
    if (item.kind === 'policy' || item.kind === 'type') await this.#dropToMake(item);
    if (item.kind !== 'function') return;
    await this.#as(null);
    const { rows } = await this.#client.query<{ owner: string; grantees: string[] }>(callers, [item.name]);
    const { owner, grantees } = rows[0] as { owner: string; grantees: string[] };
    if (role !== null && owner !== role) await this.#dropToMake(item);
    else if (grantees.length > 0)
      await this.#client.query(`revoke all on function ${quoted(item.name)} from ${grantees.join(', ')}`);
  }

  /** Replaces a function in place, while it is being called, where that is possible. */
  async #replace(item: Item, { role, text }: Statement): Promise<void> {
    await this.#as(role);
    await this.#client.query('savepoint before');
    try {
      await this.#client.query(text);
      await this.#client.query('release savepoint before');
    } catch (error) {
      // Its result type or the names of its arguments have changed: it cannot be replaced in place.
      if ((error as { code?: string }).code !== '42P13') throw error;
      await this.#client.query('rollback to savepoint before');
      await this.#dropToMake(item);
      await this.#as(role);
      await this.#client.query(text);
    }
    // If its arguments have changed, the old function still exists beside the new one.
    const former = (await this.#signatures(item)).slice(0, -1);
    for (const signature of former) await this.#client.query(`drop function ${signature} cascade`);
    if (former.length > 0) await this.#look();
  }

  /** Also drops what depends on it. What is still wanted is created again, since load.sql has it further down. */
  async #dropToMake(item: Known): Promise<void> {
    await this.#drop(item);
    if (item.kind !== 'policy') await this.#look();
  }

  async #drop(item: Known): Promise<void> {
    await this.#as(null);
    if (item.kind === 'privileges') await this.#revoke(item);
    else if (item.kind === 'function')
      for (const signature of await this.#signatures(item))
        await this.#client.query(`drop function ${signature} cascade`);
    else if (item.kind === 'type' || item.kind === 'schema')
      await this.#client.query(`drop ${item.kind} if exists ${quoted(item.name)} cascade`);
    else if (item.on && this.#present.delete(item.id)) {
      await this.#client.query(`drop ${item.kind} if exists ${pg.escapeIdentifier(item.name)} on ${quoted(item.on)}`);
    }
    // other statements leave nothing to be undone
  }

  async #signatures({ name }: Known): Promise<string[]> {
    const { rows } = await this.#client.query<{ signature: string }>(signatures, [name]);
    return rows.map(({ signature }) => signature);
  }

  /** Revokes what sql/ granted on a table, a sequence or a schema, and restores the rights of its owner. */
  async #revoke({ name }: Known): Promise<void> {
    await this.#as(null);
    const { rows } = await this.#client.query<{ statement: string }>(revocations('$1::text'), [name]);
    for (const { statement } of rows) await this.#client.query(statement);
  }

  /** For what is not sent with others. */
  async #as(role: string | null): Promise<void> {
    await this.#send();
    if (role === this.#role) return;
    await this.#client.query(setRole(role));
    this.#role = role;
  }
}

const setRole = (role: string | null): string => (role === null ? 'reset role' : `set local role ${role}`);

const onTable = ({ items }: Statement): boolean => items.some(({ on, calls }) => on !== undefined || calls);
const quoted = (name: string): string => name.split('.').map(pg.escapeIdentifier).join('.');

/** Adds the place in sql/ that the error came from. */
function located(error: unknown, { file, line, text }: Statement): unknown {
  if (!(error instanceof pg.DatabaseError) || passing.has(error.code ?? '')) return error;
  // The position counts characters from 1; an error that occurs only during execution has none.
  const before = error.position ? [...text].slice(0, Number(error.position) - 1).filter((c) => c === '\n').length : 0;
  const more = [error.detail, error.hint && `Hint: ${error.hint}`, error.where?.split('\n')[0]]
    .filter(Boolean)
    .map((text) => ` ${text}`);
  return new StartError(`${shown(file)}:${line + before}: ${error.message}.${more.join('')}`, { cause: error });
}

/** Names the sessions that an operator has to end. */
async function whatIsInTheWay(client: pg.Client, { message }: pg.DatabaseError): Promise<string> {
  const { rows } = await client.query<{ who: string }>(holders);
  const named = rows.length > 0 ? ` These hold tables just now: ${rows.map(({ who }) => who).join('; ')}.` : '';
  return `sql/ could not be loaded within ${longestMs / 1_000} s, and nothing was changed: ${message}.${named} End the long transactions and try again.`;
}
