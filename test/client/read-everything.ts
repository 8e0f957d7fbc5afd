// test/client/read-everything.ts · reads every address of the description, as a program would that knows nothing of Hill but the types generated from it.
// Prints each path that it has read. Beside it stands hill.d.ts, which test/rest/client.test.ts generates.
import type { components, paths } from './hill.js';

type Json<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer Body } } } } }
  ? Body
  : never;
type Text<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { 'text/plain': infer Body } } } } }
  ? Body
  : never;

const baseUrl = process.argv[2] ?? '';

async function read<P extends keyof paths>(path: P, address: string = path): Promise<Json<P>> {
  const answer = await fetch(baseUrl + address);
  if (!answer.ok) {
    const problem = (await answer.json()) as components['schemas']['Problem'];
    throw new Error(`${problem.code}: ${problem.hint}`);
  }
  console.log(path);
  return (await answer.json()) as Json<P>;
}

async function readText<P extends keyof paths>(path: P): Promise<Text<P>> {
  console.log(path);
  return (await (await fetch(baseUrl + path)).text()) as Text<P>;
}

const rules = await read('/api/rules');
const dearest: number = Math.max(...Object.values(rules.moves.PEACE.holder_cost_by_days_held_cents));
const hill = await read('/api/hill');
const bell: Date = new Date(hill.nextBellAt);
const holders: string[] = hill.hill.flatMap(({ occupants }) => occupants.map(({ slug }) => slug));
const night = hill.lastNight[0]?.day ?? 0;
const today = await read('/api/announcements');
const said: number = today.announcements_total;
const day = await read('/api/day/{n}', `/api/day/${night}`);
const verdicts: ('kept' | 'betrayed' | 'bluffed' | 'ghosted' | null)[] = day.announcements.map(({ verdict }) => verdict);
const wall = await read('/api/wall');
const spent: number = wall.entries.reduce((sum, { spent_cents }) => sum + spent_cents, 0);
const board = await read('/api/leaderboard/hill');
const best: string | undefined = board.entries[0]?.name;
const efficiency = await read('/api/leaderboard/efficiency');
const ratios: number[] = efficiency.entries.map(({ points_per_dollar }) => points_per_dollar);
const { tournaments } = await read('/api/tournaments');
const tournament = await read('/api/tournaments/{slug}', `/api/tournaments/${tournaments[0]?.slug}`);
const counters = await read('/api/counters', `/api/counters?ids=${holders.join(',')}`);
const views: number = counters.reduce((sum, one) => sum + one.views, 0);
const identity = await read('/api/identity/{slug}', `/api/identity/${holders[0]}`);
const status = await read('/api/status');
const version: string = status.version;
const listening = new AbortController();
const stream = (await fetch(`${baseUrl}/api/events`, { signal: listening.signal })).body;
const first = new TextDecoder().decode((await stream?.getReader().read())?.value);
listening.abort();
console.log('/api/events' satisfies keyof paths);
const file = await read('/api/day/{n}/night.json', `/api/day/${night}/night.json`);
const replayed: number = file.moves.length;
const lines: string[] = (await readText('/llms.txt')).split('\n');

const sane =
  dearest > 300 &&
  /^\d/.test(version) &&
  first.startsWith('retry: ') &&
  said >= 0 &&
  !Number.isNaN(bell.getTime()) &&
  verdicts.length > 0 &&
  spent > 0 &&
  best &&
  ratios.length > 0 &&
  views >= 0 &&
  replayed === day.moves_total &&
  lines.length > 20;
if (!sane || tournament.slug !== tournaments[0]?.slug || identity.slug !== holders[0]) throw new Error('that is no hill');
