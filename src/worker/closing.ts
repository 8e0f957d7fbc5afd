// Before a bell: the day is closed, the log is signed, and witnesses are asked. Rules 20.40 to 20.42.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../process/log.ts';
import { withoutValues } from './failure.ts';
import { NotVouched } from './log-head.ts';
import type { PublishSettings, SharedByLog } from './publish.ts';
import type { WitnessedSettings } from './witnesses.ts';

export type ClosingSettings = PublishSettings & WitnessedSettings;

/**
 * Signs the log and offers it to witnesses, within a time in milliseconds: of all but the database. Throws if nothing
 * could be signed.
 */
export type Sign = (withinMs: number) => Promise<void>;

/** From the first look to the bell, but for the time of the database. The rest of two seconds is for that. */
export const closingMs = 1_800;
/** Of these, for what was signed before: the answer at the hill's own address, and those of witnesses. */
const askMs = 1_000;

/** What was promised of a day cannot be signed, so its bell waits: for as long as trusted.give_up_sealing says. */
export class NotSealed extends Error {
  override readonly name = 'NotSealed';
  /** For trusted.give_up_sealing. */
  readonly reason: string;

  constructor(day: number, error: unknown) {
    const cause = withoutValues(error);
    super(
      `The bell of day ${day} waits, because the log cannot be signed: ${cause.message} What was deposited is kept. The worker tries again, and within two ` +
        'minutes of midnight the bell rings all the same: the night then says UNSEALED (docs/runbook.md, closing-not-signed).',
      { cause },
    );
    this.reason = error instanceof NotVouched ? error.reason : 'unsigned';
  }
}

/** What it needs is loaded at the first bell that needs it, since no start should wait for it. */
export function signerOf(config: ClosingSettings, db: pg.Pool, log: Logger, shared: SharedByLog): Sign {
  const make = async () => {
    const [{ logSettings }, { publishLog }, { witnessesOf, witnessFetcher }] = await Promise.all([
      import('./publish.ts'),
      import('./log.ts'),
      import('./witnesses.ts'),
    ]);
    const witnesses = witnessesOf(config, db, witnessFetcher(config), log);
    return { publish: () => publishLog(db, logSettings(config, db, log, shared, witnesses, { askMs })), witnesses };
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
