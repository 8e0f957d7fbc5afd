// test/support/log/commitment.ts · commitments to deposits once more, in another language than the hill's own. Rules 20.15.
import { createHash } from 'node:crypto';

export interface Opened {
  readonly day: number;
  readonly account_id: string;
  readonly slot: number;
  readonly move: string;
  readonly stake_cents?: number | string | undefined;
  readonly message?: string | null | undefined;
  readonly deposited_at: string;
  readonly salt: string;
  readonly ends: string;
  readonly message_salt?: string | null | undefined;
}

const sha256 = (...parts: (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

const messageHashOf = (salt: string, message: string): string => sha256(bytes(salt), message);
/** What a commitment that ends this one has of it. */
export const endingOf = ({ salt, commitment }: { salt: string; commitment: string }): string => sha256(bytes(salt), bytes(commitment));
export const entryOf = (day: number, commitment: string): string => `deposit ${day} ${commitment}`;

export function commitmentTo({
  day,
  account_id,
  slot,
  move,
  stake_cents = 0,
  message,
  deposited_at,
  salt,
  ends,
  message_salt,
}: Opened): string {
  const words = message && message_salt ? messageHashOf(message_salt, message) : '';
  return sha256(
    ['hill deposit', day, account_id, slot, move, stake_cents, words, deposited_at, ends, salt].map((line) => `${line}\n`).join(''),
  );
}
