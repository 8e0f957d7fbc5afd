// A world: a hill in a database of its own, the model beside it, and what is done in it, one action after the other.
// An action is plain data that names whom it is about, so a world is its list of actions, which can be played again, in
// part as well.
import fs from 'node:fs';
import type pg from 'pg';
import { keepStripeKey } from '../../src/db/kept-settings.ts';
import { publishLog } from '../../src/worker/log.ts';
import { aDatabase } from '../support/hill/database.ts';
import { hillIn, setDay } from '../support/hill/hill.ts';
import { type Account, type Hill, refusalOf } from '../support/hill/index.ts';
import { StripeServer } from '../support/peers/stripe-server.ts';
import type { Random } from '../support/random.ts';
import { closeDoors } from './doors.ts';
import type { Backup } from './families/recovery.ts';
import { checkLog, emptyLog, type LogModel } from './log.ts';
import type { Published } from './model.ts';
import { type Answer, bellAt, emptyModel, type Model, type Moment, momentOf } from './model.ts';
import { type Outside, outsideOf, settingsOf } from './outside.ts';
import type { State } from './states.ts';

/**
 * How its agents are, and what is done how often. It is another one in each world: where everything is always done,
 * nothing goes on for long.
 */
export interface Temper {
  readonly war: number;
  readonly stay: number;
  /** Few, so that they are full, contested and burned. */
  readonly places: readonly number[];
  /** By what the odds of an action are multiplied. */
  readonly odds: (action: string) => number;
}

/** Each is a step on the way to a token, of which a world without one has none. */
const needed = ['signIn', 'client', 'beginClaim', 'decideClaim', 'redeemClaim', 'exchangeCode', 'redeemDevice'];

export const aTemper = (random: Random): Temper => {
  const odds = new Map([...needed, 'deposit', 'join', 'pass'].map((one) => [one, 1]));
  return {
    war: random.pick([0.05, 0.3, 0.6]),
    stay: random.pick([0.3, 0.6, 0.9]),
    places: random.pick([[1], [1, 2], [1, 2, 3, 4, 5]]),
    odds: (action) => {
      const drawn = odds.get(action) ?? random.pick([0, 0.3, 1, 1, 3]);
      odds.set(action, drawn);
      return drawn;
    },
  };
};

export interface World {
  /** Another one from when a copy of its database takes its place. */
  hill: Hill;
  place: ReturnType<typeof aDatabase>;
  readonly outside: Outside;
  backup: Backup | null;
  /** A transaction that somebody has left open. */
  reading: pg.PoolClient | null;
  model: Model;
  now: number;
  /** The keys of each agent, by its name; a member is named like its first agent. */
  readonly agents: Map<string, Account>;
  /** The member of an account, by its id. */
  readonly members: Map<string, string>;
  /** The slug that an account was opened with, which is drawn, by its member. */
  readonly slugs: Map<string, string>;
  readonly nights: Map<number, Published>;
  /** What was done and answered, without what is drawn at random. */
  readonly trace: string[];
  readonly log: LogModel;
  readonly temper: Temper;
  /** How often each action was done, and refused with which code. */
  readonly tried: Map<string, number>;
  /** The rare states that it has been in. */
  readonly reached: Set<State>;
}

/** Signs what it tells: it is asked nothing. */
export const stripe = new StripeServer();

export const momentIn = (world: World): Moment => momentOf(world.now);

/** Begins on day 1 at 10:00, with nobody there and a log that is signed. */
export async function aWorld(temper: Temper): Promise<World & { end(): Promise<void> }> {
  const place = aDatabase();
  await place.create();
  const hill = hillIn(place.database);
  await setDay(hill);
  await keepStripeKey({ env: 'development', stripeWebhookSecret: stripe.webhookSecret }, hill.ownerUrl);
  const outside = outsideOf(place.database.name);
  await publishLog(hill.as('worker'), settingsOf(hill, outside));
  const places = await hill.rows<{ slot: number; opens_day: number }>('select slot, opens_day from hill.places');
  const opensDay = Object.fromEntries(places.map(({ slot, opens_day }) => [slot, opens_day]));
  const world: World = {
    ...{
      hill,
      place,
      outside,
      backup: null,
      reading: null,
      model: emptyModel(opensDay),
      now: bellAt(0) + 10 * 3_600_000,
    },
    ...{
      temper,
      agents: new Map(),
      members: new Map(),
      slugs: new Map(),
      nights: new Map(),
      trace: [],
      tried: new Map(),
      reached: new Set(),
    },
    log: emptyLog(),
  };
  await checkLog(world);
  const end = async () => {
    await closeDoors(world);
    fs.rmSync(outside.folder, { recursive: true, force: true });
    world.reading?.release(true);
    await world.backup?.place.drop();
    await world.place.drop();
  };
  return Object.assign(world, { end });
}

