// Everything that one who is not the account can see of the hill: every row of every table that its role may read, and
// the answer of every function that it may call. What is added to the hill later is looked at as well.
import type pg from 'pg';
import { inject } from 'vitest';
import type { Account } from './accounts.ts';
import { functions, tables } from './catalogue.ts';
import type { Hill } from './hill.ts';

export interface Onlooker {
  readonly name: string;
  readonly role: string;
  /** Settings of its session, such as the staff's. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What it gives for arguments of these names, as SQL. */
  readonly arguments?: Readonly<Record<string, readonly string[]>>;
}

/** What is seen, by what was looked at: rows, an answer, or a refusal with all its parts. */
export type Seen = Map<string, string>;

/**
 * What an onlooker gives for an argument of a type, as SQL: about the account that it is curious of, tonight, and the
 * night before.
 */
export interface Curiosity {
  readonly accounts: readonly Account[];
  readonly slots: readonly number[];
  readonly days: readonly number[];
}

const samples = ({ accounts, slots, days }: Curiosity): Readonly<Record<string, readonly string[]>> => {
  const literals = (values: readonly (string | number)[], type: string) => values.map((value) => `'${value}'::${type}`);
  const [account, slot, day] = [accounts[0] as Account, slots[0] as number, days[0] as number];
  const nights = days.map((day) => `engine.stored_night(${day})`);
  const night = nights.at(-1) as string;
  const rows = (table: string) => [`(select t from hill.${table} t limit 1)`];
  return {
    uuid: literals(
      accounts.map(({ id }) => id),
      'uuid',
    ),
    integer: [...literals(days, 'integer'), ...literals(slots, 'integer')],
    smallint: literals(slots, 'smallint'),
    bigint: literals([300, 1], 'bigint'),
    numeric: literals([0.5], 'numeric'),
    'double precision': literals([1], 'double precision'),
    boolean: ['true', 'false'],
    text: [`'${account.token}'`, `'PEACE'`],
    'text[]': [`'{hill:read,hill:play}'::text[]`],
    bytea: [`sha256('x')`],
    date: [`'2026-03-01'::date`],
    'timestamp with time zone': ['engine.now()'],
    jsonb: [`engine.night_json(${night})`, `'{}'::jsonb`],
    'hill.move': [`'PEACE'::hill.move`, `'WAR'::hill.move`],
    'engine.night': nights,
    'engine.resolution': [`engine.resolve_places(${night})`],
    'engine.agent_actor': [`row('${account.id}', '${account.agentId}', '{hill:read,hill:play}')::engine.agent_actor`],
    'engine.place_result': [`(array(select engine.tally_places(${night})))[${slot}]`],
    'engine.place_result[]': [`array(select engine.tally_places(${night}))`],
    'engine.seat[]': [`(engine.resolve_places(${night})).seats`],
    'engine.seat': [`((engine.resolve_places(${night})).seats)[1]`],
    'engine.night_move[]': [
      `array(select engine.night_moves(engine.stored_night(${day})))`,
      `array(select engine.night_moves(${night}))`,
    ],
    'engine.night_move': [`(select m from engine.night_moves(${night}) m limit 1)`],
    'hill.announcements': rows('announcements'),
    'hill.lots': rows('lots'),
    'hill.accounts': rows('accounts'),
    'hill.agents': rows('agents'),
    'hill.moves': rows('moves'),
    'hill.seats': rows('seats'),
    'hill.nights': rows('nights'),
    'hill.tournaments': rows('tournaments'),
    'hill.tournament_standings': rows('tournament_standings'),
  };
};

interface Callable {
  shown: string;
  call: string;
  names: string[];
  types: string[];
}

interface Readable {
  shown: string;
  columns: string;
  whole: boolean;
}

/**
 * What a role may read or call, asked of a hill's catalogue once: a look is taken again after each thing that is done,
 * and none of them changes rights.
 */
function listed<R extends Readable | Callable>(hill: Hill, role: string, query: string): Promise<R[]> {
  const known = lists.get(hill) ?? new Map<string, Promise<unknown[]>>();
  lists.set(hill, known);
  const key = `${role} ${query}`;
  const list = known.get(key) ?? hill.rows(query, [role]);
  known.set(key, list);
  return list as Promise<R[]>;
}
const lists = new WeakMap<Hill, Map<string, Promise<unknown[]>>>();

const most = 8;

/** All combinations of the samples, the first of each first, up to a number that keeps the look short. */
function combinations(choices: readonly (readonly string[])[]): string[][] {
  // counted first: of a function with many arguments there are millions
  if (choices.reduce((product, { length }) => product * length, 1) <= most) {
    let combined: string[][] = [[]];
    for (const choice of choices) combined = combined.flatMap((head) => choice.map((one) => [...head, one]));
    return combined;
  }
  const longest = Math.max(...choices.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => choices.map((choice) => choice[i % choice.length] as string));
}

/**
 * Every row that an onlooker may read, with where it lies and which transactions wrote and locked it: these tell of a
 * write as its columns do.
 */
