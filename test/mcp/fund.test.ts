// fund as agents meet it: credits, codes, and the link to the account page. Rules 5.1; protocol 5.4, 9.4.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fund as tool } from '../../src/mcp/tools/fund.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { formOf, Visitor } from '../support/doors/visitor.ts';
import { type Account, anAccount, anotherAgent, grant, useHill } from '../support/hill/index.ts';
import { aCode, aTournament, enter } from '../support/hill/tournaments.ts';

const hill = useHill();
const mcp = useMcp(hill);

const fund = async (account: Account, args: object = {}) => mcp.call(await mcp.token(account), 'fund', args);
const isRefused = async (account: Account, args: object) => mcp.refusal(await mcp.token(account), 'fund', args);

const entrant = async (options = {}) => {
  const account = await anAccount(hill, options);
  await enter(hill, account, 'spring-cup');
  return account;
};

test('credits, lots and the link, in the schema that is listed', async () => {
  const ann = await anAccount(hill, { credits: 5000, granted: [700] });
  await hill.clock.tick(1000);
  await grant(hill, ann, 300);
  const client = await mcp.client(await mcp.token(ann));
  await client.listTools();
  await client.callTool({ name: 'play', arguments: { slot: 2, move: 'PEACE' } });

  const { structuredContent, content } = await client.callTool({ name: 'fund', arguments: {} });

  expect(structuredContent).toEqual({
    granted_cents: 1000,
    paid_cents: 5000,
    reserved_cents: 300,
    available_cents: 5700,
    lots: [
      { remaining_cents: 700, expires_at: '2026-05-30T10:00:00.000000Z' },
      { remaining_cents: 300, expires_at: '2026-05-30T10:00:01.000000Z' },
    ],
    topup_minimum_cents: 2000,
    topup_maximum_cents: 100000,
    top_up_url: `${mcp.baseUrl}/account#fuel`,
  });
  expect(content).toEqual([
    {
      type: 'text',
      text: `5700 cents are available: 1000 granted and 5000 of play money, less 300 reserved. 700 of the granted cents expire first, at 2026-05-30T10:00:00.000000Z. Your human adds play money, which costs nothing, at ${mcp.baseUrl}/account#fuel Then: status {}`,
    },
  ]);
});

test('the amount that the agent asks for waits on the account page for its human, who decides', async () => {
  const ann = await anAccount(hill, { credits: 100 });
  const { top_up_url } = await fund(ann, { amount_cents: 4250 });
  expect(top_up_url).toBe(`${mcp.baseUrl}/account?top_up_cents=4250#fuel`);

  const visitor = new Visitor();
  const signedOut = await visitor.once(top_up_url as string);
  expect(signedOut.headers.get('Location')).toBe(
    `/sign-in?return_to=${encodeURIComponent('/account?top_up_cents=4250')}`,
  );
  visitor.cookies.set('hill_session', ann.session);
  const page = await visitor.go(top_up_url as string);
  expect(page.text).toContain('Your agent suggests adding <strong>$42.50</strong>. You decide.');
  expect(page.text).toMatch(/<input id="amount"[^>]* value="42\.50"[^>]* autofocus/);
  await visitor.send(page, '/account/top-up', { amount: '42.50' });
  expect(await fund(ann)).toMatchObject({ paid_cents: 4350 });
});

test.each(['0', '1999', '100001', '-1', '1e4', '4250"><script>', '99999999999'])(
  'an address that suggests %s suggests nothing',
  async (amount) => {
    const ann = await anAccount(hill);
    const visitor = new Visitor(ann.session);
    const page = await visitor.go(`${mcp.baseUrl}/account?top_up_cents=${encodeURIComponent(amount)}`);

    expect(page.status).toBe(200);
    expect(page.text).not.toContain('Your agent suggests');
    expect(page.text).toMatch(/<input id="amount"[^>]* value=""/);
  },
);

test.each([[1999], [100001], [0], [-2000]])('an amount of %j is refused, with the limits', async (amount_cents) => {
  const ann = await anAccount(hill);

  expect(await isRefused(ann, { amount_cents })).toMatchObject({
    code: 'INVALID_AMOUNT',
    minimum_cents: 2000,
    maximum_cents: 100000,
  });
});

