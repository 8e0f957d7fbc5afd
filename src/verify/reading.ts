// What a hill serves, as anybody reads it. Nothing that comes is believed: it is compared with the log.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { StartError } from '../process/start-error.ts';

/** A night file of a million moves is some 200 MB. */
const timeoutMs = 600_000;

export interface Served {
  readonly url: string;
  bytes(path: string): Promise<Buffer>;
  /** One after the other, as they come: a list of a large night is longer than a string can be. */
  lines(path: string): AsyncIterable<string>;
  json<T>(path: string): Promise<T>;
}

/** What is not there throws a Missing. */
export class Missing extends Error {}

/** Null for what is not there. */
export const orMissing = (asked: Promise<Buffer>): Promise<Buffer | null> =>
  asked.catch((error) => {
    if (error instanceof Missing) return null;
    throw error;
  });

/** Whatever answers. A path begins with a slash, and has the query behind it. */
export type Ask = (path: string) => Promise<Readable>;

export function reading(url: string, ask: Ask): Served {
  const bytes = async (path: string): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for await (const part of await ask(path)) parts.push(part as Buffer);
    return Buffer.concat(parts);
  };
  return {
    url,
    bytes,
    async *lines(path) {
      yield* createInterface({ input: await ask(path), crlfDelay: Number.POSITIVE_INFINITY });
    },
    async json(path) {
      const text = (await bytes(path)).toString();
      try {
        return JSON.parse(text);
      } catch {
        throw new StartError(`${url}${path} is not JSON.`);
      }
    },
  };
}

/** Over the network. */
export function askAt(url: string): Ask {
  return async (path) => {
    const at = url + path;
    for (;;) {
      const answer = await fetch(at, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => {
        throw new StartError(`${at} cannot be read: ${(error.cause as Error | undefined)?.message ?? error.message}.`);
      });
      if (answer.status === 200) return answer.body ? Readable.fromWeb(answer.body) : Readable.from([]);
      if (answer.status !== 429) throw new Missing(`${at} answers with ${answer.status}.`);
      const seconds = Number(answer.headers.get('Retry-After') ?? 1);
      await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.min(60, Math.max(1, seconds))));
    }
  };
}

export const servedAt = (url: string): Served => reading(url, askAt(url));
