// The registry of refusals: what the doors read of it, and its page for people. Rules 14.1.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../src/db/call.ts';
import {
  Failure,
  failures,
  fromDatabase,
  Refusal,
  rateLimited,
  refusal,
  refusals,
  typed,
} from '../../src/db/errors.ts';
import { sqlFolder } from '../../src/db/sql-folder.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();

interface Entry {
  state: string;
  code: string;
  status: number;
  title: string;
  lifted_at: string | null;
  oauth: string | null;
  hint: string;
}
let registry: Entry[];

beforeAll(async () => {
  registry = await hill.rows<Entry>('select * from engine.errors()');
});

const pageFile = path.join(sqlFolder, 'errors.md');

/** The page with its tables and its list made anew from the registry. */
function pageOf(text: string): string {
  const row = (code: string, state: string, status: number, title: string, hint: string) =>
    `| \`${code}\` |${state && ` \`${state}\``} | ${status} | ${title} | ${hint} |`;
  const tables = [
    registry.map(({ state, code, status, title, hint }) => row(code, state, status, title, hint)),
    Object.entries(failures).map(([code, { status, title, hint }]) => row(code, '', status, title, hint)),
  ];
  const places = [...new Set(registry.flatMap(({ lifted_at }) => lifted_at ?? []))];
  const lifted = places.map(
    (place) =>
      `- \`${place}\`: ${registry
        .filter(({ lifted_at }) => lifted_at === place)
        .map(({ code }) => `\`${code}\``)
        .join(', ')}`,
  );
  return text
    .replace(
      /(?<=\| What to do \|\n\|---\|---\|---\|---\|---\|\n)(?:\|.*\n)+/g,
      () => `${tables.shift()?.join('\n')}\n`,
    )
    .replace(/(?:^- `\/.*\n)+/m, `${lifted.join('\n')}\n`);
}