export async function lookAtRows(
  hill: Hill,
  onlooker: Onlooker,
  system: readonly string[] = ['ctid', 'xmin', 'xmax'],
): Promise<Seen> {
  const readable = await listed<Readable>(
    hill,
    onlooker.role,
    `select t.shown, has_table_privilege($1, t.oid, 'select') as whole,
            string_agg(quote_ident(k.attname), ', ' order by k.attnum) filter (where has_column_privilege($1, t.oid, k.attnum, 'select')) as columns
       from (${tables}) t join pg_attribute k on k.attrelid = t.oid and k.attnum > 0 and not k.attisdropped
      where has_any_column_privilege($1, t.oid, 'select') and has_schema_privilege($1, t.schema, 'usage')
      group by t.oid, t.shown, t.schema order by 1`,
  );
  return ask(
    hill,
    onlooker,
    readable.map(({ shown, columns, whole }) => ({
      about: shown,
      // who has a right to some columns has none to those of the system
      query: `select jsonb_agg(to_jsonb(t) order by to_jsonb(t)) from (select ${[...(whole ? system : []), columns].join(', ')} from ${shown}) t`,
    })),
  );
}

/**
 * The answers of every function that an onlooker may call. What it may write, it writes for nobody: each call is
 * undone.
 */
export async function lookAtAnswers(hill: Hill, onlooker: Onlooker, curiosity: Curiosity): Promise<Seen> {
  const known = samples(curiosity);
  const callable = await listed<Callable>(
    hill,
    onlooker.role,
    `select f.shown, p.pronamespace::regnamespace || '.' || p.proname as call,
            coalesce(array(select coalesce(p.proargnames[i.n], '') from generate_series(1, p.pronargs) i (n) order by i.n), '{}')::text[] as names,
            coalesce(array(select format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, n) order by u.n), '{}')::text[] as types
       from (${functions}) f join pg_proc p on p.oid = f.oid
      where has_function_privilege($1, f.oid, 'execute') and has_schema_privilege($1, f.schema, 'usage') and not f.trigger order by 1`,
  );
  return ask(
    hill,
    onlooker,
    callable.flatMap(({ call, names, types }) =>
      // of a type that is not among the samples there is nothing to give but null
      combinations(
        types.map((type, i) => onlooker.arguments?.[names[i] ?? ''] ?? known[type] ?? [`null::${type}`]),
      ).map((args) => ({
        about: `${call}(${args.join(', ')})`,
        query: `select jsonb_agg(r order by to_jsonb(r)) from (select ${call}(${args.join(', ')}) as r) r`,
      })),
    ),
  );
}

/**
 * The session in which a role looks. Each look is undone, settings and all, so it goes on to the next one, having
 * compiled the functions and planned their queries. Not for another role: a plan has the rights of whoever it was made
 * for.
 */
function sessionOf(hill: Hill, role: string): pg.Pool {
  const known = sessions.get(hill) ?? new Map<string, pg.Pool>();
  sessions.set(hill, known);
  const before = known.get(role);
  const session =
    before && !before.ending
      ? before
      : hill.pool(Object.assign(new URL(inject('adminUrl')), { pathname: `/${hill.name}` }).href, 1);
  known.set(role, session);
  return session;
}
const sessions = new WeakMap<Hill, Map<string, pg.Pool>>();

/** One answer has the database's clock beside what else it tells. */
const withoutClock = (about: string, answer: string): string =>
  about === 'api_public.readiness()' ? answer.replace(/"at":"[^"]+"/, '') : answer;

async function ask(
  hill: Hill,
  { role, settings = {} }: Onlooker,
  questions: readonly { about: string; query: string }[],
): Promise<Seen> {
  const seen: Seen = new Map();
  const enter = [
    `set local role ${role}`,
    ...Object.entries(settings).map(([name, value]) => `set local ${name} = '${value}'`),
  ].join('; ');
  const client = await sessionOf(hill, role).connect();
  try {
    for (const { about, query } of questions) {
      try {
        const results = (await client.query(`begin; ${enter}; ${query}; rollback`)) as unknown as {
          rows: { jsonb_agg: unknown }[];
        }[];
        seen.set(about, withoutClock(about, JSON.stringify(results.at(-2)?.rows[0]?.jsonb_agg ?? null)));
      } catch (error) {
        await client.query('rollback');
        const { code, message, detail, hint, where } = error as Record<string, string | undefined>;
        seen.set(about, JSON.stringify({ code, message, detail, hint, where }));
      }
    }
  } finally {
    client.release();
  }
  return seen;
}

/**
 * What a function answers need not be the same twice: lots, audit entries and reports draw numbers even when they are
 * undone; some draw by lot, one takes the real time.
 */
export const restless =
  /^(api_agent|api_staff|engine)\.(free_name|free_slug|grant_credits|instant|neutral_name|next_deposit|random_\w+|report_missing_capability)\(/;

/** What two looks saw differently. */
export function differences(
  before: Seen,
  after: Seen,
): Record<string, { before: string | undefined; after: string | undefined }> {
  return Object.fromEntries(
    [...new Set([...before.keys(), ...after.keys()])]
      .filter((about) => before.get(about) !== after.get(about))
      .map((about) => [about, { before: before.get(about), after: after.get(about) }]),
  );
}
