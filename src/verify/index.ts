// Holds a hill against its public log: one plain sentence a check. Rules 20.14.
import { text } from '../log/bytes.ts';
import { type Verifier, verifierKey } from '../log/note.ts';
import { StartError } from '../process/start-error.ts';
import { checkAnnouncements, type Verdicts } from './announcements.ts';
import { checkBoards, checkTournaments, type LastBoards, readLastBoards } from './boards.ts';
import { Chain } from './chain.ts';
import { type ClosingLog, checkClosing } from './closings.ts';
import { type Database, EngineEnded, resultOf, verdictsOf } from './engine.ts';
import { Entries } from './entries.ts';
import { checkGrowth } from './growth.ts';
import { checkHandover } from './handovers.ts';
import { checkInstants } from './instants.ts';
import type { KnownLogs } from './known-logs.ts';
import { type Listed, type ReadLog, readHead, readLog, reportWitnesses } from './log.ts';
import { checkNight, type Published, publishedNights, type Resolve, sha256 } from './nights.ts';
import { checkOpenings, type Openings } from './openings.ts';
import type { Policy } from './policy.ts';
import { isOfNoForm, orMissing, type Served } from './reading.ts';
import { checkReceipts, type Held } from './receipts.ts';
import { type Checked, checked, type Say } from './report.ts';

export interface Verification {
  readonly hill: Served;
  /** None for all nights. */
  readonly days: readonly number[];
  /** Receipts; their nights are checked, too. */
  readonly held: Held;
  /** What is seen and holds is added. */
  readonly seen: KnownLogs;
  /** Runs with an engine that is made of these sources. */
  withEngine<T>(source: Uint8Array, use: (engine: Database) => Promise<T>): Promise<T>;
  /**
   * Runs with the verifier's own release, as a superuser, in a database without nights. Without it none is followed.
   */
  readonly withRelease?: (<T>(use: (release: Database) => Promise<T>) => Promise<T>) | undefined;
  readonly say: Say;
  /** Says what is no check. */
  note(sentence: string): void;
  /** Those that must have signed. */
  readonly witnesses?: readonly Verifier[];
  /** How many of which must have. */
  readonly policy?: Policy;
  /** How late witnesses may have seen a closing. */
  readonly lateSeconds?: number;
  /** The key of a log, whose name it has, as the reader got it elsewhere. */
  readonly pinned?: Verifier;
  /** Takes a log that the one before it has not handed over: the operator has said why. */
  readonly acceptGeneration?: boolean;
  /** Looks at no night. */
  readonly logOnly?: boolean;
  /** Hears what is being done, and how many of the nights to check are done. */
  progress?(doing: string, done: number, all: number): void;
}

/** All that is known when a night is checked. */
interface Known {
  readonly to: Checked;
  readonly asked: Verification;
  readonly simulated: boolean;
  readonly entries: Entries;
  readonly logs: ReadonlyMap<string, ClosingLog>;
  /** The first day that was closed; null if none was. */
  readonly firstClosed: number | null;
  /** Of nights of which a receipt is held. */
  readonly openings: Map<number, Openings>;
  readonly chain: Chain | null;
}

export const verifyHill = (asked: Verification): Promise<void> =>
  verify(asked).catch((error: unknown) => {
    if (!isOfNoForm(error)) throw error;
    throw new StartError(`What ${asked.hill.url} shows is not of its form.`, { cause: error });
  });

async function verify(asked: Verification): Promise<void> {
  const { hill, say, note, held, logOnly = false, progress } = asked;
  const to = checked(hill, say, note);
  const { simulated, logs } = await hill.json<{ simulated: boolean; logs: readonly Listed[] }>('/api/log');
  if (logs.length === 0) return say(false, `${hill.url} has not signed a log.`);
  if (simulated) note('The clock of this hill is simulated: its instants say nothing about those of the world.');
  checkKnownLogs(to, logs, asked);

  const whole = !logOnly && asked.days.length === 0;
  const last = whole ? await readLastBoards(hill) : null;
  const published = logOnly ? [] : await publishedNights(hill);
  const entries = new Entries();
  progress?.('Reading the log', 0, 0);
  const read = await readLogs(to, asked, logs, published, entries);
  if (read === null) return note('Without that, no night is compared with the log.');
  if (logOnly) return;
  checkNightsLogged(to, published, entries);
  const firstClosed = published.find(({ closed }) => closed)?.day ?? null;
  const openings = new Map<number, Openings>();
  const nights = nightsToCheck(to, asked, entries, published);
  const checkAll = async (chain: Chain | null) => {
    const known: Known = { to, asked, simulated, entries, logs: read, firstClosed, openings, chain };
    let done = 0;
    for (const [engine, ofIt] of Map.groupBy(nights, ({ day }) => entries.night(day)?.engine as string)) {
      progress?.(`Building the engine ${engine.slice(0, 12)}`, done, nights.length);
      await checkEngine(known, engine, ofIt, ({ day }) => progress?.(`Checking night ${day}`, done++, nights.length));
    }
    await followNights(known, published, nights, last);
  };
  if (nights.length > 0) await (asked.withRelease?.((release) => Chain.with(to, release, checkAll)) ?? checkAll(null));
  await checkReceipts(to, held, {
    origins: logs.map(({ origin }) => origin),
    keys: entries.receiptKeys,
    deposits: (day) => entries.deposits.get(day),
    night: (day) => entries.openings(day),
    openings: (day) => openings.get(day),
  });
}

