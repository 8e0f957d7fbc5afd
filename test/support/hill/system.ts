// Everything of PostgreSQL's own that a role may call or read: each function of pg_catalog, with every relation and
// every session of the hill as arguments where its types allow, and each table and view of pg_catalog and
// information_schema. What is left out, and why, is listed.
import type pg from 'pg';
import { inject } from 'vitest';
import type { Hill } from './hill.ts';
import type { Seen } from './onlooker.ts';

/**
 * Functions that are not called, or whose answers are not compared. A name that PostgreSQL does not have fails a test,
 * too.
 */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  'tells the time': [
    'clock_timestamp',
    'now',
    'statement_timestamp',
    'timeofday',
    'transaction_timestamp',
    'pg_stat_get_snapshot_timestamp',
  ],
  'draws at random': [
    ...['array_sample', 'array_shuffle', 'gen_random_uuid', 'random', 'random_normal', 'setseed', 'uuidv4', 'uuidv7'],
  ],
  // Rules 9.5: that something was written, by whom and what it may be
  'counts transactions of the whole server': [
    ...['pg_current_snapshot', 'pg_current_xact_id', 'pg_current_xact_id_if_assigned', 'pg_export_snapshot'],
    ...['txid_current', 'txid_current_if_assigned', 'txid_current_snapshot', 'mxid_age', 'age'],
  ],
  'shows who is connected, to this database and others': ['pg_stat_get_activity'],
  "shows what the caller's own session has loaded": ['pg_get_loaded_modules'],
  'is moved by the notices of every database': ['pg_notification_queue_usage'],
  'shows who waits for whom': [
    'pg_blocking_pids',
    'pg_isolation_test_session_is_blocked',
    'pg_safe_snapshot_blocking_pids',
  ],
  'waits, ends others, or holds what others need': [
    ...['pg_sleep', 'pg_sleep_for', 'pg_sleep_until', 'pg_cancel_backend', 'pg_terminate_backend'],
    ...[
      'pg_advisory_lock',
      'pg_advisory_lock_shared',
      'pg_advisory_unlock',
      'pg_advisory_unlock_all',
      'pg_advisory_unlock_shared',
    ],
    ...['pg_advisory_xact_lock', 'pg_advisory_xact_lock_shared', 'pg_try_advisory_lock', 'pg_try_advisory_lock_shared'],
    ...['pg_try_advisory_xact_lock', 'pg_try_advisory_xact_lock_shared'],
  ],
  'writes, and answers with what it wrote': [
    ...[
      'lo_close',
      'lo_creat',
      'lo_create',
      'lo_from_bytea',
      'lo_lseek',
      'lo_lseek64',
      'lo_open',
      'lo_put',
      'lo_tell',
      'lo_tell64',
    ],
    ...[
      'lo_truncate',
      'lo_truncate64',
      'lo_unlink',
      'loread',
      'lowrite',
      'nextval',
      'setval',
      'pg_notify',
      'set_config',
    ],
    ...[
      'pg_logical_emit_message',
      'pg_nextoid',
      'pg_stat_clear_snapshot',
      'pg_stat_force_next_flush',
      'pg_import_system_collations',
    ],
    ...['pg_stop_making_pinned_objects', 'pg_extension_config_dump'],
  ],
  'repeats a query of the caller, a table or all tables': [
    ...[
      'query_to_xml',
      'query_to_xml_and_xmlschema',
      'query_to_xmlschema',
      'cursor_to_xml',
      'cursor_to_xmlschema',
      'ts_stat',
      'ts_rewrite',
    ],
    ...[
      'table_to_xml',
      'table_to_xml_and_xmlschema',
      'table_to_xmlschema',
      'schema_to_xml',
      'schema_to_xml_and_xmlschema',
    ],
    ...[
      'schema_to_xmlschema',
      'database_to_xml',
      'database_to_xml_and_xmlschema',
      'database_to_xmlschema',
      'current_query',
    ],
    ...['pg_cursor', 'pg_prepared_statement'],
  ],
};

