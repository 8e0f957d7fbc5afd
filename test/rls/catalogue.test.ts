// What must hold of every table, function and role, asked of PostgreSQL's catalogues: whatever is added later is asked
// too. Rules 9.1.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { doors } from '../../src/db/logins.ts';
import {
  apiOwners,
  callers,
  dataSchemas,
  forDbas,
  functionSchemas,
  functions,
  tables,
} from '../support/hill/catalogue.ts';
import { anAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();

/** The names that a query finds; none is as it should be. */
const names = async (query: string, values: unknown[] = []): Promise<string[]> =>
  (await hill.rows<{ shown: string }>(query, values)).map(({ shown }) => shown).sort();

beforeAll(async () => {
  // two nights, so that there are partitions of every kind and a sealed table that the bell has made
  const ann = await anAccount(hill, { credits: 5000 });
  for (let night = 1; night <= 2; night++) {
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.clock.ringBell();
  }
  await hill.asWorker().makeNextTable();
});

describe('every table and partition', () => {
  test('is what these tests look at', async () => {
    expect(await names(`select shown from (${tables}) t where partition`)).toEqual(
      ['leaderboard', 'moves', 'settlements'].flatMap((name) => [`hill.${name}_000001`, `hill.${name}_000002`]),
    );
    expect((await names(`select shown from (${tables}) t where not partition`)).length).toBeGreaterThan(20);
  });

  test('has row-level security, forced on its owner too', async () => {
    expect(await names(`select shown from (${tables}) t where not (enabled and forced)`)).toEqual([]);
  });

  test('belongs to hill_owner', async () => {
    expect(await names(`select shown || ' ' || owner as shown from (${tables}) t where owner <> 'hill_owner'`)).toEqual(
      [],
    );
  });

  test('that sealed writes refer to may be read by staff and DBA by columns alone: those of the system tell which rows were locked', async () => {
    expect(
      await names(`
        select distinct r.rolname || ' ' || c.confrelid::regclass || ' from ' || c.conrelid::regclass as shown
          from pg_constraint c join (${tables}) t on t.oid = c.confrelid cross join pg_roles r
         where r.rolname in ('hill_dba', 'hill_staff') and c.contype = 'f' and c.conparentid = 0 and has_table_privilege(r.oid, c.confrelid, 'select')
           and not has_any_column_privilege(r.oid, c.conrelid, 'select') and not t.partition`),
    ).toEqual([
      'hill_dba hill.lots from hill.tournament_redemptions', // the lot is of the same moment
      'hill_dba hill.nights from hill.retellings', // by staff
      'hill_dba hill.places from hill.audit_log', // by staff, as are hidden words and codes
      'hill_dba hill.places from hill.hidden_words',
      'hill_dba hill.places from hill.prospects', // by the bell
      'hill_dba hill.tournaments from hill.tournament_codes',
      'hill_staff hill.nights from hill.tournament_boards', // by the bell
      'hill_staff hill.places from hill.prospects',
      'hill_staff hill.tournaments from hill.tournament_boards',
      'hill_staff hill.transfers from hill.payments', // the transfer is of the same moment
    ]);
  });

  test('if a partition, is reached through its parent alone: no policy and no grant of its own', async () => {
    expect(
      await names(`select t.shown from (${tables}) t join pg_policy p on p.polrelid = t.oid where t.partition`),
    ).toEqual([]);
    expect(
      await names(`
        select t.shown || ' ' || a.grantee::regrole as shown from (${tables}) t join pg_class c on c.oid = t.oid, aclexplode(c.relacl) a
         where t.partition and a.grantee <> c.relowner
        union all
        select t.shown || '.' || k.attname from (${tables}) t join pg_attribute k on k.attrelid = t.oid where t.partition and k.attacl is not null`),
    ).toEqual([]);
  });

  test('has no policy for everybody', async () => {
    expect(
      await names(
        `select t.shown || ' ' || p.polname as shown from (${tables}) t join pg_policy p on p.polrelid = t.oid where 0 = any (p.polroles)`,
      ),
    ).toEqual([]);
  });

  test('has permissive policies only where a grant needs them: none for a role without a right', async () => {
    const idle = await names(`
      select t.shown || ' ' || p.polname || ' ' || r.role::regrole as shown
        from (${tables}) t join pg_policy p on p.polrelid = t.oid cross join unnest(p.polroles) r (role)
       where r.role <> 'hill_owner'::regrole
         and not has_any_column_privilege(r.role, t.oid, 'select') and not has_any_column_privilege(r.role, t.oid, 'insert')
         and not has_any_column_privilege(r.role, t.oid, 'update') and not has_table_privilege(r.role, t.oid, 'delete')`);

    expect(idle).toEqual([]);
  });

  test('may be emptied or deleted from by nobody but its owner', async () => {
    expect(
      await names(
        `select t.shown || ' ' || r.rolname as shown from (${tables}) t cross join pg_roles r
          where (r.rolname like 'hill\\_%' or r.rolname = any ($1)) and r.rolname <> 'hill_owner'
            and has_table_privilege(r.oid, t.oid, 'truncate, trigger, references, maintain, delete')`,
        [doors.map((door) => new URL(hill.url(door)).username)],
      ),
    ).toEqual([]);
  });
});

describe('sealed moves', () => {
  test("are within reach of their account's doors and of the bell, and of nobody else", async () => {
    const reach = await names(
      `select r.rolname as shown from pg_roles r
        where not r.rolsuper and r.rolname not in ('hill_owner', pg_get_userbyid((select datdba from pg_database where datname = current_database()))) and has_any_column_privilege(r.oid, 'hill.sealed_moves', 'select, insert, update, references')
          and r.rolname not like 'pg\\_%'`,
    );

    expect(reach).toEqual(['hill_api_agent', 'hill_api_human', 'hill_api_worker']);
  });

  test('wait for their number in the log unread: it is written to by whoever deposits, with nothing but deposits', async () => {
    const rights = await hill.rows<{ role: string; right: string }>(
      `select a.grantee::regrole::text as role, a.privilege_type as right from pg_class c, aclexplode(c.relacl) a
        where c.oid = 'hill.log_waiting'::regclass and a.grantee <> c.relowner order by 1`,
    );
    expect(rights).toEqual(
      ['agent', 'human', 'oauth', 'worker'].map((door) => ({ role: `hill_api_${door}`, right: 'INSERT' })),
    );
    const wait = (entry: string) =>
      hill.asOwnerOf('hill_api_agent', (client) =>
        client.query("insert into hill.log_waiting (at, entry) values (now(), convert_to($1, 'UTF8'))", [entry]),
      );
    await wait('deposit 1 00');
    await expect(wait('engine 00')).rejects.toMatchObject({ code: '42501' });
  });

  test('are shown by no policy to the public, the staff, the DBA and the owner, nor are reservations', async () => {
    const shown = await hill.rows(
      `select polrelid::regclass::text as table, r::regrole::text as role from pg_policy, unnest(polroles) r
        where polrelid in ('hill.sealed_moves'::regclass, 'hill.reservations'::regclass) group by 1, 2 order by 1, 2`,
    );

    expect(shown).toEqual([
      { table: 'hill.reservations', role: 'hill_api_agent' },
      { table: 'hill.reservations', role: 'hill_api_human' },
      { table: 'hill.reservations', role: 'hill_api_worker' },
      { table: 'hill.reservations', role: 'hill_owner' }, // settles the day
      { table: 'hill.sealed_moves', role: 'hill_api_agent' },
      { table: 'hill.sealed_moves', role: 'hill_api_human' },
      { table: 'hill.sealed_moves', role: 'hill_api_worker' },
    ]);
  });

  test("are not shown to the owner's login either, which is a member of every role, as long as it does not put one on", async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });

    expect((await hill.rows('select 1 from hill.sealed_moves')).length).toBe(1);
    expect((await hill.owner.query('select 1 from hill.sealed_moves')).rows).toEqual([]);
    expect((await hill.owner.query('select 1 from hill.reservations')).rows).toEqual([]);
  });

  test.each([
    ['another day', { day: 4 }],
    ['another agent', { agent_id: randomUUID() }],
    ['a price below 0', { cost_cents: -1 }],
    ['a PEACE with a stake', { stake_cents: 800 }],
    ['a WAR without one', { move: 'WAR' }],
    ['a PASS that is live', { move: 'PASS' }],
    ['an end without its instant', { ended: 'replaced' }],
  ])('are refused where they are of %s, to a role that may deposit', async (_, wrong) => {
    const ann = await anAccount(hill);
    const deposit = (change: object) =>
      hill.asOwnerOf('hill_api_agent', async (client) => {
        await client.query("select set_config('hill.account_id', $1, true), set_config('hill.agent_id', $2, true)", [
          ann.id,
          ann.agentId,
        ]);
        const day = Number((await client.query('select engine.last_night() + 1 as day')).rows[0].day);
        await client.query(
          `insert into hill.sealed_moves (day, account_id, agent_id, at, slot, move, stake_cents, cost_cents, ended)
           select day, $1, agent_id, now(), 6, move::hill.move, stake_cents, cost_cents, ended::hill.deposit_end
             from jsonb_to_record($2) m (day integer, agent_id uuid, move text, stake_cents bigint, cost_cents bigint, ended text)`,
          [
            ann.id,
            JSON.stringify({ day, agent_id: ann.agentId, move: 'PEACE', stake_cents: 0, cost_cents: 300, ...change }),
          ],
        );
      });

    await expect(deposit(wrong)).rejects.toMatchObject({ code: '42501' });
    await deposit({});
  });

  test('are the next day’s after each bell, with the same policies, grants, columns and indexes', async () => {
    // the second clone of this very database has not rung yet; it is compared with this one
    const shape = `
      select (select jsonb_agg(jsonb_build_array(attname, atttypid::regtype, attnotnull, pg_get_expr(d.adbin, d.adrelid)) order by attnum)
                from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
               where a.attrelid = 'hill.sealed_moves'::regclass and attnum > 0 and not attisdropped) as columns,
             (select jsonb_agg(jsonb_build_array(polname, polcmd, polroles::regrole[]::text, pg_get_expr(polqual, polrelid),
                replace(pg_get_expr(polwithcheck, polrelid), '(day = 3)', '(day = 1)')) order by polname)
                from pg_policy where polrelid = 'hill.sealed_moves'::regclass) as policies,
             (select jsonb_agg(indexdef order by indexdef) from pg_indexes where schemaname = 'hill' and tablename = 'sealed_moves') as indexes,
             (select jsonb_agg(distinct jsonb_build_array(a.grantee::regrole, a.privilege_type)) from pg_class c, aclexplode(c.relacl) a where c.oid = 'hill.sealed_moves'::regclass) as grants,
             (select jsonb_agg(distinct jsonb_build_array(k.attname, a.grantee::regrole, a.privilege_type)) from pg_attribute k, aclexplode(k.attacl) a
               where k.attrelid = 'hill.sealed_moves'::regclass) as column_grants,
             (select jsonb_agg(jsonb_build_array(conname, pg_get_constraintdef(oid)) order by conname)
                from pg_constraint where conrelid = 'hill.sealed_moves'::regclass and contype <> 'f') as constraints`;

    expect(await hill.rows(shape)).toEqual(await untouched.rows(shape));
  });
});

