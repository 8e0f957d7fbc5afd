// The engine's package alone, sql/engine.sql: in an empty database of PostgreSQL, and in PostgreSQL as WebAssembly as
// browsers run it, it resolves as the hill does. Rules 20.9.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inLessMemory } from '../../src/check/less-memory.ts';
import { engineSource } from '../../src/db/engine-source.ts';
import { checkout } from '../../src/process/config.ts';
import { type Database, resultOf, verdictsOf } from '../../src/verify/engine.ts';
import { openPGlite } from '../../src/verify/pglite.ts';
import { engineSql } from '../../src/verify/source.ts';
import { useDatabase } from '../support/hill/database.ts';
import { stringifyExactly } from '../support/hill/night.ts';
import { readCaseBook } from '../support/naive/case-book.ts';
import { REFUSED, resolveOrRefuse } from '../support/naive/resolve-nights.ts';

const db = useDatabase();
const source = engineSource({
  migrations: path.join(checkout, 'migrations'),
  sql: path.join(checkout, 'sql'),
});
const book = readCaseBook();
const good = book.filter(({ result }) => result);

/** Columns and labels of the schema hill, a line each. */
async function shapes(engine: Database): Promise<string[]> {
  const { rows } = await engine.query(`
    select format('%s.%s %s', c.relname, a.attname, t.typname) as shape
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'hill'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    union all
    select format('%s: %s', t.typname, string_agg(e.enumlabel, ', ' order by e.enumsortorder))
      from pg_enum e join pg_type t on t.oid = e.enumtypid
     where t.typnamespace = 'hill'::regnamespace group by t.typname`);
  return (rows as { shape: string }[]).map(({ shape }) => shape);
}

test('as WebAssembly it resolves the case book whole, and says results and verdicts as the hill does', async () => {
  const engine = await openPGlite(engineSql(source));
  onTestFinished(() => engine.close());
  for (const { number, night, result } of book)
    expect(await resolveOrRefuse(engine, night), number).toEqual(result ?? REFUSED);
  for (const { number, night } of good) {
    const file = stringifyExactly(night);
    expect(await resultOf(engine, file), number).toBe(await resultOf(db.owner, file));
  }
  expect(await verdictsOf(engine)).toEqual(await verdictsOf(db.owner));
});

test('it loads in an empty database, whose tables and types have the shapes of those of the hill', async () => {
  const name = `alone_${randomBytes(6).toString('hex')}`;
  await db.admin.query(`create database ${name} template template0`);
  const url = new URL(db.rootUrl);
  url.pathname = name;
  const engine = db.pool(url.href, 1);
  onTestFinished(async () => void (await db.admin.query(`drop database ${name} with (force)`)));

  for (const statements of engineSql(source)) await engine.query(statements);
  const { night, result } = good[0] as (typeof good)[number];
  expect(await resolveOrRefuse(engine, night)).toEqual(result);
  const hill = await shapes(db.owner);
  const own = await shapes(engine);
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter((shape) => !hill.includes(shape))).toEqual([]);
});

test('sources from before there was the package are loaded whole', async () => {
  // the name of the file is in its head of 512 bytes, behind which its bytes stay
  const before = Buffer.from(source);
  const at = before.indexOf('sql/engine.sql\0');
  before.write('sql/elsewhere.sql', at, 'latin1');
  const { night, result } = good[0] as (typeof good)[number];
  const engine = await openPGlite(engineSql(before));
  onTestFinished(() => engine.close());
  expect(await resolveOrRefuse(engine, night)).toEqual(result);
});

// Node has it, and its types do not
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<never> };

// another release of PGlite may ask otherwise, and then less-memory.ts has to find where
test('with a quarter of the memory that PGlite asks for it resolves as well, as on a phone', async () => {
  const file = createRequire(import.meta.url).resolve('@electric-sql/pglite/pglite.wasm');
  const { wasm, initialMemory } = inLessMemory(new Uint8Array(fs.readFileSync(file)));
  expect(initialMemory, 'src/check/less-memory.ts finds what PGlite asks for').toBe(32 * 2 ** 20);

  // is not linked where it asks for more
  const engine = await openPGlite(engineSql(source), {
    pgliteWasmModule: await WebAssembly.compile(wasm),
    initialMemory: initialMemory as number,
  });
  onTestFinished(() => engine.close());
  const { night, result } = good[0] as (typeof good)[number];
  expect(await resolveOrRefuse(engine, night)).toEqual(result);
});
