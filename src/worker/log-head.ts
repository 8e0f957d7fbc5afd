// What a turn of the log begins from: its settings, the log that the database has, and which keys and names are its
// own. Rules 20.2, 20.6.
import type pg from 'pg';
import { call } from '../db/call.ts';
import { type Checkpoint, openCheckpoint, parseCheckpoint } from '../log/checkpoint.ts';
import { isSignedBy } from '../log/note.ts';
import { derivedSigner, type Signer } from '../log/signing.ts';
import type { Prove } from '../process/proofs.ts';
import type { Led, Memory, Places } from './known.ts';

export interface FollowSettings {
  /** Of the first log: the host and `/log`. Those after it have a number behind that. */
  readonly origin: string;
  readonly secret: string;
  /** Others from which the keys of earlier logs were derived. With one of these a log is handed over. */
  readonly formerSecrets?: readonly string[];
  /**
   * Outside the database: the last checkpoint that was signed, as far as this machine knows. Null: there is no such
   * place.
   */
  readonly file: string | null;
  readonly memory: Memory;
  readonly places?: Places;
}

export interface LogSettings extends FollowSettings {
  readonly prove: Prove;
  /** The checkpoint at the hill's public address; null if nothing was ever there. Throws if that cannot be told. */
  readonly ask: () => Promise<string | null>;
  /** Which database the hill's own address leads to. Not given: nobody can tell. */
  readonly leads?: () => Promise<Led>;
  /** What witnesses show of the log of an origin. Those that do not answer hold nothing up. */
  readonly witnessed?: (origin: string) => Promise<readonly string[]>;
  /** The operator says that this database goes on from all that was signed: npm run worker -- --adopt. */
  readonly adopt?: boolean;
  /** Hears that another log begins, which is to be looked into. */
  readonly tell: (what: string) => void;
}

/**
 * Nothing outside the database shows that this log goes on from what was signed, or something shows that it does not.
 */
export class NotVouched extends Error {
  override readonly name = 'NotVouched';
  /** For trusted.give_up_sealing. */
  readonly reason: 'unvouched' | 'contradicted' | 'another';

  constructor(reason: NotVouched['reason'], message: string) {
    super(
      reason === 'another'
        ? `${message} (docs/runbook.md, log-not-signed)`
        : `${message} If this database is the one to go on with, start its worker once with --adopt (docs/runbook.md, log-not-signed).`,
    );
    this.reason = reason;
  }
}

/** See trusted.log_head. */
export interface Head {
  readonly generation: number;
  readonly origin: string;
  /** None where a release before this one loaded sql/. */
  readonly keys?: readonly string[];
  readonly size: number;
  readonly root: string;
  readonly ended: readonly string[];
  readonly checkpoint: string | null;
  readonly signed: boolean;
  readonly continues: boolean;
}

export const readHead = (db: pg.Pool, known?: Checkpoint): Promise<Head | null> =>
  call(db, 'api_worker.log_head', known ? { size: known.size, root: known.root } : {});

export type Secrets = Pick<FollowSettings, 'secret' | 'formerSecrets'>;

/** A checkpoint of a log that a key of ours signed, the present one or an earlier one. Throws a NotSigned. */
export function openAny(text: string, settings: Secrets, origin: string): Checkpoint {
  const [key] = signersOf(settings, origin);
  return openCheckpoint(text, signedWith(settings, parseCheckpoint(text)) ?? key);
}

/** The key of ours that signed a checkpoint: null if none did. */
export const signedWith = ({ secret, formerSecrets = [] }: Secrets, { origin, note }: Checkpoint): Signer | null =>
  [secret, ...formerSecrets]
    .map((one) => derivedSigner(one, origin, 'ed25519'))
    .find((key) => safely(() => isSignedBy(note, key)) === true) ?? null;

/** Whether a log is one of this hill. */
export const namesOf = (settings: Pick<FollowSettings, 'origin'>, head: Head | null) => (origin: string) =>
  origin === head?.origin || head?.ended.includes(origin) === true || numberOf(settings.origin, origin) !== null;

export const signersOf = ({ secret }: Pick<FollowSettings, 'secret'>, origin: string) =>
  (['ed25519', 'mldsa44'] as const).map((type) => derivedSigner(secret, origin, type)) as [Signer, Signer];
export const sameHead = (a: Head, b: Head): boolean =>
  a.generation === b.generation && a.size === b.size && a.root === b.root;

/** Whether it is of a log that ended before the one of the database began: by the database, or by its number. */
export const isPast = ({ origin }: Pick<FollowSettings, 'origin'>, head: Head, known?: Checkpoint): boolean =>
  known !== undefined &&
  known.origin !== head.origin &&
  (head.ended.includes(known.origin) ||
    (numberOf(origin, known.origin) ?? Infinity) < (numberOf(origin, head.origin) ?? 0));

/** Which of the logs of this address has that origin: 1 for the first; null if none. */
export function numberOf(first: string, origin: string): number | null {
  if (origin === first) return 1;
  const number = origin.startsWith(`${first}/`) ? origin.slice(first.length + 1) : '';
  return /^[1-9][0-9]{0,8}$/.test(number) ? Number(number) : null;
}

/** A signature of ours that does not hold is no signature of ours. */
export function safely<T>(check: () => T): T | null {
  try {
    return check();
  } catch {
    return null;
  }
}
