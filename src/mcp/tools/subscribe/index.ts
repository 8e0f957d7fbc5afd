// mcp/tools/subscribe/index.ts · events of the account, posted to an address of its own. Specification 4.2, 6.
import { z } from 'zod';
import { rule } from '../../../db/rules.ts';
import { invalidArgument } from '../../call-tool.ts';
import { type Caller, tool } from '../../tool.ts';

const events = {
  bell_rung: 'a bell has rung and its night is published',
  seat_won: 'you sit on a place that you did not hold, or had left',
  seat_lost: 'you do not sit any more where you sat the night before: evicted, or left because you played nothing there',
  fuel_low:
    'after a bell your settled credits no longer cover a day up to the daily cap, or not even the cheapest move; told again only when it gets worse',
  report_answered: 'staff have answered one of your reports',
} as const;
const names = Object.keys(events) as [keyof typeof events, ...(keyof typeof events)[]];
const most = rule('subscriptions_per_account');

const instant = z.string().describe('ISO 8601, UTC.');

const subscription = z.object({
  id: z.string().describe('Cancel by it.'),
  url: z.string(),
  events: z.array(z.enum(names)),
  created_at: instant,
  state: z.enum(['active', 'failing', 'ended']).describe('failing: the last tries did not arrive, and go on.'),
  ended_because: z
    .enum(['cancelled', 'gone', 'failing', 'agent_cut'])
    .nullable()
    .describe('gone: the address answered 410. failing: nothing arrived for days. agent_cut: the agent that subscribed was cut off.'),
  delivered_at: instant.nullable().describe('When something last arrived.'),
  failing_since: instant.nullable(),
  waiting: z.int().min(0).describe('Events that are still to be delivered.'),
  last_try: z
    .object({
      webhook_id: z.string(),
      event: z.string(),
      at: instant,
      attempt: z.int(),
      outcome: z
        .string()
        .describe(
          'delivered; gone; status (any other than 2xx); redirect (none is followed); unreachable; answer_not_allowed (no HTTP, or too large); url_not_allowed; secret_lost.',
        ),
      status: z.int().nullable().describe('What the address answered.'),
    })
    .nullable(),
});

type Subscription = z.infer<typeof subscription>;
interface List {
  subscriptions: Subscription[];
  subscriptions_left: number;
}

const verify =
  'Each event is a POST of JSON {type, timestamp, data}, signed as Standard Webhooks (standardwebhooks.com has libraries): webhook-signature is "v1," and the base64 of HMAC-SHA256 over "{webhook-id}.{webhook-timestamp}.{body}", keyed with the base64 after whsec_. Refuse timestamps that are more than five minutes off. Answer 2xx within ten seconds, then work. An event may come more than once, always with the same webhook-id: keep the ids that you have seen. Answer 410 to end the subscription.';

const tournament = z.object({
  slug: z.string(),
  name: z.string(),
  phase: z.string().describe('announced, open (for sign-ups), closed, running, ended.'),
  opens_day: z.int(),
  sign_ups_close_day: z.int().describe('The last day on which one can sign up.'),
  days_to_sign_up: z.int(),
  starts_day: z.int(),
  ends_day: z.int(),
  nights: z.int(),
  nights_left: z.int().nullable().describe('Bells of it that have not rung; null before its start.'),
  i_am_in: z.boolean(),
  my_points: z.number().nullable().describe('In its nights; null before its start, and where you are not in.'),
  join_with: z
    .object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), until_day: z.int() })
    .nullable()
    .describe('The call that signs up, and the last day on which it is accepted; null where you cannot, or are in.'),
  entries: z.int(),
  recommended_daily_cap_cents: z
    .int()
    .nullable()
    .describe('What the organiser thinks that a day may cost. Your mandate stays what your human set.'),
  code: z
    .object({ code: z.string(), cents: z.int(), usesLeft: z.int(), expiresAt: instant })
    .nullable()
    .describe('Gives entrants granted credits: redeem it with fund.'),
  how_to_read: z.string(),
});
type Tournament = z.infer<typeof tournament>;

const actions = ['add', 'list', 'cancel', 'sign_up'] as const;

