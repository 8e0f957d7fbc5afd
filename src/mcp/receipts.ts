// Signs receipts of deposits when they are committed, with a key that the hill keeps first. Rules 20.17, 20.18.
import type pg from 'pg';
import { call } from '../db/call.ts';
import { type Committed, type ReceiptSigner, receiptSigner } from '../log/receipt.ts';
import { type Config, logOrigin } from '../process/config.ts';
import { sealer, signingSecret } from '../process/secret.ts';

export interface Receipts {
  /**
   * The key is kept: before the first deposit is sent, so that its name is in the log no later than what it signs. And
   * it is known whether anything was ever signed of the log. Throws a Failure.
   */
  ready(): Promise<unknown>;
  /**
   * Adds the receipt to a deposit that is committed to, or says why there is none; what was deposited before there was
   * a log gets nothing.
   */
  sign<T extends { readonly [fact in keyof Committed]?: Committed[fact] | undefined }>(
    deposit: T,
  ): T & { signed_receipt?: string | null; no_receipt?: string };
}

/** A receipt promises a checkpoint, and this hill has never been able to sign one. */
const noReceipt =
  'The public log of this hill has not been signed yet, so nothing is promised with a signature. Your move is kept and counts. A deposit after the first signature gets a receipt.';

export function receipts(config: Config, db: pg.Pool): Receipts {
  const secret = () => signingSecret(config);
  const { prove } = sealer(secret);
  let made: ReceiptSigner | undefined;
  const signer = () => {
    made ??= receiptSigner(secret(), logOrigin(config));
    return made;
  };
  let kept: Promise<unknown> | undefined;
  let published = false;
  return {
    async ready() {
      published ||= await call<boolean>(db, 'api_public.log_is_published');
      const { kid, publicJwk: public_jwk } = signer();
      kept ??= call(db, 'api_oauth.keep_receipt_key', {
        kid,
        public_jwk,
        ...prove('receipt key', kid, public_jwk),
      }).catch((error) => {
        kept = undefined;
        throw error;
      });
      return kept;
    },
    sign(deposit) {
      const { day, deposited_at, commitment } = deposit;
      if (day === undefined || deposited_at === undefined || commitment === undefined) return deposit;
      if (!published) return { ...deposit, signed_receipt: null, no_receipt: noReceipt };
      return { ...deposit, signed_receipt: signer().sign({ day, deposited_at, commitment }) };
    },
  };
}
