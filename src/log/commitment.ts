// What deposits and announcements are committed to with, worked out from what opens them. Rules 20.15, 20.46.
import { hex, sha256, unhex, utf8 } from './bytes.ts';

/** Bytes are in lower-case hexadecimal. */
export interface Opened {
  readonly day: number;
  readonly account_id: string;
  readonly slot: number;
  readonly move: string;
  readonly stake_cents: number | string;
  /** Null without a message. */
  readonly message_hash: string | null;
  readonly deposited_at: string;
  readonly ends: string;
  readonly salt: string;
}

const hashOf = (...parts: readonly Uint8Array[]): string => hex(sha256(...parts));

export const messageHashOf = (salt: string, message: string): string => hashOf(unhex(salt), utf8(message));
/** What a commitment that ends this one has of it. */
export const endingOf = (salt: string, commitment: string): string => hashOf(unhex(salt), unhex(commitment));

export function commitmentTo({
  day,
  account_id,
  slot,
  move,
  stake_cents,
  message_hash,
  deposited_at,
  ends,
  salt,
}: Opened): string {
  const lines = [
    'hill deposit',
    day,
    account_id,
    slot,
    move,
    stake_cents,
    message_hash ?? '',
    deposited_at,
    ends,
    salt,
  ];
  return hashOf(utf8(lines.map((line) => `${line}\n`).join('')));
}

export type OpenedAnnouncement = Pick<Opened, 'day' | 'account_id' | 'slot' | 'message_hash' | 'salt'> & {
  readonly intention: string;
  readonly at: string;
};

export function commitmentToAnnouncement({
  day,
  account_id,
  slot,
  intention,
  message_hash,
  at,
  salt,
}: OpenedAnnouncement): string {
  const lines = ['hill announcement', day, account_id, slot, intention, message_hash ?? '', at, salt];
  return hashOf(utf8(lines.map((line) => `${line}\n`).join('')));
}
