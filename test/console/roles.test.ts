// Which role may call which function of the console, as docs/rules.md tells it. Rules 18.1.
import { beforeAll, expect, test } from 'vitest';
import { code, rows } from '../support/documents.ts';
import { refusal, useHill } from '../support/hill/index.ts';
import { aMember, type Role } from '../support/hill/staff.ts';

const hill = useHill();
const roles: readonly Role[] = ['viewer', 'support', 'manager', 'owner'];
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const told = new Map(
  rows('docs/rules.md')
    .map((cells) => cells.map(code))
    .filter(([role]) => roles.includes(role?.[0] as Role))
    .flatMap(([role, actions = []]) => actions.map((action) => [snake(action), role?.[0] as Role] as const)),
);
let members: Map<Role, Awaited<ReturnType<typeof aMember>>>;
let actions: { name: string; args: number }[];

beforeAll(async () => {
  members = new Map();
  for (const role of roles) members.set(role, await aMember(hill, role));
  actions = await hill.rows(
    `select p.proname as name, p.pronargs::integer as args
       from pg_proc p
      where p.pronamespace = 'api_staff'::regnamespace and 'reason' = any (p.proargnames)
        and has_function_privilege('hill_staff', p.oid, 'execute')
      order by 1`,
  );
});

test('each function that changes something stands in the rules, and no other', () => {
  expect([...told.keys()].sort()).toEqual(actions.map(({ name }) => name));
});

test.each(roles)('%s may call what the rules say, and is told whom to ask for the rest', async (role) => {
  const refused: [string, string][] = [];
  for (const { name, args } of actions) {
    const nothing = Array.from({ length: args }, () => 'null').join(', ');
    const error = await refusal(members.get(role)?.query(`select api_staff.${name}(${nothing})`) as Promise<unknown>);
    if (error.code !== 'REASON_REQUIRED') refused.push([name, error.code]);
  }

  const least = (name: string) => told.get(name) as Role;
  expect(refused).toEqual(
    actions
      .map(({ name }) => name)
      .filter((name) => roles.indexOf(role) < roles.indexOf(least(name)))
      .map((name) => [name, least(name) === 'owner' ? 'OWNERS_ONLY' : 'ROLE_TOO_LOW']),
  );
});

test('a viewer looks', async () => {
  expect(await members.get('viewer')?.query('select from hill.accounts')).toHaveLength(roles.length);
});
