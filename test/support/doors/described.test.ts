// The validator that answers are held against can fail: it agrees with every example of /openapi.json, and complains of
// each of them when it is made wrong.
import { beforeAll, describe, expect, test } from 'vitest';
import { openApi } from '../../../src/rest/openapi/index.ts';
import { type Described, describedBy } from './described.ts';

interface Response {
  $ref?: string;
  content?: Record<string, { example?: unknown }>;
}
const description = openApi('https://hill.example') as unknown as {
  openapi: string;
  info: object;
  paths: Record<string, { get: { responses: Record<string, Response> } }>;
  components: { responses: Record<string, Response> };
};
let described: Described;
beforeAll(async () => {
  described = await describedBy(description);
});

/** An example of each answer with a body. */
const examples = Object.entries(description.paths).flatMap(([path, { get }]) =>
  Object.entries(get.responses).flatMap(([status, response]) => {
    const { content = {} } = response.$ref
      ? (description.components.responses[response.$ref.split('/').at(-1) as string] as Response)
      : response;
    const address = path.replace('{n}', '1').replace('{slug}', 'spring-cup').replace('/counters', '/counters?ids=ann');
    return Object.entries(content).map(([type, { example }]) => ({
      ...{ address, status: status === 'default' ? 500 : Number(status), type },
      body: typeof example === 'string' ? example : JSON.stringify(example),
    }));
  }),
);
const fields = (type: string): Record<string, string> => ({
  ...{ 'content-type': type, 'cache-control': 'no-cache', vary: 'Accept-Encoding' },
  ...{ ratelimit: '"reading";r=1;t=1', 'ratelimit-policy': '"reading";q=1;w=1', 'retry-after': '5' },
});
const complaints = async (address: string, status: number, headers: Record<string, string>, body: string) =>
  (await described.judge(address, { status, headers: new Headers(headers), body })).answered;

test('there is an example of each address, each kind of body, and each refusal', () => {
  expect(new Set(examples.map(({ address }) => address)).size).toBe(Object.keys(description.paths).length);
  expect([...new Set(examples.map(({ type }) => type))].sort()).toEqual([
    'application/json',
    'application/problem+json',
    'application/x-ndjson',
    'text/csv',
    'text/event-stream',
    'text/plain',
  ]);
  expect(new Set(examples.map(({ status }) => status))).toEqual(new Set([200, 400, 404, 429, 500, 503]));
});

describe.each(examples)('$address $status $type', ({ address, status, type, body }) => {
  test('is agreed with as it is', async () => {
    expect(await complaints(address, status, fields(type), body)).toEqual([]);
  });

  test('is complained of with another body, no body, another type, another status', async () => {
    const { 'content-type': _, ...untyped } = fields(type);
    const wrong: Record<string, string[]> = {
      'another type': await complaints(address, status, fields('text/html'), body),
      'no type': await complaints(address, status, untyped, body),
    };
    if (/[/+]json$/.test(type)) {
      const other = type === 'application/json' ? 'application/problem+json' : 'application/json';
      wrong['another body'] = await complaints(address, status, fields(type), '"a text"');
      wrong['no body'] = await complaints(address, status, fields(type), '');
      wrong['half a body'] = await complaints(address, status, fields(type), body.slice(0, -5));
      wrong['the type of the others'] = await complaints(address, status, fields(other), body);
    }
    if (status === 200) wrong['another status'] = await complaints(address, 206, fields(type), body);
    for (const [what, said] of Object.entries(wrong)) expect([what, said.length > 0]).toEqual([what, true]);
  });
});

