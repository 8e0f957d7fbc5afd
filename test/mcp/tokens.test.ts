// What a model pays for tools/list, the instructions and each typical answer, on a hill with a season behind it, and on
// one where only the house plays: against the table of docs/protocol.md, 9.12. A token is four characters of JSON; the
// table has o200k_base beside it.
import fs from 'node:fs';
import path from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { offer, servers } from '../../src/mcp/protocol/server.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { checkout } from '../../src/process/config.ts';
import { linksOf } from '../../src/records/links.ts';
import { type Mcp, useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { aPopulation, everybody } from '../support/hill/a-demo-season.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { signLog } from '../support/log/sign.ts';

interface Size {
  tokens: number;
  o200k: number;
  /** Of the text beside the structure, o200k_base. */
  text: number;
}
const measured = new Map<string, Size>();

const measure = (what: string, told: unknown, text = '') => {
  const json = typeof told === 'string' ? told : JSON.stringify(told);
  measured.set(what, { tokens: Math.ceil(json.length / 4), o200k: countTokens(json), text: countTokens(text) });
};
const answer = async (mcp: Mcp, token: string, what: string, name: string, args: object = {}) => {
  const { result } = (await mcp.callTool(token, name, args)).message;
  if (!result || result.isError) throw new Error(`${what}: ${JSON.stringify(result)}`);
  if (process.env.SHOW)
    console.log(what, '\n', JSON.stringify(result.structuredContent), '\n', result.content[0]?.text);
  measure(what, result.structuredContent, result.content.map(({ text }) => text).join('\n'));
};

const lively = useHill();
const season = useMcp(lively);
const quiet = useHill();
const newcomers = useMcp(quiet);

beforeAll(async () => {
  // five days of the demonstration, and the noon of the sixth
  const accounts = await aPopulation(lively);
  await lively.clock.ringBell();
  const token = await season.token(accounts[0] as (typeof accounts)[number]);
  const tell = (what: string, name: string, args?: object) => answer(season, token, what, name, args);
  for (let day = 2; day <= 6; day++) {
    await lively.clock.toDay(day, '09:00');
    await everybody(lively, season.baseUrl, accounts, day, 'announce');
    if (day === 6) await tell('`status`, before a move', 'status');
    await lively.clock.at('12:00');
    await everybody(lively, season.baseUrl, accounts, day, 'play');
    if (day < 6) await lively.clock.ringBell();
  }

  const { message: list } = await season.request<object>(token, 'tools/list');
  measure('`tools/list`', list.result);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a test', version: '1' } };
  const { message: shaken } = await season.request<{ instructions: string }>(token, 'initialize', params);
  measure('`instructions`', shaken.result?.instructions);
  await tell('`whoami`', 'whoami');
  await tell('`get_help`', 'get_help');
  await tell('`status`', 'status');
  await tell('`night`', 'night');
  await tell('`night`, one place', 'night', { slot: 1 });
  await tell('`leaderboard`', 'leaderboard', { board: 'hill' });
  await tell('`explore_and_debrief`, explore', 'explore_and_debrief', { mode: 'explore' });
  await tell('`explore_and_debrief`, explore one place', 'explore_and_debrief', { mode: 'explore', slot: 1 });
  await tell('`explore_and_debrief`, debrief', 'explore_and_debrief', { mode: 'debrief' });
  const four = [
    { who: 'me', slot: 1, move: 'PEACE' },
    { who: 'me', slot: 2, move: 'WAR' },
    { who: 'zed', slot: 2, move: 'WAR' },
    { who: 'raider-rolf', slot: 3, move: 'WAR' },
  ];
  await tell('`ask_the_bell`, one move', 'ask_the_bell', { moves: four.slice(0, 1), holders_stay: true });
  await tell('`ask_the_bell`, four moves', 'ask_the_bell', { moves: four, holders_stay: true });
  await tell('`ask_the_bell`, `full`', 'ask_the_bell', { moves: four, holders_stay: true, full: true });
  await tell('`report_missing_capability`', 'report_missing_capability', {
    what: 'A tool that tells when my human is awake.',
  });
  await tell('`list_my_reports`', 'list_my_reports');
  await tell('`fund`', 'fund');
  await tell('`subscribe`', 'subscribe');
  await tell('`set_profile`', 'set_profile');
  await tell('`verify_badge`', 'verify_badge');
  await signLog(lively); // with a receipt
  const guest = await season.token(await anAccount(lively, { name: 'Zoe', credits: 5000 }));
  await answer(season, guest, '`play`', 'play', { slot: 3, move: 'PEACE' });
  await answer(season, guest, '`announce`', 'announce', { slot: 3, intention: 'PEACE', message: 'I come in peace' });
});

beforeAll(async () => {
  // three nights of the house, and the morning after
  for (let day = 1; day <= 3; day++) {
    await quiet.clock.toDay(day);
    await quiet.asWorker().playHouse();
    await quiet.clock.toLastMinute();
    await quiet.asWorker().playHouse();
    await quiet.clock.ringBell();
  }
  await quiet.clock.toDay(4);
  await quiet.asWorker().playHouse();
  const registration = await newcomers.register('Newcomer');
  const { access_token } = succeeded(await newcomers.exchange(registration.identity_assertion));
  const tell = (what: string, name: string, args?: object) => answer(newcomers, access_token, what, name, args);

  await tell('`whoami`, unclaimed', 'whoami');
  await tell('`status`, unclaimed, the house alone', 'status');
  await tell('`explore_and_debrief`, the same', 'explore_and_debrief', { mode: 'explore' });
});

/** The rows of the table: what, tokens, o200k_base, that of the text, at most. */
const rows: [what: string, now: number, o200k: number, text: number, most: number][] = [
  ...fs
    .readFileSync(path.join(checkout, 'docs', 'protocol.md'), 'utf8')
    .matchAll(/^\| (`[^|]+?) \| ([\d,]+) \| ([\d,]+) \| ?([\d,]*) \| ?([\d,]*) \|$/gm),
].map(([, what = '', now, o200k, text, most]) => {
  const figure = (told = '') => Number(told.replace(',', ''));
  return [what, figure(now), figure(o200k), figure(text), figure(most)];
});
/** Identifiers and ports differ from run to run, and a word more does not make a table wrong. */
const near = (found: number, told: number) => Math.abs(found - told) <= 10 + told / 10;

describe('the tokens', () => {
  test('are told of tools/list, the instructions and each tool', () => {
    expect([...measured.keys()].sort()).toEqual(rows.map(([what]) => what).sort());
    for (const { name } of tools) expect(rows.map(([what]) => what).join()).toContain(`\`${name}\``);
  });

  test.each(rows)('of %s are within its limit, and as the table says', (what, now, o200k, text, most) => {
    const found = measured.get(what) as Size;

    if (most > 0) expect(found.tokens).toBeLessThanOrEqual(most);
    expect([found, near(found.tokens, now), near(found.o200k, o200k), near(found.text, text)]).toEqual([
      found,
      ...[true, true, true],
    ]);
  });

  test('of what stands first are limited', () => {
    const limits = Object.fromEntries(rows.map(([what, , , , most]) => [what, most]));
    expect(limits).toMatchObject({
      '`tools/list`': 9000,
      '`instructions`': 250,
      '`status`': 600,
      '`explore_and_debrief`, explore': 1500,
      '`ask_the_bell`, four moves': 800,
    });
  });
});

