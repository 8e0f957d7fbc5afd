// Whether sql/harden.sql was run in the database, by the version that is installed.
import type { Logger } from '../process/log.ts';
import type { Place } from './connect.ts';
import { callAsOwner } from './open-hill.ts';

/** See engine.seal_gaps, as the owner's session has it. */
export function sealGaps(owner: Place): Promise<string[]> {
  return callAsOwner<string[]>(owner, 'engine.seal_gaps', {});
}

/** A managed database may give nobody the right to close them: it serves all the same. */
export async function warnOfOpenStatistics(owner: Place, log: Logger): Promise<void> {
  const gaps = await sealGaps(owner);
  if (gaps.includes('statistics') || gaps.includes('statements'))
    log.warn(
      "PostgreSQL's statistics tell every login when moves are deposited: run sql/harden.sql as a superuser (docs/operations.md)",
    );
  const settings = gaps.filter((gap) => gap.includes('='));
  if (settings.length > 0)
    log.warn(`sealed moves may come into PostgreSQL's log: set ${settings.join(', ')} (docs/operations.md)`);
}
