// Where top-ups are paid for: Stripe's Checkout, through the official library. Rules 5.7.
import type Stripe from 'stripe';
import type { StripeSettings } from '../process/config.ts';

/** engine.show_checkout. */
export interface PendingTopUp {
  readonly top_up_id: string;
  readonly account_id: string;
  readonly cents: number;
  /** The session that was made for it. */
  readonly checkout: string | null;
  /** Seconds since 1970. */
  readonly expires_at: number;
}

export interface Payments {
  /** The session in which a top-up is paid for. Asked again for the same top-up, Stripe gives the same one. */
  checkout(topUp: PendingTopUp, email: string | null): Promise<Stripe.Checkout.Session>;
  session(id: string): Promise<Stripe.Checkout.Session>;
  /**
   * The events that say something about a payment, from an instant on (seconds since 1970). Stripe keeps them for 30
   * days.
   */
  eventsSince(seconds: number): AsyncIterable<Stripe.Event>;
}

/** The terms, as they are shown before paying, here and at Stripe. Rules 5.1. */
export const terms = 'Credits are prepaid, for use on this hill only, not refundable, and without cash value.';

const timeoutMs = 10_000;

/**
 * What answers look like: the account's default, which anybody may raise in the dashboard, is not asked. The webhook's
 * should be the same (docs/operations.md).
 */
export const apiVersion = '2026-10-28.endive';

/** What an endpoint has to send, and the list of events is asked for. */
export const eventTypes = [
  'checkout.session.completed',
  'checkout.session.expired',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'refund.created',
  'refund.updated',
  'refund.failed',
];

/** The library is loaded when it is first used: it takes a while, and most processes never need it. */
export function openPayments({ secretKey, apiUrl }: StripeSettings, baseUrl: string): Payments {
  let opened: Promise<Stripe> | undefined;
  const open = () => {
    opened ??= load(secretKey, new URL(apiUrl));
    return opened;
  };
  return {
    async checkout({ top_up_id, account_id, cents, expires_at }, email) {
      const stripe = await open();
      return stripe.checkout.sessions.create(
        {
          mode: 'payment',
          // cards are paid at once, or not at all
          allowed_payment_method_types: ['card'],
          client_reference_id: top_up_id,
          metadata: { account_id },
          // what is credited is what was asked for: in dollars, whatever the human's own currency
          adaptive_pricing: { enabled: false },
          line_items: [
            {
              quantity: 1,
              price_data: { currency: 'usd', unit_amount: cents, product_data: { name: 'Credits on the hill' } },
            },
          ],
          payment_intent_data: { metadata: { top_up_id, account_id }, ...(email ? { receipt_email: email } : {}) },
          ...(email ? { customer_email: email } : {}),
          custom_text: { submit: { message: terms } },
          expires_at,
          success_url: `${baseUrl}/account?done=checkout#fuel`,
          cancel_url: `${baseUrl}/account/top-up/${top_up_id}`,
        },
        { idempotencyKey: `top-up ${top_up_id}` },
      );
    },
    session: async (id) => (await open()).checkout.sessions.retrieve(id),
    async *eventsSince(seconds) {
      yield* (await open()).events.list({ types: eventTypes, created: { gte: seconds }, limit: 100 });
    },
  };
}

/** Where Stripe sends events, as far as this key may see it: throws a StripeError otherwise. */
export async function endpointsAt({ secretKey, apiUrl }: StripeSettings): Promise<Stripe.WebhookEndpoint[]> {
  const stripe = await load(secretKey, new URL(apiUrl));
  return (await stripe.webhookEndpoints.list({ limit: 100 })).data;
}

async function load(secretKey: string, { protocol, hostname, port }: URL): Promise<Stripe> {
  const { default: Library } = await import('stripe');
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return new Library(secretKey, {
    apiVersion,
    protocol: scheme,
    host: hostname,
    port: port || (scheme === 'http' ? 80 : 443),
    maxNetworkRetries: 2,
    timeout: timeoutMs,
    telemetry: false,
    httpClient: sayingWhatCame(Library.createNodeHttpClient()),
  });
}

/** Where no JSON comes, as from a proxy in front of Stripe, the error says the status, which the library drops. */
function sayingWhatCame(client: Stripe.HttpClient): Stripe.HttpClient {
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (...request) => {
    const answer = await makeRequest(...request);
    const toJSON = answer.toJSON.bind(answer);
    answer.toJSON = () =>
      toJSON().catch((error: unknown) => {
        if (!(error instanceof SyntaxError)) throw error;
        return {
          error: { type: 'api_error', message: `Stripe answers with ${answer.getStatusCode()}, and with no JSON` },
        };
      });
    return answer;
  };
  return client;
}
