// Asks Stripe for what events should have brought: sessions that ended, and all events since it was asked last. Rules
// 5.7.
import type pg from 'pg';
import type { Payments } from '../outside/stripe.ts';
import type { Logger } from '../process/log.ts';
import type { Prove } from '../process/proofs.ts';
import { eventsListed, eventsSince, takeCheckout, takeStripeEvent, takeStripeSession } from './calls.ts';
import { withoutValues } from './failure.ts';

/**
 * Everything that it reads goes through the same functions as signed events, so what is known already changes nothing.
 * One that cannot be taken keeps no other from it. The list is read again from where it was while one is left, and the
 * job fails, which operators see.
 */
export async function askStripe(db: pg.Pool, payments: Payments, prove: Prove, log: Logger): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const failed: unknown[] = [];
  const each = async (what: object, work: () => Promise<string>) => {
    try {
      const outcome = await work();
      log[outcome.startsWith('refused') ? 'error' : 'debug']({ ...what, outcome }, 'Stripe was asked about a payment');
    } catch (error) {
      failed.push(error);
      log.error({ ...what, failure: withoutValues(error).message }, 'what Stripe told could not be taken');
      if (failed.length >= mostFailed) throw error; // rather the database, or Stripe, than one payment
    }
  };
  for await (const event of payments.eventsSince(await eventsSince(db))) {
    const text = JSON.stringify(event);
    await each({ event: event.id, type: event.type }, () => takeStripeEvent(db, text, prove('stripe event', text)));
  }
  if (failed.length === 0) await eventsListed(db, now);
  for (let due = await takeCheckout(db); due; due = await takeCheckout(db)) {
    const { checkout } = due;
    if (checkout === null) continue;
    await each({ session: checkout }, async () => {
      const text = JSON.stringify(await payments.session(checkout));
      return takeStripeSession(db, text, prove('stripe session', text));
    });
  }
  if (failed.length > 0) throw failed[0];
}

const mostFailed = 5;
