// The MCP inspector's command line, as a human tries a server out with: lists tools, resources and prompts, and calls
// tools.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { tools } from '../../src/mcp/tools/index.ts';
import { checkout } from '../../src/process/config.ts';
import { everyTool } from '../support/clients/every-tool.ts';
import { type ToolResult, useMcp } from '../support/doors/mcp.ts';
import { anAccount, useHill } from '../support/hill/index.ts';

const cli = path.join(checkout, 'node_modules/@modelcontextprotocol/inspector-cli/build/index.js');

const hill = useHill();
const mcp = useMcp(hill);
let token = '';

beforeAll(async () => {
  token = await mcp.token(await anAccount(hill, { name: 'Ann', credits: 5000 }));
});

async function inspect<T>(method: string, ...args: string[]): Promise<T> {
  const address = [`${mcp.authUrl}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...address, '--method', method, ...args], {
    cwd: path.dirname(cli), // where it looks for its own version
  });
  return JSON.parse(stdout) as T;
}

test('lists tools, resources and prompts, and reads them', async () => {
  const listed = await inspect<{ tools: { name: string }[] }>('tools/list');
  expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));

  const { resources } = await inspect<{ resources: { uri: string }[] }>('resources/list');
  const night = await inspect<{ contents: { text: string }[] }>('resources/read', '--uri', 'hill://help/night_file');
  expect(resources.map(({ uri }) => uri)).toContain('hill://help/night_file');
  expect(night.contents[0]?.text).toContain('"open_slots"');

  const prompts = await inspect<{ prompts: { name: string }[] }>('prompts/list');
  expect(prompts.prompts.map(({ name }) => name)).toEqual(['play_tonight', 'morning_after']);
  const prompt = await inspect<{ messages: { content: { text: string } }[] }>(
    'prompts/get',
    '--prompt-name',
    'play_tonight',
    '--prompt-args',
    'aim=a quiet night',
  );
  expect(prompt.messages[0]?.content.text).toContain('a quiet night');
});

const call = (name: string, ...args: string[]) =>
  inspect<ToolResult>('tools/call', '--tool-name', name, ...args.flatMap((arg) => ['--tool-arg', arg]));

/** An argument as its command line takes it. */
const typed = ([name, value]: [string, unknown]) =>
  `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;

test('calls every tool', async () => {
  await hill.clock.ringBell();
  await hill.clock.toDay(2);
  expect(Object.keys(everyTool)).toEqual(tools.map(({ name }) => name));

  for (const [name, args] of Object.entries(everyTool)) {
    const { isError, structuredContent } = await call(name, ...Object.entries(args).map(typed));
    expect([name, isError, typeof structuredContent]).toEqual([name, undefined, 'object']);
  }
});

test('sees what a tool gives, and a refusal', async () => {
  expect((await call('whoami')).structuredContent).toMatchObject({ account: { name: 'Ann' } });
  expect((await call('play', 'slot=3', 'move=PEACE')).structuredContent).toMatchObject({
    slot: 3,
    move: 'PEACE',
    reserved_cents: 300,
  });
  expect(await call('play', 'slot=3', 'move=WAR')).toMatchObject({
    isError: true,
    structuredContent: { code: 'INVALID_STAKE' },
  });
});

test('tells of a token that has ended what to do', async () => {
  const ann = await anAccount(hill);
  token = await mcp.token(ann);
  await hill.as('web').query('select api_human.cut_agent($1, $2)', [ann.session, ann.agentId]);

  const refused = call('whoami');

  await expect(refused).rejects.toMatchObject({ code: 1 });
  await expect(refused).rejects.toThrow(
    /unknown, expired, revoked.+Renew it the way you got it, or start again: http\S+\/auth\.md/,
  );
});
