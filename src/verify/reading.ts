// verify/reading.ts · what a hill serves, as anybody reads it. Nothing that comes is believed: it is compared with the log.
import { StartError } from '../process/start-error.ts';

/** A night file of a million moves is some 200 MB. */
const timeoutMs = 600_000;

export interface Served {
  readonly url: string;
  bytes(path: string): Promise<Buffer>;
  json<T>(path: string): Promise<T>;
}

/** What is not there throws a Missing. */
export class Missing extends Error {}

export function servedAt(url: string): Served {
  const bytes = async (path: string): Promise<Buffer> => {
    const at = url + path;
    for (;;) {
      const answer = await fetch(at, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => {
        throw new StartError(`${at} cannot be read: ${(error.cause as Error | undefined)?.message ?? error.message}.`);
      });
      if (answer.status === 200) return Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 429) throw new Missing(`${at} answers with ${answer.status}.`);
      const seconds = Number(answer.headers.get('Retry-After') ?? 1);
      await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.min(60, Math.max(1, seconds))));
    }
  };
  return {
    url,
    bytes,
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
