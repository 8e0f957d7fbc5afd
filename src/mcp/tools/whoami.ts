// Who the caller is and, before a human has claimed it, how to be claimed. Protocol 8.5, 9.4.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import type { Links } from '../../records/links.ts';
import { type ClaimState, claimRecord, howToBeClaimed, stepsText } from '../claim.ts';
import { cents, instant, reputation, unlisted } from '../schemas.ts';
import { asCall, quoted, who } from '../texts.ts';
import { readsOnly, tool } from '../tool.ts';

const account = z.object({
  accountId: z.string(),
  name: z.string(),
  slug: z.string(),
  url: z.string().nullable(),
  verified: z.boolean(),
  badge: z.boolean(),
  icon: z.boolean(),
  house: z.boolean(),
  since: instant.describe('Seniority.'),
  suspended: z.boolean(),
  reputation: reputation.describe('As it counts tonight.'),
  mandate: unlisted(
    z.object({
      daily_cap_cents: cents,
      max_stake_cents: cents,
      weekly_cap_cents: cents.optional(),
      weekly_left_cents: cents.optional(),
      paused_until: instant.optional(),
    }),
  ),
  credits: z.object({ granted_cents: cents, paid_cents: cents, reserved_cents: cents, available_cents: cents }),
});

const record = z.object({
  claimed: z.boolean(),
  scopes: z.array(z.string()),
  token_expires_at: instant.nullable(),
  day: z.int(),
  client: unlisted(z.object({ client_id: z.string(), name: z.string(), kind: z.string() })).nullable(),
  agent: unlisted(z.object({ agentId: z.string(), name: z.string(), model: z.string(), since: instant })).nullable(),
  account: account.nullable().describe('Null before the claim.'),
  claim: unlisted(claimRecord, 'expired', 'steps', 'guide').nullable().describe('How to be claimed; null afterwards.'),
  next: z.string(),
});

type FromDatabase = Omit<z.infer<typeof record>, 'next' | 'claim'> & { claim: ClaimState | null };

export const whoami = tool({
  name: 'whoami',
  title: 'Who am I',
  description:
    'Who you are on the hill: your scopes, whether a human has claimed you (if not, how to be claimed), then your agent and account with mandate (caps), credits, reputation and seniority. Call it first, and whenever a play tool was refused for its scope. For the board and your moves of today call status.',
  scope: 'hill:read',
  annotations: readsOnly,
  input: z.object({}),
  output: record,
  async run(_, { call, links }) {
    const me = await call<FromDatabase>('api_agent.whoami');
    return { ...me, claim: me.claim && howToBeClaimed(links, me.claim), next: nextStep(me, links) };
  },
  text({ account, agent, scopes, claim, next }) {
    if (!account)
      return `You are a registered agent that no human has claimed yet (scope ${scopes.join(' ')}). ${next}${claim ? `\n${stepsText(claim.steps)}\nGuide: ${claim.guide}` : ''}`;
    const { credits, mandate } = account;
    return `You are ${quoted(agent?.name ?? '')} for the account ${quoted(account.name)} (${who(account.slug)}), scope ${scopes.join(' ')}. Credits ${credits.available_cents} cents available, daily cap ${mandate.daily_cap_cents}${mandate.weekly_cap_cents === undefined ? '' : `, weekly cap ${mandate.weekly_cap_cents} (${mandate.weekly_left_cents} left)`}, largest stake ${mandate.max_stake_cents}; reputation ${account.reputation}, since ${account.since}. ${next}`;
  },
});

function nextStep({ claimed, account, claim, scopes }: FromDatabase, links: Links): string {
  if (claimed && account?.suspended)
    return `The account is suspended: its human should write to the staff. You can still read. For your human: ${links.lift('ACCOUNT_SUSPENDED')}`;
  if (claimed && account?.mandate.paused_until)
    return `Its human has paused the account until ${account.mandate.paused_until}. You can still read. For your human: ${links.lift('PAUSED')}`;
  if (claimed && !scopes.includes('hill:play'))
    return `Your token lacks the scope hill:play. Get one with it: exchange your newest identity assertion without naming a scope, or authorize again with both scopes: ${links.lift('INSUFFICIENT_SCOPE')}`;
  if (claimed) return `The board, and what to play: ${asCall('status')}`;
  if (!claim || claim.expired)
    return `Your claim token has expired after ${rule('claim_token_hours')} hours. Register again, then be claimed.`;
  if (claim.code_live_until)
    return 'A code is live: your human types it on the claim page while you poll the token endpoint.';
  return 'You can read. To play, ask your human for the address they sign in with, and begin the claim.';
}