/** Tables and views whose rows are not compared, likewise. */
const leftOutRelations: Readonly<Record<string, readonly string[]>> = {
  'shows who is connected, to this database and others': ['pg_stat_activity', 'pg_stat_gssapi', 'pg_stat_ssl'],
  'repeats statements of the caller': ['pg_cursors', 'pg_prepared_statements'],
  'is what autovacuum found when it last looked, of columns that the caller may read': [
    'pg_stats',
    'pg_stats_ext',
    'pg_stats_ext_exprs',
  ],
  'is made of what all databases share': ['pg_group', 'pg_roles', 'pg_user', 'pg_shadow'],
};

/** What autovacuum notes of a table, some time after many deposits. No right closes pg_class: decisions 10. */
const leftOutColumns = ['relpages', 'reltuples', 'relallvisible', 'relallfrozen', 'relfrozenxid', 'relminmxid'];

/** Types of which nobody can give a value: what takes or gives one is called by PostgreSQL itself. */
const uncallable = [
  ...[
    'internal',
    'trigger',
    'event_trigger',
    'language_handler',
    'fdw_handler',
    'index_am_handler',
    'table_am_handler',
    'tsm_handler',
  ],
];

/** Types of which no value can be written down. */
const nulls = [
  ...[
    'pg_brin_bloom_summary',
    'pg_brin_minmax_multi_summary',
    'pg_dependencies',
    'pg_mcv_list',
    'pg_ndistinct',
    'pg_node_tree',
    'xml',
  ],
];

const every = ['relation', 'session'] as const;
/**
 * What is given for an argument of a type, as SQL; `every` relation of the hill, or session of its web processes, where
 * that is its first or only one.
 */
const samples: Readonly<Record<string, readonly string[]>> = {
  oid: [every[0], "'hill.sealed_moves'::regclass::oid", '0::oid'],
  regclass: [every[0], "'hill.sealed_moves'::regclass", "'hill.reservations'::regclass"],
  integer: [every[1], ...Array.from({ length: 10 }, (_, i) => `${i}`)],
  bigint: ['0::bigint', '1::bigint'],
  smallint: ['1::smallint', '2::smallint'],
  text: ["'hill.sealed_moves'::text", "'hill'::text", "'VACUUM'::text", "'SELECT'::text"],
  name: ["'hill_owner'::name", "'hill'::name"],
  cstring: ["'hill'::cstring", "'1'::cstring"],
  boolean: ['true', 'false'],
  '"char"': [`'r'::"char"`],
  tid: ["'(0,1)'::tid"],
  xid: ["'700'::xid", "'1000'::xid"],
  xid8: ["'700'::xid8", "'1000'::xid8"],
  pg_lsn: ["'0/1'::pg_lsn"],
  real: ['1::real'],
  numeric: ['1::numeric'],
  money: ['1::money'],
  'double precision': ['1::float8'],
  bytea: ["'x'::bytea"],
  character: ["'x'::char(1)"],
  'character varying': ["'x'::varchar"],
  date: ["'2026-03-01'::date"],
  interval: ["'1 h'::interval"],
  'time without time zone': ["'10:00'::time"],
  'time with time zone': ["'10:00Z'::timetz"],
  'timestamp with time zone': ["'2026-03-01 10:00Z'::timestamptz"],
  'timestamp without time zone': ["'2026-03-01 10:00'::timestamp"],
  json: ["'{}'::json"],
  jsonb: ["'{}'::jsonb"],
  jsonpath: ["'$'::jsonpath"],
  tsquery: ["'x'::tsquery"],
  refcursor: ["'none'::refcursor"],
  record: ['row(1)'],
  aclitem: ["'hill_dba=r/hill_owner'::aclitem"],
  'aclitem[]': ["'{hill_dba=r/hill_owner}'::aclitem[]"],
  oidvector: ["'26'::oidvector"],
  'oid[]': ["'{26}'::oid[]"],
  'integer[]': ["'{1}'::int[]"],
  'text[]': ["'{1}'::text[]"],
  regcollation: [`'"C"'::regcollation`],
  regconfig: ["'simple'::regconfig"],
  regdictionary: ["'simple'::regdictionary"],
  regnamespace: ["'hill'::regnamespace"],
  regoper: ["'!!'::regoper"],
  regoperator: ["'+(integer,integer)'::regoperator"],
  regproc: ["'pg_lock_status'::regproc"],
  regprocedure: ["'pg_lock_status()'::regprocedure"],
  regrole: ["'hill_owner'::regrole"],
  regtype: ["'integer'::regtype"],
  '"any"': ['1'],
  anyelement: ['1'],
  anynonarray: ['1'],
  anyarray: ["'{1}'::int[]"],
  anycompatible: ['1'],
  anycompatiblearray: ["'{1}'::int[]"],
  anyenum: ["'PEACE'::hill.move"],
  anyrange: ['int4range(1, 2)'],
  anycompatiblerange: ['int4range(1, 2)'],
  anymultirange: ["'{}'::int4multirange"],
  anycompatiblemultirange: ["'{}'::int4multirange"],
};