function checkKnownLogs({ check }: Checked, logs: readonly Listed[], { seen, pinned }: Verification): void {
  const missing = Object.keys(seen).filter((origin) => !logs.some((log) => log.origin === origin));
  if (Object.keys(seen).length > 0)
    check(
      missing.length === 0,
      'Each log that was seen before is still shown.',
      `The log ${missing[0]} was seen before, and is not shown any more.`,
    );
  if (!pinned) return;
  const before = seen[pinned.name]?.key;
  check(
    logs.some(({ origin }) => origin === pinned.name) && (before === undefined || before === verifierKey(pinned)),
    `The log ${pinned.name} is shown, whose key was given.`,
    before !== undefined && before !== verifierKey(pinned)
      ? `The key that was given for ${pinned.name} is not the one that was seen before.`
      : `The log ${pinned.name}, whose key was given, is not shown.`,
  );
}

/** Adds the entries of each, from the first log on. Null if one is not signed by its key. */
async function readLogs(
  to: Checked,
  asked: Verification,
  logs: readonly Listed[],
  published: readonly Published[],
  entries: Entries,
): Promise<Map<string, ClosingLog> | null> {
  const { seen, witnesses = [], pinned } = asked;
  const [last] = logs;
  const all = new Map<string, ClosingLog>();
  let before: Pick<ReadLog, 'key' | 'head'> | undefined;
  for (const log of [...logs].reverse()) {
    const accepted = asked.acceptGeneration === true || seen[log.origin] !== undefined;
    const sizes = published.flatMap(({ closed }) => (closed?.origin === log.origin ? [closed.size] : []));
    const head = await readHead(to, log, seen, pinned?.name === log.origin ? pinned : undefined);
    if (head === null) return null;
    if (log === last) reportWitnesses(to, log, head.held, witnesses, asked.policy);
    if (asked.logOnly && head.known) {
      await checkGrowth(to, head, seen);
      before = { key: head.key, head: head.held };
      continue;
    }
    const read = await readLog(to, head, seen, sizes);
    if (before) checkHandover(to, before, read, log, accepted);
    before = read;
    all.set(log.origin, { ...read, before: entries.size });
    for (const entry of read.entries) entries.add(entry);
  }
  return all;
}

function checkNightsLogged(
  { check }: Checked,
  published: readonly Published[],
  { nights, files, seals, days }: Entries,
): void {
  const twice = [...nights, ...files, ...seals].find(([, lines]) => lines.length > 1);
  check(
    !twice,
    'The log says everything of a night once.',
    `The log says something of night ${twice?.[0]} more than once.`,
  );
  // of a day that has any entry, the night is there, too
  const gap = published.find(({ day }) => day >= days.oldest && day < days.newest && !nights.has(day));
  const unknown = [...nights.keys()].find((day) => !published.some((night) => night.day === day));
  check(
    !gap && unknown === undefined,
    `The log has a line for each of the ${nights.size} nights since it began, and for no other.`,
    gap
      ? `Night ${gap.day} is published, and the log has nothing of it.`
      : `The log has night ${unknown}, which is not published.`,
  );
}

/** That a hill says of how a night was sealed what it said before, and adds what it says. */
function checkRemembered({ check }: Checked, { day, closed, unsealed }: Published, seen: KnownLogs): void {
  const says = closed ? `closed ${closed.origin} ${closed.size}` : unsealed ? 'unsealed' : 'open';
  const [origin, log] = Object.entries(seen).find(([, { nights }]) => nights?.[day] !== undefined) ?? [];
  const before = log?.nights?.[day];
  if (before !== undefined)
    check(
      before === says,
      `How night ${day} was sealed is what it was when it was seen before.`,
      `Night ${day} was ${before} when it was seen before, and is ${says} now.`,
    );
  const last = origin ?? closed?.origin ?? Object.keys(seen).at(-1);
  const kept = last === undefined ? undefined : seen[last];
  if (last !== undefined && kept && before === undefined && (closed || unsealed))
    seen[last] = { ...kept, nights: { ...kept.nights, [day]: says } };
}

