// A function that a role may call calls nothing that the role may not, on no branch: PostgreSQL would tell only on the night that takes that branch.
import { expect, test } from 'vitest';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();

test('whoever may call a function may call what it calls', async () => {
  expect(
    await hill.rows(`
      with functions as (
        select p.oid, n.nspname || '.' || p.proname as name, p.prosecdef, p.proowner, lower(pg_get_functiondef(p.oid)) as text
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace
         where p.prokind = 'f' and n.nspname = 'engine' or n.nspname like 'api\\_%'),
      runs as (
        select f.oid, f.name, f.text, r.rolname, r.oid as role
          from functions f
          join pg_roles r on r.rolname ~ '^hill_(api_|dba$|owner$)'
           and case when f.prosecdef then r.oid = f.proowner else has_function_privilege(r.oid, f.oid, 'execute') end)
      select distinct r.rolname::text as role, r.name as calls, c.name as may_not_call
        from runs r
       cross join lateral regexp_matches(substr(r.text, position('as $' in r.text)), '(engine\\.[a-z_]+)\\(', 'g') m (called)
        join functions c on c.name = m.called[1]
       group by 1, 2, 3, r.role
      having not bool_or(has_function_privilege(r.role, c.oid, 'execute'))
       order by 1, 2, 3`),
  ).toEqual([]);
});