test.each([
  ['code', { code: 7 }],
  ['code', { code: '' }],
  ['code', { code: 'x'.repeat(200) }],
  ['amount_cents', { amount_cents: 20.5 }],
  ['amount_cents', { amount_cents: 'much' }],
  ['account', { account: 'another' }],
])('an argument that is not valid is named: %s', async (argument, args) => {
  expect(await isRefused(await anAccount(hill), args)).toMatchObject({ code: 'INVALID_ARGUMENT', argument });
});

test('a code adds a lot once, whichever agent brings it, and says what it added', async () => {
  await aTournament(hill);
  const ann = await entrant({ credits: 1000 });
  const code = await aCode(hill, 'spring-cup', { cents: 750 });
  const other = await anotherAgent(hill, ann);

  expect(await fund(ann, { code: ` ${code.toLowerCase()} ` })).toMatchObject({
    redeemed: { granted_cents: 750, expires_at: '2026-05-30T10:00:01.000000Z' },
    granted_cents: 750,
    available_cents: 1750,
    lots: [{ remaining_cents: 750 }],
  });
  for (const account of [ann, other])
    expect(await isRefused(account, { code })).toMatchObject({
      code: 'CODE_REDEEMED',
      granted_cents: 750,
      redeemed_at: expect.any(String),
    });
  expect(await fund(ann)).toMatchObject({ granted_cents: 750 });
});

test('a code that is used up, expired, unknown, or for entrants only has a code of its own', async () => {
  const [ann, bob] = [await entrant(), await entrant()];
  const once = await aCode(hill, 'spring-cup', { uses: 1 });
  await fund(ann, { code: once });
  expect(await isRefused(bob, { code: once })).toMatchObject({ code: 'CODE_USED_UP' });

  const passing = await aCode(hill, 'spring-cup');
  await hill.rows(
    "update hill.tournament_codes set created_at = '2026-02-01', expires_at = engine.now() where code = $1",
    [passing],
  );
  expect(await isRefused(bob, { code: passing })).toMatchObject({ code: 'CODE_EXPIRED' });

  expect(await isRefused(bob, { code: 'NOT-A-CODE' })).toMatchObject({ code: 'UNKNOWN_CODE', argument: 'code' });
  expect(await isRefused(await anAccount(hill), { code: await aCode(hill, 'spring-cup') })).toMatchObject({
    code: 'ENTRANTS_ONLY',
    tournament: 'spring-cup',
  });
  expect(await fund(bob)).toMatchObject({ granted_cents: 0, lots: [] });
});

test('an amount that is refused leaves the code unused', async () => {
  const ann = await entrant();
  const code = await aCode(hill, 'spring-cup');

  expect(await isRefused(ann, { code, amount_cents: 1 })).toMatchObject({ code: 'INVALID_AMOUNT' });
  expect(await fund(ann, { code, amount_cents: 2000 })).toMatchObject({ redeemed: { granted_cents: 500 } });
});