interface SystemFunction {
  readonly shown: string;
  readonly name: string;
  readonly types: readonly string[];
  readonly result: string;
}

/**
 * Functions of pg_catalog that a role may call, and that are not PostgreSQL's own and immutable: those hang on their
 * arguments alone.
 */
async function callable(hill: Hill, role: string): Promise<SystemFunction[]> {
  return hill.rows<{ shown: string; name: string; types: string[]; result: string }>(
    `select p.proname || '(' || oidvectortypes(p.proargtypes) || ')' as shown, p.proname::text as name, format_type(p.prorettype, null) as result,
            array(select format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, n) order by n) as types
       from pg_proc p
      where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f' and has_function_privilege($1, p.oid, 'execute')
        and not (p.provolatile = 'i' and p.oid < 16384) order by 1`,
    [role],
  );
}

export interface Treated {
  /** Called, with whatever its types allow. */
  readonly called: readonly SystemFunction[];
  /** Names by reason. */
  readonly left: Readonly<Record<string, readonly string[]>>;
  /** Types of arguments that nothing is known of: to be given a sample. */
  readonly unknown: readonly string[];
}

/** How each function that a role may call is treated. */
export async function treated(hill: Hill, role: string): Promise<Treated> {
  const all = await callable(hill, role);
  const reasons = new Map(
    Object.entries(leftOut).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
  );
  const left: Record<string, string[]> = {};
  const called: SystemFunction[] = [];
  for (const one of all) {
    const reason =
      reasons.get(one.name) ??
      ([...one.types, one.result].some((type) => uncallable.includes(type))
        ? 'is called by PostgreSQL itself'
        : undefined);
    if (reason) left[reason] = [...new Set([...(left[reason] ?? []), one.name])];
    else called.push(one);
  }
  const types = new Set(called.flatMap((one) => one.types));
  return { called, left, unknown: [...types].filter((type) => !(type in samples) && !nulls.includes(type)) };
}

const most = 8;

/**
 * Arguments for one function: all values for one argument, the first of each for several, up to a number that keeps the
 * look short.
 */
function argumentsOf(types: readonly string[], relations: readonly string[], sessions: readonly string[]): string[][] {
  const choices = types.map((type, i) =>
    (samples[type] ?? [`null::${type}`]).flatMap((sample) => {
      if (sample === every[0]) return i === 0 ? relations.map((oid) => `${oid}::${type}`) : [];
      return sample === every[1] ? sessions : [sample];
    }),
  );
  let combined: string[][] = [[]];
  for (const choice of choices) {
    combined = combined.flatMap((head) => choice.map((one) => [...head, one]));
    if (types.length > 1) combined = combined.slice(0, 400);
  }
  return types.length === 1 ? combined : combined.filter((_, i) => i % Math.ceil(combined.length / most) === 0);
}

/** Makes the function that looks: one message for all questions, whatever they are answered or refused. */
export async function prepareLooks(hill: Hill): Promise<void> {
  await hill.rows(`
    drop schema if exists looking cascade; -- a copy of a database has it
    create schema looking;
    grant usage on schema looking to public;
    create function looking.look(questions text[]) returns setof text language plpgsql volatile as $$
    declare
      v_question text;
      v_seen text;
    begin
      foreach v_question in array questions loop
        begin
          execute v_question into v_seen;
        exception when others then
          v_seen := sqlstate || ' ' || sqlerrm;
        end;
        return next coalesce(v_seen, 'null');
      end loop;
    end $$`);
}

/**
 * What a look asks for: functions and tables of pg_catalog, or also information_schema, which takes as long as all the
 * rest.
 */
export interface Look {
  readonly role: string;
  readonly standard?: boolean;
  /** Only what is named so. */
  readonly only?: RegExp;
}

