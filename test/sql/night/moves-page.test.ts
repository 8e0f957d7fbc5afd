// The moves of a resolved night in pages, in the order in which the night is shown. Rules 10.9.
import { beforeAll, describe, expect, test } from 'vitest';
import { populate, useHill } from '../../support/hill/index.ts';

interface Move {
  readonly account_id: string;
  readonly seq: string;
  readonly line: string;
}

const hill = useHill();
let night: number;
const war = () => `moves_${String(night).padStart(6, '0')}_war`;

beforeAll(async () => {
  night = await hill.clock.day();
  await hill.asRoot(async (root) => {
    await populate(root, { accounts: 60, war_percent: 40, seed: 3 });
    await root.query("set session_replication_role = 'replica'");
    await root.query("update hill.sealed_moves set at = date_trunc('hour', at) where slot < 7"); // crowds of one instant
  });
  await hill.clock.ringBell();
});

describe.each([null, 2, 6, 10])('on place %s', (slot) => {
  test.each([1, 3, 50])(
    'pages of %i follow each other without a gap, by the index that is made after the bell and without it',
    async (length) => {
      const whole = await hill.rows(
        `select m.slot, m.move, m.at, m.seq, m.account_id from hill.moves m
        where m.day = $1 and m.ended is null and ($2::smallint is null or m.slot = $2) order by m.slot, m.move, m.at, m.seq`,
        [night, slot],
      );
      expect(whole.length).toBeGreaterThan(slot === 10 ? -1 : 5);
      for (const prepare of ['set enable_seqscan to off', `drop index hill.${war()}`]) {
        const read: Record<string, unknown>[] = [];
        await hill.asRoot(async (root) => {
          await root.query(`begin; ${prepare}`);
          for (let after: string | null = null; ; ) {
            const { rows }: { rows: Move[] } = await root.query(
              'select p.slot, p.move, p.at, p.seq, p.account_id, p.line from engine.moves_page($1, $2::smallint, $3, $4) p order by p.line',
              [night, slot, after, length],
            );
            expect(rows.map(({ line }) => Number(line))).toEqual(rows.map((_, i) => i + 1));
            expect(rows.length).toBeLessThanOrEqual(length + 1); // one more, where there is one
            read.push(...rows.slice(0, length).map(({ line, ...move }) => move));
            if (rows.length <= length) break;
            const last = rows[length - 1] as Move;
            after = `${last.account_id}.${last.seq}`;
          }
          await root.query('rollback');
        });
        expect(read).toEqual(whole);
      }
    },
  );
});

test('what the night has not is after nothing', async () => {
  for (const after of ['019a0000-0000-7000-8000-000000000000.1', '01900000-0000-7000-8000-000000000001.999999'])
    expect(await hill.rows('select * from engine.moves_page($1, null, $2, 5)', [night, after])).toEqual([]);
});
