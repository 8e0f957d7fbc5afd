// A dispute in the middle of a day: what staff, DBA and the public can read does not depend on what is reserved. Rules
// 2.6, 5.8.
import { expect, test } from 'vitest';
import { anAccount, useHill } from '../../support/hill/index.ts';
import { usePayments } from '../../support/hill/payments.ts';

const hill = useHill();
const payments = usePayments(hill);

/** Every row of every table that a role may read, but for what differs from account to account. */
async function seen(role: 'hill_staff' | 'hill_dba' | 'hill_api_public'): Promise<Record<string, string[]>> {
  const tables = await hill.rows<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
      where c.relnamespace::regnamespace::text in ('hill', 'oauth') and c.relkind in ('r', 'p') and not c.relispartition
        and has_any_column_privilege($1, c.oid, 'select') order by 1`,
    [role],
  );
  expect(tables.map(({ name }) => name)).toContain('hill.accounts');
  const read: Record<string, string[]> = {};
  for (const { name } of tables) {
    const columns = await hill.rows<{ column: string }>(
      `select quote_ident(attname) as column from pg_attribute
        where attrelid = $2::regclass and attnum > 0 and not attisdropped and has_column_privilege($1, attrelid, attnum, 'select') order by attnum`,
      [role, name],
    );
    const text = `select jsonb_build_array(${columns.map(({ column }) => column).join(', ')})::text as row from ${name} order by 1`;
    const rows =
      role === 'hill_staff'
        ? await staff.query<{ row: string }>(text)
        : await hill.asOwnerOf(role, async (client) => (await client.query<{ row: string }>(text)).rows);
    read[name] = rows.map(({ row }) => row);
  }
  return read;
}

const staff = hill.asStaff('Sam');

test('between two accounts that differ in what they reserved, a dispute shows no difference', async () => {
  const caps = { daily_cap_cents: 50_000, max_stake_cents: 50_000, granted: 400 };
  const [idle, busy] = [
    await anAccount(hill, { ...caps, name: 'Ann' }),
    await anAccount(hill, { ...caps, name: 'Bob' }),
  ];
  const [idlePayment, busyPayment] = [await payments.topUp(idle, 3000), await payments.topUp(busy, 3000)];
  await hill.asAgent(busy).play({ slot: 3, move: 'WAR', stake_cents: 2500 });

  const changes = async (payment: string) => {
    const roles = ['hill_staff', 'hill_dba', 'hill_api_public'] as const;
    const before = await Promise.all(roles.map(seen));
    const { event } = await payments.stripe.dispute(payment, 3000);
    expect(await payments.tell(event)).toBe('needs_response');
    const after = await Promise.all(roles.map(seen));
    return roles.map((role, i) => ({
      role,
      changed: Object.entries(after[i] ?? {}).map(([table, rows]) => [
        table,
        rows.filter((row) => !before[i]?.[table]?.includes(row)),
      ]),
    }));
  };
  const [ofIdle, ofBusy] = [await changes(idlePayment), await changes(busyPayment)];

  /** Without ids and instants: of each account its name, of the rest its kind. */
  const plain = (value: object) =>
    JSON.stringify(value)
      .replaceAll(idle.id, 'account')
      .replaceAll(busy.id, 'account')
      .replaceAll(idlePayment, 'payment')
      .replaceAll(busyPayment, 'payment')
      .replace(/\b(dp|evt|pi|cs_test)_\w+/g, '$1')
      .replace(/\b(Ann|Bob|ann|bob)\b/g, 'name')
      .replace(/\d{4}-\d\d-\d\dT[\d:.+]+/g, 'instant')
      .replace(/\[\d+, \\"instant/g, '[n, \\"instant');
  expect(plain(ofBusy)).toBe(plain(ofIdle));
  expect(plain(ofIdle)).toContain('bar_deposits');
  expect(plain(ofIdle)).toContain('needs_response');

  // the bell tells, as it tells the moves
  await hill.clock.ringBell();
  expect(await hill.rows('select taken_cents from hill.payment_claims order by taken_cents')).toEqual([
    { taken_cents: 900 },
    { taken_cents: 3000 },
  ]);
});