/** Asks a role for what PostgreSQL itself tells it. */
export async function lookAtSystem(hill: Hill, look: Look): Promise<Seen> {
  const questions = await questionsOf(hill, look);
  const seen: Seen = new Map();
  const client = await sessionOf(hill).connect();
  try {
    await client.query(`begin; set local role ${look.role}; set local jit = off`);
    const { rows } = await client.query<{ look: string }>('select * from looking.look($1) as look', [
      [...questions.values()],
    ]);
    for (const [i, about] of [...questions.keys()].entries()) seen.set(about, (rows[i] as { look: string }).look);
  } finally {
    await client.query('rollback');
    client.release();
  }
  return seen;
}

function sessionOf(hill: Hill): pg.Pool {
  const known = sessions.get(hill);
  if (known && !known.ending) return known;
  const session = hill.pool(Object.assign(new URL(inject('adminUrl')), { pathname: `/${hill.name}` }).href, 1);
  sessions.set(hill, session);
  return session;
}
const sessions = new WeakMap<Hill, pg.Pool>();

/** Made once, of the relations and sessions of that moment: none of them is made or ended between two looks. */
function questionsOf(hill: Hill, look: Look): Promise<Map<string, string>> {
  const known = asked.get(hill) ?? new Map<string, Promise<Map<string, string>>>();
  asked.set(hill, known);
  const key = `${look.role} ${look.standard} ${look.only}`;
  const questions = known.get(key) ?? makeQuestions(hill, look);
  known.set(key, questions);
  return questions;
}
const asked = new WeakMap<Hill, Map<string, Promise<Map<string, string>>>>();

/** What is planted after the first look is to be seen, too. */
export const forgetQuestions = (hill: Hill): boolean => asked.delete(hill);

async function makeQuestions(hill: Hill, { role, standard = false, only = /./ }: Look): Promise<Map<string, string>> {
  const ids = async (query: string) => (await hill.rows<{ id: string }>(query)).map(({ id }) => id);
  const relations = await ids(`
    select c.oid::text as id from pg_class c where c.relnamespace::regnamespace::text in ('hill', 'oauth') and c.relkind in ('r', 'p', 'i', 'S')
    union all
    select c.reltoastrelid::text from pg_class c where c.relnamespace::regnamespace::text in ('hill', 'oauth') and c.reltoastrelid <> 0`);
  const sessions = await ids(
    `select pid::text as id from pg_stat_activity where datname = current_database() and usename ~ 'web_login'`,
  );
  const questions = new Map<string, string>();
  const { called } = await treated(hill, role);
  for (const { shown, name, types } of called.filter(({ name }) => only.test(name))) {
    const given = argumentsOf(types, relations, sessions);
    const call = (args: readonly string[]) =>
      `(select string_agg(r::text, '|' order by r::text) from pg_catalog.${name}(${args.join(', ')}) r)`;
    // One statement for all; and if one of them is refused, which would hide the others, some by themselves.
    if (types.length === 1 && given.length > most) {
      const values = given.map(([value], i) => `(${i}, ${value})`).join(', ');
      questions.set(
        shown,
        `select string_agg(coalesce(${call(['v.a'])}, '-'), ';' order by v.n) from (values ${values}) v (n, a)`,
      );
    }
    for (const args of given.slice(0, most)) questions.set(`${name}(${args.join(', ')})`, `select ${call(args)}`);
  }
  const readable = await hill.rows<{ name: string; shown: string; columns: string }>(
    `select c.relname::text as name, n.nspname || '.' || c.relname as shown,
            case when c.relkind = 'r' and has_table_privilege($1, c.oid, 'select') then 'ctid, xmin, xmax, ' else '' end
              || string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where n.nspname = any ($2) and c.relkind in ('r', 'v', 'm') and not c.relisshared and c.relname <> all ($3)
        and has_column_privilege($1, c.oid, a.attnum, 'select') and a.attname <> all ($4)
      group by c.oid, n.nspname order by 1`,
    [
      role,
      ['pg_catalog', ...(standard ? ['information_schema'] : [])],
      Object.values(leftOutRelations).flat(),
      leftOutColumns,
    ],
  );
  for (const { shown, columns } of readable.filter(({ name }) => only.test(name)))
    questions.set(
      `table ${shown}`,
      `select md5(string_agg(t::text, '|' order by t::text)) from (select ${columns} from ${shown}) t`,
    );
  return questions;
}
