// What a refusal tells an agent whose human alone can help: the link, in each form in which clients show it to a model.
// And arguments under another name. Rules 14.4; protocol 9.5, 9.6.
import { describe, expect, test } from 'vitest';
import { refusals } from '../../src/db/errors.ts';
import { type ToolResult, useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { type Account, type AccountOptions, anAccount, closeAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
const mcp = useMcp(hill);

const modern = '2026-07-28';
/** The same call in the revision without a handshake. */
const modernCall = (token: string, name: string, args: object) =>
  mcp.post<ToolResult>(
    token,
    {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': modern,
          'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    { headers: { 'MCP-Protocol-Version': modern, 'Mcp-Method': 'tools/call', 'Mcp-Name': name } },
  );

const lifted = Object.values(refusals).flatMap(({ code, liftedAt }) => (liftedAt ? [[code, liftedAt] as const] : []));

/** How an agent comes to a refusal. */
const ways: Record<string, { options?: AccountOptions; move?: object; token?: (account: Account) => Promise<string> }> =
  {
    ACCOUNT_SUSPENDED: { options: { suspended: true } },
    PAYMENT_DISPUTED: { options: { barred: true } },
    STAKE_OVER_MANDATE: { move: { move: 'WAR', stake_cents: 90_000 } },
    OVER_DAILY_CAP: { options: { daily_cap_cents: 100 } },
    INSUFFICIENT_CREDITS: { options: { credits: 0 } },
    INSUFFICIENT_SCOPE: {
      token: async () => succeeded(await mcp.exchange((await mcp.register()).identity_assertion)).access_token,
    },
    INVALID_TOKEN: { token: async () => 'no token' },
    PAUSED: {
      token: async (account) => {
        const { next_bell_at } = await hill.asWorker().readClock();
        await hill.asHuman(account).pause(next_bell_at.slice(0, 10));
        return mcp.token(account);
      },
    },
    WEEKLY_CAP: {
      token: async (account) => {
        await hill.asHuman(account).setWeeklyCap(299);
        return mcp.token(account);
      },
    },
    ACCOUNT_CLOSED: {
      token: async (account) => {
        const token = await mcp.token(account);
        await closeAccount(hill, account);
        return token;
      },
    },
  };
/** Of the pages of humans, which no tool meets; and of set_profile, in its own test. */
const elsewhere = [
  'SIGN_IN_AGAIN',
  'SIGN_IN_TAKEN',
  'SIGN_IN_WAITS',
  'LAST_SIGN_IN',
  'SIGN_IN_TOO_NEW',
  'PROFILE_HIDDEN',
  'TERMS_CHANGED',
];

describe('a refusal that a human lifts', () => {
  test('is met below, or elsewhere', () => {
    expect(lifted.map(([code]) => code).sort()).toEqual([...Object.keys(ways), ...elsewhere].sort());
  });

  test.each(lifted.filter(([code]) => ways[code]))('%s says where: %s', async (code, at) => {
    const { options, move, token: tokenOf = mcp.token } = ways[code] ?? {};
    const account = await anAccount(hill, { credits: 9000, ...options });
    const token = await tokenOf(account);
    const link = mcp.baseUrl + at;
    const args = { slot: 1, move: 'PEACE', ...move };
    for (const { status, message } of [
      await mcp.callTool(token, 'play', args),
      await modernCall(token, 'play', args),
    ]) {
      // the door tells nobody without a live token more than that
      const told = code === 'ACCOUNT_CLOSED' ? 'INVALID_TOKEN' : code;
      if (status === 200) {
        const { structuredContent, content } = message.result as ToolResult;
        expect(structuredContent).toMatchObject({ code: told, link, hint: expect.stringContaining(link) });
        expect(content[0]?.text).toContain(link);
      } else {
        expect(message.error?.data).toMatchObject({ code: told, link, hint: expect.stringContaining(link) });
        expect(message.error?.message).toContain(link);
      }
    }
    // and the page is there, for who is signed in and who is not
    expect([200, 303]).toContain((await fetch(link, { redirect: 'manual' })).status);
  });

  test('is told with its link by get_help, too', async () => {
    const token = await mcp.token(await anAccount(hill));
    for (const [code, at] of lifted)
      expect((await mcp.call<{ text: string }>(token, 'get_help', { topic: code })).text).toContain(mcp.baseUrl + at);
  });

  test('before the claim is told with whole requests', async () => {
    const token = await ways.INSUFFICIENT_SCOPE?.token?.(await anAccount(hill));
    const { message } = await mcp.callTool(token as string, 'play', { slot: 1, move: 'PEACE' });
    expect(message.error?.message).toContain(
      `POST ${mcp.authUrl}/agent/identity/claim json {"claim_token":"<claim_token>","email":"<email>"}`,
    );
    expect(message.error?.message).toMatch(/POST \S+\/oauth\/token form grant_type=\S+&claim_token=<claim_token>/);
  });
});

describe('an argument under another name', () => {
  test.each<[string, object, string, Record<string, string>]>([
    ['play', { place: 2 }, 'place', { place: 'slot' }],
    ['play', { place: 2, move: 'WAR', stake: 900 }, 'place, stake', { place: 'slot', stake: 'stake_cents' }],
    ['play', { slotNumber: 2, action: 'PEACE' }, 'slotNumber, action', { slotNumber: 'slot', action: 'move' }],
    ['announce', { slot: 2, move: 'PEACE' }, 'move', { move: 'intention' }],
    ['get_help', { code: 'OVER_DAILY_CAP' }, 'code', { code: 'topic' }],
    ['ask_the_bell', { moves: [{ who: 'me', place: 2, move: 'PEACE' }] }, 'moves.0.place', { place: 'slot' }],
    ['ask_the_bell', { moves: [], holdersStay: false }, 'holdersStay', { holdersStay: 'holders_stay' }],
    ['status', { verbose: true }, 'verbose', {}],
  ])('of %s: %j is refused with what is meant, in both revisions', async (tool, args, argument, meant) => {
    const account = await anAccount(hill, { credits: 2000 });
    const token = await mcp.token(account);
    for (const { message } of [await mcp.callTool(token, tool, args), await modernCall(token, tool, args)]) {
      expect(message.result).toMatchObject({
        isError: true,
        structuredContent: { code: 'INVALID_ARGUMENT', argument, meant },
      });
      const text = (message.result as ToolResult).content[0]?.text ?? '';
      for (const [sent, known] of Object.entries(meant)) expect(text).toContain(`for ${sent} say ${known}`);
      expect(text).toContain(`${tool} takes `);
    }
    // the client of the older SDK shows it as well
    const told = (await (await mcp.client(token)).callTool({ name: tool, arguments: { ...args } })) as ToolResult;
    expect(told).toMatchObject({ isError: true, structuredContent: { argument } });
  });
});
