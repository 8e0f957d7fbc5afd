// A whole night as text: its lists as NDJSON and CSV, and the night file of the public engine. Rules 10.6, 10.12, 12.1.
//
// It is read piece by piece, each by a short statement: a night of a million accounts is never held in memory.
import pLimit from 'p-limit';
import type pg from 'pg';
import type { z } from 'zod';
import { piece } from '../db/call.ts';
import type { announcement, Identity, PlaceResult, queueEntry, revealedMove } from '../records/index.ts';
import { type Columns, columnsOf, csvHead, csvLine } from './csv.ts';
import { together } from './together.ts';

export const lists = ['moves', 'announcements', 'queue', 'results'] as const;
export type List = (typeof lists)[number];
const formats = ['ndjson', 'csv'] as const;
type Format = (typeof formats)[number];
export type Form = `${List}.${Format}` | 'night.json';
export const forms: readonly Form[] = [
  ...lists.flatMap((list) => formats.map((format) => `${list}.${format}` as const)),
  'night.json',
];

/** Of all forms. Raise it with any change of what is in them: the worker makes every night anew, under other hashes. */
export const formVersion = 3;

const types = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};
export const mediaType = (form: Form): string => types[form.slice(form.indexOf('.') + 1) as keyof typeof types];
export const fileName = (day: number, form: Form): string =>
  `hill-day-${day}${form === 'night.json' ? '.json' : `-${form}`}`;

const entriesAtOnce: Readonly<Record<List | 'night' | 'night_accounts' | 'night_moves', number>> = {
  results: 10,
  moves: 2_000,
  announcements: 1_000,
  queue: 4_000, // each piece continues after the last account of the one before
  night: 1,
  night_accounts: 5_000,
  night_moves: 5_000,
};

/** A login's pool, and the schema that it may call. */
export interface Night {
  readonly db: pg.Pool;
  readonly door: 'api_public' | 'api_worker';
  readonly day: number;
}

/** The same text whenever and wherever it is read. */
export function textOf(night: Night, form: Form): AsyncGenerator<string> {
  if (form === 'night.json') return nightFile(night);
  const [list, format] = form.split('.') as [List, Format];
  return inFormat(readPieces(night, list), night, list, format);
}

/** Both forms of a list from one reading of it. They have to be read at the same time. */
export function textsOf(night: Night, list: List): [Form, AsyncGenerator<string>][] {
  const pieces = together(readPieces(night, list), formats.length);
  return formats.map((format, n) => [
    `${list}.${format}`,
    inFormat(pieces[n] as AsyncIterable<string>, night, list, format),
  ]);
}

const inFormat = (pieces: AsyncIterable<string>, { day }: Night, list: List, format: Format) =>
  format === 'csv' ? asCsv(pieces, day, list) : asLines(pieces);

async function* nightFile(night: Night): AsyncGenerator<string> {
  for await (const object of readPieces(night, 'night')) yield object.slice(0, -1); // without its closing brace
  for (const [name, list] of [
    ['accounts', 'night_accounts'],
    ['moves', 'night_moves'],
  ] as const) {
    let before = `, "${name}": [`;
    for await (const lines of readPieces(night, list)) {
      yield before + lines.replaceAll('\n', ', '); // inside a JSON string a line end is written \n
      before = ', ';
    }
    yield before === ', ' ? ']' : `${before}]`;
  }
  yield '}\n';
}

async function* readPieces({ db, door, day }: Night, list: keyof typeof entriesAtOnce): AsyncGenerator<string> {
  let after: string | null = null;
  do {
    const { lines, next }: { lines: string | null; next: string | null } = await inTurn(() =>
      piece(db, door, { n: day, list, after, max: entriesAtOnce[list] }),
    );
    if (lines !== null) yield lines;
    after = next;
  } while (after !== null);
}

/** Few at a time, so that other readers, and other errands of a worker, are served meanwhile. */
const inTurn = pLimit(2);

async function* asLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const lines of pieces) yield `${lines}\n`;
}

async function* asCsv(pieces: AsyncIterable<string>, day: number, list: List): AsyncGenerator<string> {
  const listed = columns[list] as Columns<unknown>;
  yield csvHead(listed);
  for await (const lines of pieces)
    yield lines
      .split('\n')
      .map((line) => csvLine(listed, { ...JSON.parse(line), day }))
      .join('');
}

const who = <T extends { occupant: Identity }>(): Columns<T> => ({
  account_id: ({ occupant }) => occupant.accountId,
  slug: ({ occupant }) => occupant.slug,
  name: ({ occupant }) => occupant.name,
  url: ({ occupant }) => occupant.url,
  house: ({ occupant }) => occupant.house,
});
interface OfNight {
  readonly day: number;
}
type Move = z.infer<typeof revealedMove> & OfNight;
type Announced = z.infer<typeof announcement> & OfNight;
type Queued = z.infer<typeof queueEntry> & OfNight;
/** Last in every list, as it came last: files of several nights can be joined. */
const ofNight = columnsOf<OfNight>('day');

const columns = {
  moves: {
    ...columnsOf<Move>('seq', 'at', 'slot', 'move', 'stake_cents', 'cost_cents', 'message', 'reputation', 'since'),
    agent_id: ({ agentId }: Move) => agentId,
    ...columnsOf<Move>('model'),
    ...who<Move>(),
    ...ofNight,
    ...columnsOf<Move>('outcome'),
    // the place, which is another one for whom the queue seated
    seat: ({ seat }: Move) => seat?.slot,
    points: ({ seat }: Move) => seat?.points ?? 0,
  },
  announcements: {
    ...columnsOf<Announced>('at', 'slot', 'intention', 'message', 'verdict'),
    ...who<Announced>(),
    ...ofNight,
  },
  queue: {
    ...columnsOf<Queued>('place', 'seq'),
    from_slot: ({ fromSlot }: Queued) => fromSlot,
    served_slot: ({ servedSlot }: Queued) => servedSlot,
    ...who<Queued>(),
    ...ofNight,
  },
  results: {
    ...columnsOf<PlaceResult>('slot', 'outcome'),
    peace_count: ({ peaceCount }: PlaceResult) => peaceCount,
    war_count: ({ warCount }: PlaceResult) => warCount,
    burned_cents: ({ burnedCents }: PlaceResult) => burnedCents,
    occupants: ({ occupants }: PlaceResult) => occupants.map(({ slug }) => slug).join(' '),
    evicted: ({ evicted }: PlaceResult) => evicted.map(({ slug }) => slug).join(' '),
    ...ofNight,
  },
};
