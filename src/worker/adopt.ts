// npm run worker -- --adopt: the operator says that this database goes on from all that was signed of the log. Rules
// 20.7.
import type pg from 'pg';
import { parseCheckpoint } from '../log/checkpoint.ts';
import type { Logger } from '../process/log.ts';
import { messageOf, StartError } from '../process/start-error.ts';
import type { ClosingSettings } from './closing.ts';
import { publishLog } from './log.ts';
import { logSettings, type SharedByLog } from './publish.ts';
import { witnessesOf, witnessFetcher } from './witnesses.ts';

/** Whether a command was given --adopt. Throws a StartError for any other word. */
export function wantsAdoption(args: readonly string[]): boolean {
  const strange = args.find((arg) => arg !== '--adopt');
  if (strange !== undefined) throw new StartError(`"${strange}" is not understood here. The only option is --adopt.`);
  return args.length > 0;
}

/**
 * Signs once, whatever was lost: what is known of it is named by the log that begins. From then on the file names this
 * database.
 */
export async function adoptLog(config: ClosingSettings, db: pg.Pool, log: Logger, shared: SharedByLog): Promise<void> {
  const witnesses = witnessesOf(config, db, witnessFetcher(config), log);
  try {
    const { origin, size } = parseCheckpoint(
      await publishLog(db, logSettings(config, db, log, shared, witnesses, { adopt: true })),
    );
    log.warn(
      `this database is adopted: the log ${origin} goes on from ${size} entries. Start without --adopt from now on`,
    );
  } catch (error) {
    throw new StartError(`The log could not be adopted, and nothing was signed: ${messageOf(error)}`, { cause: error });
  }
}