const untouched = useHill();

describe('every function', () => {
  test('is what these tests look at', async () => {
    const [{ count } = { count: 0 }] = await hill.rows<{ count: number }>(`select count(*) from (${functions}) f`);
    expect(count).toBeGreaterThan(80);
  });

  test('pins its search_path to pg_catalog, pg_temp, or has a body that was bound when it was made', async () => {
    expect(
      await names(
        `select shown from (${functions}) f where not standard_body and not 'search_path=pg_catalog, pg_temp' = any (settings)`,
      ),
    ).toEqual([]);
  });

  test('may be called by those it was granted to: PUBLIC has no EXECUTE', async () => {
    expect(
      await names(`
        select shown from (${functions}) f where acl is null or exists (select from aclexplode(acl) a where a.grantee = 0)`),
    ).toEqual([]);
  });

  test('that runs with the rights of its owner belongs to the owner of its API schema, or is on the short list of the tables’ owner', async () => {
    expect(
      await names(
        `select shown || ' ' || owner as shown from (${functions}) f where definer and schema <> 'trusted' and owner <> 'hill_' || schema`,
      ),
    ).toEqual([]);
    expect(
      await names(
        `select p.proname as shown from (${functions}) f join pg_proc p using (oid) where definer and schema = 'trusted'`,
      ),
    ).toEqual([
      'add_archive_piece', // the worker makes files of nights, and no door can: so is keep_archives
      'altered_announcements', // of whom and where, for engine.check_seal
      'altered_words', // numbers alone, for engine.check_seal
      'answer_at_address', // whether the address leads to this database: so ask_at_address
      'ask_at_address',
      'audit_faults', // ids alone, for check_audit: the audit log is for staff
      'audit_hash_at', // a hash that somebody wrote down: so audit_head
      'audit_head',
      'begin_log', // the worker numbers and signs the log: so are keep_checkpoint, log_head and number_log
      'bell_may_ring', // what a bell waits for: so with close_day, closing_checkpoint, note_seal and, for readers, closing_note and night_seal
      'chain_audit', // the trigger that adds an entry to the chain of the audit log
      'changes_since', // which kinds of change were committed, for the processes: with forget_changes and note_change
      'check_audit', // for engine.check_audit: reasons and hidden words are for staff
      'check_log_entries', // for engine.check_public_log: so check_log_nights
      'check_log_nights',
      'check_part', // payments and commitments are not the worker's; none of it is sealed
      'close_day',
      'closing_checkpoint',
      'closing_note',
      'count_entries',
      'count_waiting_payments',
      'cut_for_staff', // api_staff.cut_agent, uncut_agent
      'database_identity', // a hash of what the control data say
      'debit_wallets',
      'delete_sign_in', // of the own account, while another remains: api_human.remove_sign_in
      'drop_icon', // icon is false by then, whoever made it so
      'drop_old_boards',
      'end_console', // sessions of one account's human: with the sign-ins, or by staff
      'end_succession', // granted to nobody: of another signing secret, as set_next_proof_key
      'ended_deposits', // commitments alone: what engine.check_seal needs of the log and of what is not live, as first_logged_day and so on
      'first_logged_day',
      'first_night_file',
      'follow_tonight', // writes what follows from a night or a place, in the statement that changes it
      'forget_account', // of the own account, which it records as closed: api_human.close_account
      'forget_changes',
      'forget_deliveries',
      'forget_ended',
      'forget_former', // what nights show of an account that was closed, or by staff
      'forget_hidden', // words that are shown again: engine.hide_words
      'forget_mails',
      'forget_member', // by owners of the staff, or with the account: api_staff.remove_staff
      'forget_messages', // of closed accounts alone, as its policies have it
      'forget_standings',
      'free_server', // ends sessions that are in the way of a bell, for the worker
      'give_up_sealing',
      'guard_balances',
      'guard_lots',
      'hand_log_over', // the worker begins a log by the word of the one before
      'has_engine',
      'hold_name', // granted to nobody: the triggers keep_name call it, and the owner at each start, as the next
      'hold_old_names',
      'index_night',
      'keep_archives',
      'keep_checkpoint',
      'keep_cosignature',
      'keep_models',
      'keep_name',
      'keep_profiles',
      'keep_slugs',
      'lock_account',
      'lock_one',
      'log_file', // the bell and the worker log what came of a night: so does log_night
      'log_head',
      'log_night',
      'log_offer',
      'log_published', // whether anything was ever signed
      'log_tile', // of the log readers get what was signed, and nothing of what waits: so with the show_ and shown_log
      'logged_heads', // of resolved days
      'logged_lines',
      'mail', // writes a notice, and tells nobody whether it did: with mail_agents and mail_sign_ins, whichever door lets them in
      'mail_agents',
      'mail_sign_ins',
      'make_next_table', // makes a table, and answers nothing
      'next_archives',
      'night_closing', // of a resolved day, for engine.check_seal
      'night_seal',
      'note_caps', // which caps were set, by the doors that set them: from the table as it is
      'note_change',
      'note_seal',
      'note_settled', // with settle_piece: from the settlements alone, which the bell has written
      'number_day',
      'number_log',
      'post_redemption',
      'post_transfers',
      'proof_holds', // says yes or no of a key that nobody reads
      'prune_archives',
      'put_words', // those that staff hide, and in their stead, as its policies have it
      'rank_day',
      'release_claims', // by staff: api_staff.lift_bar
      'retell_nights', // by staff, who have taken something out of them
      'seal_entry', // how a past night was sealed, for engine.check_seal
      'seconds_to_log',
      'set_next_proof_key',
      'set_proof_key', // granted to nobody: the owner calls it at each start, as the next
      'set_staff_key',
      'set_staff_limits', // granted to nobody: the owner, at each start
      'set_stripe_key',
      'set_stripe_mode',
      'set_terms',
      'settle_accounts',
      'settle_day',
      'settle_piece',
      'show_engines', // hashes and numbers of nights
      'show_log',
      'show_proof',
      'show_source',
      'shown_log',
      'sign_out_for_staff', // api_staff.sign_out_human
      'stop_full_clock', // of a practice hill, for the worker: no other is asked for its size
      'stripe_key_set', // says yes or no, as proof_holds
      'take_back',
      'take_checkout',
      'take_instant',
      'take_proven_event',
      'take_proven_session',
      'take_revoked', // what staff take back, in the bell
      'take_signed_event', // asks for Stripe's signature; the two before it for a proof
      'takes_real_money', // says yes or no, as stripe_key_set
      'tell_account_order', // mails what staff approved to addresses that they do not read
      'unseal_day',
      'unsealed',
      'unused_accounts', // of a practice hill: api_human.close_unused_accounts
      'unveil_profile', // api_staff.hide_profile, as the next
      'veil_profile',
    ]);
  });

  test('on that short list is a trigger, a lock, or for the worker alone; or one that humans and staff need: a sign-in of the own account, its closing, whether a proof holds, what Stripe has signed, what readers get of the log and a DBA holds against it, what changes for readers, the end of a bar, of sessions, and of being staff, and what staff hide', async () => {
    expect(
      await names(`
        select f.shown || ' ' || a.grantee::regrole as shown from (${functions}) f, aclexplode(f.acl) a
         where f.schema = 'trusted' and a.grantee::regrole::text not in ('hill_owner', 'hill_api_worker')
           and f.shown not in ('trusted.lock_account(uuid)', 'trusted.lock_one(text,boolean)', 'trusted.take_instant(uuid)')
        union all
        select f.shown from (${functions}) f, aclexplode(f.acl) a
         where f.schema = 'trusted' and f.trigger and a.grantee::regrole::text <> 'hill_owner'`),
    ).toEqual([
      'trusted.altered_announcements(integer) hill_dba',
      'trusted.altered_words(integer) hill_dba',
      'trusted.answer_at_address(text) hill_api_public',
      'trusted.audit_hash_at(bigint) hill_dba',
      'trusted.audit_head() hill_api_staff',
      'trusted.audit_head() hill_dba',
      'trusted.bell_may_ring(integer) hill_api_staff',
      'trusted.changes_since(text,timestamp with time zone) hill_api_public',
      'trusted.check_audit() hill_dba',
      'trusted.check_log_entries() hill_dba',
      'trusted.check_log_nights() hill_dba',
      'trusted.closing_note(integer) hill_api_public',
      'trusted.cut_for_staff(uuid,uuid,boolean) hill_api_staff',
      'trusted.delete_sign_in(uuid,text,text) hill_api_human',
      'trusted.end_console(uuid) hill_api_human',
      'trusted.end_console(uuid) hill_api_staff',
      'trusted.ended_deposits(integer) hill_dba',
      'trusted.first_logged_day(text) hill_dba',
      'trusted.first_night_file(integer) hill_dba',
      'trusted.forget_account(uuid,integer,timestamp with time zone) hill_api_human',
      'trusted.forget_former(uuid) hill_api_staff',
      'trusted.forget_hidden(uuid,integer,integer,text) hill_api_staff',
      'trusted.forget_member(uuid) hill_api_human', // with an account that staff moved to another sign-in
      'trusted.forget_member(uuid) hill_api_staff',
      'trusted.has_engine(bytea) hill_dba',
      'trusted.log_published() hill_api_public',
      'trusted.log_tile(integer,integer,bigint,integer) hill_api_public',
      'trusted.logged_heads(integer) hill_dba',
      'trusted.logged_lines(integer) hill_dba',
      'trusted.mail(uuid,text,text,jsonb) hill_api_human',
      'trusted.mail(uuid,text,text,jsonb) hill_api_staff',
      'trusted.night_closing(integer) hill_dba',
      'trusted.night_seal(integer) hill_api_public',
      'trusted.note_caps(uuid) hill_api_human', // from the table, which it has just set
      'trusted.note_change(text) hill_api',
      'trusted.proof_holds(bytea,text) hill_api_human',
      'trusted.proof_holds(bytea,text) hill_api_oauth',
      'trusted.put_words(uuid,integer,integer,text,text,bytea) hill_api_staff',
      'trusted.release_claims(uuid,timestamp with time zone) hill_api_staff',
      'trusted.retell_nights(uuid) hill_api_staff',
      'trusted.seal_entry(integer) hill_dba',
      'trusted.show_engines() hill_api_public',
      'trusted.show_log() hill_api_public',
      'trusted.show_proof(bytea,timestamp with time zone) hill_api_agent',
      'trusted.show_proof(bytea,timestamp with time zone) hill_api_human',
      'trusted.show_proof(bytea,timestamp with time zone) hill_api_public',
      'trusted.show_source(bytea) hill_api_public',
      'trusted.shown_log(integer) hill_api_public',
      'trusted.sign_out_for_staff(uuid) hill_api_staff',
      'trusted.stripe_key_set() hill_api_human',
      'trusted.take_signed_event(bytea,text) hill_api_human',
      'trusted.takes_real_money() hill_api_human',
      'trusted.tell_account_order(hill.account_orders) hill_api_staff',
      'trusted.unsealed(integer) hill_api',
      'trusted.unsealed(integer) hill_dba',
      'trusted.unused_accounts(integer) hill_api_human',
      'trusted.unveil_profile(uuid) hill_api_staff',
      'trusted.veil_profile(uuid,timestamp with time zone) hill_api_staff',
    ]);
  });

  test('of an API schema runs with the rights of its owner, which row-level security binds; or, where it only reads, with those of its reader', async () => {
    expect(
      await names(`select shown from (${functions}) f where schema <> 'engine' and not definer order by shown`),
    ).toEqual([
      'api_staff.code_attempts_nearest_code(hill.code_attempts)',
      'api_staff.disputed_payments()',
      'api_staff.example()',
      'api_staff.lots_remaining_cents(hill.lots)',
      'api_staff.most_credits()',
      'api_staff.nearest_code(text)',
      'api_staff.open_reports()',
      'api_staff.refused_payments()',
      'api_staff.stopped_accounts()',
      'api_staff.waiting_orders()',
      'api_staff.waiting_payments()',
    ]);
  });

  test('with a standard body names no table that the bell renames: it would be bound to the old one', async () => {
    const bound = await names(`
      select f.shown from (${functions}) f join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = f.oid
       where d.refclassid = 'pg_class'::regclass and d.refobjid in (select c.oid from pg_class c where c.relname like 'sealed\\_moves%' or c.relispartition)`);

    expect(bound).toEqual([]);
  });

  test('and nothing else is bound to such a table, but its own parts', async () => {
    const bound = await names(`
      select distinct d.classid::regclass::text as shown from pg_depend d
       where d.refclassid = 'pg_class'::regclass and d.refobjid = 'hill.sealed_moves'::regclass
         and d.classid not in ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass, 'pg_policy'::regclass, 'pg_type'::regclass)`);

    expect(bound).toEqual([]);
  });

  test('of an API schema can be called by one caller: its door’s', async () => {
    const others = await names(`
      select f.shown || ' ' || a.grantee::regrole as shown from (${functions}) f, aclexplode(f.acl) a
       where f.schema not in ('engine', 'trusted') and a.grantee not in (f.owner::regrole, ('hill_' || substr(f.schema, 5))::regrole)`);

    // who of the staff calls is asked by policies, whose roles are others; and every process asks whether its settings
    // are the hill's; and the worker closes what nobody uses on a practice hill, and mails an account what its own
    // human may read, but for what is sealed
    expect(
      others.filter(
        (shown) =>
          !/^(api_staff\.staff_name|api_public\.check_(settings|use)|api_human\.(mail_content|(due|carry_out)_account_orders?|close_unused_accounts))\(/.test(
            shown,
          ),
      ),
    ).toEqual([]);
  });
});

describe('every object', () => {
  test.each([
    ['table', `select shown from (${tables}) t where not partition and obj_description(oid, 'pg_class') is null`],
    [
      'column of a table',
      `select t.shown || '.' || k.attname as shown from (${tables}) t join pg_attribute k on k.attrelid = t.oid
        where not t.partition and t.name not like 'sealed\\_moves%' and k.attnum > 0 and not k.attisdropped and coalesce(col_description(t.oid, k.attnum), '') = ''`,
    ],
    [
      'function of a door or for a DBA',
      `select shown from (${functions}) f join pg_proc p using (oid)
        where (f.schema like 'api%' or f.schema || '.' || p.proname = any ('{${forDbas.join(',')}}')) and obj_description(oid, 'pg_proc') is null`,
    ],
    [
      'type',
      `select t.oid::regtype::text as shown from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
        where n.nspname in ('hill', 'oauth', 'engine') and (t.typtype in ('e', 'd') or c.relkind = 'c') and obj_description(t.oid, 'pg_type') is null`,
    ],
    [
      'sequence',
      `select c.oid::regclass::text as shown from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'S' and n.nspname in ('hill', 'oauth') and obj_description(c.oid, 'pg_class') is null
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')`,
    ],
    [
      'schema',
      `select nspname as shown from pg_namespace where nspname = any (array['hill', 'oauth', 'engine', 'trusted', 'api_public', 'api_agent', 'api_human', 'api_staff', 'api_worker', 'api_oauth'])
          and obj_description(oid, 'pg_namespace') is null`,
    ],
  ])('that is a %s has a comment', async (_, query) => {
    expect(await names(query)).toEqual([]);
  });

  test('is where it belongs: no table among the functions but the one that waits for the bell, no function among the tables, no view that would run as its owner', async () => {
    expect(
      await names(
        "select c.oid::regclass::text as shown from pg_class c where c.relnamespace::regnamespace::text = any ($1) and c.relkind not in ('c', 'i')",
        [functionSchemas],
      ),
    ).toEqual(['engine.sealed_moves_000004']);
    expect(
      await names(
        'select oid::regprocedure::text as shown from pg_proc where pronamespace::regnamespace::text = any ($1)',
        [dataSchemas],
      ),
    ).toEqual([]);
    expect(
      await names(
        "select c.oid::regclass::text as shown from pg_class c where c.relkind in ('v', 'm') and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'graphile_worker')",
      ),
    ).toEqual([]);
  });
});

describe('every role of the hill', () => {
  const logins = () => doors.map((door) => new URL(hill.url(door)).username);

  test('has no power beyond its grants: no superuser, no BYPASSRLS, nobody who makes roles or databases', async () => {
    expect(
      await names(
        `select rolname as shown from pg_roles
          where (rolname like 'hill\\_%' or rolname = any ($1)) and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)`,
        [logins()],
      ),
    ).toEqual([]);
  });

  test('that owns an API schema owns no table, cannot log in, and belongs to no group but hill_api', async () => {
    const owners = Object.values(apiOwners);
    expect(
      await names(
        "select oid::regclass::text as shown from pg_class where relowner::regrole::text = any ($1) and relkind <> 'c'",
        [owners],
      ),
    ).toEqual([]);
    expect(
      await names('select rolname as shown from pg_roles where rolname = any ($1) and rolcanlogin', [owners]),
    ).toEqual([]);
    expect(
      await names(
        "select distinct roleid::regrole::text as shown from pg_auth_members where member::regrole::text = any ($1) and roleid::regrole::text <> 'hill_api'",
        [owners],
      ),
    ).toEqual([]);
  });

  test('that calls has no right on any table, save what staff and DBA read by policies', async () => {
    expect(
      await names(
        `select distinct r.rolname || ' ' || t.shown as shown from (${tables}) t cross join pg_roles r
          where r.rolname = any ($1) and has_any_column_privilege(r.oid, t.oid, 'select, insert, update, references') and r.rolname not in ('hill_staff', 'hill_dba')
          union all
         select r.rolname || ' ' || t.shown from (${tables}) t cross join pg_roles r
          where r.rolname in ('hill_staff', 'hill_dba') and has_any_column_privilege(r.oid, t.oid, 'insert, update, references')`,
        [callers],
      ),
    ).toEqual([]);
  });

  test('of staff and DBA has no right on the schema of tokens and sessions', async () => {
    expect(
      await names(
        `select t.shown || ' ' || r as shown from (${tables}) t, unnest($1::text[]) r where t.schema = 'oauth' and has_any_column_privilege(r, t.oid, 'select')`,
        [callers],
      ),
    ).toEqual([]);
  });

  test('that serves can become neither the owner nor an owner of an API schema', async () => {
    const serving = logins();
    expect(serving).toHaveLength(3);
    expect(
      await names(
        `select l || ' ' || r.rolname as shown from unnest($1::text[]) l cross join pg_roles r
          where (r.rolname in ('hill_owner', 'hill_api', 'hill_dba') or r.rolname = any ($2) or r.rolsuper) and pg_has_role(l, r.oid, 'MEMBER')`,
        [serving, Object.values(apiOwners)],
      ),
    ).toEqual([]);
  });

  test('that serves, or looks as staff or a DBA, owns nothing and may make nothing, so no code of its own runs for others', async () => {
    const roles = [...logins(), ...callers];
    expect(
      await names(
        `select distinct l || ' is ' || o.rolname || ', which owns ' || pg_describe_object(d.classid, d.objid, 0) as shown
           from unnest($1::text[]) l cross join pg_roles o
           join pg_shdepend d on d.refclassid = 'pg_authid'::regclass and d.refobjid = o.oid and d.deptype = 'o'
           join pg_database b on b.oid = d.dbid and b.datname = current_database()
          where pg_has_role(l, o.oid, 'MEMBER')`,
        [roles],
      ),
    ).toEqual([]);
    expect(
      await names(
        `select l || ' ' || n.nspname as shown from unnest($1::text[]) l cross join pg_namespace n where has_schema_privilege(l, n.oid, 'create')
         union all
         select l || ' ' || datname from unnest($1::text[]) l cross join pg_database
          where datname = current_database() and has_database_privilege(l, oid, 'create, temporary')
         union all
         select l || ' ' || c.oid::regclass from unnest($1::text[]) l cross join pg_class c
          where c.relkind in ('r', 'p', 'v', 'm') and has_table_privilege(l, c.oid, 'trigger, references, maintain')`,
        [roles],
      ),
    ).toEqual([]);
  });

  test.each(['web', 'worker', 'console'] as const)('that serves, as %s, is told so when it tries', async (door) => {
    for (const role of ['hill_owner', 'hill_api', 'hill_dba', 'postgres', ...Object.values(apiOwners)])
      await expect(hill.as(door).query(`set role ${role}`), role).rejects.toMatchObject({ code: '42501' });
  });

  test.each([
    ['web', 'hill'],
    ['web', 'oauth'],
    ['web', 'engine'],
    ['web', 'trusted'],
    ['worker', 'hill'],
    ['worker', 'oauth'],
    ['worker', 'engine'],
    ['worker', 'trusted'],
    ['console', 'oauth'],
    ['console', 'trusted'],
  ] as const)('%s cannot look into %s', async (door, schema) => {
    expect(await hill.as(door).query("select has_schema_privilege($1, 'usage') as usage", [schema])).toMatchObject({
      rows: [{ usage: false }],
    });
  });

  test('PUBLIC has no right on any schema, table, sequence or function of the hill', async () => {
    expect(
      await names(`
        select n.nspname as shown from pg_namespace n, aclexplode(n.nspacl) a where a.grantee = 0 and n.nspname not in ('pg_catalog', 'information_schema')
        union all
        select c.oid::regclass::text from pg_class c, aclexplode(c.relacl) a where a.grantee = 0 and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')`),
    ).toEqual([]);
  });
});
