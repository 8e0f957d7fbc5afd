// What a hill serves, as anybody reads it. Nothing that comes is believed: it is compared with the log.
import { concat, text } from '../log/bytes.ts';
import { StartError } from '../process/start-error.ts';

/** A night file of a million moves is some 200 MB. */
const timeoutMs = 600_000;

export interface Served {
  readonly url: string;
  bytes(path: string): Promise<Uint8Array>;
  /** One after the other, as they come: a list of a large night is longer than a string can be. */
  lines(path: string): AsyncIterable<string>;
  json<T>(path: string): Promise<T>;
}

/** What is not there throws a Missing. */
export class Missing extends Error {}

/** What JavaScript throws where a value is not of its form: in words that each engine has of its own. */
export const isOfNoForm = (error: unknown): boolean => error instanceof TypeError || error instanceof SyntaxError;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** In milliseconds. Throws at forms that some engines of JavaScript read and others do not. */
export function instantOf(text: string): number {
  const at = instant.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new TypeError('not an instant');
  return at;
}

/** Null for what is not there. */
export const orMissing = (asked: Promise<Uint8Array>): Promise<Uint8Array | null> =>
  asked.catch((error) => {
    if (error instanceof Missing) return null;
    throw error;
  });

/** Whatever answers. A path begins with a slash, and has the query behind it. */
export type Ask = (path: string) => Promise<AsyncIterable<Uint8Array>>;

export function reading(url: string, ask: Ask): Served {
  const bytes = async (path: string): Promise<Uint8Array> => {
    const parts: Uint8Array[] = [];
    for await (const part of await ask(path)) parts.push(part);
    return concat(...parts);
  };
  return {
    url,
    bytes,
    async *lines(path) {
      yield* linesOf(await ask(path));
    },
    async json(path) {
      const body = text(await bytes(path));
      try {
        return JSON.parse(body);
      } catch {
        throw new StartError(`${url}${path} is not JSON.`);
      }
    },
  };
}

async function* linesOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const part of parts) {
    const lines = (begun + decoder.decode(part, { stream: true })).split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  begun += decoder.decode();
  if (begun !== '') yield begun;
}

/** Over the network. */
export function askAt(url: string): Ask {
  return async (path) => {
    const at = url + path;
    const failed = (error: Error): never => {
      throw new StartError(`${at} cannot be read: ${(error.cause as Error | undefined)?.message ?? error.message}.`);
    };
    for (;;) {
      const answer = await fetch(at, { signal: AbortSignal.timeout(timeoutMs) }).catch(failed);
      if (answer.status === 200) return partsOf(answer, failed);
      if (answer.status !== 429) throw new Missing(`${at} answers with ${answer.status}.`);
      const seconds = Number(answer.headers.get('Retry-After') ?? 1);
      await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.min(60, Math.max(1, seconds))));
    }
  };
}

/** A body is not iterable in every browser. */
async function* partsOf({ body }: Response, failed: (error: Error) => never): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  const next = () => reader?.read().catch(failed);
  try {
    for (let read = await next(); read && !read.done; read = await next()) yield read.value;
  } finally {
    await reader?.cancel().catch(failed); // of what broke off this fails, too
  }
}

export const servedAt = (url: string): Served => reading(url, askAt(url));
