// mcp/door/streams.ts · streams of events to agents: how many may be open, for how long, and who is dropped. Protocol 9.9; decisions 166.
import { once } from 'node:events';
import type http from 'node:http';
import pLimit from 'p-limit';
import { rateLimited } from '../../db/errors.ts';
import { outsideRequests } from '../../process/request.ts';

export interface Reader {
  readonly account: string;
  readonly address: string;
  /** Whether its token is still live. */
  isLive(): Promise<boolean>;
}

/** A stream that has begun. */
export interface Opened {
  readonly body: ReadableStream<Uint8Array>;
  /** Says that it is over, and ends it. */
  end(): Promise<void>;
}

export interface Streaming {
  /** Resolves when the stream is over. */
  send(res: http.ServerResponse): Promise<void>;
}

export interface Streams {
  /** Throws a refusal if there is no room. What `open` gives instead of a stream is passed on. */
  begin<T>(reader: Reader, open: () => Promise<Opened | T>): Promise<Streaming | T>;
  readonly count: number;
  readonly stopping: boolean;
  /** Ends all streams, and lets none begin. */
  stop(): Promise<void>;
}

const most = { account: 8, address: 256, process: 4_096 };
const times = {
  /** How often a token is looked at. */
  checkMs: 30_000,
  /** How long a reader may take nothing while there is something for it. Events are few, so little piles up. */
  patienceMs: 30_000,
  /** A stream does not outlive this, however long its token lives. */
  lifeMs: 3_600_000,
  /** How long the last words of a stream may take. */
  goodbyeMs: 5_000,
};

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Content-Type-Options': 'nosniff',
  'X-Accel-Buffering': 'no', // nginx would hold events back
};

/** How long to wait for room: somebody's stream ends when its token expires. */
const retrySeconds = 30;

export function streams(limits = most, { checkMs, patienceMs, lifeMs, goodbyeMs } = times): Streams {
  const open = new Map<Opened, { readonly sent: Promise<void>; readonly res: http.ServerResponse }>();
  const counts = new Map<string, number>();
  let all = 0;
  let stopping = false;
  // Streams that began together are looked at together: never so many at once that a deposit waits for a connection.
  const inTurn = pLimit(2);

  const add = (who: string, n: number) => {
    const count = (counts.get(who) ?? 0) + n;
    if (count === 0) counts.delete(who);
    else counts.set(who, count);
  };

  /** Takes a place for a stream; what it returns gives the place back. */
  const enter = ({ account, address }: Reader): (() => void) => {
    const whose = [`account ${account}`, `address ${address}`] as const;
    const full =
      (counts.get(whose[0]) ?? 0) >= limits.account
        ? `An account may have ${limits.account} streams open.`
        : (counts.get(whose[1]) ?? 0) >= limits.address
          ? `An address may have ${limits.address} streams open.`
          : all >= limits.process
            ? 'This process has as many streams open as it may.'
            : undefined;
    if (full) throw rateLimited(retrySeconds, full);
    for (const who of whose) add(who, 1);
    all += 1;
    return () => {
      for (const who of whose) add(who, -1);
      all -= 1;
    };
  };

  const send = async (res: http.ServerResponse, { body, end }: Opened, { isLive }: Reader): Promise<void> => {
    const stop = () => void end();
    const checking = setInterval(
      () => void inTurn(isLive).then((live) => live || stop()),
      checkMs * (0.75 + Math.random() / 2), // those that began together drift apart
    ).unref();
    const ageing = setTimeout(stop, lifeMs).unref();
    res.once('close', stop);
    try {
      if (!res.destroyed) res.writeHead(200, headers);
      for await (const chunk of body)
        if (!res.write(chunk) && !(await happens(res, 'drain', patienceMs))) {
          res.destroy();
          return;
        }
      res.end();
      if (!res.writableFinished && !(await happens(res, 'finish', goodbyeMs))) res.destroy();
    } finally {
      clearInterval(checking);
      clearTimeout(ageing);
      await end();
    }
  };

  return {
    async begin(reader, begin) {
      const leave = enter(reader);
      let opened: Awaited<ReturnType<typeof begin>>;
      try {
        opened = await begin();
      } catch (thrown) {
        leave();
        throw thrown;
      }
      if (!isStream(opened)) {
        leave();
        return opened;
      }
      const stream = opened;
      return {
        send: (res) =>
          outsideRequests(async () => {
            const sent = send(res, stream, reader).finally(() => {
              leave();
              open.delete(stream);
            });
            open.set(stream, { sent, res });
            if (stopping) await stream.end();
            await sent;
          }),
      };
    },
    get count() {
      return all;
    },
    get stopping() {
      return stopping;
    },
    async stop() {
      stopping = true;
      const sent = [...open.values()].map((one) => one.sent);
      await Promise.all([...open.keys()].map(({ end }) => end()));
      // whoever takes nothing is not waited for
      const late = setTimeout(() => open.forEach(({ res }) => void res.destroy()), goodbyeMs);
      await Promise.allSettled(sent);
      clearTimeout(late);
    },
  };
}

const isStream = (opened: unknown): opened is Opened => (opened as Opened).body instanceof ReadableStream;

/** Whether an event comes in time. It does not if the connection is gone. */
async function happens(res: http.ServerResponse, event: 'drain' | 'finish', ms: number): Promise<boolean> {
  if (res.destroyed) return false;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ms);
  const gone = () => over.abort();
  res.once('close', gone);
  try {
    await once(res, event, { signal: over.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    res.off('close', gone);
  }
}
