// What Stripe, or somebody in front of it, answers instead of JSON is told by its status, where operators read it.
import { afterEach, expect, test } from 'vitest';
import { openPayments } from '../../src/outside/stripe.ts';
import { withoutValues } from '../../src/worker/failure.ts';
import { useStripe } from '../support/peers/stripe-server.ts';

const stripe = useStripe();
afterEach(() => {
  stripe.down = false;
});

async function asked(): Promise<unknown> {
  const payments = openPayments({ secretKey: stripe.secretKey, apiUrl: stripe.url }, 'http://localhost');
  try {
    const events: unknown[] = [];
    for await (const event of payments.eventsSince(0)) events.push(event);
    return events;
  } catch (error) {
    return withoutValues(error).message;
  }
}

test('a page with 503 is named by its status, and no JSON is spoken of that was never there', async () => {
  stripe.down = 'a page';
  expect(await asked()).toBe('Stripe answers with 503, and with no JSON');
});

test("an error of Stripe's own keeps its words, and an answer is read as ever", async () => {
  stripe.down = true;
  expect(await asked()).toBe('down');
  stripe.down = false;
  const { id } = await stripe.happen('refund.created', { id: 're_1' });
  expect(await asked()).toMatchObject([{ id }]);
});
