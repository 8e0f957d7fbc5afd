// Messages that the door understands by itself are answered as the library answers them, field by field; all others go
// to the library. Decisions 280.
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refusal } from '../../src/db/errors.ts';
import { callTool } from '../../src/mcp/call-tool.ts';
import { exchanges, plainMessages } from '../../src/mcp/door/exchange.ts';
import { news } from '../../src/mcp/door/news.ts';
import { offer, servers } from '../../src/mcp/protocol/server.ts';
import { type Caller, readsOnly, tool } from '../../src/mcp/tool.ts';
import { fetcherSettings } from '../../src/outside/fetcher/settings.ts';
import { webhooks } from '../../src/outside/webhooks.ts';
import { parseConfig } from '../../src/process/config.ts';
import { webhookSealer } from '../../src/process/secret.ts';
import { linksOf } from '../../src/records/links.ts';

const config = parseConfig({});
const links = linksOf(config);
const text = z.object({ text: z.string().optional(), day: z.int().optional() });
const echo = tool({
  ...{
    name: 'echo',
    title: 'Echo',
    description: 'Gives back what it was given.',
    scope: 'hill:read',
    annotations: readsOnly,
  },
  input: text,
  output: text,
  async run(given) {
    if (given.text === 'no') throw refusal('NOT_FOUND', 'There is nothing.', 'Ask for something.', { asked: 'no' });
    return given;
  },
  text: (given) => JSON.stringify(given),
});
const asking = {
  ...echo,
  name: 'asking',
  page: async () => ({ message: 'Look at this.', url: 'https://hill.example/account' }),
};
const tools = [echo, asking];
const served = servers(links, offer(tools));
const caller: Caller = {
  ...{
    links,
    tools,
    receipts: { ready: async () => undefined, sign: <T>(deposit: T) => deposit },
    topUps: 'none',
    webhooks: webhooks(fetcherSettings(config), webhookSealer(config)),
  },
  call: async () => undefined as never, // the token is live
  deposit: async () => undefined as never,
};
const exchange = exchanges(served, news().bus, () => {});

async function answered(headers: IncomingHttpHeaders, message: object) {
  const turn = await exchange({ 'content-type': 'application/json', ...headers }, message);
  if (turn.wants === 'nothing') return turn.answer;
  if (turn.wants !== 'tool') throw new Error(turn.wants);
  return turn.reply(callTool(turn.tool, turn.args, caller, turn.human).then(({ result }) => result));
}

const own = (name: string) => `io.modelcontextprotocol/${name}`;
const envelope = (capabilities: object = {}, version = '2026-07-28') => ({
  [own('protocolVersion')]: version,
  [own('clientInfo')]: { name: 'a test', version: '1' },
  [own('clientCapabilities')]: capabilities,
});
const legacy = [{}, { 'mcp-protocol-version': '2025-11-25' }, { 'mcp-protocol-version': '2024-10-07' }];
const modern = (method: string, name?: string) => ({
  ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
  ...(name ? { 'mcp-name': name } : {}),
});
const call = (args: unknown, more: object = {}, name = 'echo') => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, ...(args === undefined ? {} : { arguments: args }), ...more },
});
const parsed = (json: string) => JSON.parse(json) as object;

/** What a client may say that it takes: the answer is JSON, whatever it is. */
const accepted = [
  'application/json',
  'text/event-stream',
  'application/json, text/event-stream',
  '*/*',
  'text/html',
  'application/json;q=0',
  '',
];

const plain: [what: string, headers: IncomingHttpHeaders, message: object][] = [
  ...legacy.flatMap((headers): typeof plain => [
    ['a call', headers, call({ text: 'a "text" \u2028 \ud800' })],
    ['a call without arguments', headers, call(undefined)],
    ['a call that is refused', headers, call({ text: 'no' })],
    ['an argument that is not known', headers, call({ words: 'a text' })],
    ['a progress token and a trace', headers, call({}, { _meta: { progressToken: 'p', traceparent: '00-1-2-03' } })],
    ['an id that is text', headers, { ...call({}), id: '' }],
    ['an id below 0', headers, { ...call({}), id: -7 }],
    ['a tool with a page', headers, call({}, {}, 'asking')],
    ...accepted.map((accept): (typeof plain)[number] => ['a call', { ...headers, accept }, call({})]),
    ['a list', headers, { jsonrpc: '2.0', id: 2, method: 'tools/list' }],
    [
      'a list with parameters',
      headers,
      { jsonrpc: '2.0', id: 'x', method: 'prompts/list', params: { _meta: { progressToken: 4 } } },
    ],
    ['resources', headers, { jsonrpc: '2.0', id: 2, method: 'resources/list', params: {} }],
    ['templates', headers, { jsonrpc: '2.0', id: 2, method: 'resources/templates/list', params: {} }],
  ]),
  ['a call of the newest revision', modern('tools/call', 'echo'), call({ text: 'a text' }, { _meta: envelope() })],
  ...accepted.map((accept): (typeof plain)[number] => [
    'the same',
    { ...modern('tools/call', 'echo'), accept },
    call({}, { _meta: envelope() }),
  ]),
  ['the same, refused', modern('tools/call', 'echo'), call({ text: 'no' }, { _meta: envelope() })],
  [
    'the same, with a trace',
    modern('tools/call', 'echo'),
    call({}, { _meta: { ...envelope(), traceparent: '00-1-2-03' } }),
  ],
  ['who opens pages', modern('tools/call', 'echo'), call({}, { _meta: envelope({ elicitation: { url: {} } }) })],
  [
    'a list of the newest revision',
    modern('tools/list'),
    { jsonrpc: '2.0', id: 3, method: 'tools/list', params: { _meta: envelope() } },
  ],
  [
    'its prompts',
    modern('prompts/list'),
    { jsonrpc: '2.0', id: 3, method: 'prompts/list', params: { _meta: envelope() } },
  ],
];

