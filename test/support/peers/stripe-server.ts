// Stripe's side of a top-up as its documentation has it: Checkout sessions, the page where one pays, the list of
// events, disputes and refunds, and events signed by its own library.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import Stripe from 'stripe';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../ports.ts';

export interface Session {
  id: string;
  object: 'checkout.session';
  client_reference_id: string | null;
  amount_total: number;
  currency: string;
  metadata: Record<string, string>;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: string | null;
  url: string | null;
  livemode: boolean;
}

export interface Event {
  id: string;
  object: 'event';
  type: string;
  created: number;
  livemode: boolean;
  api_version: string;
  data: { object: object };
}

const newId = (kind: string) => `${kind}_${randomBytes(9).toString('hex')}`;
const now = () => Math.floor(Date.now() / 1000);

/** A line of the itemised report "balance change from activity". */
interface BalanceLine {
  id: string;
  category: string;
  payment: string;
  source: string;
  gross: number;
}

export class StripeServer {
  url = '';
  readonly secretKey = 'sk_test_a_key_that_only_stripe_and_hill_know';
  readonly webhookSecret = 'whsec_5f2c0a4c9d1e4b7f8a6b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f';
  readonly sessions = new Map<string, Session>();
  /** What was asked for, by session. */
  readonly asked = new Map<string, URLSearchParams>();
  /** All that happened, oldest first. */
  readonly events: Event[] = [];
  readonly balance: BalanceLine[] = [];
  /** Where its dashboard was told to send events. */
  readonly endpoints: { url: string; status: string; enabled_events: string[]; api_version: string | null }[] = [];
  /** Called with each event as it happens, as a webhook would be; by default nothing arrives. */
  deliver: (event: Event) => Promise<void> = async () => {};
  /** Of real money, or of test cards. */
  livemode = false;
  /** Which version of the API each question was asked in. */
  readonly versions = new Set<unknown>();
  /** Answers nothing but 500, or as a proxy does before one that is away: with 503 and a page. */
  down: boolean | 'a page' = false;
  readonly #byKey = new Map<string, string>();
  readonly #library = new Stripe(this.secretKey);

  /** A signed event as it goes over the wire. */
  signed(event: Event, { at = now(), secret = this.webhookSecret, body = JSON.stringify(event, null, 2) } = {}) {
    return {
      body,
      signature: this.#library.webhooks.generateTestHeaderString({ payload: body, timestamp: at, secret }),
    };
  }

