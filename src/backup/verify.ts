// Adds up the books and resolves every night again, by the functions of sql/verify/*.sql.
import type pg from 'pg';

import { inThousands, type Progress } from './progress.ts';
import { beginReading } from './reading.ts';

/** How many nights are resolved by one statement. */
const atOnce = 5;

export interface Verdict {
  readonly good: boolean;
  /** For people: what was compared and what is wrong. */
  readonly lines: string[];
}

/** As a DBA, who may read all that is published. `owner` may become one. */
export async function verify(owner: pg.Client, progress: Progress): Promise<Verdict> {
  await beginReading(owner);
  try {
    const books = await addUp(owner, progress);
    const nights = await resolveAgain(owner, progress);
    return { good: books.good && nights.good, lines: [...books.lines, ...nights.lines] };
  } finally {
    progress.clear();
    await owner.query('rollback');
  }
}

async function addUp(owner: pg.Client, progress: Progress): Promise<Verdict> {
  let checks = 0;
  const wrong: string[] = [];
  const { rows: parts } = await owner.query<{ part: string }>('select unnest(engine.check_parts()) as part');
  for (const { part } of parts) {
    progress.stopping.throwIfAborted();
    progress.show(`Checking ${part} …`);
    const { rows } = await owner.query<{ name: string; wrong: string; example: string | null }>(
      'select c.name, c.wrong, c.example from engine.check_part($1) c',
      [part],
    );
    checks += rows.length;
    for (const row of rows)
      if (Number(row.wrong) > 0) wrong.push(`  ${row.name}: ${row.wrong} wrong, the first is ${row.example}`);
  }
  if (wrong.length === 0)
    return { good: true, lines: [`Ledger, boards and tables add up: all ${checks} checks hold.`] };
  return {
    good: false,
    lines: [
      `${wrong.length} of ${checks} checks of ledger, boards and tables FAILED (sql/verify/ledger.sql):`,
      ...wrong,
    ],
  };
}

async function resolveAgain(owner: pg.Client, progress: Progress): Promise<Verdict> {
  const { rows } = await owner.query<{ last: number; moves: string }>(
    `select coalesce(max(r.day), 0) as last, (select coalesce(sum(n.moves), 0) from hill.nights n) as moves
       from engine.rung_nights(1, 999999999) r`,
  );
  const { last, moves } = rows[0] as { last: number; moves: string };
  if (last === 0) return { good: true, lines: ['No night has been published yet.'] };
  const differing: number[] = [];
  for (let from = 1; from <= last; from += atOnce) {
    const to = Math.min(from + atOnce - 1, last);
    progress.stopping.throwIfAborted();
    progress.show(`Resolving nights ${from} to ${to} of ${last} again …`);
    const found = await owner.query<{ day: number }>(
      'select distinct d.day from engine.replay_nights($1, $2) d order by 1',
      [from, to],
    );
    differing.push(...found.rows.map(({ day }) => day));
  }
  const resolved = `Nights 1 to ${last} were resolved again, ${inThousands(Number(moves))} moves`;
  if (differing.length === 0) return { good: true, lines: [`${resolved}: equal to what was published.`] };
  return {
    good: false,
    lines: [
      `${resolved}: ${differing.length} DIFFER from what was published: ${differing.slice(0, 20).join(', ')} (sql/verify/nights.sql).`,
    ],
  };
}
