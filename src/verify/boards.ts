// Holds the boards that a hill shows, its own and those of tournaments, against the nights that were followed. Rules 7,
// 8.4, 20.50.
import { text } from '../log/bytes.ts';
import type { Chain } from './chain.ts';
import { orMissing, type Served } from './reading.ts';
import type { Checked } from './report.ts';

type Name = 'hill' | 'efficiency' | 'wall';

interface Page {
  readonly day: number;
  readonly entries: readonly object[];
  readonly next_cursor?: string | null;
}

const standings = ['points', 'efficiency', 'record'] as const;
type Standings = Record<(typeof standings)[number], { readonly entries: readonly object[] }>;

/** Of /api/tournaments, as far as it matters here. */
interface Tournament {
  readonly slug: string;
  readonly starts_day: number;
  readonly boards: (Readonly<Standings> & { readonly day: number }) | null;
  readonly next_cursor?: string | null;
}

/** Entries of a page, and pages: a board of a million is read in part. */
const [pageLength, mostPages] = [1_000, 20];

const pathOf = (name: Name): string => (name === 'wall' ? '/api/wall' : `/api/leaderboard/${name}`);

/** What is not there, or not of its form, is null. */
async function page<T>(hill: Served, path: string): Promise<T | null> {
  const bytes = await orMissing(hill.bytes(path));
  return bytes && (JSON.parse(text(bytes)) as T);
}

/** A board from its first page on; `whole` if it was read to its end. */
async function readBoard(hill: Served, name: Name, day: number | null) {
  const query = [...(day === null ? [] : [`day=${day}`]), ...(name === 'hill' ? [`limit=${pageLength}`] : [])];
  const pathTo = (more: string[]) =>
    `${pathOf(name)}${[...query, ...more].length > 0 ? `?${[...query, ...more].join('&')}` : ''}`;
  const first = await page<Page>(hill, pathTo([]));
  if (first === null) return null;
  const entries = [...first.entries];
  let next = first.next_cursor ?? null;
  for (let pages = 1; next !== null && pages < mostPages; pages++) {
    const more: Page | null = await page<Page>(hill, pathTo([`cursor=${next}`]));
    if (more === null) break;
    entries.push(...more.entries);
    next = more.next_cursor ?? null;
  }
  return { day: first.day, entries, whole: next === null };
}

/** The boards that a hill shows without a day. Read before its nights, so that none of them is ahead of these. */
export type LastBoards = Readonly<Record<Name, Awaited<ReturnType<typeof readBoard>>>>;

export async function readLastBoards(hill: Served): Promise<LastBoards> {
  return {
    hill: await readBoard(hill, 'hill', null),
    efficiency: await readBoard(hill, 'efficiency', null),
    wall: await readBoard(hill, 'wall', null),
  };
}

/** While a night is the last one that was followed: each board after it, as shown for its day and for the present. */
export async function checkBoards(to: Checked, chain: Chain, day: number, last: LastBoards): Promise<void> {
  for (const name of ['hill', 'efficiency'] as const) {
    const past = await readBoard(to.hill, name, day);
    if (past === null) to.note(`The board ${name} after night ${day} is not there: nobody has compared it.`);
    const shown = last[name];
    const all = [past && { ...past, past: true }, shown?.day === day ? { ...shown, past: false } : null];
    for (const board of all) {
      if (board === null) continue;
      const what = `The ${board.past ? '' : 'last '}board ${name}, after night ${day}`;
      await chain.compare(
        `${what}, is that of its nights.`,
        what,
        'select * from engine.wrong_board($1, $2, $3, $4, $5)',
        [name, board.past, day, JSON.stringify(board.entries), board.whole ? null : board.entries.length],
      );
    }
  }
  if (last.wall?.day === day)
    await chain.compare(
      `Nobody on the Wall after night ${day} spent more than was taken in its nights; which credits paid is the word of the hill.`,
      `The Wall, after night ${day}`,
      'select * from engine.wrong_wall($1, $2)',
      [day, JSON.stringify(last.wall.entries)],
    );
}

/** The boards of each tournament, once all nights are followed. */
export async function checkTournaments(to: Checked, chain: Chain, lastNight: number): Promise<void> {
  const { hill } = to;
  const list = await page<{ tournaments: readonly Tournament[] }>(hill, '/api/tournaments');
  const announced = new Set<number>();
  for (const { slug, boards } of list?.tournaments ?? []) {
    if (boards === null) continue;
    const tournament = await readTournament(hill, slug);
    if (tournament?.boards == null || tournament.boards.day > lastNight) continue;
    const { starts_day, boards: shown } = tournament;
    if (shown.day < starts_day) continue;
    for (let day = starts_day; day <= shown.day; day++) {
      if (announced.has(day)) continue;
      announced.add(day);
      const lines: string[] = [];
      for await (const line of hill.lines(`/api/day/${day}/announcements.ndjson`)) lines.push(line);
      await chain.take('select engine.follow_announcements($1, $2)', [day, `[${lines.join()}]`]);
    }
    await meet(to, chain, shown);
    const what = `The boards of the tournament ${slug}, after night ${shown.day}`;
    await chain.compare(
      `${what}, are those of its nights for all that are on them.`,
      what,
      'select * from engine.wrong_standings($1)',
      [JSON.stringify(tournament)],
    );
  }
}

/** Who announced and never moved is in no night: the identity tells since when there is such an account. */
async function meet({ hill, note }: Checked, chain: Chain, boards: Standings): Promise<void> {
  const on = boards.record.entries.map((entry) => (entry as { accountId: string }).accountId);
  for (const account of await chain.unknownOf(on)) {
    const identity = await page<{ since: string; house: boolean }>(hill, `/api/identity/${account}`);
    if (identity === null) continue;
    const { since, house } = identity;
    note(`The account ${account} announced and never moved: that it is there since ${since} is the word of the hill.`);
    await chain.take('select * from engine.follow_accounts($1)', [
      JSON.stringify({ accounts: [{ account, since, house }] }),
    ]);
  }
}

/** With all of its boards: one cursor walks all three. */
async function readTournament(hill: Served, slug: string): Promise<Tournament | null> {
  const path = `/api/tournaments/${slug}?limit=${pageLength}`;
  const first = await page<Tournament>(hill, path);
  if (first?.boards == null) return first;
  let boards = first.boards;
  for (let next = first.next_cursor ?? null; next !== null; ) {
    const more: Tournament | null = await page<Tournament>(hill, `${path}&cursor=${next}`);
    const on = more?.boards;
    if (on == null) break;
    const joined = standings.map(
      (name) => [name, { entries: [...boards[name].entries, ...on[name].entries] }] as const,
    );
    boards = { day: boards.day, ...(Object.fromEntries(joined) as unknown as Standings) };
    next = more?.next_cursor ?? null;
  }
  return { ...first, boards };
}
