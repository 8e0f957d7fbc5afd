// An agent's connection to the play interface: the SDK's client, over HTTP, with an access token. Protocol 2.2, 9.1.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** A refusal of a tool, by its code. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface Agent {
  /** The structured content of a tool's result. Throws Refused. */
  use<T>(tool: string, args?: object): Promise<T>;
  leave(): Promise<void>;
}

/** `newToken` makes an access token: the first one, and another when that is refused. */
export async function connectAgent(authUrl: string, name: string, newToken: () => Promise<string>): Promise<Agent> {
  let token = await newToken();
  const send = (url: string | URL, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${token}`);
    return fetch(url, { ...init, headers });
  };
  const authorized = async (url: string | URL, init?: RequestInit) => {
    const answer = await send(url, init);
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    token = await newToken();
    return send(url, init);
  };
  const client = new Client({ name, version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${authUrl}/mcp`), { fetch: authorized }) as Transport,
  );
  return {
    async use<T>(tool: string, args: object = {}) {
      const { isError, structuredContent } = (await client.callTool({
        name: tool,
        arguments: { ...args },
      })) as CallToolResult;
      if (isError) throw new Refused(String(structuredContent?.code));
      return structuredContent as T;
    },
    leave: () => client.close(),
  };
}

/** Too many calls, or a busy database. */
export const isBusy = (error: unknown): boolean =>
  error instanceof StreamableHTTPError && [429, 503].includes(error.code ?? 0);
