// Waits for what another process or a queue will do in its own time.
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves to the first answer that is not undefined, null or false; rejects if there is none in time. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false>,
  seconds = 120,
): Promise<T> {
  const patience = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() > patience) throw new Error(`not in ${seconds} s: ${what}`);
    await sleep(20);
  }
}
