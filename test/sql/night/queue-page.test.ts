// The queue of a stored night in pages is the queue. Rules 4.5, 10.9.
import { expect, test } from 'vitest';
import { populate, useHill } from '../../support/hill/index.ts';

const hill = useHill();
const index = (night: number) => `settlements_${String(night).padStart(6, '0')}_queue`;

test('accounts are ordered by doubles as they are by reputation', async () => {
  const rows = await hill.rows(`
    with counts as (
      select p, w, engine.reputation(p, w) as exact, engine.reputation_order(p, w) as quick
        from generate_series(0, 60) p, generate_series(0, 60) w
    ), ranks as (
      select *, dense_rank() over (order by exact desc) as by_exact, dense_rank() over (order by quick) as by_quick from counts
    )
    select * from ranks where by_exact <> by_quick`);
  expect(rows).toEqual([]);
});

test.each([1, 2, 5, 13])(
  'pages of %i entries follow each other without a gap, through crowds of one standing and one instant',
  async (length) => {
    const [{ night } = { night: 0 }] = await hill.rows<{ night: number }>('select engine.last_night() + 1 as night');
    await hill.asRoot(async (root) => {
      await populate(root, { accounts: 160, war_percent: 40, seed: length });
      await root.query("set session_replication_role = 'replica'");
      await root.query("update hill.wallets set since = date_trunc('hour', since)");
      // and more of one standing than engine.queue_heads has in hand
      await root.query(
        "update hill.wallets set since = 'epoch', peace_ring = 0, war_ring = 0 where account_id::text ~ '[2-9a-f]$'",
      );
      await root.query("update hill.sealed_moves set at = date_trunc('day', at) where slot < 7");
    });
    await hill.clock.ringBell();

    const whole = await hill.rows(
      'select q.* from engine.night_queue(engine.stored_night($1), engine.published_resolution($1)) q order by q.place',
      [night],
    );
    expect(whole.length).toBeGreaterThan(40);
    // by the index that is made after a bell, and before it is made
    for (const prepare of ['set enable_seqscan to off', `drop index hill.${index(night)}`]) {
      const read: Record<string, unknown>[] = [];
      await hill.asRoot(async (root) => {
        await root.query(prepare);
        for (let page = [{}] as Record<string, unknown>[]; page.length > 0; read.push(...page)) {
          const last = read.at(-1);
          const { rows } = await root.query(
            'select q.place, q.account, q.from_slot, q.seq, q.served_slot from engine.queue_page($1, engine.published_resolution($1), $2, $3) q order by q.place',
            [night, last ? `${last.place}.${last.account}.${last.seq}` : null, length],
          );
          page = rows;
          expect(page.length).toBeLessThanOrEqual(length);
        }
      });
      expect(read).toEqual(whole);
    }
  },
);

test('before its index is made a night is read by as many as it is worth, and only the first are put in order', async () => {
  await hill.asRoot((root) => populate(root, { accounts: 400, granted_percent: 0, seed: 99 }));
  await hill.clock.toMidnight();
  await hill.asWorker().ringNextBell();
  const night = (await hill.clock.day()) - 1;
  await hill.asRoot(async (root) => {
    const explain = async (options: string, query: string) => (await root.query(`explain (${options}) ${query}`)).rows;
    const [told] = await explain('format json', `select from hill.settlements s where s.day = ${night}`);
    expect(told['QUERY PLAN'][0].Plan['Plan Rows']).toBeGreaterThanOrEqual(400); // or it would not be read in parallel
    const heads = `select h.account from engine.queue_heads(engine.stored_night(${night}), 10) h`;
    const plan = (await explain('analyze, timing off, costs off', heads)).map((row) => row['QUERY PLAN']).join('\n');
    expect(plan.match(/Sort Method: \S+/)?.[0]).toBe('Sort Method: top-N');
  });
});

test('the index is made right after the bell, or at a later turn than the boards, and is in the order of the queue', async () => {
  await hill.clock.toMidnight();
  await hill.asWorker().ringNextBell();
  const night = (await hill.clock.day()) - 1;
  const indexed = () => hill.rows('select to_regclass($1) is not null as indexed', [`hill.${index(night)}`]);
  expect(await hill.asWorker().buildBoards()).toBe(night);
  expect(await indexed()).toEqual([{ indexed: false }]);
  await hill.asWorker().indexNights();
  expect(await indexed()).toEqual([{ indexed: true }]);
  await hill.asRoot(async (root) => {
    await root.query('set enable_seqscan to off; set enable_sort to off');
    const { rows } = await root.query(`
      explain select h.account from engine.queue_heads(engine.stored_night(${night}), 10, -0.5, now()) h`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(`Index Scan using ${index(night)}`);
    expect(plan).toMatch(/Index Cond: \(ROW\(/);
  });
});
