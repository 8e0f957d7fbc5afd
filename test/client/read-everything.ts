// Reads every address of the description with the client of docs/client, whose files test/rest/client.test.ts puts
// beside it. Prints each path that it has read.
import { type Answer, type Args, HillError, hill, type Path } from './hill.js';

const baseUrl = process.argv[2] ?? '';
const { get, pages, lines } = hill(baseUrl);

async function read<P extends Path>(
  path: P,
  ...args: object extends Args<P> ? [args?: Args<P>] : [args: Args<P>]
): Promise<Answer<P>> {
  const answer = await get(path, ...args);
  console.log(path);
  return answer;
}

const rules = await read('/api/rules');
const dearest: number = Math.max(
  ...Object.values(rules.moves.PEACE.holder_cost_by_days_held_cents),
  rules.limits.refresh_token_days,
);
const guide: string = rules._act.guide;
const now = await read('/api/hill');
const bell: Date = new Date(now.nextBellAt);
const holders: string[] = now.hill.flatMap(({ occupants }) => occupants.map(({ slug }) => slug));
const holder = holders[0] ?? '';
const n = now.lastNight[0]?.day ?? 0;
const today = await read('/api/announcements');
const said: number = today.announcements_total;
const { days } = await read('/api/days');
const day = await read('/api/day/{n}', { n });
const verdicts: ('kept' | 'betrayed' | 'bluffed' | 'ghosted' | null)[] = day.announcements.map(
  ({ verdict }) => verdict,
);
const reasons: string[] = day.results.flatMap(({ occupants }) => occupants.map(({ decision }) => decision.why));
const log = await read('/api/log');
const keys: string[] = log.logs.flatMap(({ keys }) => keys);
const { running } = await read('/api/engines');
const engine: string | undefined = running?.slice(0, 12);
const wall = await read('/api/wall');
const spent: number = wall.entries.reduce((sum, { spent_cents }) => sum + spent_cents, 0);
const board = await read('/api/leaderboard/hill', { day: n, limit: 3 });
const best: string | undefined = board.entries[0]?.name;
const efficiency = await read('/api/leaderboard/efficiency');
const ratios: number[] = efficiency.entries.map(({ points_per_dollar }) => points_per_dollar);
const { tournaments } = await read('/api/tournaments');
const tournament = await read('/api/tournaments/{slug}', { slug: tournaments[0]?.slug ?? '' });
const counters = await read('/api/counters', { ids: holders.join(',') });
const views: number = counters.reduce((sum, one) => sum + one.views, 0);
const search = await read('/api/identities', { q: holder });
const identity = await read('/api/identity/{slug}', { slug: holder });
const status = await read('/api/status');
const version: string = status.version;
const tables: string[] = [
  await read('/api/wall.ndjson'),
  await read('/api/wall.csv'),
  await read('/api/leaderboard/hill.ndjson', { limit: 2 }),
  await read('/api/leaderboard/hill.csv'),
  await read('/api/leaderboard/efficiency.ndjson'),
  await read('/api/leaderboard/efficiency.csv'),
];
const listening = new AbortController();
const stream = (await fetch(`${baseUrl}/api/events`, { signal: listening.signal })).body;
const first = new TextDecoder().decode((await stream?.getReader().read())?.value);
listening.abort();
console.log('/api/events' satisfies Path);
tables.push(
  await read('/api/day/{n}/{list}.ndjson', { n, list: 'moves' }),
  await read('/api/day/{n}/{list}.csv', { n, list: 'results' }),
  await read('/api/identity/{slug}/moves.ndjson', { slug: holder }),
);
const file = await read('/api/day/{n}/night.json', { n });
const archive = days[0]?.archives[0];
if (archive) await get('/archive/{sha256}', { sha256: archive.sha256 }); // none on a hill without a worker
console.log('/archive/{sha256}' satisfies Path);
const replayed: number = file.moves.length;
const text: string[] = (await read('/llms.txt')).split('\n');

const sane =
  dearest > 300 &&
  /^\d/.test(version) &&
  keys.length > 0 &&
  first.startsWith('retry: ') &&
  guide.startsWith('http') &&
  said >= 0 &&
  !Number.isNaN(bell.getTime()) &&
  verdicts.length > 0 &&
  reasons.length > 0 &&
  engine?.length === 12 &&
  spent > 0 &&
  best &&
  ratios.length > 0 &&
  views >= 0 &&
  search.identities[0]?.slug === holder &&
  tables.every((table) => table.length > 0) &&
  replayed === day.moves_total &&
  text.length > 20;
if (!sane || tournament.slug !== tournaments[0]?.slug || identity.slug !== holder) throw new Error('that is no hill');

// what has not changed is the same object
if ((await get('/api/day/{n}', { n })) !== day) throw new Error('it was sent again');
// a list to its end
const paged: number[] = [];
for await (const { entries } of pages('/api/leaderboard/hill', { limit: 3 }))
  paged.push(...entries.map(({ rank }) => rank));
const streamed: number[] = [];
for await (const { rank } of lines<{ rank: number }>('/api/leaderboard/hill.ndjson')) streamed.push(rank);
if (paged.length < 4 || String(paged) !== String(streamed)) throw new Error('pages and lines differ');
// a refusal
const refused = await get('/api/day/{n}', { n: 9_999 }).catch((error: unknown) => error);
if (!(refused instanceof HillError) || refused.code !== 'DAY_NOT_RESOLVED') throw new Error('it was not refused');
