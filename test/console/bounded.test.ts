// How much a query of staff may ask for: what is too deep, too wide or sent in another way is refused at once, with a
// code. Decisions 496.

import { getIntrospectionQuery } from 'postgraphile/graphql';
import { beforeAll, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const staff = useConsole(hill);
let cookie: string;
beforeAll(async () => {
  cookie = await staff.signIn();
  await staff.graphql(cookie, '{ staffName }'); // PostGraphile takes a second to load
});

const post = async (body: string) => {
  const started = performance.now();
  const response = await staff.fetch('/graphql', {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body,
  });
  const answer = (await response.json()) as { errors?: { message: string; extensions?: { code?: string } }[] };
  return { status: response.status, ms: performance.now() - started, ...answer };
};
const many = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join(' ');
const nested = (levels: number) => `${'{ account '.repeat(levels)}{ id }${' }'.repeat(levels)}`;

test.each([
  ['brackets by the thousand', nested(3_000), /nested too deep/],
  ['the same behind a comment with a quotation mark', `#"\n${nested(3_000)}`, /nested too deep/],
  ['the same behind a comment with an open block string', `#"""\n${nested(3_000)}`, /nested too deep/],
  ['the same in an argument', `{ a(x: ${'['.repeat(3_000)}${']'.repeat(3_000)}) }`, /nested too deep/],
  ['the same behind a block string that has a quotation mark', `{ a(x: """ " """) ${nested(300)} }`, /nested too deep/],
  ['21 levels', nested(20), /20 levels/],
  ['1,500 aliases', `{ ${many(1_500, (i) => `a${i}: accounts { nodes { id } }`)} }`, /too (much|long)/],
  ['600 fields without fields', `{ ${many(600, (i) => `a${i}: staffName`)} }`, /500 fields/],
  ['101 lists', `{ ${many(101, (i) => `a${i}: places { totalCount }`)} }`, /100 fields with fields/],
  [
    'fragments that double at each step',
    `${many(30, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F30 on Query { staffName } { ...F0 }`,
    /500 fields/,
  ],
  [
    'a chain of fragments',
    `${many(30, (i) => `fragment F${i} on Account { agents { nodes { account { ...F${i + 1} } } } }`)}
    fragment F30 on Account { id } { accounts { nodes { ...F0 } } }`,
    /20 levels/,
  ],
  [
    'a fragment that leads to itself',
    'fragment A on Query { ...B } fragment B on Query { staffName ...A } { ...A }',
    /leads to itself/,
  ],
  ['one that nobody spreads', 'fragment A on Query { staffName ...A } { staffName }', /leads to itself/],
])('%s is refused at once', async (_, query, message) => {
  const { status, ms, errors } = await post(JSON.stringify({ query }));
  expect({ status, errors }).toMatchObject({
    status: 400,
    errors: [{ message: expect.stringMatching(message), extensions: { code: 'INVALID_ARGUMENT' } }],
  });
  expect(ms).toBeLessThan(1_000);
});

test('as much as is allowed is answered in time', async () => {
  const started = performance.now();
  await staff.data(cookie, `{ ${many(50, (i) => `a${i}: accounts { nodes { id name createdAt } }`)} }`);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('several queries in one request, and one by GET, are refused', async () => {
  expect(await post(JSON.stringify([{ query: '{ staffName }' }]))).toMatchObject({
    status: 400,
    errors: [{ message: 'Queries are sent one at a time.', extensions: { code: 'INVALID_ARGUMENT' } }],
  });
  const response = await staff.fetch('/graphql?query={staffName}', { headers: { Cookie: cookie } });
  expect({ status: response.status, allow: response.headers.get('Allow'), body: await response.json() }).toMatchObject({
    status: 405,
    allow: 'POST',
    body: { errors: [{ extensions: { code: 'INVALID_ARGUMENT' } }] },
  });
});

test('what a string or a comment says does not count, the schema can be asked for, and a wrong word is told as before', async () => {
  const text = '{'.repeat(500);
  expect(await staff.data(cookie, `#${text}\n{ __type(name: "${text}") { name } }`)).toEqual({ __type: null });
  expect(await staff.data(cookie, `{ __type(name: """${text} " ${text}""") { name } }`)).toEqual({ __type: null });
  expect(await staff.data(cookie, getIntrospectionQuery())).toHaveProperty('__schema');
  expect((await post(JSON.stringify({ query: '{ staffName' }))).errors?.[0]?.message).toMatch(/Syntax Error/);
  expect((await post(JSON.stringify({}))).status).toBe(400);
});

test('each statement has its limit in its own transaction, whatever its connection has', async () => {
  await hill.asOwnerOf('hill_api_staff', (client) =>
    client.query(`create or replace function api_staff.staff_name() returns text language sql stable parallel restricted security definer
                  set search_path to pg_catalog, pg_temp as $$ select current_setting('statement_timeout') $$`),
  );
  expect(await staff.data(cookie, '{ staffName }')).toEqual({ staffName: '5s' });
});
