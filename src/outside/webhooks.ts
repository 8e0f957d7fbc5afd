// What webhooks need outside the database: a checked address, a secret that signs, and the post itself (Standard
// Webhooks).
import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { refusal } from '../db/errors.ts';
import type { Sealer } from '../process/secret.ts';
import { addressCheck, type FetcherSettings, FetchRefused, type GuardedFetch } from './fetcher/index.ts';

/** Standard Webhooks wants 24 to 64 bytes. */
const secretBytes = 32;

const checkMs = 5_000;
const postMs = 10_000;
/** The content of the answer does not matter. */
const answerBytes = 16_384;

interface NewWebhook {
  readonly id: string;
  /** Shown once, to the subscriber. */
  readonly secret: string;
  readonly sealed_secret: string;
}

/** For subscribing. */
export interface Webhooks {
  /** Makes the checks that a post makes before it is sent. Throws a Refusal. */
  check(url: string): Promise<void>;
  /** The id and the secret of a new subscription. */
  make(): NewWebhook;
}

export function webhooks(settings: FetcherSettings, seal: Sealer): Webhooks {
  const check = addressCheck(settings);
  return {
    async check(url) {
      try {
        await check(url, checkMs);
      } catch (error) {
        if (!(error instanceof FetchRefused)) throw error;
        // what lies behind a name is shown only by the fetcher's coarse word
        const message = error.publicReason === 'unreachable' ? 'The host cannot be reached from here.' : error.message;
        throw refusal(
          'ADDRESS_REFUSED',
          message,
          settings.nowhere
            ? 'No address will do here. Read the night after each bell instead, or listen: get_help bell says how.'
            : 'Give an https address on the default port of a public host that DNS knows. reason says what is wrong with this one.',
          { reason: error.publicReason, argument: 'url' },
        );
      }
    },
    make() {
      const id = randomUUID();
      const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
      return { id, secret, sealed_secret: seal.seal(secret, id) };
    },
  };
}

export interface Delivery {
  readonly id: string;
  readonly subscription_id: string;
  readonly url: string;
  readonly sealed_secret: string;
  /** JSON, the same bytes at every attempt. */
  readonly body: string;
  readonly event: string;
  readonly attempt: number;
}

/**
 * delivered, gone (410), busy (not tried), status (any other), secret_lost (HILL_SIGNING_SECRET has changed), or the
 * fetcher's word.
 */
export interface Outcome {
  readonly outcome: string;
  readonly status: number | null;
}

/** Posts a delivery once. Nothing that the receiver does makes it throw. */
export async function post(fetch: GuardedFetch, seal: Sealer, delivery: Delivery): Promise<Outcome> {
  const { id, url, body } = delivery;
  let secret: string;
  try {
    secret = seal.open(delivery.sealed_secret, delivery.subscription_id);
  } catch {
    return { outcome: 'secret_lost', status: null };
  }
  const now = new Date();
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, now, body),
      },
      timeoutMs: postMs,
      maxBytes: answerBytes,
    });
    if (status >= 200 && status < 300) return { outcome: 'delivered', status };
    return { outcome: status === 410 ? 'gone' : 'status', status };
  } catch (error) {
    if (error instanceof FetchRefused)
      return { outcome: error.reason === 'redirect' ? 'redirect' : error.publicReason, status: null };
    throw error;
  }
}
