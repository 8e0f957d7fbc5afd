// Programs of staff find rows by times, cents and texts, and send cents as they get them. Rules 18.2.
import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
} from 'postgraphile/graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { schemaOf } from '../support/doors/everything.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { aTournament } from '../support/hill/tournaments.ts';

const hill = useHill();
const staff = useConsole(hill);
let cookie: string;
let ann: Account;

beforeAll(async () => {
  ann = await anAccount(hill, { name: 'Ann 100%', credits: 5000 });
  await anAccount(hill, { name: 'Bob_Builder', credits: 900 });
  await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE', message: 'An Announced word' });
  await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: 'You Fool, 100%' });
  await hill.clock.ringBell();
  await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: 'a sealed fool' });
  cookie = await staff.signIn();
});

const found = async (list: string, filter: string, field: string): Promise<unknown[]> => {
  const data = await staff.data<Record<string, { nodes: Record<string, unknown>[] }>>(
    cookie,
    `{ ${list}(filter: ${filter}) { nodes { ${field} } } }`,
  );
  return (data[list]?.nodes ?? []).map((node) => node[field]);
};

describe('a filter', () => {
  test.each([
    ['accounts', '{ name: { startsWithInsensitive: "ann" } }', 'name', ['Ann 100%']],
    ['accounts', '{ name: { includesInsensitive: "100%" } }', 'name', ['Ann 100%']],
    ['accounts', '{ name: { includesInsensitive: "B_B" } }', 'name', ['Bob_Builder']],
    ['accounts', '{ name: { startsWith: "ann" } }', 'name', []],
    ['accounts', '{ name: { startsWith: "%" }, slug: {} }', 'name', []],
    ['agents', '{ cutAt: { isNull: false } }', 'id', []],
    ['moves', '{ message: { includesInsensitive: "FOOL" } }', 'message', ['You Fool, 100%']],
    ['moves', '{ stakeCents: { greaterThan: "0" } }', 'day', []],
    ['announcements', '{ message: { includesInsensitive: "announced" } }', 'day', [1]],
    ['transfers', '{ cents: { greaterThanOrEqualTo: "900", lessThan: "5000" } }', 'cents', ['900']],
    ['transfers', '{ cents: { equalTo: "5000" }, at: { lessThan: "2026-03-01T00:00:00Z" } }', 'cents', []],
    ['auditEntries', '{ at: { greaterThan: "2999-01-01T00:00:00Z" } }', 'id', []],
    ['topUps', '{ cents: { greaterThan: "1" }, payment: { startsWith: "pi_" } }', 'id', []],
    ['tournamentCodes', '{ code: { includesInsensitive: "x" } }', 'code', []],
  ])('of %s: %s', async (list, filter, field, rows) => {
    expect(await found(list, filter, field)).toEqual(rows);
  });

  test('refuses in words what is no instant and no amount', async () => {
    for (const filter of ['{ at: { greaterThan: "soon" } }', '{ cents: { lessThan: "many" } }'])
      expect(
        (await staff.graphql(cookie, `{ transfers(filter: ${filter}) { nodes { id } } }`)).errors?.[0],
      ).toMatchObject({ extensions: { code: 'INVALID_ARGUMENT' } });
  });
});

describe('cents', () => {
  test('are of one type, wherever they come in and out', async () => {
    const schema = await schemaOf(staff, cookie);
    const types = Object.values(schema.getTypeMap()).flatMap((type) =>
      'getFields' in type
        ? (Object.values((type as GraphQLObjectType).getFields()) as { name: string; type: GraphQLOutputType }[])
            .filter(({ name }) => /(^c|C)ents$/.test(name) && type.name !== 'BellHealth')
            .map((field) => getNamedType(field.type).name)
        : [],
    );
    expect(new Set(types)).toEqual(new Set(['BigInt', 'BigIntFilter']));
  });

  test('that a mutation gives back can be sent to it again', async () => {
    const slug = await aTournament(hill, { slug: 'a-cup', opens_day: 2 });
    const cup = 'opensDay: 9, signUpsCloseDay: 10, startsDay: 11, endsDay: 12, targetAgents: 5, reason: "a test"';
    const order = 'creditOrder { cents }';
    const prize = 'sponsorName: "Somebody", sponsorCents: $cents, recommendedDailyCapCents: $cents';
    /** Whose input has cents: each is sent what it gave, under another key or slug. */
    const mutations: Record<string, (n: number) => string> = {
      grantCredits: (n) =>
        `(input: {accountId: "${ann.id}", cents: $cents, key: "a${n}", reason: "a test"}) { ${order} }`,
      createTournamentCode: (n) =>
        `(input: {slug: "${slug}", cents: $cents, uses: 1, key: "b${n}", reason: "a test"}) { ${order} }`,
      createTournamentCodes: (n) =>
        `(input: {slug: "${slug}", cents: $cents, codes: 2, prefix: "ab", key: "c${n}", reason: "a test"}) { ${order} }`,
      createTournament: (n) =>
        `(input: {slug: "cup-${n}", name: "Cup", ${prize}, ${cup}}) { tournament { sponsorCents recommendedDailyCapCents } }`,
      editTournament: () =>
        `(input: {slug: "${slug}", ${prize}, reason: "a test"}) { tournament { sponsorCents recommendedDailyCapCents } }`,
    };
    const fields = ((await schemaOf(staff, cookie)).getMutationType() as GraphQLObjectType).getFields();
    const withCents = Object.values(fields).filter(({ args }) =>
      args.some(({ type }) =>
        Object.keys((getNamedType(type) as GraphQLInputObjectType).getFields()).some((name) => /cents$/i.test(name)),
      ),
    );
    expect(withCents.map(({ name }) => name).sort()).toEqual(Object.keys(mutations).sort());

    for (const [name, called] of Object.entries(mutations)) {
      const send = async (cents: unknown, n: number) => {
        const data = await staff.data<Record<string, Record<string, Record<string, unknown>>>>(
          cookie,
          `mutation ($cents: BigInt!) { ${name}${called(n)} }`,
          { cents },
        );
        return Object.values(Object.values(data[name] ?? {})[0] ?? {});
      };
      const out = await send('457', 1);
      for (const cents of out) expect(cents, name).toBe('457');
      expect(await send(out[0], 2), name).toEqual(out);
      // as programs have sent them
      expect(await send(457, 3), name).toEqual(out);
    }
  });
});