test('guessing is stopped for the account, all its agents together, and says for how long', async () => {
  const [ann, bob] = [await entrant(), await entrant()];
  const other = await anotherAgent(hill, ann);
  for (let i = 0; i < 10; i++)
    expect((await isRefused(i % 2 ? ann : other, { code: `GUESS-${i}-GUESS` })).code).toBe('UNKNOWN_CODE');

  const good = await aCode(hill, 'spring-cup');
  const once = async (account: Account) => mcp.callTool(await mcp.token(account), 'fund', { code: good });
  const wait = Number((await once(ann)).headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(3600);
  for (const account of [ann, other]) {
    const { status, headers, message } = await once(account);
    expect([status, headers.get('retry-after')]).toEqual([429, String(wait)]);
    expect(message).toMatchObject({
      error: {
        message: expect.stringMatching(/^Too many codes were tried\./),
        data: { code: 'rate_limited', retry_after_seconds: wait },
      },
    });
  }
  const modern = await mcp.modernClient(await mcp.token(ann));
  await expect(modern.callTool({ name: 'fund', arguments: { code: good } })).rejects.toThrow(
    /Too many codes were tried/,
  );
  expect(await fund(bob, { code: good })).toMatchObject({ redeemed: { granted_cents: 500 } });
  await hill.clock.tick(wait * 1000);
  expect(await fund(ann, { code: good })).toMatchObject({ redeemed: { granted_cents: 500 } });
});

test('a human redeems a code on the account page, where refusals are for people', async () => {
  const ann = await entrant();
  const code = await aCode(hill, 'spring-cup');
  const visitor = new Visitor(ann.session);
  const page = await visitor.go(`${mcp.baseUrl}/account`);
  expect(formOf(page.text, '/account/code')).toBeDefined();

  const wrong = await visitor.send(page, '/account/code', { code: 'NOT-A-CODE' });
  expect((await visitor.landed(page, wrong)).text).toContain('That code does not exist.');
  const right = await visitor.send(page, '/account/code', { code });
  expect(right.headers.get('Location')).toBe('/account?done=code');
  expect(await fund(ann)).toMatchObject({ granted_cents: 500 });
});

test.each([
  [
    'stripe',
    'Your human buys credits by card, 2000 to 100000 cents at a time, prepaid and not refundable, at https://hill.example/account#fuel',
  ],
  [
    'none',
    'Credits cannot be bought on this hill at present: staff grant them, and codes do. The account page of your human: https://hill',
  ],
] as const)('the text says what the human can do there: %s', (topUps, words) => {
  const nothing = { granted_cents: 0, paid_cents: 0, reserved_cents: 0, available_cents: 0, lots: [] };
  const result = {
    ...nothing,
    topup_minimum_cents: 2000,
    topup_maximum_cents: 100000,
    top_up_url: 'https://hill.example/account#fuel',
  };
  expect(tool.text(result, { topUps } as never)).toContain(words);
});

describe('a client that opens pages', () => {
  /** A client of the newest revision whose human does as it is told. */
  const clientOf = async (account: Account, action: 'accept' | 'decline' | 'cancel') => {
    const client = await mcp.modernClient(await mcp.token(account), { capabilities: { elicitation: { url: {} } } });
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params);
      return { action };
    });
    return { client, asked };
  };

  test.each([
    ['accept', 'Your human opened the page'],
    ['decline', 'does not want to open'],
    ['cancel', 'did not open'],
  ] as const)('offers the page to its human, and fund says what came of it: %s', async (action, said) => {
    const ann = await anAccount(hill, { credits: 100 });
    const { client, asked } = await clientOf(ann, action);
    await client.listTools();

    const { structuredContent, content } = await client.callTool({ name: 'fund', arguments: { amount_cents: 4250 } });

    const url = `${mcp.baseUrl}/account?top_up_cents=4250#fuel`;
    expect(asked).toEqual([
      { mode: 'url', url, message: 'Your agent suggests adding $42.50 to your account on the hill.' },
    ]);
    expect(structuredContent).toMatchObject({ page: action, paid_cents: 100, top_up_url: url });
    expect((content as { text: string }[])[0]?.text).toContain(said);
  });

  test('is not asked where no amount is asked for, nor for one that is refused; a code is redeemed once, after the question', async () => {
    const ann = await entrant({ credits: 100 });
    const { client, asked } = await clientOf(ann, 'accept');
    expect((await client.callTool({ name: 'fund', arguments: {} })).structuredContent).not.toHaveProperty('page');
    expect((await client.callTool({ name: 'fund', arguments: { amount_cents: 1 } })).isError).toBe(true);
    expect(asked).toEqual([]);

    const code = await aCode(hill, 'spring-cup', { cents: 500 });
    const { structuredContent } = await client.callTool({ name: 'fund', arguments: { code, amount_cents: 2000 } });

    expect(structuredContent).toMatchObject({ page: 'accept', redeemed: { granted_cents: 500 } });
    expect(asked).toHaveLength(1);
  });

  test('of an earlier revision, or one that opens none, gets the link as text', async () => {
    const ann = await anAccount(hill);
    const old = new Client({ name: 'a test', version: '1' }, { capabilities: { elicitation: { url: {} } } });
    onTestFinished(() => old.close());
    await old.connect(
      new StreamableHTTPClientTransport(new URL(`${mcp.authUrl}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${await mcp.token(ann)}` } },
      }) as Transport,
    );
    const formsOnly = await mcp.modernClient(await mcp.token(ann), { capabilities: { elicitation: {} } });
    for (const client of [old, formsOnly]) {
      const { structuredContent, content } = await client.callTool({ name: 'fund', arguments: { amount_cents: 4250 } });
      expect(structuredContent).not.toHaveProperty('page');
      expect((content as { text: string }[])[0]?.text).toContain(
        `Your human adds play money, which costs nothing, at ${mcp.baseUrl}/account?top_up_cents=4250#fuel`,
      );
    }
  });
});
