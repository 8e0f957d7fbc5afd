// Mcp-remote as a desktop host starts it: a process that speaks MCP over its standard streams, and asks for a human on
// stderr.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFailed, onTestFinished } from 'vitest';
import { checkout } from '../../../src/process/config.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';
import type { Human } from './human.ts';
import type { Player, Told } from './libraries.ts';

const program = path.join(checkout, 'node_modules/mcp-remote/dist/proxy.js');

/** It listens only after it has asked: a human takes longer. */
const comeBack = (back: URL) => until('mcp-remote listens', () => fetch(back).catch(() => undefined));

export async function mcpRemote(address: string, human: Human, ...options: string[]): Promise<Player> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-mcp-remote-'));
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, address, String(await freePort()), ...options],
    // xdg-open starts what BROWSER names; the human reads the address instead
    env: { PATH: process.env.PATH ?? '', HOME: home, MCP_REMOTE_CONFIG_DIR: home, BROWSER: 'true' },
    stderr: 'pipe',
  });
  let output = '';
  onTestFailed(() => console.log(output));
  const said: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => {
    output += chunk;
    const asked = [...output.matchAll(/^Please authorize this client by visiting:\n(http\S+)\n/gm)];
    for (const [line, url] of asked.slice(said.length)) {
      said.push(line);
      void human.open(new URL(url as string)).then(comeBack);
    }
  });
  const client = new Client({ name: 'A desktop host', version: '1' });
  await client.connect(transport as Transport);
  return {
    said,
    expire() {
      const kept = fs
        .readdirSync(home, { recursive: true, encoding: 'utf8' })
        .find((each) => each.endsWith('tokens.json'));
      const file = path.join(home, kept as string);
      fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), expires_at: Date.now() }));
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as Told,
    close: () => client.close(),
  };
}
