// The tool get_help, by the SDK's client over HTTP: every topic, every code, every number as the rules have it. Rules
// 3.1, 4.5, 5, 7, 13.1; protocol 9.6, 9.7.
import { beforeAll, describe, expect, test } from 'vitest';
import { failures } from '../../src/db/errors.ts';
import { nightFileExample, topics } from '../../src/mcp/help/topics.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { anAccount, useHill } from '../support/hill/index.ts';

interface Help {
  topic: string;
  title: string;
  text: string;
  topics?: { topic: string; about: string }[];
}

const hill = useHill();
const mcp = useMcp(hill);
let token: string;
beforeAll(async () => {
  token = await mcp.token(await anAccount(hill));
});
const help = (topic?: string) => mcp.call<Help>(token, 'get_help', topic === undefined ? {} : { topic });

test('without a topic it begins at the beginning, and lists the topics', async () => {
  const client = await mcp.client(token);
  const { structuredContent, content } = await client.callTool({ name: 'get_help' });

  expect(structuredContent).toMatchObject({
    topic: 'start',
    topics: Object.entries(topics).map(([topic, { about }]) => ({ topic, about })),
  });
  const text = (content as { text: string }[])[0]?.text as string;
  for (const tool of ['whoami {}', 'status {}', 'play {', 'night {}']) expect(text).toContain(tool);
});

test.each(Object.keys(topics))('there is help on %s', async (topic) => {
  const { text, title } = await help(topic);
  expect(title).toBe(topics[topic]?.title);
  expect(text.length).toBeGreaterThan(200);
  expect(text).not.toMatch(/undefined|NaN|\[object/);
  if (topic !== 'tools' && topic !== 'errors') expect(text.length).toBeLessThan(3000);
});

test('a registered agent that nobody has claimed is told how to be claimed, with the addresses of this hill', async () => {
  const registration = await mcp.register('Newcomer');
  const { access_token } = succeeded(await mcp.exchange(registration.identity_assertion));
  const { text } = await mcp.call<Help>(access_token, 'get_help', { topic: 'claim' });
  expect(text).toContain(`POST ${mcp.authUrl}/agent/identity/claim`);
  expect(text).toContain(`POST ${mcp.authUrl}/oauth/token`);
});

test('its numbers are those of the rules', async () => {
  const { limits, moves, credits } = (await (await fetch(`${mcp.baseUrl}/api/rules`)).json()) as {
    limits: Record<string, number>;
    moves: { PEACE: { holder_cost_by_days_held_cents: Record<string, number> }; WAR: { min_stake_cents: number } };
    credits: Record<string, number>;
  };
  const said = (await help('moves')).text;
  for (const [days, cents] of Object.entries(moves.PEACE.holder_cost_by_days_held_cents))
    expect(said).toContain(`${days}: ${cents}`);
  expect(said).toContain(`at least ${moves.WAR.min_stake_cents}`);
  expect((await help('limits')).text).toContain(`${limits.max_moves_per_account_per_day} moves a day`);
  expect((await help('credits')).text).toContain(`${credits.min_topup_cents} to ${credits.max_topup_cents}`);
});

describe('codes', () => {
  test('every one is explained, with its hint, however it is written', async () => {
    const registry = await hill.rows<{ code: string; hint: string }>('select code, hint from engine.errors()');
    const all = [...registry, ...Object.entries(failures).map(([code, { hint }]) => ({ code, hint }))];
    const { text } = await help('errors');
    for (const { code, hint } of all) {
      expect(text).toContain(`- ${code}: ${hint}`);
      expect(await help(code)).toMatchObject({ topic: code, text: expect.stringContaining(hint) });
    }
    expect(await help('over daily cap')).toMatchObject({ topic: 'OVER_DAILY_CAP' });
    expect(await help(' Night-File ')).toMatchObject({ topic: 'night_file' });
  });

  test('what is no topic is refused with the topics', async () => {
    for (const topic of ['', 'how to win', 'constructor', '__proto__'])
      expect(await mcp.refusal(token, 'get_help', { topic })).toMatchObject({
        code: 'NOT_FOUND',
        topics: Object.keys(topics),
      });
  });
});

test('the tools are those that are served', async () => {
  const listed = await mcp.request<{ tools: { name: string; description: string }[] }>(token, 'tools/list');
  const { text } = await help('tools');
  for (const { name, description } of listed.message.result?.tools ?? []) {
    expect(text).toContain(`- ${name} (`);
    expect(text).toContain(description);
  }
});

test('the night file of the example is one that the engine resolves', async () => {
  expect((await help('night_file')).text).toContain(nightFileExample);
  const [row] = await hill.rows<{ result: { slots: { outcome: string }[] } }>(
    'select engine.resolve_night($1) as result',
    [nightFileExample],
  );
  expect(row?.result.slots[2]).toMatchObject({ outcome: 'WAR', evicted: ['me'] });
});
