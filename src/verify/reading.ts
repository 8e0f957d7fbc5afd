// verify/reading.ts · what a hill serves, as anybody reads it. Nothing that comes is believed: it is compared with the log.
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

export function servedAt(url: string): Served {
  const ask = async (path: string): Promise<Response> => {
    const at = url + path;
    for (;;) {
      const answer = await fetch(at, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => {
        throw new StartError(`${at} cannot be read: ${(error.cause as Error | undefined)?.message ?? error.message}.`);
      });
      if (answer.status === 200) return answer;
      if (answer.status !== 429) throw new Missing(`${at} answers with ${answer.status}.`);
      const seconds = Number(answer.headers.get('Retry-After') ?? 1);
      await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.min(60, Math.max(1, seconds))));
    }
  };
  const bytes = async (path: string): Promise<Buffer> => Buffer.from(await (await ask(path)).arrayBuffer());
  return {
    url,
    bytes,
    async *lines(path) {
      const { body } = await ask(path);
      if (body)
        for await (const line of createInterface({ input: Readable.fromWeb(body), crlfDelay: Number.POSITIVE_INFINITY })) yield line;
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
