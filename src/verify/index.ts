// verify/index.ts · holds a hill against its public log: one plain sentence a check. Rules 20.14.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Verifier } from '../log/note.ts';
import { StartError } from '../process/start-error.ts';
import { checkAnnouncements, type LoggedAnnouncements, type Verdicts } from './announcements.ts';
import { type ClosingLog, checkClosing, type Sealed } from './closings.ts';
import { resultOf, verdictsOf } from './engines.ts';
import { type Listed, readLog, type Say, sayWitnesses } from './log.ts';
import { checkOpenings, type FileAccount, type FileMove, type LoggedDay, type Openings } from './openings.ts';
import { Missing, type Served } from './reading.ts';
import { checkReceipts, type Held } from './receipts.ts';
import type { Seen } from './seen.ts';

/** Runs with an engine that is made of these sources. */
type WithEngine = <T>(source: Buffer, use: (engine: pg.Pool) => Promise<T>) => Promise<T>;

/** What the logs say of a night. */
interface Logged {
  readonly engine: string;
  readonly result: string;
  /** Of its entry, counted on from log to log. */
  readonly number: number;
  /** See runs. */
  readonly run: number;
}

interface NightFile {
  readonly moves: readonly FileMove[];
  readonly accounts: readonly FileAccount[];
}

interface Figures extends Sealed {
  readonly moves: number;
}

