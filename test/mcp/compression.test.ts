// What goes out of /mcp compressed, and what never does; and how long its connections are kept. Decisions 143.
import { beforeAll, expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const mcp = useMcp(hill);
let token: string;

beforeAll(async () => {
  const { ann } = await aLivelyNight(hill);
  await hill.clock.at('10:00');
  await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: 'a sealed message' });
  token = await mcp.token(ann);
});

/** How an answer is coded for what its client reads, and what it says when it is decoded. */
const coded = async (accept: string, method: string, params?: object) => {
  const message = { jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) };
  const { status, headers, text } = await mcp.post(token, message, { headers: { 'Accept-Encoding': accept } });
  expect(status).toBe(200);
  return {
    coding: headers.get('content-encoding'),
    vary: headers.get('vary'),
    length: Number(headers.get('content-length')),
    text,
  };
};
const call = (name: string, args: object = {}) => ['tools/call', { name, arguments: args }] as const;

test.each([
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
])('to a client that reads %s the list of tools goes as %s', async (accept, coding) => {
  const plain = await coded('identity', 'tools/list');
  const list = await coded(accept, 'tools/list');

  expect(plain).toMatchObject({ coding: null, vary: 'Accept-Encoding', length: Buffer.byteLength(plain.text) });
  expect(list).toMatchObject({ coding, vary: 'Accept-Encoding', text: plain.text });
  expect(list.length * 3).toBeLessThan(plain.length);
});

test('to a client that reads only deflate it goes as it is', async () => {
  expect(await coded('deflate', 'tools/list')).toMatchObject({ coding: null });
});

test.each([
  [...call('night')],
  [...call('get_help')],
  ['resources/read', { uri: 'hill://help/moves' }],
  ['resources/list', undefined],
  ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a test', version: '1' } }],
])('%s %j is open, and goes compressed', async (method, params) => {
  expect(await coded('gzip, br', method, params)).toMatchObject({ coding: 'br' });
});

test('what is short goes as it is', async () => {
  expect(await coded('gzip, br', 'ping')).toMatchObject({ coding: null });
});

test.each([
  [...call('status')],
  [...call('explore_and_debrief', { mode: 'explore' })],
  [...call('explore_and_debrief', { mode: 'explore', slot: 1 })],
  [...call('explore_and_debrief', { mode: 'debrief' })],
  [...call('ask_the_bell', { moves: [{ who: 'me', slot: 1, move: 'WAR' }], full: true })],
])('%s %j may tell what is sealed, and never goes compressed', async (method, params) => {
  const { coding, length, text } = await coded('gzip, br', method, params);
  expect([coding, length]).toEqual([null, Buffer.byteLength(text)]);
  expect(length).toBeGreaterThan(1_000); // or it would not be compressed anyway
});

test('an idle connection is kept for longer than balancers keep it', async () => {
  const { headers } = await mcp.request(token, 'ping');
  expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThanOrEqual(65);
});