const sqlFiles = fs
  .readdirSync(sqlFolder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql'))
  .map((file) => ({ file, text: fs.readFileSync(path.join(sqlFolder, file), 'utf8') }));

describe('the registry', () => {
  test('is read by the doors as the database has it', () => {
    expect(registry.length).toBeGreaterThan(20);
    expect(Object.entries(refusals)).toEqual(
      registry.map(({ state, code, status, title, lifted_at, oauth }) => [
        state,
        { code, status, title, ...(lifted_at && { liftedAt: lifted_at }), ...(oauth && { oauth }) },
      ]),
    );
  });

  test('stands on its page for people', async () => {
    await expect(pageOf(fs.readFileSync(pageFile, 'utf8'))).toMatchFileSnapshot(pageFile);
  });

  test('has no code twice, and the doors have none of its codes', () => {
    const codes = [...registry.map(({ code }) => code), ...Object.keys(failures)];
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(registry.map(({ state }) => state)).size).toBe(registry.length);
  });

  test('says where a human goes, of each hint that sends to one', () => {
    for (const { code, hint, lifted_at } of registry)
      if (/\bhuman\b/.test(hint)) expect([code, lifted_at]).toEqual([code, expect.any(String)]);
  });

  test('has SQLSTATEs of class ZH, and statuses of errors', () => {
    for (const { state, status } of registry) {
      expect(state).toMatch(/^ZH[A-Z]{3}$/);
      expect(status).toSatisfy((s: number) => s >= 400 && s < 600);
    }
  });

  test('has every code that sql/ raises, and every state that it catches', () => {
    const raised = sqlFiles.flatMap(({ text }) =>
      [...text.matchAll(/engine\.refuse\(\s*'([^']*)'/g)].map(([, code]) => code as string),
    );
    expect(raised.length).toBeGreaterThan(40);
    const codes = registry.map(({ code }) => code);
    expect(raised.filter((code) => !codes.includes(code))).toEqual([]);
    const named = sqlFiles
      .filter(({ file }) => !file.endsWith('errors.sql'))
      .flatMap(({ text }) => [...text.matchAll(/'(ZH\w+)'/g)].map(([, state]) => state as string));
    expect(named.filter((state) => !refusals[state])).toEqual([]);
  });

  test('is the only way to raise: no other SQLSTATE and no bare exception in sql/', () => {
    const bare = sqlFiles.flatMap(({ file, text }) =>
      /\braise\s+(exception\b|sqlstate|'|%)/i.test(text) ? [file] : [],
    );
    expect(bare).toEqual([path.join('rules', 'errors.sql')]);
  });
});

describe('engine.refuse', () => {
  test('raises state, hint and detail of a registered code, for the door to type', async () => {
    const error = await hill
      .rows(`select engine.refuse('SLOT_CLOSED', 'Not yet.', '{"opens_day": 9}')`)
      .catch(fromDatabase);

    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({
      code: 'SLOT_CLOSED',
      status: 409,
      message: 'Not yet.',
      hint: 'Choose a place that is open: read status or /api/hill.',
      detail: { opens_day: 9 },
    });
  });

  test('refuses a code that is not registered', async () => {
    await expect(hill.rows("select engine.refuse('NOBODY_KNOWS', 'x')")).rejects.toMatchObject({ code: 'P0002' });
  });
});

describe('what anything else becomes at the doors', () => {
  const secret = 'WAR on place 3 for 900';

  test('of frequency is one, whoever words it: the registry, or a door that counts by itself', () => {
    const { state, hint } = registry.find(({ code }) => code === 'rate_limited') as Entry;
    expect(rateLimited(17)).toMatchObject({
      code: 'rate_limited',
      status: 429,
      title: refusals[state]?.title,
      hint,
      detail: { retry_after_seconds: 17 },
    });
    const frequent = ({ status, code }: Entry) => status === 429 || /^TOO_MANY_(CODES|REQUESTS|CALLS)/.test(code);
    expect(registry.filter(frequent)).toMatchObject([{ code: 'rate_limited' }]);
  });

  test('an error of the database leaks neither its words nor its query', async () => {
    const failure = (await hill.rows("select ($1 || ' x')::integer", [secret]).catch(fromDatabase)) as Failure;

    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
    expect(JSON.stringify([failure.message, failure.title, failure.hint, failure.detail, failure.kind])).not.toContain(
      secret,
    );
    expect(failure.kind).toBe('error 22P02');
  });

  test('a class ZH state that this code does not know is no refusal: it has nothing that may be told', () => {
    const unknown = Object.assign(new pg.DatabaseError(secret, 0, 'error'), { code: 'ZHXXX', hint: secret });
    expect(fromDatabase(unknown)).toMatchObject({
      name: 'Failure',
      code: 'INTERNAL_ERROR',
      message: 'Something went wrong here.',
    });
  });

  test('an answer that takes too long, and a database that is not there, are unavailable', async () => {
    const late = await hill.asRoot(async (client) => {
      await client.query("set statement_timeout = '20ms'");
      return client.query('select pg_sleep(5)').catch(fromDatabase);
    });
    expect(late).toMatchObject({ code: 'UNAVAILABLE', status: 503 });

    const nowhere = hill.pool(Object.assign(new URL(hill.url('web')), { port: '1' }).href);
    await expect(call(nowhere, 'api_public.clock')).rejects.toMatchObject({ name: 'Failure', code: 'UNAVAILABLE' });
  });

  test('a bug is an internal error, and what is typed already stays as it is', () => {
    expect(typed(new TypeError(secret))).toMatchObject({ name: 'Failure', code: 'INTERNAL_ERROR' });
    const refused = refusal('NOT_FOUND', 'Nothing here.', 'Look elsewhere.');
    expect(typed(refused)).toBe(refused);
    expect(() => refusal('NOBODY_KNOWS', '', '')).toThrow();
  });
});