interface Shown {
  readonly results: readonly {
    readonly slot: number;
    readonly outcome: string;
    readonly peaceCount: number;
    readonly warCount: number;
    readonly burnedCents: number;
    readonly occupants: readonly { readonly accountId: string }[];
  }[];
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** Adds to `seen` what was seen and holds. `days`: none for all nights, and those of what is held. `note` says what is no check. `witnesses`: those that must have signed; `logOnly`: looks at no night. */
export async function verifyHill(
  hill: Served,
  days: readonly number[],
  held: Held,
  seen: Seen,
  withEngine: WithEngine,
  say: Say,
  note: (sentence: string) => void,
  { witnesses = [], logOnly = false }: { witnesses?: readonly Verifier[]; logOnly?: boolean } = {},
): Promise<void> {
  const { simulated, logs } = await hill.json<{ simulated: boolean; logs: readonly Listed[] }>('/api/log');
  if (logs.length === 0) return say(false, `${hill.url} has not signed a log.`);
  if (simulated) note('The clock of this hill is simulated: its instants say nothing about those of the world.');
  const missing = Object.keys(seen).filter((origin) => !logs.some((log) => log.origin === origin));
  if (Object.keys(seen).length > 0)
    say(
      missing.length === 0,
      missing.length === 0
        ? 'Each log that was seen before is still shown.'
        : `The log ${missing[0]} was seen before, and is not shown any more.`,
    );
  const [last, ...ended] = logs;
  for (const { origin } of ended) note(`The log ${origin} has ended, and ${last?.origin} goes on in its place: ask the operator why.`);

  const published = logOnly ? [] : await publishedNights(hill);
  const closings = published.flatMap(({ closed }) => (closed ? [closed] : []));
  const closingLogs = new Map<string, ClosingLog>();
  const engines = new Set<string>();
  const nights = new Map<number, Logged[]>();
  const files = new Map<number, string[]>();
  const deposits = new Map<number, Map<string, number>>();
  const announcements = new Map<number, Map<string, { number: number; run: number }>>();
  const receiptKeys = new Set<string>();
  let number = 0;
  // A batch is sorted, announcements last, and is not told from the next one where that goes on in order: a run is one of them or more. Rules 20.3.
  let [run, before] = [0, ''];
  for (const log of [...ended].reverse().concat(last ?? [])) {
    const sizes = closings.filter(({ origin }) => origin === log.origin).map(({ size }) => size);
    const read = await readLog(hill, log, seen, say, (held) => log === last && sayWitnesses(log, held, witnesses, say, note), sizes);
    if (read === null) return note('Without that, no night is compared with the log.');
    closingLogs.set(log.origin, { ...read, before: number });
    for (const entry of read.entries) {
      const [kind, ...words] = entry.split(' ') as [string, ...string[]];
      const [first = '', engine = '', result = ''] = words;
      const day = Number(first);
      number += 1;
      const order = `${Number(kind === 'announcement')} ${entry}`;
      if (order < before) run += 1;
      before = order;
      if (kind === 'deposit') {
        const ofDay = deposits.get(day) ?? new Map<string, number>();
        deposits.set(day, ofDay.set(engine, number));
      } else if (kind === 'announcement') {
        const ofDay = announcements.get(day) ?? new Map<string, { number: number; run: number }>();
        announcements.set(day, ofDay.set(engine, { number, run }));
      } else if (kind === 'receipt-key') receiptKeys.add(first);
      else if (kind === 'engine') engines.add(first);
      else if (kind === 'night') nights.set(day, [...(nights.get(day) ?? []), { engine, result, number, run }]);
      else if (kind === 'file') files.set(day, [...(files.get(day) ?? []), engine]);
    }
  }
  if (logOnly) return;
  const twice = [...nights, ...files].find(([, lines]) => lines.length > 1);
  say(!twice, twice ? `The log says something of night ${twice[0]} more than once.` : 'The log says everything of a night once.');

  // of a day that has any entry, the night is there, too
  const oldest = Math.min(...nights.keys(), ...deposits.keys(), ...announcements.keys());
  const newest = Math.max(...nights.keys());
  const gap = published.find(({ day }) => day >= oldest && day < newest && !nights.has(day));
  const unknown = [...nights.keys()].find((day) => !published.some((night) => night.day === day));
  say(
    !gap && unknown === undefined,
    gap
      ? `Night ${gap.day} is published, and the log has nothing of it.`
      : unknown !== undefined
        ? `The log has night ${unknown}, which is not published.`
        : `The log has a line for each of the ${nights.size} nights since it began, and for no other.`,
  );

  const named = new Set([...days, ...held.receipts.map(({ day }) => day)]);
  const wanted = days.length === 0 ? published : published.filter(({ day }) => named.has(day));
  for (const day of days) if (!published.some((night) => night.day === day)) say(false, `Night ${day} is not published.`);
  const firstDay = Math.min(...deposits.keys());
  const loggedDay = (day: number): LoggedDay | undefined => {
    const night = nights.get(day)?.[0]?.number;
    if (night === undefined || !(day >= firstDay)) return undefined;
    return { deposits: deposits.get(day) ?? new Map(), night, first: day === firstDay };
  };
  const firstAnnounced = Math.min(...announcements.keys());
  const loggedAnnouncements = (day: number): LoggedAnnouncements | undefined => {
    const night = nights.get(day)?.[0];
    if (!night || !(day >= firstAnnounced)) return undefined;
    const ofDay = [...(announcements.get(day) ?? [])];
    return {
      inTime: new Map(ofDay.map(([commitment, at]) => [commitment, at.number < night.number || at.run === night.run])),
      first: day === firstAnnounced,
    };
  };
  const firstClosed = published.find(({ closed }) => closed)?.day ?? null;
  const openings = new Map<number, Openings>();
  const byEngine = Map.groupBy(
    wanted.filter(({ day }) => {
      if (nights.has(day)) return true;
      if (day < oldest) note(`Night ${day} is from before the log.`);
      else if (day > newest) note(`Night ${day} comes into the log with the next quarter hour.`);
      return false;
    }),
    ({ day }) => nights.get(day)?.[0]?.engine as string,
  );
  for (const [engine, ofIt] of byEngine) {
    const source = await orNothing(hill.bytes(`/source/${engine}`));
    const right = source !== null && sha256(source) === engine && engines.has(engine);
    say(
      right,
      right
        ? `The engine ${engine.slice(0, 12)} is in the log, and its sources have that hash.`
        : `The sources of the engine ${engine.slice(0, 12)} are not those that the log names.`,
    );
    const check = async (resolve: (file: Buffer) => Promise<string | null>, verdicts: Verdicts | null) => {
      const one = async (night: Figures): Promise<void> => {
        const { day } = night;
        const file = await checkNight(hill, night, nights.get(day)?.[0] as Logged, files.get(day)?.[0], resolve, say, note);
        const logged = loggedDay(day);
        await checkClosing(
          hill,
          night,
          {
            night: nights.get(day)?.[0]?.number ?? 0,
            deposits: [...(deposits.get(day)?.values() ?? [])],
            first: firstClosed,
            log: closingLogs.get(night.closed?.origin ?? '') ?? null,
            simulated,
          },
          witnesses,
          say,
          note,
        );
        if (!file) return;
        const announced = loggedAnnouncements(day);
        if (announced) await checkAnnouncements(hill, day, file.moves, announced, verdicts, say, note);
        if (!logged) return;
        const found = await checkOpenings(hill, day, file, logged, say, note);
        if (held.receipts.some((receipt) => receipt.day === day)) openings.set(day, found);
      };
      for (const night of ofIt)
        await one(night).catch((error: Error) => {
          if (error instanceof StartError) throw error;
          say(false, `What is shown of night ${night.day} is not there, or not of its form: ${error.message}`);
        });
    };
    if (!right) await check(async () => null, null);
    else await withEngine(source, async (pool) => check((file) => resultOf(pool, file.toString()), await verdictsOf(pool)));
  }
  const logged = {
    ...{ origins: logs.map(({ origin }) => origin), keys: receiptKeys, night: loggedDay },
    deposits: (day: number) => deposits.get(day),
    openings: (day: number) => openings.get(day),
  };
  await checkReceipts(hill, held, logged, say, note);
}

/** Its night file; null if it has none. */
async function checkNight(
  hill: Served,
  { day, moves }: Figures,
  logged: Logged,
  fileHash: string | undefined,
  resolve: (file: Buffer) => Promise<string | null>,
  say: Say,
  note: (sentence: string) => void,
): Promise<NightFile | null> {
  const file = await orNothing(hill.bytes(`/api/day/${day}/night.json`));
  if (!file) {
    say(false, `Night ${day} has no night file.`);
    return null;
  }
  if (fileHash === undefined) note(`The night file of night ${day} is not in the log yet.`);
  else {
    const intact = sha256(file) === fileHash;
    say(intact, `The night file of night ${day} ${intact ? 'has' : 'does not have'} the hash that the log says.`);
  }
  const said = parsed(file);
  const count = said?.moves.length;
  say(
    count === moves,
    `The night file of night ${day} has ${count ?? 'no'} moves${count === moves ? ', as many as the hill says' : `, and the hill says ${moves}`}.`,
  );
  const text = await resolve(file).catch(() => '');
  if (text === null) return said;
  const same = sha256(text) === logged.result;
  say(same, `Night ${day}, resolved again from its night file, ${same ? 'has' : 'does not have'} the result that the log says.`);
  const { results } = await hill.json<Shown>(`/api/day/${day}?limit=1`);
  const shown = results.flatMap(({ slot, outcome, peaceCount, warCount, burnedCents, occupants }) => [
    `place ${slot} ${outcome} ${peaceCount} ${warCount} ${burnedCents}`,
    ...occupants.map(({ accountId }) => `seat ${slot} ${accountId}`),
  ]);
  const resolved = text
    .split('\n')
    .slice(1, -1)
    .map((line) => (line.startsWith('seat ') ? line.split(' ').slice(0, 3).join(' ') : line));
  const told = shown.join('\n') === resolved.join('\n');
  say(told, `What the hill shows of night ${day} ${told ? 'is' : 'is not'} that result.`);
  return said;
}

/** Null for what is no night file. */
function parsed(file: Buffer): NightFile | null {
  try {
    return JSON.parse(file.toString()) as NightFile;
  } catch {
    return null;
  }
}

async function publishedNights(hill: Served): Promise<Figures[]> {
  const all: Figures[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { days: Figures[]; next_cursor: string | null } = await hill.json(`/api/days${cursor ? `?cursor=${cursor}` : ''}`);
    all.push(...page.days);
    cursor = page.next_cursor;
  }
  return all.sort((a, b) => a.day - b.day);
}

const orNothing = (asked: Promise<Buffer>): Promise<Buffer | null> =>
  asked.catch((error) => {
    if (error instanceof Missing) return null;
    throw error;
  });
