// Commitments once more, in another language than the hill's own. Rules 20.15.
import {
  commitmentTo as commitmentToHash,
  endingOf as endingOfParts,
  messageHashOf,
  type Opened,
} from '../../../src/log/commitment.ts';

type Told = Omit<Opened, 'stake_cents' | 'message_hash'> & {
  readonly stake_cents?: number | string | undefined;
  readonly message?: string | null | undefined;
  readonly message_salt?: string | null | undefined;
};

/** What a commitment that ends this one has of it. */
export const endingOf = ({ salt, commitment }: { salt: string; commitment: string }): string =>
  endingOfParts(salt, commitment);
export const entryOf = (day: number, commitment: string): string => `deposit ${day} ${commitment}`;

export const commitmentTo = ({ stake_cents = 0, message, message_salt, ...deposit }: Told): string =>
  commitmentToHash({
    ...deposit,
    stake_cents,
    message_hash: message && message_salt ? messageHashOf(message_salt, message) : null,
  });
