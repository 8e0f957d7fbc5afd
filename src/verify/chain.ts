// Follows the nights of a hill, one from the other, in a database of the verifier's own release: what each should say,
// and by which result. Nothing that the hill's engine says is believed here. Rules 20.50, 20.51.
import type { Database } from './engine.ts';
import type { Checked } from './report.ts';
import { differences } from './results.ts';

/** See engine.fault. */
interface Fault {
  readonly slot: number | null;
  readonly account: string | null;
  readonly field: string;
  readonly due: string | null;
  readonly shown: string | null;
}

/** Of one night no more are told. */
const mostTold = 10;

export class Chain {
  readonly #to: Checked;
  readonly #db: Database;

  private constructor(to: Checked, db: Database) {
    this.#to = to;
    this.#db = db;
  }

  /**
   * On one connection of a superuser's, in a database without nights: in a transaction, and it is as it was once `use`
   * has ended.
   */
  static async with<T>(to: Checked, db: Database, use: (chain: Chain) => Promise<T>): Promise<T> {
    await db.query('begin');
    try {
      await db.query("set local session_replication_role = 'replica'");
      await db.query('select engine.begin_following()');
      await db.query('create temporary table chain_nights (day integer primary key, night jsonb, result text)');
      return await use(new Chain(to, db));
    } finally {
      await db.query('rollback');
    }
  }

  /** What the file comes to here is compared with its result by the hill's engine: null where that is not known. */
  async keep(day: number, file: string, result: string | null): Promise<void> {
    const own = await this.#attempt<{ result: string }>('select engine.result_of($1) as result', [file]);
    if (own === null) return; // malformed: what the log has of it is no result of that
    const resolved = own[0]?.result ?? '';
    if (result !== null) {
      const [first, ...more] = differences(resolved, result);
      this.#to.check(
        first === undefined,
        `Night ${day} comes to the same by this release, line by line.`,
        `Night ${day} comes to something else by this release than by the engine that the log names: ${first}${more.length > 0 ? `; ${more.slice(0, mostTold).join('; ')}` : ''}.`,
      );
    }
    await this.#db.query('insert into chain_nights values ($1, $2, $3)', [day, file, result ?? resolved]);
  }

  /** Each night that is kept, in order. `followed` hears of each while it is the last one. */
  async follow(followed: (day: number) => Promise<void>): Promise<void> {
    const { check, note } = this.#to;
    const { rows: nights } = await this.#db.query<{ day: number }>('select day from chain_nights order by day');
    for (const { day } of nights) {
      const faults = await this.#attempt<Fault>(
        `select f.* from chain_nights n cross join lateral engine.follow_night(n.night, n.result) f
          where n.day = $1`,
        [day],
        (error) => check(false, '', `Night ${day} cannot be followed: ${error.message}.`),
      );
      if (faults === null) continue;
      const wrong = faults.filter(({ due }) => due !== null);
      check(
        wrong.length === 0,
        `Night ${day} follows from those before it: open places, holders, days held, reputations, seniorities, limits and instants.`,
        `Night ${day}${told(wrong[0])}.`,
      );
      for (const fault of wrong.slice(1, mostTold)) check(false, '', `Night ${day}${told(fault)}.`);
      if (wrong.length > mostTold) note(`Of night ${day} ${wrong.length - mostTold} more do not follow.`);
      const first = faults.filter(({ due }) => due === null);
      const accounts = first.flatMap(({ account }) => account ?? []);
      if (accounts.length > 0)
        note(
          `Night ${day} has accounts for the first time, whose seniority is the word of the hill: ${accounts.slice(0, mostTold).join(', ')}${accounts.length > mostTold ? ` and ${accounts.length - mostTold} more` : ''}.`,
        );
      const places = first.flatMap(({ slot }) => slot ?? []);
      if (places.length > 0) note(`On day ${day} places opened that were not before: ${places.join(', ')}.`);
      await followed(day);
    }
  }

  /** Whether a query finds no fault: each one is told behind `what`. */
  async compare(right: string, what: string, text: string, values: unknown[]): Promise<void> {
    const { check, note } = this.#to;
    const faults = await this.#attempt<Fault>(text, values, (error) =>
      check(false, '', `${what} cannot be compared: ${error.message}.`),
    );
    if (faults === null) return;
    check(faults.length === 0, `${right}`, `${what}${told(faults[0])}.`);
    for (const fault of faults.slice(1, mostTold)) check(false, '', `${what}${told(fault)}.`);
    if (faults.length > mostTold) note(`${what}: ${faults.length - mostTold} more differ.`);
  }

  /** Those that are in no night that was followed. */
  async unknownOf(accounts: readonly string[]): Promise<string[]> {
    const rows = await this.#attempt<{ account: string }>(
      'select u.id as account from unnest($1::uuid[]) u (id) where u.id not in (select a.id from hill.accounts a)',
      [accounts],
    );
    return (rows ?? []).map(({ account }) => account);
  }

  /** Takes in what later comparisons need; what is not of its form is left out. */
  async take(text: string, values: unknown[]): Promise<void> {
    await this.#attempt(text, values);
  }

  /** The rows of a query, and null where it fails: what it did is undone then, and nothing else. */
  async #attempt<R extends object>(
    text: string,
    values: unknown[],
    failed: (error: Error) => void = () => {},
  ): Promise<R[] | null> {
    await this.#db.query('savepoint attempt');
    try {
      const { rows } = await this.#db.query<R>(text, values);
      await this.#db.query('release savepoint attempt');
      return rows;
    } catch (error) {
      await this.#db.query('rollback to savepoint attempt');
      failed(error as Error);
      return null;
    }
  }
}

/** Where it is, whose it is, what it should be and what it is. */
const told = (fault: Fault | undefined): string =>
  fault === undefined
    ? ''
    : `${fault.slot === null ? '' : `, place ${fault.slot}`}${fault.account === null ? '' : `, account ${fault.account}`}: ${fault.field} should be ${fault.due}, and is ${fault.shown}`;
