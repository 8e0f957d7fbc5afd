// One text to many open answers: written once, sent to all, and no timer for each of them. Decisions 261.
import type http from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { outsideRequests } from '../process/request.ts';
import { goodbyeMs, heartbeatMs } from './event-stream.ts';

interface Listener {
  readonly res: http.ServerResponse;
  /** What was sent while the listener got what came before; null when it hears everything as it comes. */
  held: Buffer[] | null;
  /** At how many heartbeats in a row something was left that it had not taken. */
  stuck: number;
}

const times = { heartbeatMs, goodbyeMs };
/** A listener that is so far behind is cut off: events are few, so it has not read for long. */
const mostBehind = 262_144;
/** The same for one that takes nothing from one heartbeat to the next but one. */
const mostStuck = 2;
/** So many are written to before other work gets its turn: some milliseconds. */
const atOnce = 250;
/** A comment: whoever parses the stream skips it. */
const heartbeat = Buffer.from(':\n\n');

export class Broadcast {
  readonly #listeners = new Set<Listener>();
  readonly #times: typeof times;
  readonly #beating: NodeJS.Timeout;
  /** The texts go out one after the other. */
  #last = Promise.resolve();
  stopping = false;

  constructor(onHeartbeat: () => void, given = times) {
    this.#times = given;
    this.#beating = setInterval(() => {
      this.#send(heartbeat, true);
      onHeartbeat();
    }, given.heartbeatMs).unref();
  }

  get count(): number {
    return this.#listeners.size;
  }

  /** From now on everything is sent to this answer, once the listener has begun. Its header fields have to be set. */
  join(res: http.ServerResponse): { begin(text: string): void } {
    const listener: Listener = { res, held: [], stuck: 0 };
    this.#listeners.add(listener);
    res.once('close', () => this.#listeners.delete(listener));
    return {
      begin: (text) => {
        const { held } = listener;
        listener.held = null;
        if (res.destroyed) return;
        res.write(Buffer.concat([Buffer.from(text), ...(held ?? [])]));
        if (this.stopping) res.end();
      },
    };
  }

  send(text: string): void {
    this.#send(Buffer.from(text), false);
  }

  /** Ends all answers. Whoever takes nothing is not waited for. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.#beating);
    await this.#last;
    const ended = [...this.#listeners].map(
      ({ res, held }) =>
        new Promise<void>((resolve) => {
          res.once('close', () => resolve());
          if (held === null) res.end();
        }),
    );
    const late = setTimeout(() => {
      for (const { res } of this.#listeners) res.destroy();
    }, this.#times.goodbyeMs);
    await Promise.all(ended);
    clearTimeout(late);
  }

  #send(bytes: Buffer, beat: boolean): void {
    // Those who listen now. Whoever joins while this is sent knows of it already.
    const to: Listener[] = [];
    for (const listener of this.#listeners)
      if (listener.held === null) to.push(listener);
      else if (!beat) listener.held.push(bytes);
    if (to.length === 0) return;
    this.#last = outsideRequests(() => this.#last.then(() => sendAll(bytes, to, beat)));
  }
}

async function sendAll(bytes: Buffer, to: readonly Listener[], beat: boolean): Promise<void> {
  for (const [i, listener] of to.entries()) {
    if (i % atOnce === atOnce - 1) await turn();
    const { res } = listener;
    if (res.destroyed || res.writableEnded) continue;
    if (beat) listener.stuck = res.writableLength > 0 ? listener.stuck + 1 : 0;
    if (listener.stuck >= mostStuck || res.writableLength > mostBehind) res.destroy();
    else res.write(bytes);
  }
}
