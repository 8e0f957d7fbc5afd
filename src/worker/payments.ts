// worker/payments.ts · asks Stripe for what its events should have told: sessions that ended, and all events since it was asked last. Rules 5.7.
import type pg from 'pg';
import type { Payments } from '../outside/stripe.ts';
import type { Logger } from '../process/log.ts';
import type { Prove } from '../process/proofs.ts';
import { eventsListed, eventsSince, takeCheckout, takeStripeEvent, takeStripeSession } from './calls.ts';

/** Everything that it reads goes through the same functions as signed events, so what is known already changes nothing. */
export async function askStripe(db: pg.Pool, payments: Payments, prove: Prove, log: Logger): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  for await (const event of payments.eventsSince(await eventsSince(db))) {
    const text = JSON.stringify(event);
    tell(log, await takeStripeEvent(db, text, prove('stripe event', text)));
  }
  await eventsListed(db, now);
  for (let due = await takeCheckout(db); due; due = await takeCheckout(db)) {
    if (due.checkout === null) continue;
    const text = JSON.stringify(await payments.session(due.checkout));
    tell(log, await takeStripeSession(db, text, prove('stripe session', text)));
  }
}

const tell = (log: Logger, outcome: string) =>
  log[outcome.startsWith('refused') ? 'error' : 'debug']({ outcome }, 'Stripe was asked about a payment');
