// Published nights as plain files: what the public engine reads, and what the bell published of it. Rules 12.1.
import type pg from 'pg';
import { StartError } from '../process/start-error.ts';

export interface NightRange {
  readonly first: number;
  readonly last: number;
}

export interface Published {
  readonly day_one: string;
  readonly nights: {
    readonly day: number;
    readonly bell_at: string;
    readonly accounts: number;
    readonly moves: number;
  }[];
}

/** The nights of a range, or all: each of them has to be published. */
export async function publishedNights(reader: pg.Client, range: NightRange | null): Promise<Published> {
  const { rows } = await reader.query<{ last: number; day_one: string; nights: Published['nights'] }>(
    `select l.last, (engine.bell_at(0) at time zone 'UTC')::date::text as day_one,
            (select coalesce(jsonb_agg(jsonb_build_object('day', n.day, 'bell_at', engine.iso(n.bell_at), 'accounts', n.accounts, 'moves', n.moves) order by n.day), '[]')
               from hill.nights n where n.day between $1 and $2) as nights
       from engine.last_night() l (last)`,
    [range?.first ?? 1, range?.last ?? 2 ** 31 - 1],
  );
  const { last, ...found } = rows[0] as { last: number } & Published;
  if (last === 0) throw new StartError('No night has been published yet.');
  if (range && range.last > last)
    throw new StartError(`Nights 1 to ${last} are published: --nights ${range.first}..${range.last} asks for more.`);
  return found;
}

/** Lines of JSON, one for each night: the night file, or its published result in the words of "npm run -s resolve". */
export async function* nightLines(
  reader: pg.Client,
  what: 'nights' | 'results',
  days: readonly number[],
  onDay = (_: number) => {},
): AsyncGenerator<string> {
  const text = {
    nights: 'select n.json::text as line from engine.night_json(engine.stored_night($1)) n (json)',
    results:
      'select r.json::text as line from engine.resolution_json(engine.stored_night($1), engine.published_resolution($1)) r (json)',
  }[what];
  for (const day of days) {
    onDay(day);
    const { rows } = await reader.query<{ line: string }>(text, [day]);
    yield `${rows[0]?.line}\n`;
  }
}
