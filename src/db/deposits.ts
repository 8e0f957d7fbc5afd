// Deposits travel together: those that arrive while others are under way wait, and then go as one statement. Decisions
// 270-272.
import type pg from 'pg';
import { outsideRequests } from '../process/request.ts';
import { depositRoom } from './budget.ts';
import { type Failure, fromDatabase, isLost, noText, Refusal, returnedRefusal, wasUndone } from './errors.ts';
import { dropSilent } from './pool.ts';
import { rule } from './rules.ts';
import { isText } from './text.ts';

/** What an agent deposits. */
export interface Move {
  readonly slot: number;
  readonly move: string;
  readonly stake_cents?: number | undefined;
  readonly message?: string | undefined;
  readonly day?: number | undefined;
}

/** A move with the access token of its agent. */
interface SentMove extends Move {
  readonly token: string;
}

/**
 * Deposits a move and gives the receipt. Throws a Refusal or a Failure. `account` is that of the token; SQL finds it
 * for itself.
 */
export type DepositMove = <T>(account: string, token: string, move: Move) => Promise<T>;

interface Deposit extends SentMove {
  readonly account: string;
  readonly answer: (receipt: never) => void;
  readonly refuse: (error: Refusal | Failure) => void;
  /** Since when it waits to be sent, and when it was sent first, by performance.now(). */
  since: number;
  sentAt?: number;
  /** What came of it is not known, or was undone. */
  failed?: true;
}

/** Connections, and what waits for one of them. */
interface Lanes {
  readonly width: number;
  /** In one statement. */
  readonly most: number;
  used: number;
  /** One at a time asks the pool for a connection: when it has one, it takes all that waits by then. */
  connecting: boolean;
  queue: Deposit[];
}

/** A process's way into the database for deposits. `lanes`: how many statements it sends at a time. */
export function deposits(db: pg.Pool, lanes: number): DepositMove {
  const room = depositRoom(db.options.max, lanes);
  const main: Lanes = { width: room.lanes, most: rule('batch_calls'), used: 0, connecting: false, queue: [] };
  /** Here they go one by one, and wait for their account: those that found it busy, and those that failed. */
  const aside: Lanes = { width: room.aside, most: 1, used: 0, connecting: false, queue: [] };
  /** By account: its next deposit waits for what comes of this one. */
  const underWay = new Map<string, Deposit>();
  const mayGo = (deposit: Deposit) => (underWay.get(deposit.account) ?? deposit) === deposit;
  /** Of a wait, as for any connection: db/client.ts. */
  const longestMs = db.options.connectionTimeoutMillis || Number.POSITIVE_INFINITY;

  function go(): void {
    for (const way of [main, aside])
      if (!way.connecting && way.used < way.width && way.queue.some(mayGo)) outsideRequests(() => void travel(way));
  }

  /** Takes a connection and sends until nothing is left. */
  async function travel(way: Lanes): Promise<void> {
    way.used += 1;
    way.connecting = true;
    const asked = performance.now();
    const connection = await db.connect().catch((error: unknown) => giveUp(way, asked, error));
    way.connecting = false;

    let failed: Error | undefined;
    while (connection && !failed) {
      giveUp(way, performance.now() - longestMs, new Error('no lane was free in time'));
      const batch = take(way);
      if (batch.length === 0) break;
      go(); // what is left finds another lane
      failed = await send(connection, way, batch);
    }
    connection?.release(failed);
    way.used -= 1;
    go();
  }

  /** A fair share: who was answered together comes again together, and would leave the other lanes empty. */
  function take(way: Lanes): Deposit[] {
    const batch: Deposit[] = [];
    const share = Math.ceil(way.queue.length / (way.width - way.used + 1));
    way.queue = way.queue.filter((deposit) => {
      if (batch.length === Math.min(share, way.most) || !mayGo(deposit)) return true;
      underWay.set(deposit.account, deposit);
      batch.push(deposit);
      return false;
    });
    return batch;
  }

  /**
   * Answers each of a batch, or puts it aside to be sent again. The error after which a connection is not used again,
   * if there was one.
   */
  async function send(connection: pg.PoolClient, way: Lanes, batch: readonly Deposit[]): Promise<Error | undefined> {
    const now = performance.now();
    for (const deposit of batch) deposit.sentAt ??= now;
    try {
      const answers = await sendMoves(
        connection,
        batch,
        way === aside ? (now - (batch[0]?.sentAt as number)) / 1_000 : undefined,
      );
      for (const [i, deposit] of batch.entries()) settle(deposit, answers[i] as Record<string, unknown>);
      return undefined;
    } catch (thrown) {
      const error = fromDatabase(thrown);
      if (isLost(error)) await dropSilent(db);
      // Whatever it was, it may be another's fault. One that was by itself is sent again for a reason that has passed,
      // as any call is; or if it may have been done.
      const again = batch.length > 1 || isLost(error) || wasUndone(thrown);
      for (const deposit of batch) {
        if (!again || deposit.failed) end(deposit, () => deposit.refuse(error));
        else setAside(Object.assign(deposit, { failed: true }));
      }
      return error instanceof Refusal ? undefined : error;
    }
  }

  function settle(deposit: Deposit, answer: Record<string, unknown>): void {
    if (answer.busy) {
      setAside(deposit);
      return;
    }
    const refusal = returnedRefusal(answer);
    end(deposit, () => (refusal ? deposit.refuse(refusal) : deposit.answer(answer as never)));
  }

  function setAside(deposit: Deposit): void {
    deposit.since = performance.now();
    aside.queue.push(deposit);
  }

  /** Refuses what waits since a time, or longer. Who waits is in the order of the time. */
  function giveUp(way: Lanes, time: number, error: unknown): undefined {
    const inTime = way.queue.findIndex(({ since }) => since > time);
    for (const deposit of way.queue.splice(0, inTime < 0 ? way.queue.length : inTime))
      end(deposit, () => deposit.refuse(fromDatabase(error)));
  }

  function end(deposit: Deposit, answer: () => void): void {
    if (underWay.get(deposit.account) === deposit) underWay.delete(deposit.account);
    answer();
  }

  return (account, token, move) =>
    new Promise((answer, refuse) => {
      // A text that PostgreSQL cannot store would fail all that it travels with.
      if (![token, move.move, move.message ?? ''].every(isText)) throw noText();
      main.queue.push({ ...move, account, token, answer, refuse, since: performance.now() });
      go();
    });
}

