// Streams of events to agents: how many may be open, for how long, and who is dropped. Protocol 9.9; decisions 166.
import { once } from 'node:events';
import type http from 'node:http';
import pLimit from 'p-limit';
import { goodbyeMs, Room, streamFields } from '../../http/event-stream.ts';
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
  goodbyeMs,
};

export function streams(limits = most, { checkMs, patienceMs, lifeMs, goodbyeMs } = times): Streams {
  const open = new Map<Opened, { readonly sent: Promise<void>; readonly res: http.ServerResponse }>();
  const room = new Room<'account' | 'address'>('streams', limits);
  let stopping = false;
  // Streams that began together are looked at together: never so many at once that a deposit waits for a connection.
  const inTurn = pLimit(2);

  const send = async (res: http.ServerResponse, { body, end }: Opened, { isLive }: Reader): Promise<void> => {
    const stop = () => void end();
    const checking = setInterval(
      () => void inTurn(isLive).then((live) => live || stop()),
      checkMs * (0.75 + Math.random() / 2), // those that began together drift apart
    ).unref();
    const ageing = setTimeout(stop, lifeMs).unref();
    res.once('close', stop);
    try {
      if (!res.destroyed) res.writeHead(200, streamFields);
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
      const leave = room.enter({ account: reader.account, address: reader.address });
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
      return room.count;
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