describe('a record', () => {
  const example = (address: string) =>
    JSON.parse((examples.find((one) => one.address === address) as { body: string }).body);
  const wrongly = async (address: string, change: (record: ReturnType<typeof example>) => void) => {
    const record = example(address);
    change(record);
    return complaints(address, 200, fields('application/json'), JSON.stringify(record));
  };

  test.each<[string, string, (record: ReturnType<typeof example>) => void, RegExp]>([
    [
      'a text where a number or null is',
      '/api/hill',
      (hill) => Object.assign(hill, { nextSlotOpensDay: '8' }),
      /nextSlotOpensDay must be integer,null/,
    ],
    [
      'a fraction where a whole number is',
      '/api/hill',
      (hill) => Object.assign(hill, { sealedTonight: 1.5 }),
      /sealedTonight must be integer/,
    ],
    [
      'a field that is missing',
      '/api/hill',
      (hill) => delete hill.lastNight[3].burnedCents,
      /lastNight.3 must have required property 'burnedCents'/,
    ],
    [
      'a field that is not described',
      '/api/hill',
      (hill) => Object.assign(hill.founders, { more: 1 }),
      /founders must NOT have unevaluated properties/,
    ],
    [
      'a word that is none of those named',
      '/api/hill',
      (hill) => Object.assign(hill.lastNight[0], { outcome: 'TIE' }),
      /must be equal to one of/,
    ],
    [
      'what is no instant',
      '/api/hill',
      (hill) => Object.assign(hill, { nextBellAt: 'midnight' }),
      /nextBellAt must match format "date-time"/,
    ],
    [
      'what is no date',
      '/api/tournaments',
      ({ tournaments }) => Object.assign(tournaments[0], { starts_at: '2026-02-30' }),
      /format "date"/,
    ],
    [
      'neither of two',
      '/api/tournaments',
      ({ tournaments }) => Object.assign(tournaments[0], { code: 'A' }),
      /tournaments.0.code must match a schema in anyOf/,
    ],
    ['a number out of bounds', '/api/hill', (hill) => Object.assign(hill.hill[0], { slot: 11 }), /slot must be <= 10/],
    [
      'a list where an object is',
      '/api/rules',
      (rules) => Object.assign(rules, { limits: [] }),
      /limits must be object/,
    ],
  ])('with %s is complained of', async (_, address, change, complaint) => {
    expect((await wrongly(address, change)).join('\n')).toMatch(complaint);
  });
});

test('a header field that is missing or wrong is complained of', async () => {
  const hill = examples.find(({ address }) => address === '/api/hill') as (typeof examples)[0];
  const over = examples.find(({ status }) => status === 429) as (typeof examples)[0];
  const { 'cache-control': _, ...without } = fields(hill.type);
  expect(await complaints(hill.address, 200, without, hill.body)).not.toEqual([]);
  expect(await complaints(over.address, 429, { ...fields(over.type), 'retry-after': 'soon' }, over.body)).toEqual([
    expect.stringContaining('retry-after must be integer'),
  ]);
});

test('304 has no body', async () => {
  const headers = { etag: '"x"', 'cache-control': 'no-cache' };
  expect(await complaints('/api/hill', 304, headers, '')).toEqual([]);
  expect(await complaints('/api/hill', 304, headers, '{}')).not.toEqual([]);
  expect(await complaints('/api/hill', 304, { etag: '"x"' }, '')).not.toEqual([]);
});

test('an address that is not described is complained of, and so are arguments', async () => {
  const { address, status, type, body } = examples[0] as (typeof examples)[0];
  expect(await complaints('/api/nothing', status, fields(type), body)).not.toEqual([]);
  const asked = async (query: string) =>
    (await described.judge(`/api/day/${query}`, { status: 200, headers: new Headers(fields(type)), body })).asked;
  for (const wrong of ['x', '1?limit=0', '1?limit=1001', '1?limit=ten', '1?cursor=%3C'])
    expect([wrong, (await asked(wrong)).length]).toEqual([wrong, 1]);
  expect(await asked('1?limit=1000&format=csv&list=queue')).toEqual([]);
  expect(address).toBe('/api/rules');
});

test('schemas are read as those of OpenAPI 3.1 (JSON Schema 2020-12)', async () => {
  const { components, paths, ...head } = description;
  const schema = {
    type: 'object',
    properties: {
      kind: { const: 'hill' },
      either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      pair: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false },
    },
    required: ['kind'],
    dependentRequired: { either: ['pair'] },
    unevaluatedProperties: false,
  };
  const small = await describedBy({
    ...{ ...head, components: { schemas: { It: schema } } },
    paths: {
      '/it': {
        get: {
          operationId: 'it',
          responses: {
            200: {
              description: 'It.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/It' } } },
            },
          },
        },
      },
    },
  });
  const said = async (record: object, status = 200) =>
    (
      await small.judge('/it', {
        status,
        headers: new Headers({ 'content-type': 'application/json' }),
        body: JSON.stringify(record),
      })
    ).answered;
  expect(await said({ kind: 'hill', either: null, pair: [1, 'a'] })).toEqual([]);
  for (const wrong of [
    { kind: 'mountain' },
    { kind: 'hill', either: 'a', pair: [1] },
    { kind: 'hill', pair: ['a', 1] },
    { kind: 'hill', pair: [1, 'a', 2] },
    { kind: 'hill', either: 1 },
    { kind: 'hill', more: 1 },
    {},
  ])
    expect([wrong, (await said(wrong)).length > 0]).toEqual([wrong, true]);
  expect(await said({ kind: 'hill' }, 201)).not.toEqual([]);
});
