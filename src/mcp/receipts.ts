// mcp/receipts.ts · signs receipts of deposits when they are committed, with a key that the hill keeps first. Rules 20.17, 20.18.
import type pg from 'pg';
import { call } from '../db/call.ts';
import { type Committed, type ReceiptSigner, receiptSigner } from '../log/receipt.ts';
import type { Config } from '../process/config.ts';
import { sealer, signingSecret } from '../process/secret.ts';

export interface Receipts {
  /** Adds the receipt to a deposit that is committed to; what was deposited before there was a log gets none. */
  sign<T extends { readonly [fact in keyof Committed]?: Committed[fact] | undefined }>(
    deposit: T,
  ): Promise<T & { signed_receipt?: string }>;
}

export function receipts(config: Config, db: pg.Pool): Receipts {
  const secret = () => signingSecret(config);
  const { prove } = sealer(secret);
  let made: ReceiptSigner | undefined;
  let kept: Promise<unknown> | undefined;
  return {
    async sign(deposit) {
      const { day, deposited_at, commitment } = deposit;
      if (day === undefined || deposited_at === undefined || commitment === undefined) return deposit;
      made ??= receiptSigner(secret(), `${new URL(config.baseUrl).host}/log`);
      const { kid, publicJwk: public_jwk } = made;
      kept ??= call(db, 'api_oauth.keep_receipt_key', { kid, public_jwk, ...prove('receipt key', kid, public_jwk) }).catch((error) => {
        kept = undefined;
        throw error;
      });
      await kept;
      return { ...deposit, signed_receipt: made.sign({ day, deposited_at, commitment }) };
    },
  };
}
