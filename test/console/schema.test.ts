// The console's GraphQL schema is the one that was reviewed, and offers nothing that is sealed or secret. Rules 9.1.
import {
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  introspectionFromSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'postgraphile/graphql';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makePool } from '../../src/db/pool.ts';
import { makeLog } from '../../src/process/log.ts';
import { useConsole } from '../support/doors/console.ts';
import { schemaOf } from '../support/doors/everything.ts';
import { anAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
const staff = useConsole(hill);

let schema: Awaited<ReturnType<typeof schemaOf>>;
let said: unknown[];
beforeAll(async () => {
  const spies = (['warn', 'error', 'log'] as const).map((how) => vi.spyOn(console, how));
  schema = await schemaOf(staff, await staff.signIn());
  said = spies.flatMap(({ mock }) => mock.calls); // here: spies are cleared before each test
});

/** Every name that somebody who looks at the schema reads. */
function namesOf(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) return [type.name, ...type.getValues().map(({ name }) => name)];
  if (isInputObjectType(type)) return [type.name, ...Object.keys(type.getFields())];
  if (isObjectType(type))
    return [
      type.name,
      ...Object.values(type.getFields()).flatMap((field) => [field.name, ...field.args.map(({ name }) => name)]),
    ];
  if (isScalarType(type)) return [type.name];
  throw new Error(`what is ${type.name}?`);
}

const names = () =>
  Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap(namesOf);

/**
 * Types and their fields. Left out is what PostGraphile makes for each list alike (connections, edges, orders,
 * arguments that page) and for each mutation, and the descriptions, which are the comments in sql/. Of a condition the
 * fields stand with its type.
 */
function reviewed(): string {
  const types = Object.values(lexicographicSortSchema(schema).getTypeMap());
  const alike = /(Connection|Edge|OrderBy|Condition)$|^__|^PageInfo$/;
  const lineOf = ({
    name,
    type,
    args = [],
  }: {
    name: string;
    type: object;
    args?: readonly { name: string; type: object }[];
  }) => {
    const own = /Connection!?$/.test(`${type}`) ? [] : args.map((arg) => `${arg.name}: ${arg.type}`);
    return `  ${name}${own.length > 0 ? `(${own.join(', ')})` : ''}: ${type}`;
  };
  return types
    .filter(({ name }) => !alike.test(name))
    .map((type) => {
      const condition = schema.getType(`${type.name}Condition`);
      return [
        `${type.astNode?.kind ?? type.constructor.name.replace(/GraphQL|Type$/g, '').toLowerCase()} ${type.name}`,
        ...(isEnumType(type) ? type.getValues().map(({ name }) => `  ${name}`) : []),
        ...(isObjectType(type) || isInputObjectType(type)
          ? Object.values(type.getFields())
              .filter(({ name }) => name !== 'clientMutationId' && !(name === 'query' && type.name.endsWith('Payload')))
              .map(lineOf)
          : []),
        ...(isInputObjectType(condition) ? [`  condition: ${Object.keys(condition.getFields()).join(', ')}`] : []),
        '',
      ].join('\n');
    })
    .join('\n');
}

test('the schema is the one that was reviewed', async () => {
  await expect(reviewed()).toMatchFileSnapshot('../snapshots/console.graphql');
});

test('every type, field, argument and value of it says what it is', () => {
  const { __schema } = introspectionFromSchema(schema);
  type Named = { name: string; description?: string | null | undefined; args?: readonly Named[] };
  const silent = (of: string, all: readonly Named[] | null | undefined): string[] =>
    (all ?? []).flatMap(({ name, description, args }) => [
      ...(description ? [] : [`${of}${name}`]),
      ...silent(`${of}${name}: `, args),
    ]);
  const types = __schema.types.filter(({ name }) => !name.startsWith('__'));
  expect([
    ...silent('', types),
    ...types.flatMap((type) => [
      ...silent(`${type.name}.`, 'fields' in type ? type.fields : []),
      ...silent(`${type.name}.`, 'inputFields' in type ? type.inputFields : []),
      ...silent(`${type.name}.`, 'enumValues' in type ? type.enumValues : []),
    ]),
  ]).toEqual([]);
});

