// The MCP conformance suite against the authorization server: all of its scenarios for one. What else it has is for
// clients and for MCP servers with its own fixture tools. Of what these say of authorization, nothing is left out:
// every "auth/" scenario of it tests a client, and is no scenario for a server.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';
import { throughConsent } from '../support/doors/consent.ts';
import { type hosts, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';
import { freePort } from '../support/ports.ts';

const suite = path.join(checkout, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Runs the suite; `opened` is called with the address that it asks a human to open. */
async function run(
  args: string[],
  opened: (url: string) => Promise<void> = async () => {},
): Promise<{ code: number | null; said: string }> {
  const child: ChildProcess = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let asked: Promise<void> | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk;
      const url = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(said)?.[1];
      if (url) asked ??= opened(url).catch(() => void child.kill());
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  await asked;
  return { code, said };
}

test('these are all of its scenarios for an authorization server', async () => {
  const { said } = await run(['list', '--authorization']);

  expect([...said.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name)).toEqual([
    'authorization-server-metadata-endpoint',
    'authorization-code-grant',
  ]);
});

describe.each<keyof typeof hosts>(['one host', 'two hosts'])('%s', (setup) => {
  const hill = useHill();
  const door = useOAuth(hill, setup);

  test('all of them pass', async () => {
    const port = await freePort();
    const { client_id } = (
      await door.json<{ client_id: string }>('/oauth/register', {
        client_name: 'The conformance suite',
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
      })
    ).body;

    const { code, said } = await run(
      [
        'authorization',
        '--url',
        door.authUrl,
        '--client-id',
        client_id,
        '--resource',
        `${door.authUrl}/mcp`,
        '--port',
        String(port),
      ],
      async (url) => {
        await fetch(await throughConsent(url, 'suite@example.com'));
      },
    );

    expect(code, said).toBe(0);
    for (const name of ['authorization-server-metadata-endpoint', 'authorization-code-grant'])
      expect(said).toMatch(new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`));
  });
});
