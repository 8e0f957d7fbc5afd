// Every tool of protocol 9.4 is there, and every result of every tool is what its schema says; what is logged of it
// betrays nothing. Rules 9.2; protocol 9.4.
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../src/mcp/tools/index.ts';
import { type ToolResult, useMcp } from '../support/doors/mcp.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
const mcp = useMcp(hill);

const specified = {
  'hill:read': [
    'whoami',
    'get_help',
    'status',
    'night',
    'leaderboard',
    'explore_and_debrief',
    'ask_the_bell',
    'report_missing_capability',
    'list_my_reports',
  ],
  'hill:play': ['play', 'announce', 'fund', 'subscribe', 'set_profile', 'verify_badge'],
};

test('the tools are those of protocol 9.4, in its order, each with its scope', () => {
  const there = (scope: keyof typeof specified) => tools.filter((tool) => tool.scope === scope).map(({ name }) => name);

  expect(tools.map(({ name }) => name)).toEqual([...specified['hill:read'], ...specified['hill:play']]);
  expect(there('hill:read')).toEqual(specified['hill:read']);
  expect(there('hill:play')).toEqual(specified['hill:play']);
});

/** JSON, each value on one line where it fits. */
function readable(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || line.length + indent.length <= 140) return line;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => readable(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${readable(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}

test('the list is as it was reviewed', async () => {
  const { message } = await mcp.request<{ tools: unknown[] }>(await mcp.token(await anAccount(hill)), 'tools/list');

  const list = JSON.parse(JSON.stringify(message.result).replaceAll(mcp.authUrl, 'https://hill.example'));
  await expect(`${readable(list)}\n`).toMatchFileSnapshot('../snapshots/tools.json');
});

describe('every tool', () => {
  let ann: Account;
  let token: string;

  beforeAll(async () => {
    ann = await anAccount(hill, { name: 'Ann', credits: 9000, granted: 500, daily_cap_cents: 5000 });
    const bob = await anAccount(hill, { name: 'Bob', credits: 9000, daily_cap_cents: 5000 });
    token = await mcp.token(ann);
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: 'good morning' });
    await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE' });
    await hill.asAgent(bob).play({ slot: 1, move: 'WAR', stake_cents: 900 });
    await hill.asAgent(bob).play({ slot: 2, move: 'PEACE' });
    await hill.clock.ringBell();
    await hill.clock.toDay(2);
  });

  /** Calls that each must succeed, beside those without an argument. */
  const examples: Readonly<Record<string, readonly object[]>> = {
    whoami: [{}],
    get_help: [{}, { topic: 'resolution' }, { topic: 'OVER_DAILY_CAP' }],
    status: [{}],
    night: [{}, { day: 1, slot: 1 }],
    leaderboard: [{ board: 'hill' }, { board: 'efficiency' }, { board: 'wall' }],
    explore_and_debrief: [{ mode: 'explore' }, { mode: 'debrief', day: 1, slot: 1 }],
    ask_the_bell: [{ moves: [{ who: 'me', slot: 3, move: 'PEACE' }] }],
    report_missing_capability: [{ what: 'A tool that tells when my human is awake.' }],
    list_my_reports: [{}],
    play: [
      { slot: 3, move: 'PEACE' },
      { slot: 4, move: 'WAR', stake_cents: 900, message: 'mine', day: 2 },
      { slot: 4, move: 'PASS' },
    ],
    announce: [{ slot: 3, intention: 'PEACE', message: 'I come in peace' }],
    fund: [{}],
    subscribe: [{}, { action: 'list' }],
    set_profile: [{ name: 'Ann the First', url: 'https://ann.example' }],
    verify_badge: [{}],
  };

  test('has an example here', () => {
    expect(Object.keys(examples).sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  test.each(tools.map(({ name }) => [name]))('%s gives what its output schema says, with a text copy', async (name) => {
    const { message } = await mcp.request<{ tools: { name: string; outputSchema: object }[] }>(token, 'tools/list');
    const outputSchema = message.result?.tools.find((tool) => tool.name === name)?.outputSchema;
    const valid = new AjvJsonSchemaValidator().getValidator(outputSchema as never);
    const client = await mcp.client(token);
    await client.listTools(); // from now on the client validates what it gets

    for (const args of examples[name] ?? []) {
      const { result, error } = (await mcp.callTool(token, name, args)).message as {
        result?: ToolResult;
        error?: unknown;
      };
      expect(error).toBeUndefined();
      expect(result?.isError, JSON.stringify(result)).toBeUndefined();
      expect(valid(result?.structuredContent)).toMatchObject({ valid: true });
      // the text alone says what can be done next: a call with its arguments, or an address
      expect(result?.content).toEqual([{ type: 'text', text: expect.stringMatching(/\b[a-z_]+ \{.*\}|https?:\/\//) }]);
      expect(await client.callTool({ name, arguments: { ...args } })).not.toHaveProperty('isError');
    }
  });

  test.each(tools.map(({ name }) => [name]))(
    '%s refuses an argument that it does not know, in the words of its schema',
    async (name) => {
      const refusal = await mcp.refusal(token, name, { ...examples[name]?.[0], no_such_argument: true });

      expect(refusal).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'no_such_argument' });
      const client = await mcp.client(token);
      await client.listTools();
      const told = (await client.callTool({
        name,
        arguments: { ...examples[name]?.[0], no_such_argument: true },
      })) as ToolResult;
      expect(told).toMatchObject({ isError: true, structuredContent: { code: 'INVALID_ARGUMENT' } });
    },
  );

  test.each(tools.map(({ name }) => [name]))(
    '%s is refused to a token that has ended, whatever its arguments',
    async (name) => {
      const ended = await mcp.token(await anAccount(hill));
      await hill.root.query(
        'update oauth.access_tokens set revoked_at = engine.now() where token_hash = engine.hash_token($1)',
        [ended],
      );
      const toNowhere = name === 'subscribe' ? [{ action: 'add', url: 'https://10.0.0.1/' }] : [];

      for (const args of [...(examples[name] ?? []), ...toNowhere, { no_such_argument: true }])
        expect([args, (await mcp.callTool(ended, name, args)).status]).toEqual([args, 401]);
    },
  );

  test.each(tools.map(({ name }) => [name]))(
    '%s answers alike, whether the door or the library understood the message',
    async (name) => {
      const modern = '2026-07-28';
      const envelope = {
        'io.modelcontextprotocol/protocolVersion': modern,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const reading = await mcp.token(ann, { scopes: ['hill:read'] });
      const headers = { 'X-Request-Id': 'one-and-the-same', 'Accept-Encoding': 'br' };
      const eras: [headers: Record<string, string>, more: object][] = [
        [{ ...headers, 'MCP-Protocol-Version': '2025-11-25' }, {}],
        [
          { ...headers, 'MCP-Protocol-Version': modern, 'Mcp-Method': 'tools/call', 'Mcp-Name': name },
          { _meta: envelope },
        ],
      ];
      const asked = [...(examples[name] ?? []), { no_such_argument: 'x' }].map((args) => [token, args] as const);
      for (const [headers, more] of eras)
        for (const [bearer, args] of [...asked, [reading, asked[0]?.[1]] as const]) {
          const ask = async (unusual: object) => {
            const params = { name, arguments: args, ...more, ...unusual };
            const {
              status,
              headers: fields,
              text,
            } = await mcp.request(bearer, 'tools/call', params, { headers, id: 1 });
            return { status, fields: [...fields].filter(([field]) => field !== 'date'), text };
          };
          const byLibrary = await ask({ unusual: 1 }); // what it leaves out, and the door does not know
          expect(await ask({})).toEqual(byLibrary);
        }
    },
  );

  test.each(tools.map(({ name }) => [name]))('%s takes no text that is none', async (name) => {
    const tool = tools.find((tool) => tool.name === name);
    const field = Object.entries(tool?.input.shape ?? {}).find(
      ([, schema]) => schema.safeParse('a \0 null').success,
    )?.[0];
    if (field === undefined) return; // it takes no free text
    for (const text of ['a \0 null', 'half a pair \ud800'])
      expect(await mcp.refusal(token, name, { ...examples[name]?.[0], [field]: text })).toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
  });
});

describe('what is logged', () => {
  test('is the tool, what came of it and how long it took; of play not even that', async () => {
    const eve = await anAccount(hill, { name: 'Eve', credits: 5000 });
    const token = await mcp.token(eve);
    const from = mcp.logged.length;
    await mcp.call(token, 'whoami');
    await mcp.refusal(token, 'whoami', { a_telling_argument: 'a telling value' });
    const before = mcp.logged.length;
    await mcp.call(token, 'play', { slot: 7, move: 'WAR', stake_cents: 987, message: 'a telling message' });
    await mcp.refusal(token, 'play', { slot: 7, move: 'WAR', stake_cents: 1 });
    await mcp.refusal(token, 'play', { slot: 'seven' });
    const after = mcp.logged.length;
    await mcp.call(token, 'status');

    const lines = mcp.logged.slice(from).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ tool }) => tool).map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['whoami', 'ok'],
      ['whoami', 'INVALID_ARGUMENT'],
      ['status', 'ok'],
    ]);
    expect(lines.find(({ tool }) => tool === 'status')?.ms).toEqual(expect.any(Number));
    expect(after).toBe(before);
    for (const secret of [token, eve.id, eve.agentId, 'Eve', 'telling', 'stake', 'seven'])
      expect(mcp.logged.join('')).not.toContain(secret);
  });
});