const odd: typeof plain = [
  ...legacy
    .slice(0, 2)
    .flatMap((headers): typeof plain => [
      ['another tool', headers, call({}, {}, 'reverb')],
      ['a tool without a name', headers, { ...call({}), params: { arguments: {} } }],
      ...[null, [], 'text', 5].map((args): (typeof plain)[number] => [
        `arguments ${JSON.stringify(args)}`,
        headers,
        call(args),
      ]),
      ['an argument called __proto__', headers, call(parsed('{"__proto__": "x", "text": "a text"}'))],
      ...[null, 1.5, 2 ** 53, {}, [], true].map((id): (typeof plain)[number] => [
        `id ${id}`,
        headers,
        { ...call({}), id },
      ]),
      ['another JSON-RPC', headers, { ...call({}), jsonrpc: '1.0' }],
      ['a field too many', headers, { ...call({}), extra: 1 }],
      [
        'a field called __proto__',
        headers,
        { ...parsed('{"__proto__": 1, "jsonrpc": "2.0", "id": 1, "method": "tools/list"}') },
      ],
      ['parameters that are a list', headers, { ...call({}), params: [] }],
      ['parameters that are null', headers, { ...call({}), params: null }],
      ['a task', headers, call({}, { task: { ttl: 1 } })],
      ['a progress token that is none', headers, call({}, { _meta: { progressToken: 1.5 } })],
      ['metadata that is a list', headers, call({}, { _meta: [] })],
      ['metadata that is null', headers, call({}, { _meta: null })],
      ['a task that it belongs to', headers, call({}, { _meta: { [own('related-task')]: { taskId: 5 } } })],
      ['a page of a list', headers, { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: 5 } }],
      ['another method', headers, { jsonrpc: '2.0', id: 2, method: 'ping' }],
      ['an envelope of the newest revision', headers, call({}, { _meta: envelope() })],
      ['an envelope of an older one', headers, call({}, { _meta: envelope({}, '2025-11-25') })],
      ['input', headers, call({}, { inputResponses: { page: { action: 'accept' } } })],
    ]),
  ['a version that there is not', { 'mcp-protocol-version': '1999-01-01' }, call({})],
  ['two versions', { 'mcp-protocol-version': '2025-11-25, 2025-11-25' }, call({})],
  ['no envelope', modern('tools/call', 'echo'), call({})],
  ['half an envelope', modern('tools/call', 'echo'), call({}, { _meta: { [own('protocolVersion')]: '2026-07-28' } })],
  [
    'capabilities that are none',
    modern('tools/call', 'echo'),
    call({}, { _meta: { ...envelope(), [own('clientCapabilities')]: 5 } }),
  ],
  ['an envelope of another revision', modern('tools/call', 'echo'), call({}, { _meta: envelope({}, '2027-01-01') })],
  ['another method in the header', modern('tools/list', 'echo'), call({}, { _meta: envelope() })],
  ['another name in the header', modern('tools/call', 'asking'), call({}, { _meta: envelope() })],
  ['no name in the header', modern('tools/call'), call({}, { _meta: envelope() })],
  ['no method in the header', { 'mcp-protocol-version': '2026-07-28' }, call({}, { _meta: envelope() })],
  [
    'a progress token that is none',
    modern('tools/call', 'echo'),
    call({}, { _meta: { ...envelope(), progressToken: {} } }),
  ],
  [
    'whom a page is offered',
    modern('tools/call', 'asking'),
    call({}, { _meta: envelope({ elicitation: { url: {} } }) }, 'asking'),
  ],
];

/** With a parameter that the library leaves out, and the door does not know. */
const unusual = (message: object): object => {
  const { params = {}, ...rest } = message as { params?: unknown };
  return typeof params === 'object' && params !== null && !Array.isArray(params)
    ? { ...rest, params: { ...params, unusual: 1 } }
    : message;
};

describe('as the library answers it', () => {
  test.each([...plain, ...odd])('%s, with %j', async (_what, headers, message) => {
    const given = await answered(headers, unusual(message));

    // the first time, and when the envelope or the list is known
    for (const time of [1, 2]) expect([time, await answered(headers, message)]).toEqual([time, inCase(given)]);
  });

  /** Names of header fields are the same in any case. */
  const inCase = ({ headers, ...rest }: Awaited<ReturnType<typeof answered>>) => ({
    ...rest,
    headers: expect.toSatisfy(
      (found: object) => JSON.stringify(lower(found)) === JSON.stringify(lower(headers)),
      JSON.stringify(headers),
    ),
  });
  const lower = (fields: object) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
});

describe('the door itself', () => {
  const known = plainMessages(served);
  for (const [, , message] of plain) known.understood(message);

  test.each(plain)('understands %s, with %j', (_what, headers, message) => {
    expect(known.read(headers, message)).toBeDefined();
    expect(known.read(headers, unusual(message))).toBeUndefined();
  });

  test.each(odd)('leaves to the library: %s, with %j', (_what, headers, message) => {
    expect(known.read(headers, message)).toBeUndefined();
  });

  test('does not believe a program before the library did, nor one that says too much', () => {
    const fresh = plainMessages(served);
    const message = call({}, { _meta: envelope({ experimental: { words: { text: 'x'.repeat(2_000) } } }) });
    const headers = modern('tools/call', 'echo');

    expect(fresh.read(headers, call({}, { _meta: envelope() }))).toBeUndefined();
    fresh.understood(message);
    expect(fresh.read(headers, message)).toBeUndefined();
  });
});