test('a day of play costs at most 3,500 tokens, structure and text', () => {
  const day = ['`status`, before a move', '`play`', '`play`', '`night`', '`explore_and_debrief`, debrief'];
  const costs = day.map((what) => measured.get(what) as Size).map(({ o200k, text }) => o200k + text);

  expect([costs, costs.reduce((sum, each) => sum + each) <= 3500]).toEqual([costs, true]);
});

test('a host of 60 characters pushes nothing that stands first over its limit', async () => {
  const host = `https://${'hill-of-a-long-name.'.repeat(2)}competitions.example`;
  expect(new URL(host).host).toHaveLength(60);
  const client = new Client({ name: 'a test', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const hands = { run: () => Promise.reject(), help: () => Promise.reject() };
  const server = servers(linksOf({ baseUrl: host, authUrl: host }), offer(tools)).make(hands, 'legacy');
  await Promise.all([server.connect(far), client.connect(near)]);

  measure('far', await client.listTools());
  expect(measured.get('far')?.tokens).toBeLessThanOrEqual(9000);
  measure('far', client.getInstructions());
  expect(measured.get('far')?.tokens).toBeLessThanOrEqual(250);
  measured.delete('far');
  await client.close();
});

test('no schema has a bound that is no rule of the hill, and each has properties at its root', async () => {
  const { message } = await season.request<{ tools: { name: string; inputSchema: object; outputSchema: object }[] }>(
    await season.token(await anAccount(lively)),
    'tools/list',
  );
  expect(JSON.stringify(message.result)).not.toMatch(/9007199254740991|2147483648/);
  for (const { name, inputSchema, outputSchema } of message.result?.tools ?? [])
    for (const schema of [inputSchema, outputSchema]) {
      expect([name, schema]).toEqual([
        name,
        expect.objectContaining({ type: 'object', properties: expect.any(Object) }),
      ]);
      expect([name, Object.keys(schema)]).toEqual([
        name,
        expect.not.arrayContaining(['anyOf', 'oneOf', 'allOf', '$ref']),
      ]);
    }
});
