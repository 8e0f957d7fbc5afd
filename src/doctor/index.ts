// Looks at everything that a hill needs of its surroundings, and says what is wrong and what to type.
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../process/start-error.ts';
import { type Check, type Finding, type State, subjects, Unseen } from './check.ts';
import { backup } from './checks/backup.ts';
import { bell } from './checks/bell.ts';
import { connections } from './checks/connections.ts';
import { database } from './checks/database.ts';
import { log } from './checks/log.ts';
import { machine } from './checks/machine.ts';
import { outside } from './checks/outside.ts';
import { processes } from './checks/processes.ts';
import { roles } from './checks/roles.ts';
import { seal } from './checks/seal.ts';
import { secrets } from './checks/secrets.ts';
import type { Sight } from './sight.ts';

export { type Sight, withSight } from './sight.ts';

export const checks: readonly Check[] = [
  database,
  seal,
  roles,
  connections,
  bell,
  log,
  secrets,
  outside,
  backup,
  machine,
  processes,
].flat();

export interface Found {
  readonly code: string;
  readonly subject: (typeof subjects)[number];
  readonly state: State;
  readonly says: string;
  /** What to type; null where all is well. */
  readonly type: string | null;
}

/** Longer than any look by itself. */
const patienceMs = 20_000;

export async function examine(sight: Sight, all: readonly Check[] = checks): Promise<Found[]> {
  const found = await Promise.all(
    all.map(async ({ code, look, type }): Promise<Found> => {
      const finding = await inTime(async () => look(sight));
      const subject = code.split('.')[0] as (typeof subjects)[number];
      const wrong = finding.state === 'warn' || finding.state === 'FAIL';
      return { code, subject, state: finding.state, says: finding.says, type: wrong ? (finding.type ?? type) : null };
    }),
  );
  const place = ({ subject }: Found) => subjects.indexOf(subject);
  return found.sort((a, b) => place(a) - place(b));
}

/** Of a role, a schema, a function or a table: 42704, 3F000, 42883, 42P01. */
const isMissing = /^(42704|3F000|42883|42P01)$/;

/** An empty database, or one of another version, has its own line. */
function whyUnseen(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some((one) => isMissing.test(String(one)))
    ? 'the database does not have it: npm run migrate comes first'
    : messageOf(error);
}

async function inTime(look: () => Promise<Finding>): Promise<Finding> {
  const over = new AbortController();
  try {
    return await Promise.race([
      look(),
      sleep(patienceMs, undefined, { signal: over.signal, ref: false }).then(() => {
        throw new Unseen(`no answer within ${patienceMs / 1_000} s`);
      }),
    ]);
  } catch (error) {
    return { state: 'unseen', says: whyUnseen(error) };
  } finally {
    over.abort();
  }
}
