// What /readyz and npm run doctor say of a hill, in words for the operator. Decisions 119.

/** What is wrong, in words for the operator; null if nothing is. */
export type Verdict = string | null;

/** What the clocks of two machines may differ by: proofs hold for as long. NTP keeps them within milliseconds. */
export const mostApartMs = 60_000;

/** By how much the database's clock is apart from this machine's. It was read at some moment since `asked`. */
export const apartMs = (at: string, asked: number, now = Date.now()): number =>
  Math.max(0, asked - Date.parse(at), Date.parse(at) - now);

/** The words of engine.bell_state, engine.seal_gaps and engine.bell_reserve; of the web's, also about the server. */
export interface HillWords {
  readonly worker: string;
  readonly bell: string;
  readonly books: string;
  /** The worker's alone: a web has nothing to do with it. */
  readonly log?: string;
  readonly seal: readonly string[];
  readonly reserve: string;
  /** The real clock of the database. */
  readonly at: string;
  readonly server?: string;
}

const gaps: Readonly<Record<string, string>> = {
  statistics: "PostgreSQL's statistics tell every login when moves are deposited",
  statements: 'an extension such as pg_stat_statements shows every login how often each statement ran',
};

/** What is open, of engine.seal_gaps, in words; empty if nothing is. */
export const openInWords = (seal: readonly string[]): string => {
  const settings = seal.filter((gap) => !(gap in gaps));
  return [
    ...seal.flatMap((gap) => gaps[gap] ?? []),
    ...(settings.length > 0 ? [`statements may come into PostgreSQL's log, which wants ${settings.join(', ')}`] : []),
  ].join('; ');
};

const sealVerdict = (seal: readonly string[]): Verdict =>
  seal.length === 0 ? null : `The seal is not tight: ${openInWords(seal)}. npm run doctor says what to type.`;

export const reserveVerdict = (reserve: string): Verdict =>
  reserve === 'ok'
    ? null
    : `${reserve === 'none' ? 'PostgreSQL reserves no connections' : "The worker's login may not use reserved connections"}: others can take all of them, and no bell rings. npm run doctor says what to type.`;

export const clockVerdict = (apart: number): Verdict =>
  apart > mostApartMs
    ? `The clock of the database is ${Math.round(apart / 1_000)} seconds apart from that of this machine: no bell rings, and nobody signs in. See docs/runbook.md#clock-stepped.`
    : null;

/** For the operator. `asked`: when this machine asked. */
export const hillVerdicts = (
  { worker, bell, books, log = 'ok', seal, reserve, at, server = 'ok' }: HillWords,
  asked: number,
): Record<string, Verdict> => ({
  worker:
    worker === 'ok'
      ? null
      : worker === 'silent'
        ? 'No worker has been heard of for 30 seconds. Start one, or look into its log.'
        : 'No worker has ever run on this database. Start one: npm run worker.',
  bell:
    bell === 'ok'
      ? null
      : bell === 'unsettled'
        ? 'The last night is published, and for more than two minutes wallets have been left that do not show it. Nobody can spend what it took. The log of the worker says why.'
        : 'The bell is overdue by more than two minutes. The log of the worker says why.',
  books:
    books === 'ok'
      ? null
      : 'Something does not hold that must: the books do not balance, or what is published does not follow from its moves. The console names it. See docs/runbook.md#what-must-hold.',
  log:
    log === 'ok'
      ? null
      : 'What is due of the public log has not been signed for half an hour: the next night may be UNSEALED. See docs/runbook.md#log-not-signed.',
  seal: sealVerdict(seal),
  reserve: reserveVerdict(reserve),
  clock: clockVerdict(apartMs(at, asked)),
  server:
    server === 'ok'
      ? null
      : "PostgreSQL's queue of notifications is filling: a session holds it back. See docs/runbook.md#server-filled.",
});