  /** Sends an event to an address; returns the status. */
  async post(to: string, event: Event): Promise<number> {
    const { body, signature } = this.signed(event);
    const answer = await fetch(to, {
      method: 'POST',
      headers: { 'Stripe-Signature': signature, 'Content-Type': 'application/json' },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  async happen(type: string, object: object, created = now()): Promise<Event> {
    const { livemode } = this;
    const data = { object: structuredClone(object) };
    const event: Event = {
      id: newId('evt'),
      object: 'event',
      type,
      created,
      livemode,
      api_version: Stripe.API_VERSION,
      data,
    };
    this.events.push(event);
    await this.deliver(event);
    return event;
  }

  create(form: URLSearchParams): Session {
    const id = newId('cs_test');
    const session: Session = {
      id,
      object: 'checkout.session',
      client_reference_id: form.get('client_reference_id'),
      amount_total:
        Number(form.get('line_items[0][price_data][unit_amount]')) * Number(form.get('line_items[0][quantity]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      metadata: { account_id: form.get('metadata[account_id]') ?? '' },
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      url: `${this.url}/c/pay/${id}`,
      livemode: this.livemode,
    };
    this.sessions.set(id, session);
    this.asked.set(id, form);
    return session;
  }

  /** The human pays. */
  async pay(session: Session): Promise<Event> {
    Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent: newId('pi'), url: null });
    const payment = session.payment_intent as string;
    this.balance.push({
      id: newId('txn'),
      category: 'charge',
      payment,
      source: newId('ch'),
      gross: session.amount_total,
    });
    return this.happen('checkout.session.completed', session);
  }

  expire(session: Session): Promise<Event> {
    Object.assign(session, { status: 'expired', url: null });
    return this.happen('checkout.session.expired', session);
  }

  /** A dispute of a payment, or with its id, the same one later on. */
  async dispute(
    payment: string,
    amount: number,
    { id = newId('dp'), status = 'needs_response', type = 'created', at = now() } = {},
  ) {
    const known = this.balance.some(({ source }) => source === id);
    const line = { id: newId('txn'), payment, source: id };
    if (!known && !/^(won|warning|prevented)/.test(status))
      this.balance.push({ ...line, category: 'dispute', gross: -amount });
    if (known && status === 'won') this.balance.push({ ...line, category: 'dispute_reversal', gross: amount });
    const object = {
      id,
      object: 'dispute',
      amount,
      currency: 'usd',
      charge: newId('ch'),
      payment_intent: payment,
      status,
    };
    return { id, event: await this.happen(`charge.dispute.${type}`, object, at) };
  }

  async refund(
    payment: string,
    amount: number,
    { id = newId('re'), status = 'succeeded', type = 'created', at = now() } = {},
  ) {
    const known = this.balance.some(({ source }) => source === id);
    const line = { id: newId('txn'), payment, source: id };
    if (!known && !/^(failed|canceled)$/.test(status))
      this.balance.push({ ...line, category: 'refund', gross: -amount });
    if (known && /^(failed|canceled)$/.test(status))
      this.balance.push({ ...line, category: 'refund_failure', gross: amount });
    const object = {
      id,
      object: 'refund',
      amount,
      currency: 'usd',
      charge: newId('ch'),
      payment_intent: payment,
      status,
    };
    return { id, event: await this.happen(`refund.${type}`, object, at) };
  }

  /** The export of the report, as its CSV is downloaded. */
  report(): string {
    const head =
      'balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,reporting_category,source_id,description,payment_intent_id';
    const dollars = (cents: number) => (cents / 100).toFixed(2);
    return [
      head,
      ...this.balance.map(({ id, category, payment, source, gross }) =>
        [
          id,
          '2026-03-02 10:00:00',
          '2026-03-04 00:00:00',
          'usd',
          dollars(gross),
          '0.00',
          dollars(gross),
          category,
          source,
          '"Credits, on the hill"',
          payment,
        ].join(','),
      ),
      '',
    ].join('\n');
  }

  async answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    let body = '';
    for await (const chunk of request) body += chunk;
    const json = (status: number, answer: object) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': newId('req') })
        .end(JSON.stringify(answer));
    const onPage = /^\/c\/pay\/(\w+)(?:\/(pay|cancel))?$/.exec(pathname);
    if (onPage) return this.#page(onPage[1] as string, onPage[2], response);
    if (pathname.startsWith('/v1/')) this.versions.add(request.headers['stripe-version']);
    if (this.down === 'a page')
      return void response
        .writeHead(503, { 'Content-Type': 'text/html' })
        .end('<!doctype html><title>503 Service Unavailable</title>');
    if (this.down) return void json(500, { error: { type: 'api_error', message: 'down' } });
    if (request.headers.authorization !== `Bearer ${this.secretKey}`)
      return void json(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
    if (pathname === '/v1/checkout/sessions' && request.method === 'POST') {
      const key = String(request.headers['idempotency-key'] ?? '');
      const before = this.#byKey.get(key);
      if (before) {
        const session = this.sessions.get(before) as Session;
        if (String(this.asked.get(before)) !== String(new URLSearchParams(body)))
          return void json(400, {
            error: {
              type: 'idempotency_error',
              message: 'Keys for idempotent requests can only be used with the same parameters.',
            },
          });
        return void json(200, session);
      }
      const form = new URLSearchParams(body);
      const lifetime = Number(form.get('expires_at')) - now();
      if (lifetime < 29 * 60 || lifetime > 24 * 3600)
        return void json(400, { error: { type: 'invalid_request_error', param: 'expires_at' } });
      const session = this.create(form);
      this.#byKey.set(key, session.id);
      return void json(200, session);
    }
    const one = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(pathname);
    const found = one && this.sessions.get(one[1] as string);
    if (found) return void json(200, found);
    if (pathname === '/v1/webhook_endpoints')
      return void json(200, { object: 'list', url: pathname, has_more: false, data: this.endpoints });
    if (pathname === '/v1/events') {
      const types = [...searchParams].filter(([name]) => name.startsWith('types')).map(([, value]) => value);
      const from = Number(searchParams.get('created[gte]') ?? 0);
      const all = this.events.filter(({ type, created }) => types.includes(type) && created >= from).reverse();
      const after = searchParams.get('starting_after');
      const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0;
      const limit = Number(searchParams.get('limit') ?? 10);
      return void json(200, {
        object: 'list',
        url: '/v1/events',
        has_more: all.length > start + limit,
        data: all.slice(start, start + limit),
      });
    }
    json(404, { error: { type: 'invalid_request_error', message: 'No such object' } });
  }

  async #page(id: string, pressed: string | undefined, response: http.ServerResponse): Promise<void> {
    const session = this.sessions.get(id) as Session;
    const form = this.asked.get(id) as URLSearchParams;
    if (pressed === 'pay' && session.status === 'open') await this.pay(session);
    if (pressed)
      return void response
        .writeHead(303, { Location: form.get(pressed === 'pay' ? 'success_url' : 'cancel_url') as string })
        .end();
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(`<!doctype html><title>Checkout</title><h1>${session.amount_total / 100} USD</h1>
<p>${form.get('custom_text[submit][message]')}</p><p>${form.get('customer_email')}</p>
<form method="post" action="/c/pay/${id}/pay"><button>Pay</button></form><form method="post" action="/c/pay/${id}/cancel"><button>Cancel</button></form>`);
  }
}

export function useStripe(): StripeServer {
  const stripe = new StripeServer();
  let server: http.Server;
  beforeAll(async () => {
    const port = await freePort();
    stripe.url = `http://localhost:${port}`;
    server = http.createServer((request, response) => void stripe.answer(request, response));
    await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  });
  afterAll(() => {
    server?.close();
    server?.closeAllConnections();
  });
  return stripe;
}
