// Top-ups that are paid for at Stripe, told to the hill by signed events, without HTTP.
import { beforeAll } from 'vitest';
import { keepStripeKey } from '../../../src/db/kept-settings.ts';
import { type Event, type Session, StripeServer } from '../peers/stripe-server.ts';
import type { Account } from './accounts.ts';
import { call } from './doors.ts';
import type { Hill } from './hill.ts';

export interface Begun {
  top_up_id: string;
  session: Session;
}

export function usePayments(hill: Hill, stripe = new StripeServer()) {
  beforeAll(() => keepStripeKey({ env: 'development', stripeWebhookSecret: stripe.webhookSecret }, hill.ownerUrl));
  const payments = {
    stripe,
    /** As the web process hands it to the database, on its login. */
    tellRaw: (body: string, signature: string | null) =>
      call<{ outcome: string }>(hill.as('web'), 'api_human.take_stripe_event', { body: Buffer.from(body), signature }),
    tell: async (event: Event): Promise<string> => {
      const { body, signature } = stripe.signed(event);
      return (await payments.tellRaw(body, signature)).outcome;
    },
    /** Begun on the account page, with a session at Stripe, and not paid. */
    begin: async (account: Account, cents: number): Promise<Begun> => {
      const { top_up_id } = await call<{ top_up_id: string }>(hill.as('web'), 'api_human.begin_top_up', {
        session: account.session,
        cents,
      });
      const session = stripe.create(
        new URLSearchParams({
          client_reference_id: top_up_id,
          'line_items[0][price_data][unit_amount]': String(cents),
          'line_items[0][quantity]': '1',
          'line_items[0][price_data][currency]': 'usd',
          'metadata[account_id]': account.id,
        }),
      );
      await call(hill.as('web'), 'api_human.note_checkout', {
        session: account.session,
        top_up_id,
        checkout: session.id,
      });
      return { top_up_id, session };
    },
    /** Begun, paid and credited; returns the payment. */
    topUp: async (account: Account, cents: number): Promise<string> => {
      const { session } = await payments.begin(account, cents);
      await payments.tell(await stripe.pay(session));
      return session.payment_intent as string;
    },
    /** The top-ups of the account page, in the order in which they were begun. */
    shown: async (account: Account) => {
      const { top_ups } = await call<{ top_ups: object[] }>(hill.as('web'), 'api_human.account', {
        session: account.session,
      });
      return top_ups.reverse();
    },
    /** What every check of sql/verify/ledger.sql finds wrong. */
    faults: () =>
      hill.rows(
        `select c.name, c.example from engine.check_balances() c where c.wrong > 0
         union all select c.name, c.example from engine.check_settlements() c where c.wrong > 0
         union all select c.name, c.example from engine.check_payments() c where c.wrong > 0`,
      ),
  };
  return payments;
}
