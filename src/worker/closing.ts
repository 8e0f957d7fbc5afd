// worker/closing.ts · before a bell: the day is closed, the log is signed, and witnesses are asked. Rules 20.40 to 20.42.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../process/log.ts';
import type { PublishSettings } from './publish.ts';
import type { WitnessedSettings } from './witnesses.ts';

export type ClosingSettings = PublishSettings & WitnessedSettings;

/** Signs the log and offers it to witnesses, within a time in milliseconds: of all but the database. Throws if nothing could be signed. */
export type Sign = (withinMs: number) => Promise<void>;

/** From the first look to the bell, but for the time of the database. The rest of two seconds is for that. */
export const closingMs = 1_800;
/** Of these, for what was signed before: the answer at the hill's own address, and those of witnesses. */
const askMs = 1_000;

/** What was promised of a day cannot be signed, so its bell waits. */
export class NotSealed extends Error {
  override readonly name = 'NotSealed';

  constructor(day: number, cause: Error) {
    super(
      `The bell of day ${day} waits, because the log cannot be signed: ${cause.message} What was deposited is kept. The address that BASE_URL names has ` +
        'to answer this worker; otherwise staff let the bell ring (docs/runbook.md, closing-not-signed).',
      { cause },
    );
  }
}

/** What it needs is loaded at the first bell that needs it, since no start should wait for it. */
export function signerOf(config: ClosingSettings, db: pg.Pool, log: Logger): Sign {
  const make = async () => {
    const [{ guardedFetcher }, { fetcherSettings }, { logSettings }, { publishLog }, { witnessesOf }] = await Promise.all([
      import('../outside/fetcher/index.ts'),
      import('../outside/fetcher/settings.ts'),
      import('./publish.ts'),
      import('./log.ts'),
      import('./witnesses.ts'),
    ]);
    // Its own: whatever errands fetch at midnight leaves room for this.
    const fetch = guardedFetcher(fetcherSettings(config));
    const witnesses = witnessesOf(config.witnesses, db, fetch, log);
    return { publish: () => publishLog(db, logSettings(config, fetch, log, witnesses, askMs)), witnesses };
  };
  let made: ReturnType<typeof make> | undefined;
  return async (withinMs) => {
    const until = performance.now() + withinMs;
    made ??= make();
    const { publish, witnesses } = await made;
    await publish();
    const left = until - performance.now();
    // They are asked once more on the quarter hour, but for this size only here.
    if (left > 0) await Promise.race([witnesses.offer(left), sleep(left, undefined, { ref: false })]);
  };
}
