// Holds a night against its night file, and its night file against the log. Rules 20.14.
import { sha256 as hash, hex, text as textOf, utf8 } from '../log/bytes.ts';
import type { Sealed } from './closings.ts';
import { EngineEnded } from './engine.ts';
import type { FileAccount, FileMove } from './openings.ts';
import { orMissing, type Served } from './reading.ts';
import type { Checked } from './report.ts';
import { differences } from './results.ts';

/** A night as /api/days has it. */
export interface Published extends Sealed {
  readonly moves: number;
}

/** Resolves a night file again; null where there is no engine to do it. */
export type Resolve = (file: Uint8Array) => Promise<string | null>;

interface NightFile {
  readonly moves: readonly FileMove[];
  readonly accounts: readonly FileAccount[];
}

interface Shown {
  readonly results: readonly {
    readonly slot: number;
    readonly outcome: string;
    readonly peaceCount: number;
    readonly warCount: number;
    readonly burnedCents: number;
    readonly occupants: readonly {
      readonly accountId: string;
      readonly daysHeld: number;
      readonly via: string;
      readonly points: number;
    }[];
  }[];
}

export const sha256 = (bytes: Uint8Array | string): string =>
  hex(hash(typeof bytes === 'string' ? utf8(bytes) : bytes));

export async function publishedNights(hill: Served): Promise<Published[]> {
  const all: Published[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { days: Published[]; next_cursor: string | null } = await hill.json(
      `/api/days${cursor ? `?cursor=${cursor}` : ''}`,
    );
    all.push(...page.days);
    cursor = page.next_cursor;
  }
  return all.sort((a, b) => a.day - b.day);
}

/** The night file; null if there is none. `result` and `fileHash` are what the log says. */
export async function checkNight(
  { hill, check, note }: Checked,
  { day, moves }: Published,
  result: string | undefined,
  fileHash: string | undefined,
  resolve: Resolve,
): Promise<NightFile | null> {
  const file = await orMissing(hill.bytes(`/api/day/${day}/night.json`));
  if (!file) {
    check(false, '', `Night ${day} has no night file.`);
    return null;
  }
  const which = `The night file of night ${day}`;
  if (fileHash === undefined) note(`${which} is not in the log yet.`);
  else
    check(
      sha256(file) === fileHash,
      `${which} has the hash that the log says.`,
      `${which} does not have the hash that the log says.`,
    );
  const parsed = parse(file);
  const count = parsed?.moves.length;
  check(
    count === moves,
    `${which} has ${moves} moves, as many as the hill says.`,
    `${which} has ${count ?? 'no'} moves, and the hill says ${moves}.`,
  );
  const again = `Night ${day}, resolved again from its night file,`;
  const text = await resolve(file).catch((error) => {
    if (!(error instanceof EngineEnded)) return '';
    check(false, '', `${again} came to no result: ${error.message}`);
    return null;
  });
  if (text === null) return parsed;
  check(
    sha256(text) === result,
    `${again} has the result that the log says.`,
    `${again} does not have the result that the log says.`,
  );
  const { results } = await hill.json<Shown>(`/api/day/${day}?limit=1`);
  const shown = results.flatMap(({ slot, outcome, peaceCount, warCount, burnedCents, occupants }) => [
    `place ${slot} ${outcome} ${peaceCount} ${warCount} ${burnedCents}`,
    ...occupants.map(
      ({ accountId, daysHeld, via, points }) => `seat ${slot} ${accountId} ${daysHeld} ${via} ${points.toFixed(1)}`,
    ),
  ]);
  const what = `What the hill shows of night ${day}`;
  const [first] = differences(text, `day ${day}\n${shown.join('\n')}\n`);
  check(first === undefined, `${what} is that result.`, `${what} is not that result: ${first}.`);
  return parsed;
}

/** Null for what is no night file. */
function parse(file: Uint8Array): NightFile | null {
  try {
    return JSON.parse(textOf(file)) as NightFile;
  } catch {
    return null;
  }
}