/** One call of a function, as whoever may make it. */
export interface Call {
  readonly as: 'web' | 'worker' | 'staff' | 'hill_api_worker';
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A session in which one call is made, in a transaction that somebody else ends. */
export interface Caller {
  readonly client: pg.PoolClient;
  begin(): Promise<void>;
  make(): Promise<Answer>;
}

export async function callerOf({ hill }: World, { as, name, args }: Call): Promise<Caller> {
  const pool = as === 'web' || as === 'worker' ? hill.as(as) : as === 'staff' ? hill.as('console') : hill.root;
  const client = await pool.connect();
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return {
    client,
    begin: async () => {
      await client.query('begin');
      if (as === 'hill_api_worker') await client.query('set local role hill_api_worker');
      if (as !== 'staff') return;
      await client.query('set local role hill_staff');
      await client.query("select set_config('hill.staff_session', $1, true)", [await staffSession(hill)]);
    },
    make: async () => {
      try {
        const { rows } = await client.query<{ result: unknown }>(
          `select to_jsonb(${name}(${given.map(([key], i) => `${key} => $${i + 1}`).join(', ')})) as result`,
          given.map(([, value]) => value),
        );
        const { result } = rows[0] as { result: { refused?: { state: string } } | null };
        return result?.refused ? { refused: refusalOf({ code: result.refused.state }).code } : { result };
      } catch (error) {
        // of a session that was ended there is only this
        if ((error as Error).message.startsWith('Connection terminated')) return { refused: 'no connection' };
        // the error is told before the locks are released; with this answer they are
        await client.query('rollback').catch(() => {});
        return { refused: refusalOf(error).code };
      }
    },
  };
}

const sessions = new WeakMap<Hill, Promise<string>>();
export function staffSession(hill: Hill): Promise<string> {
  const token = 'the staff of a world';
  const made =
    sessions.get(hill) ??
    hill
      .rows(
        "insert into oauth.staff_sessions values (sha256(convert_to($1, 'UTF8')), 'Sam', now(), now() + interval '1 day', null) on conflict do nothing",
        [token],
      )
      .then(() => token);
  sessions.set(hill, made);
  return made;
}

/** One call by itself. */
export async function callAlone(world: World, call: Call): Promise<Answer> {
  const { client, begin, make } = await callerOf(world, call);
  try {
    await begin();
    const answer = await make();
    await client.query('refused' in answer ? 'rollback' : 'commit');
    return answer;
  } finally {
    client.release();
  }
}

export async function setNow(world: World, now: number): Promise<void> {
  world.now = now;
  await world.hill
    .as('worker')
    .query('select api_worker.set_clock($1::timestamptz, null)', [new Date(now).toISOString()]);
}

export const count = ({ tried }: Pick<World, 'tried'>, what: string) => tried.set(what, (tried.get(what) ?? 0) + 1);

/** What is drawn at random, or is of the real clock, as a word. */
export function plain(world: World, answer: unknown): string {
  const drawn = new Set([
    ...['salt', 'ends', 'message_salt', 'commitment', 'milliseconds', 'message_hash', 'signed_receipt', 'expires_at'],
    ...['seq', 'end_salt', 'end_commitment'],
    // of who signed in or is closed
    ...['name', 'slug', 'sign_ins'],
  ]);
  const text = JSON.stringify(answer, (key, value) => (drawn.has(key) ? undefined : value)) ?? 'null';
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => world.members.get(id) ?? 'an id')
    .replace(/\b(hidden|closed)-[0-9a-f]{16}\b/g, '$1'); // a slug that is made of an id
}
