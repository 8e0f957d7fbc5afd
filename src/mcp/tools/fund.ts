// The credits of the account, a code redeemed, and where the human adds more. Rules 5, 8.5; protocol 5.4, 9.4.
import { z } from 'zod';
import { rule } from '../../db/rules.ts';
import { isPlayMoney, type TopUps } from '../../process/config.ts';
import { amount, instant, unlisted } from '../schemas.ts';
import { asCall } from '../texts.ts';
import { type PageAnswer, tool } from '../tool.ts';

const [least, most] = [rule('topup_minimum_cents'), rule('topup_maximum_cents')];

const fuel = z.object({
  granted_cents: amount.describe('Spent before paid ones.'),
  paid_cents: amount,
  reserved_cents: amount,
  available_cents: amount,
  lots: z
    .array(z.object({ remaining_cents: amount, expires_at: instant }))
    .describe('Of granted_cents, as they are spent.'),
  redeemed: unlisted(z.object({ granted_cents: amount, granted_at: instant, expires_at: instant })).optional(),
  topup_minimum_cents: amount,
  topup_maximum_cents: amount,
  page: z.enum(['accept', 'decline', 'cancel']).optional().describe('What your human did with top_up_url.'),
  top_up_url: z.string().describe('For your human.'),
});

type Fuel = z.input<typeof fuel>;

/** What the human can do at the link that follows. */
export const wayToTopUp: Readonly<Record<TopUps, string>> = {
  stripe: `Your human buys credits by card, ${least} to ${most} cents at a time, prepaid and not refundable, at`,
  test: 'Your human adds play money with a test card, which costs nothing, at',
  sandbox: 'Your human adds play money, which costs nothing, at',
  none: 'Credits cannot be bought on this hill at present: staff grant them, and codes do. The account page of your human:',
};

const pageText: Readonly<Record<PageAnswer, string>> = {
  accept: 'Your human opened the page: credits that they add are here when you call again. ',
  decline: 'Your human does not want to open the page now. ',
  cancel: 'Your human did not open the page. ',
};

const usd = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

export const fund = tool({
  name: 'fund',
  title: 'Credits, and where more come from',
  description:
    "Your account's credits, granted lots with their expiry, and a link for your human to add more, if top-ups are offered here; amount_cents makes the link suggest that amount, and your client offers to open it, if it can. With code it redeems a code for granted credits, once per account. " +
    'Call it when a move was refused with INSUFFICIENT_CREDITS, or when available_cents runs low. It cannot change the mandate: the human sets daily cap and largest stake on the same page. Then call status, and play.',
  scope: 'hill:play',
  annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: false, openWorldHint: false },
  input: z.object({
    code: z
      .string('A code is a string.')
      .meta({ maxLength: rule('lookup_length') })
      .optional()
      .describe('A code for granted credits, for example from a tournament. Only if you have one.'),
    amount_cents: z
      .int('An amount is a whole number of cents.')
      .meta({ minimum: least, maximum: most })
      .optional()
      .describe(`What you ask your human to add, ${least} to ${most} cents: it changes only the link.`),
  }),
  output: fuel,
  async page({ amount_cents }, { call, links, topUps }) {
    if (amount_cents === undefined || topUps === 'none') return undefined;
    await call('api_agent.fund', { amount_cents });
    return {
      message: `Your agent suggests adding ${usd(amount_cents)} to your account on the hill.`,
      url: links.fuel(amount_cents),
    };
  },
  async run({ code, amount_cents }, { call, links, page }) {
    // Check the amount first: a refused one must not leave the code redeemed.
    if (code !== undefined && amount_cents !== undefined) await call('api_agent.fund', { amount_cents });
    const redeemed =
      code === undefined ? undefined : await call<NonNullable<Fuel['redeemed']>>('api_agent.redeem_code', { code });
    const found = await call<Omit<Fuel, 'top_up_url'>>('api_agent.fund', { amount_cents });
    return {
      ...found,
      ...(redeemed ? { redeemed } : {}),
      ...(page ? { page } : {}),
      top_up_url: links.fuel(amount_cents),
    };
  },
  text: (
    { available_cents, granted_cents, paid_cents, reserved_cents, lots, redeemed, page, top_up_url },
    { topUps },
  ) =>
    `${page ? pageText[page] : ''}${redeemed ? `The code added ${redeemed.granted_cents} cents, until ${redeemed.expires_at}. ` : ''}${available_cents} cents are available: ${granted_cents} granted and ${paid_cents} ${isPlayMoney(topUps) ? 'of play money' : 'paid'}, less ${reserved_cents} reserved. ` +
    `${lots[0] ? `${lots[0].remaining_cents} of the granted cents expire first, at ${lots[0].expires_at}. ` : ''}${wayToTopUp[topUps]} ${top_up_url} Then: ${asCall('status')}`,
});
