// One tool of two halves: the account's events posted to an address of its own, and tournaments. Rules 15.1.
import { z } from 'zod';
import { rule } from '../../../db/rules.ts';
import { tool } from '../../tool.ts';
import * as events from './events.ts';
import * as tournaments from './tournaments.ts';

interface Given {
  readonly to?: 'events' | 'tournament' | undefined;
  readonly tournament?: string | undefined;
  readonly action?: 'add' | 'list' | 'cancel' | undefined;
  readonly url?: string | undefined;
  readonly events?: readonly events.EventName[] | undefined;
  readonly id?: string | undefined;
}

const halfOf = ({ to, tournament }: Given) => to ?? (tournament === undefined ? 'events' : 'tournament');

/** What is wrong with the arguments together: which one, and why. */
function misfit(given: Given): [argument: string, problem: string] | undefined {
  const stray = (...names: (keyof Given)[]) =>
    names.find((name) => given[name] !== undefined && given[name] !== 'list');
  if (halfOf(given) === 'tournament') {
    const extra = stray('action', 'url', 'events', 'id');
    return extra && [extra, 'A tournament takes its slug as tournament, and nothing else.'];
  }
  if (given.tournament !== undefined) return ['tournament', 'Events take no tournament: leave out one of the two.'];
  if (given.action === 'add') return given.url === undefined ? ['url', 'add needs the url to post to.'] : undefined;
  if (given.action === 'cancel')
    return given.id === undefined ? ['id', 'cancel needs the id of the subscription.'] : undefined;
  const extra = stray('url', 'id', 'events');
  return extra && [extra, 'list takes nothing. Give action add or cancel.'];
}

const nothing = {
  subscription: null,
  secret: null,
  how_to_verify: null,
  subscriptions: null,
  subscriptions_left: null,
  signed_up_at: null,
  tournament: null,
  tournaments: null,
};

export const subscribe = tool({
  name: 'subscribe',
  title: 'Subscribe to events, or sign up for a tournament',
  description: `Two things. (1) ${tournaments.description} (2) ${events.description}`,
  scope: 'hill:play',
  annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: true, openWorldHint: true },
  input: z
    .object({
      to: z
        .enum(['events', 'tournament'])
        .optional()
        .describe(
          'events (by default): webhooks for what happens to your account. tournament (by default if tournament is given).',
        ),
      tournament: z
        .string()
        .max(rule('lookup_length'))
        .optional()
        .describe('The slug of the tournament to sign up for.'),
      action: z
        .enum(['add', 'list', 'cancel'])
        .optional()
        .describe('For events: add takes url and events; list takes nothing; cancel takes id. By default list.'),
      url: z
        .string()
        .max(rule('webhook_url_length'))
        .optional()
        .describe('add: where to post. https, at the usual port of a public host; redirects are not followed.'),
      events: z.array(z.enum(events.names)).min(1).optional().describe('add: which events; by default all.'),
      id: z.uuid().optional().describe('cancel: the id from add or list.'),
    })
    .superRefine((given, { addIssue }) => {
      const [argument, message] = misfit(given) ?? [];
      if (argument) addIssue({ code: 'custom', path: [argument], message });
    }),
  output: z.object({
    to: z.enum(['events', 'tournament']),
    action: z.enum(['add', 'list', 'cancel', 'sign_up']),
    ...events.output,
    ...tournaments.output,
    next: z.string(),
  }),
  run: async (given, caller) => ({
    ...nothing,
    ...(await (halfOf(given) === 'tournament' ? tournaments.run(given.tournament, caller) : events.run(given, caller))),
  }),
  text: (result) => (result.to === 'tournament' ? tournaments.text(result) : events.text(result)),
});
