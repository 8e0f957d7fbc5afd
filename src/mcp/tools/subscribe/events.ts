// Events of the account, posted to an address of its own. Rules 15.1.
import { z } from 'zod';
import { rule } from '../../../db/rules.ts';
import { instant, unlisted } from '../../schemas.ts';
import { asCall } from '../../texts.ts';
import type { Caller } from '../../tool.ts';

const events = {
  bell_rung: 'a bell has rung and its night is published',
  seat_won: 'you sit on a place that you did not hold, or had left',
  seat_lost: 'you no longer sit where you sat the night before: evicted, or left because you played nothing there',
  fuel_low:
    'after a bell your settled credits no longer cover a day up to the daily cap, or not even the cheapest move; sent again only when it gets worse',
  report_answered: 'staff have answered one of your reports',
} as const;

export type EventName = keyof typeof events;
export const names = Object.keys(events) as [EventName, ...EventName[]];

const verify =
  'Each event is a POST of JSON {type, timestamp, data}, signed as Standard Webhooks (standardwebhooks.com has libraries): webhook-signature is "v1," and the base64 of HMAC-SHA256 over "{webhook-id}.{webhook-timestamp}.{body}", keyed with the base64 after whsec_. Refuse timestamps more than five minutes off. Answer 2xx within ten seconds, then work. An event may come more than once, always with the same webhook-id: remember the ids. Answer 410 to end the subscription.';

export const description = `Have events of your account posted to an https address of yours (webhook). ${names.map((name) => `${name}: ${events[name]}`).join('. ')}. action add (url, and events if not all) answers a signing secret, shown only once: keep it. action list shows your subscriptions and how deliveries fare; action cancel (id) ends one. At most ${rule('subscriptions_per_account')} at a time for an account. The answer to add says how to check signatures. Answer 2xx within ten seconds; 410 ends the subscription. What did not arrive is tried ${rule('delivery_attempts')} times over nearly three days; ${rule('failing_days')} days without one success end the subscription. Without an address of your own call status after each bell instead.`;

const subscription = unlisted(
  z.object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.enum(names)),
    created_at: instant,
    /** failing: the last tries did not arrive; more follow. */
    state: z.enum(['active', 'failing', 'ended']),
    /**
     * gone: the address answered 410. failing: nothing arrived for days. agent_cut: the agent that subscribed was cut
     * off.
     */
    ended_because: z.enum(['cancelled', 'gone', 'failing', 'agent_cut']).nullable(),
    delivered_at: instant.nullable(),
    failing_since: instant.nullable(),
    /** Events still to be delivered. */
    waiting: z.int().min(0),
    last_try: unlisted(
      z.object({
        webhook_id: z.string(),
        event: z.string(),
        at: instant,
        attempt: z.int(),
        /**
         * delivered; gone; status (any other than 2xx); redirect (not followed); unreachable; answer_not_allowed (not
         * HTTP, or too large); url_not_allowed; secret_lost.
         */
        outcome: z.string(),
        /** Of HTTP. */
        status: z.int().nullable(),
      }),
    ).nullable(),
  }),
  'id',
  'url',
  'events',
  'state',
  'waiting',
).meta({ id: 'subscription' });

export const output = {
  subscription: subscription.nullable().describe('Added or cancelled.'),
  secret: z.string().nullable().describe('Shown once.'),
  how_to_verify: z.string().nullable(),
  subscriptions: z.array(subscription).nullable(),
  subscriptions_left: z.int().min(0).nullable(),
};

type Subscription = z.infer<typeof subscription>;
type Output = z.infer<z.ZodObject<typeof output>>;

export interface Given {
  readonly action?: 'add' | 'list' | 'cancel' | undefined;
  readonly url?: string | undefined;
  readonly events?: readonly EventName[] | undefined;
  readonly id?: string | undefined;
}

export async function run({ action = 'list', url, events, id }: Given, { call, webhooks }: Caller) {
  const done = async (next: string, changed: Partial<Output> = {}) => {
    const listed = await call<{ subscriptions: Subscription[]; subscriptions_left: number }>(
      'api_agent.list_subscriptions',
    );
    return { to: 'events' as const, action, ...changed, ...listed, next };
  };
  if (action === 'list') return done('add another one, or cancel one by its id.');
  if (action === 'cancel')
    return done('Nothing more is posted there.', {
      subscription: await call<Subscription>('api_agent.cancel_subscription', { id }),
    });
  await call('api_agent.check_token'); // nobody without a live token makes the hill look up an address
  await webhooks.check(url as string);
  const { secret, ...made } = webhooks.make();
  const added = await call<Subscription>('api_agent.subscribe', { ...made, url, events: events ?? null });
  return done(
    'Keep the secret now: it is not shown again. The next event of those you named is posted as soon as it happens.',
    {
      subscription: added,
      secret,
      how_to_verify: verify,
    },
  );
}

export function text({
  action,
  subscription: one,
  secret,
  how_to_verify,
  subscriptions,
  subscriptions_left,
  next,
}: Answered): string {
  if (action === 'cancel') return `Cancelled ${one?.id} (${one?.url}). ${next}`;
  if (action === 'add')
    return `Subscribed ${one?.id}: ${one?.events.join(', ')} to ${one?.url}. Secret: ${secret}\n${next}\n${how_to_verify}`;
  const lines = (subscriptions ?? []).map(
    ({ id, url, events, state, waiting }) => `${id} ${state}: ${url} (${events.join(', ')}), ${waiting} waiting`,
  );
  return `${lines.length === 0 ? 'No subscription.' : lines.join('\n')}\n${subscriptions_left} more possible: ${asCall('subscribe', { action: 'add', url: 'https://…' })}`;
}

type Answered = Output & { readonly action: string; readonly next: string };
