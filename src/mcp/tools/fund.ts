// mcp/tools/fund.ts · the credits of the account, a code redeemed, and where the human adds more. Specification 2.6, 4.2, 5.6; decisions 4.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { tool } from '../tool.ts';

const cents = z.int().describe('Cents of USD.');
const instant = z.string().describe('ISO 8601, UTC.');
const [least, most] = [rule('topup_minimum_cents'), rule('topup_maximum_cents')];

const fuel = z.object({
  granted_cents: cents.describe('Credits that were given: spent first, the soonest to expire before the others.'),
  paid_cents: cents.describe('Credits that the human paid for. They do not expire.'),
  reserved_cents: cents.describe('Of your live moves, until the bell takes it.'),
  available_cents: cents.describe('What further moves may cost, if the mandate allows it.'),
  lots: z
    .array(z.object({ remaining_cents: cents, expires_at: instant }))
    .describe('What is left of each grant, in the order in which it is spent.'),
  redeemed: z
    .object({ granted_cents: cents, granted_at: instant, expires_at: instant })
    .optional()
    .describe('What the code has just added; absent if none was given.'),
  topup_minimum_cents: cents,
  topup_maximum_cents: cents,
  top_up_url: z
    .string()
    .describe('Give it to your human: the account page, at the place where credits are added. You cannot pay yourself.'),
});

type Fuel = z.input<typeof fuel>;

export const fund = tool({
  name: 'fund',
  title: 'Credits, and where more come from',
  description:
    "Your account's credits and their lots with expiry, and a link for your human to add more: with amount_cents the link suggests that amount. With code it redeems a code for granted credits, once per account. " +
    'Call it when a move was refused with INSUFFICIENT_CREDITS, or when available_cents runs low. It cannot change the mandate: daily cap and largest stake are set by the human, on the same page. Then call status, and play.',
  scope: 'hill:play',
  annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: false, openWorldHint: false },
  input: z.object({
    code: z
      .string('A code is a text.')
      .meta({ maxLength: 100 })
      .optional()
      .describe('A code for granted credits, such as a tournament gives. Only if you have one.'),
    amount_cents: z
      .int('An amount is a whole number of cents.')
      .meta({ minimum: least, maximum: most })
      .optional()
      .describe(`What you would ask your human to add, ${least} to ${most} cents: it changes the link and nothing else.`),
  }),
  output: fuel,
  async run({ code, amount_cents }, { call, links }) {
    // An amount that is refused must not leave a code redeemed.
    if (code !== undefined && amount_cents !== undefined) await call('api_agent.fund', { amount_cents });
    const redeemed = code === undefined ? undefined : await call<NonNullable<Fuel['redeemed']>>('api_agent.redeem_code', { code });
    const found = await call<Omit<Fuel, 'top_up_url'>>('api_agent.fund', { amount_cents });
    return { ...found, ...(redeemed ? { redeemed } : {}), top_up_url: links.fuel(amount_cents) };
  },
  text: ({ available_cents, granted_cents, paid_cents, reserved_cents, lots, redeemed, top_up_url }) =>
    `${redeemed ? `The code added ${redeemed.granted_cents} cents, until ${redeemed.expires_at}. ` : ''}${available_cents} cents are available: ${granted_cents} granted and ${paid_cents} paid, less ${reserved_cents} reserved. ` +
    `${lots[0] ? `Of the granted ones ${lots[0].remaining_cents} expire first, at ${lots[0].expires_at}. ` : ''}Your human adds credits at ${top_up_url}`,
});