test('staff filter where they look for something, by what they read there, and no filter leads into another table', () => {
  const filters = Object.values(schema.getTypeMap()).filter(({ name }) => name.endsWith('Filter'));
  const ofRows = filters.filter(({ name }) => isObjectType(schema.getType(name.replace(/Filter$/, ''))));
  expect(ofRows.map(({ name }) => name.replace(/Filter$/, '')).sort()).toEqual([
    ...['Account', 'Agent', 'Announcement', 'AuditEntry', 'CodeAttempt', 'CreditOrder', 'Move', 'PaymentClaim'],
    ...['PaymentEvent', 'TopUp', 'TournamentCode', 'Transfer'],
  ]);
  for (const filter of ofRows as GraphQLInputObjectType[]) {
    const row = schema.getType(filter.name.replace(/Filter$/, '')) as GraphQLObjectType;
    for (const { name, type } of Object.values(filter.getFields())) {
      expect(Object.keys(row.getFields())).toContain(name);
      expect(`${type}`).toMatch(/^(BigInt|Datetime|Int|String)Filter$/);
    }
  }
});

test('it is made without a word of warning: every rule for its names finds what it is for', () => {
  expect(said).toEqual([]);
});

test('nothing in it is named after what is sealed or secret', () => {
  expect(names().length).toBeGreaterThan(500);
  expect(names().filter((name) => /seal|reserv|token|hash|secret|session|key_?hash|password/i.test(name))).toEqual([]);
});

test('nothing in it is named after a partition, nor are columns of rows that every table has', () => {
  expect(names().filter((name) => /(?<!sha)\d{3,}|^(xmin|xmax|ctid|tableoid|cmin|cmax|nodeId)$/i.test(name))).toEqual(
    [],
  );
});

describe('what staff can do', () => {
  const mutations = () => Object.keys((schema.getMutationType() as GraphQLObjectType).getFields());

  test('takes a reason, and says who is refused', () => {
    for (const [name, field] of Object.entries((schema.getMutationType() as GraphQLObjectType).getFields())) {
      const input = schema.getType(`${name[0]?.toUpperCase()}${name.slice(1)}Input`);
      expect(isInputObjectType(input) && input.getFields().reason, name).toBeTruthy();
      expect(field.description, name).toMatch(/Errors: INVALID_TOKEN, (ROLE_TOO_LOW|OWNERS_ONLY), REASON_REQUIRED/);
    }
    expect(schema.getSubscriptionType()).toBeFalsy();
  });

  test('is all that api_staff lets hill_staff change, besides coming in and going out and the trace of a look at an address', async () => {
    const functions = await hill.rows<{ name: string }>(
      `select p.proname as name from pg_proc p
        where p.pronamespace = 'api_staff'::regnamespace and p.provolatile = 'v' and has_function_privilege('hill_staff', p.oid, 'execute')`,
    );
    const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(functions.map(({ name }) => camel(name)).sort()).toEqual(
      [...mutations(), 'closeSession', 'enterConsole', 'findAccounts', 'openSession'].sort(),
    );
  });
});

test('the same is made of a hill of many nights: partitions add nothing', async () => {
  const ann = await anAccount(hill, { credits: 5000 });
  for (let night = 0; night < 3; night += 1) {
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.clock.ringBell();
  }
  expect(await hill.rows("select from pg_class where relispartition and relkind = 'r'")).not.toEqual([]);

  const { makeSchema } = await import('postgraphile');
  const { staffPreset } = await import('../../src/console/graphql/preset.ts');
  const log = makeLog({ logLevel: 'error', logFormat: 'json' });
  const pool = makePool({ url: hill.url('console'), name: 'test schema', log });
  const { schema: later } = await makeSchema(staffPreset(pool, log));
  await pool.end();
  expect(printSchema(lexicographicSortSchema(later))).toBe(printSchema(lexicographicSortSchema(schema)));
});