/**
 * Deposits moves in one statement. None waits for its account, except one that is sent again by itself:
 * `sentSecondsAgo` then says for which day it was meant, which must not become the next one. Each answer is a receipt,
 * a refusal, or that the account is busy. Throws what the driver throws: whoever has the connection gives it up.
 */
async function sendMoves(
  connection: pg.ClientBase,
  moves: readonly SentMove[],
  sentSecondsAgo?: number,
): Promise<readonly unknown[]> {
  const columns = [
    moves.map(({ token }) => token),
    moves.map(({ slot }) => slot),
    moves.map(({ move }) => move),
    moves.map(({ stake_cents }) => stake_cents),
    moves.map(({ message }) => message),
    moves.map(({ day }) => day),
  ];
  if (moves.length > 1) {
    const { rows } = await connection.query<{ answer: unknown[] }>({
      name: 'play_many',
      text: playMany,
      values: columns,
    });
    return rows[0]?.answer as unknown[];
  }
  const values = columns.map(([value]) => value);
  const { rows } = await connection.query<{ answer: unknown }>(
    sentSecondsAgo === undefined
      ? { name: 'play', text: play, values }
      : { text: playAgain, values: [...values, sentSecondsAgo] }, // without a name, as in db/call.ts
  );
  return rows.map(({ answer }) => answer);
}

const aMove = 'token => $1, slot => $2, move => $3, stake_cents => $4, message => $5';
const play = `select api_agent.play(${aMove}, day => $6, waits => false) as answer`;
const playAgain = `select api_agent.play(${aMove}, day => coalesce($6, api_public.day_ago($7))) as answer`;
const playMany =
  'select api_agent.play_many(tokens => $1, slots => $2, moves => $3, stakes => $4, messages => $5, days => $6) as answer';