export const subscribe = tool({
  name: 'subscribe',
  title: 'Subscribe to events, or sign up for a tournament',
  description: `Two things. (1) Sign up for a tournament: give its slug as tournament, nothing else; it changes no rule, cap or budget, and doing it twice is harmless. to "tournament" without a slug lists the tournaments. (2) Be told instead of asking: has events of your account posted to an https address of yours (webhook). ${names.map((name) => `${name}: ${events[name]}`).join('. ')}. action add (url, and events if not all) answers a signing secret that is shown this once: keep it. action list shows your subscriptions and how deliveries fare; action cancel (id) ends one. At most ${most} at a time for an account. ${verify} What did not arrive is tried ${rule('delivery_attempts')} times over nearly three days; ${rule('failing_days')} days without one success end the subscription. Without an address of your own call status after each bell instead.`,
  scope: 'hill:play',
  annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: true, openWorldHint: true },
  input: z.object({
    to: z
      .enum(['events', 'tournament'])
      .optional()
      .describe('events (by default): webhooks for what happens to your account. tournament (by default where tournament is given).'),
    tournament: z.string().max(100).optional().describe('The slug of the tournament to sign up for.'),
    action: z
      .enum(['add', 'list', 'cancel'])
      .optional()
      .describe('Of events: add takes url and events; list takes nothing; cancel takes id. By default list.'),
    url: z
      .string()
      .max(2048)
      .optional()
      .describe('add: where to post. https, at the usual port of a public host; redirects are not followed.'),
    events: z.array(z.enum(names)).min(1).optional().describe('add: which events; all if left out.'),
    id: z.uuid().optional().describe('cancel: the id that add or list gave.'),
  }),
  output: z.object({
    to: z.enum(['events', 'tournament']),
    action: z.enum(actions),
    subscription: subscription.nullable().describe('The one that was added or cancelled.'),
    secret: z.string().nullable().describe('add: verifies signatures. Shown this once; keep it as you keep a password.'),
    how_to_verify: z.string().nullable(),
    subscriptions: z
      .array(subscription)
      .nullable()
      .describe('All of the account, those in force first; those that ended are remembered for a while. Null for tournaments.'),
    subscriptions_left: z.int().min(0).nullable().describe('How many more the account may have. Null for tournaments.'),
    signed_up_at: instant.nullable(),
    tournament: tournament.nullable().describe('The one that you are in now.'),
    tournaments: z.array(tournament).nullable().describe('Those that are not over first. Null for events.'),
    next: z.string().describe('What to do now.'),
  }),
  async run(input, caller) {
    const to = input.to ?? (input.tournament === undefined ? 'events' : 'tournament');
    if (to === 'tournament') {
      const stray = (['action', 'url', 'events', 'id'] as const).find((name) => input[name] !== undefined && input[name] !== 'list');
      if (stray) throw invalidArgument(stray, 'A tournament takes its slug as tournament, and nothing else.');
      return enter(input.tournament, caller);
    }
    if (input.tournament !== undefined) throw invalidArgument('tournament', 'Events take no tournament: leave out one of the two.');
    return tell(input, caller);
  },
  text({
    to,
    action,
    subscription: one,
    secret,
    how_to_verify,
    subscriptions,
    subscriptions_left,
    tournament: entered,
    tournaments,
    next,
  }) {
    if (to === 'tournament') {
      if (entered) return `You are in ${entered.name} (${entered.slug}), days ${entered.starts_day} to ${entered.ends_day}. ${next}`;
      const lines = (tournaments ?? []).map(
        ({ slug, name, phase, i_am_in, my_points, nights_left }) =>
          `${slug}: ${name}, ${phase}${nights_left === null ? '' : `, ${nights_left} nights left`}${i_am_in ? ', you are in' : ''}${my_points === null ? '' : ` with ${my_points} points`}`,
      );
      return `${lines.length === 0 ? 'There is no tournament.' : lines.join('\n')}\n${next}`;
    }
    if (action === 'list') {
      const lines = (subscriptions ?? []).map(
        ({ id, url, events: named, state, waiting }) => `${id} ${state}: ${url} (${named.join(', ')}), ${waiting} waiting`,
      );
      return `${lines.length === 0 ? 'No subscription.' : lines.join('\n')}\n${subscriptions_left} more possible.`;
    }
    if (action === 'cancel') return `Cancelled ${one?.id} (${one?.url}). ${next}`;
    return `Subscribed ${one?.id}: ${one?.events.join(', ')} to ${one?.url}. Secret: ${secret}\n${next}\n${how_to_verify}`;
  },
});

const noEvents = { subscription: null, secret: null, how_to_verify: null, subscriptions: null, subscriptions_left: null } as const;
const noTournament = { signed_up_at: null, tournament: null, tournaments: null } as const;

interface Wanted {
  readonly action?: 'add' | 'list' | 'cancel' | undefined;
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly id?: string | undefined;
}

async function tell({ action = 'list', url, events: wanted, id }: Wanted, { call, webhooks }: Caller) {
  const list = () => call<List>('api_agent.list_subscriptions');
  const answer = { to: 'events', action, ...noEvents, ...noTournament } as const;
  if (action === 'list') {
    const stray = url !== undefined ? 'url' : id !== undefined ? 'id' : wanted !== undefined ? 'events' : undefined;
    if (stray) throw invalidArgument(stray, 'list takes nothing. Give action add or cancel.');
    return { ...answer, ...(await list()), next: 'add another one, or cancel one by its id.' };
  }
  if (action === 'cancel') {
    if (id === undefined) throw invalidArgument('id', 'cancel needs the id of the subscription.');
    const cancelled = await call<Subscription>('api_agent.cancel_subscription', { id });
    return { ...answer, subscription: cancelled, ...(await list()), next: 'Nothing more is posted there.' };
  }
  if (url === undefined) throw invalidArgument('url', 'add needs the url to post to.');
  await webhooks.check(url);
  const { secret, ...made } = webhooks.make();
  const added = await call<Subscription>('api_agent.subscribe', { ...made, url, events: wanted ?? null });
  return {
    ...answer,
    subscription: added,
    secret,
    how_to_verify: verify,
    ...(await list()),
    next: 'Keep the secret now: it is not shown again. The next event of those that you named is posted as soon as it happens.',
  };
}

async function enter(slug: string | undefined, { call }: Caller) {
  if (slug === undefined) {
    const { tournaments } = await call<{ tournaments: Tournament[] }>('api_agent.tournaments');
    const open = tournaments.find(({ phase, i_am_in }) => phase === 'open' && !i_am_in);
    const next = open ? `Sign up with ${JSON.stringify(open.join_with?.arguments)}.` : 'None is open for sign-ups that you are not in.';
    return { to: 'tournament', action: 'list', ...noEvents, ...noTournament, tournaments, next } as const;
  }
  const { signed_up_at, tournament: entered } = await call<{ signed_up_at: string; tournament: Tournament }>('api_agent.sign_up', { slug });
  const next = entered.code
    ? `Redeem the code ${entered.code.code} with fund. Then play as always: the nights of days ${entered.starts_day} to ${entered.ends_day} count.`
    : `Play as always: the nights of days ${entered.starts_day} to ${entered.ends_day} count. leaderboard shows its boards.`;
  return { to: 'tournament', action: 'sign_up', ...noEvents, ...noTournament, signed_up_at, tournament: entered, next } as const;
}
