// The MCP SDK's own client gets in by door B with its own auth() flow, from nothing but the address and a bare 401,
// calls a tool, and renews its token by itself.
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, test } from 'vitest';
import { Harness, type Kept } from '../support/clients/harness.ts';
import { Human } from '../support/clients/human.ts';
import { type hosts, payloadOf, useOAuth } from '../support/doors/oauth.ts';
import { useHill } from '../support/hill/index.ts';

describe.each<keyof typeof hosts>(['one host', 'two hosts'])('%s', (setup) => {
  const hill = useHill();
  const door = useOAuth(hill, setup);

  test.each(['authUrl', 'baseUrl'] as const)(
    'from a bare 401 of %s/mcp to a tool, and on when the token has expired',
    async (at) => {
      const harness = new Harness(new Human(`harness ${at}`));
      const transport = () => new StreamableHTTPClientTransport(new URL(`${door[at]}/mcp`), { authProvider: harness });
      const first = transport();
      const client = new Client({ name: 'A harness', version: '1' });

      await expect(client.connect(first as Transport)).rejects.toBeInstanceOf(UnauthorizedError);
      expect(harness.opened?.href).toContain(`${door.authUrl}/oauth/authorize?`);
      expect(harness.opened?.searchParams.get('scope')).toBe('hill:read hill:play');
      expect(harness.opened?.searchParams.get('resource')).toBe(`${door[at]}/mcp`);
      const { code, state, iss } = await harness.signIn();
      expect({ state, iss }).toEqual({ state: 'a state of the harness', iss: door.authUrl });
      await first.finishAuth(code);
      await client.connect(transport() as Transport);

      const told = await client.callTool({ name: 'whoami', arguments: {} });
      expect(told.isError).not.toBe(true);
      expect(told.structuredContent).toMatchObject({ scopes: ['hill:read', 'hill:play'] });
      const before = harness.saved as Kept;
      expect(payloadOf(before.access_token)).toMatchObject({ aud: door[at], iss: door.authUrl });

      await hill.clock.tick(901_000);
      expect((await client.callTool({ name: 'whoami', arguments: {} })).isError).not.toBe(true);
      expect(harness.saved?.access_token).not.toBe(before.access_token);
      expect(harness.saved?.refresh_token).not.toBe(before.refresh_token);
      await client.close();
    },
  );
});
