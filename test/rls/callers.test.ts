// What a role calls leads to nothing that the role may not call, on no branch: PostgreSQL would tell only on the night
// that takes that branch.
import { expect, test } from 'vitest';
import { forDbas } from '../support/hill/catalogue.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();

test('each door, the owner, staff and DBA may call whatever their functions lead to', async () => {
  const reached = await hill.rows<{ role: string; function: string; may: boolean }>(
    `with recursive functions as materialized (
       select p.oid, n.nspname || '.' || p.proname as name, p.prosecdef as definer, p.proowner as owner, n.nspname as schema,
              array(select distinct m[1] from regexp_matches(substr(lower(f.text), position('as $' in f.text)), '((?:engine|trusted)\\.[a-z_]+)\\(', 'g') m) as calls
         from pg_proc p join pg_namespace n on n.oid = p.pronamespace cross join lateral (select pg_get_functiondef(p.oid)) f (text)
        where p.prokind = 'f' and n.nspname ~ '^(engine|trusted|api_.*)$'),
     reached as (
       select f.owner as role, f.oid from functions f where f.definer
       union
       select 'hill_dba'::regrole, f.oid from functions f where f.name = any ($1)
       union
       select 'hill_staff'::regrole, f.oid from functions f
        where f.schema <> 'api_staff' and has_function_privilege('hill_staff', f.oid, 'execute')
       union
       select r.role, c.oid from reached r join functions f on f.oid = r.oid join functions c on c.name = any (f.calls)
        where not f.definer or f.owner = r.role)
     select r.role::regrole::text as role, f.name as function, has_function_privilege(r.role, r.oid, 'execute') as may
       from reached r join functions f on f.oid = r.oid`,
    [forDbas],
  );

  for (const role of ['hill_api_agent', 'hill_api_worker', 'hill_owner', 'hill_dba', 'hill_staff'])
    expect(reached.filter((r) => r.role === role).length, role).toBeGreaterThan(3);
  expect(reached.filter(({ may }) => !may)).toEqual([]);
});

test('what a DBA may not call stays out of the way of what a DBA may, whichever plan is made', async () => {
  for (const plan of ['force_custom_plan', 'force_generic_plan'])
    expect(
      await hill.asOwnerOf('hill_dba', async (client) => {
        await client.query(`set local plan_cache_mode = ${plan}`);
        return (await client.query('select engine.tell_deposits(null::hill.moves[], false) as told')).rows;
      }),
    ).toEqual([{ told: [] }]);
});