/** The nights that are asked for, and are in the log. */
function nightsToCheck(
  to: Checked,
  { days, held, say }: Verification,
  entries: Entries,
  published: readonly Published[],
): Published[] {
  const named = new Set([...days, ...held.receipts.map(({ day }) => day)]);
  const wanted = days.length === 0 ? published : published.filter(({ day }) => named.has(day));
  for (const day of days)
    if (!published.some((night) => night.day === day)) say(false, `Night ${day} is not published.`);
  const { oldest, newest } = entries.days;
  return wanted.filter(({ day }) => {
    if (entries.nights.has(day)) return true;
    if (day < oldest && Number.isFinite(oldest)) to.note(`Night ${day} is from before the log.`);
    else if (day > newest) to.note(`Night ${day} comes into the log with the next quarter hour.`);
    return false;
  });
}

/** Those that the log does not have belong to it, too. */
async function followNights(
  { to, asked: { hill }, chain }: Known,
  published: readonly Published[],
  checked: readonly Published[],
  last: LastBoards | null,
): Promise<void> {
  if (last === null || chain === null)
    return to.note('Whether nights follow from those before them is checked where no night is named.');
  for (const { day } of published.filter((night) => !checked.includes(night))) {
    const file = await orMissing(hill.bytes(`/api/day/${day}/night.json`));
    if (file) await chain.keep(day, text(file), null);
    await readAnnouncements(hill, day);
  }
  await chain.follow((day) => checkBoards(to, chain, day, last));
  await checkTournaments(to, chain, published.at(-1)?.day ?? 0);
}

/** Of which the log has nothing: an archive has them all the same, for strategies that are tested on it. */
const readAnnouncements = (hill: Served, day: number) => orMissing(hill.bytes(`/api/day/${day}/announcements.ndjson`));

/** The nights that one engine has resolved. */
async function checkEngine(
  known: Known,
  engine: string,
  nights: readonly Published[],
  begins: (night: Published) => void,
): Promise<void> {
  const { to, asked, entries } = known;
  const source = await orMissing(to.hill.bytes(`/source/${engine}`));
  const right = source !== null && sha256(source) === engine && entries.engines.has(engine);
  to.check(
    right,
    `The engine ${engine.slice(0, 12)} is in the log, and its sources have that hash.`,
    `The sources of the engine ${engine.slice(0, 12)} are not those that the log names.`,
  );
  const all = async (resolve: Resolve, verdicts: Verdicts | null) => {
    for (const night of nights) {
      begins(night);
      await checkOne(known, night, resolve, verdicts).catch((error: Error) => {
        if (error instanceof StartError) throw error;
        const why = isOfNoForm(error) ? '.' : `: ${error.message}`;
        asked.say(false, `What is shown of night ${night.day} is not there, or not of its form${why}`);
      });
    }
  };
  const unresolved = () => all(async () => null, null);
  if (!right) return unresolved();
  try {
    await asked.withEngine(source, async (database) =>
      all((file) => resultOf(database, text(file)), await verdictsOf(database)),
    );
  } catch (error) {
    if (!(error instanceof EngineEnded)) throw error;
    asked.say(false, `The engine ${engine.slice(0, 12)} resolves no night: ${error.message}`);
    await unresolved();
  }
}

async function checkOne(known: Known, night: Published, resolve: Resolve, verdicts: Verdicts | null): Promise<void> {
  const { to, asked, simulated, entries, logs, firstClosed, openings, chain } = known;
  const { day } = night;
  const logged = entries.night(day);
  const file = await checkNight(to, night, logged?.result, entries.files.get(day)?.[0], async (bytes) => {
    const resolving = resolve(bytes);
    const result = await resolving.catch((error: unknown) => (error instanceof EngineEnded ? null : ''));
    await chain?.keep(day, text(bytes), result);
    return result === null ? resolving : result;
  });
  const { policy, lateSeconds } = asked;
  const witnessing = {
    trusted: asked.witnesses ?? [],
    ...(policy ? { policy } : {}),
    ...(lateSeconds === undefined ? {} : { lateSeconds }),
  };
  checkRemembered(to, night, asked.seen);
  await checkClosing(to, night, witnessing, {
    night: logged?.number ?? 0,
    deposits: [...(entries.deposits.get(day)?.values() ?? [])],
    first: firstClosed,
    log: logs.get(night.closed?.origin ?? '') ?? null,
    seal: entries.seals.get(day)?.[0],
    firstSeal: Math.min(...entries.seals.keys()),
    simulated,
  });
  if (!file) return;
  const announced = entries.announcements(day);
  if (announced) await checkAnnouncements(to, day, file.moves, announced, verdicts);
  else await readAnnouncements(to.hill, day);
  const deposits = entries.openings(day);
  if (!deposits) return;
  const found = await checkOpenings(to, day, file, deposits);
  checkInstants(to, day, found.instants, entries.runs);
  if (asked.held.receipts.some((receipt) => receipt.day === day)) openings.set(day, found);
}
