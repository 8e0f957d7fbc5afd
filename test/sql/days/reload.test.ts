// A deploy on a hill that has nights: sql/ is loaded again, and play goes on. Under forced row-level security the owner
// sees no night while policies are missing.
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { loadSqlFolder } from '../../../src/db/load-sql.ts';
import { anAccount, useHill } from '../../support/hill/index.ts';
import { aCopyOfSql } from '../../support/hill/sql-folder.ts';

describe('sql/ that is loaded again on a hill with nights', () => {
  const hill = useHill();
  const load = async (folder: string): Promise<number> => {
    const owner = new pg.Client(hill.ownerUrl);
    await owner.connect();
    try {
      return (await loadSqlFolder(owner, '', folder)).length;
    } finally {
      await owner.end();
    }
  };
  const plays = async () => {
    const ann = await anAccount(hill, { credits: 3_000 });
    expect(await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' })).toMatchObject({
      slot: 3,
      day: await hill.clock.day(),
    });
    const night = await hill.clock.ringBell();
    expect(
      await hill.rows('select account_id, day from hill.seats where slot = 3 and account_id = $1', [ann.id]),
    ).toEqual([{ account_id: ann.id, day: night.day }]);
  };

  test('takes deposits at once: a line has changed', async () => {
    await hill.clock.toDay(5);
    const version = aCopyOfSql();
    version.edit('moves/policies.sql', 'create policy own_read on %1$s', 'create policy /* again */ own_read on %1$s');

    expect(await load(version.folder)).toBeGreaterThan(0);

    await plays();
  });

  test('takes deposits at once: every policy is made anew, as when the version before kept no list of what it had loaded', async () => {
    const version = aCopyOfSql();
    await load(version.folder);
    const { rows: before } = await hill.root.query(everything);
    await hill.root.query('delete from graphile_migrate.sql_items');
    version.edit('load.sql', '-- Defines functions', '-- Once more: defines functions');

    expect(await load(version.folder)).toBeGreaterThan(500);

    expect((await hill.root.query(everything)).rows).toEqual(before);
    await plays();
  });

  test('goes on with what a version before did not write down: entries of the audit log, and caps', async () => {
    const ann = await anAccount(hill);
    const caps = (daily_cap_cents: number) => hill.asHuman(ann).setMandate(daily_cap_cents, 1_500);
    await caps(700);
    // what its loader does: it knows neither, and drops their functions with all that needs them
    await hill.root.query(
      `drop function trusted.chain_audit, trusted.note_caps cascade;
       delete from graphile_migrate.sql_items
        where name in ('trusted.chain_audit', 'trusted.note_caps') or name like 'select engine.begin_audit_chain%'`,
    );
    await hill.root.query(
      `insert into hill.audit_log (at, staff_name, action, reason) values (now(), 'Sam', 'a_test', 'why');
       update hill.mandates set daily_cap_cents = 600 where account_id = '${ann.id}'`,
    );
    const wrong = () => hill.rows("select name from engine.check_part('audit') where wrong > 0 order by name");
    expect(await wrong()).toHaveLength(2);
    const version = aCopyOfSql();
    version.edit('load.sql', '-- Defines functions', '-- After an earlier version: defines functions');

    await load(version.folder);

    expect(await wrong()).toEqual([]);
    await hill.root.query(
      "insert into hill.audit_log (at, staff_name, action, reason) values (now(), 'Sam', 'a_test', 'why')",
    );
    await caps(500);
    expect(await wrong()).toEqual([]);
    await hill.root.query(`update hill.mandates set daily_cap_cents = 600 where account_id = '${ann.id}'`);
    expect(await wrong()).toEqual([{ name: 'Each cap is the one that its human set last' }]);
  });
});

/** What sql/ defines, as the catalog has it: nothing of an older version may be left. */
const everything = `
  select p.oid::regprocedure::text as what, p.proowner::regrole::text || p.proacl::text || md5(p.prosrc) || coalesce(obj_description(p.oid), '') as how
    from pg_proc p where p.pronamespace::regnamespace::text ~ '^(engine|trusted|api_)'
   union all
  select concat_ws(' ', schemaname, tablename, policyname), concat_ws(' ', roles, cmd, qual, with_check) from pg_policies
   union all
  select concat_ws(' ', tgrelid::regclass, tgname), pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
   union all
  select c.oid::regclass::text, (select string_agg(a::text, ' ' order by a::text) from unnest(c.relacl) a) || coalesce(obj_description(c.oid), '')
    from pg_class c where c.relnamespace::regnamespace::text in ('hill', 'oauth') and c.relkind in ('r', 'p', 'S')
   order by 1`;
