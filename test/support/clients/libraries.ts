// The client libraries that agents are built with, each in a harness that keeps its tokens and sends its human to sign
// in.
import { UnauthorizedError as AiUnauthorized, auth as aiAuth, createMCPClient } from '@ai-sdk/mcp';
import * as two from '@modelcontextprotocol/client';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Harness } from './harness.ts';
import type { Human } from './human.ts';

/** What a tool answered, as a client hands it on. */
export interface Told {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
}

interface Connection {
  /** The revision of the protocol that was agreed on, where the client says so. */
  readonly revision?: string | undefined;
  tools(): Promise<string[]>;
  call(tool: string, args?: Record<string, unknown>): Promise<Told>;
  close(): Promise<void>;
}

/** An agent that plays by a client nobody here wrote. */
export interface Player extends Connection {
  /** What was said when the human was needed. */
  readonly said: readonly string[];
  /** Lets a client that goes by its own clock, and not by answers, believe that its token has run out. */
  expire?(): void;
}

export interface Library {
  readonly name: string;
  readonly revision: string;
  connect(address: URL, harness: Harness, fetching: typeof fetch): Promise<Connection>;
  /** Hands the client what the human's browser brought back. */
  finish(address: URL, harness: Harness, answer: { code: string; state: string; iss: string }): Promise<void>;
}

const identity = { name: 'A harness', version: '1' };

const sdk1: Library = {
  name: '@modelcontextprotocol/sdk 1',
  revision: '2025-11-25',
  async connect(address, harness, fetching) {
    const client = new Client(identity);
    const transport = new StreamableHTTPClientTransport(address, { authProvider: harness, fetch: fetching });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    return {
      revision: transport.protocolVersion,
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as Told,
      close: () => client.close(),
    };
  },
  finish: (address, harness, { code }) =>
    new StreamableHTTPClientTransport(address, { authProvider: harness }).finishAuth(code),
};

const sdk2 = (revision: string): Library => ({
  name: `@modelcontextprotocol/client 2, revision ${revision}`,
  revision,
  async connect(address, harness, fetching) {
    const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
    const client = new two.Client(identity, { versionNegotiation: { mode } });
    await client.connect(new two.StreamableHTTPClientTransport(address, { authProvider: harness, fetch: fetching }));
    return {
      revision: client.getNegotiatedProtocolVersion(),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as Told,
      close: () => client.close(),
    };
  },
  finish: (address, harness, { code, iss }) =>
    new two.StreamableHTTPClientTransport(address, { authProvider: harness }).finishAuth(code, iss),
});

const aiSdk: Library = {
  name: '@ai-sdk/mcp',
  revision: '2026-07-28',
  async connect(address, harness, fetching) {
    const transport = { type: 'http', url: address.href, authProvider: harness, fetch: fetching } as const;
    const client = await createMCPClient({ transport });
    return {
      revision: client.initializeResult.protocolVersion,
      tools: async () => Object.keys(await client.tools()),
      call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as Told,
      close: () => client.close(),
    };
  },
  async finish(address, harness, { code, state, iss }) {
    await aiAuth(harness, { serverUrl: address, authorizationCode: code, callbackState: state, callbackIssuer: iss });
  },
};

export const libraries: readonly Library[] = [sdk1, sdk2('2025-11-25'), sdk2('2026-07-28'), aiSdk];

/** The error, or what it was caused by, if that is the library's word for it. */
const unauthorized = (error: unknown): Error | undefined =>
  error instanceof UnauthorizedError || error instanceof two.UnauthorizedError || error instanceof AiUnauthorized
    ? error
    : error instanceof Error
      ? unauthorized(error.cause)
      : undefined;

/** `connections` of them share what one harness keeps: calls go to each in turn. */
export async function inHarness(
  library: Library,
  at: string,
  human: Human,
  connections = 1,
  fetching: typeof fetch = fetch,
): Promise<Player> {
  const address = new URL(at);
  const harness = new Harness(human);
  const said: string[] = [];
  /** As a harness does it: a human who has to sign in is sent there, and what failed is done again. */
  const signedIn = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      const refused = unauthorized(error);
      if (!refused || !harness.opened) throw error;
      said.push(refused.message);
      await library.finish(address, harness, await harness.signIn());
      return act();
    }
  };
  const connect = () => signedIn(() => library.connect(address, harness, fetching));
  const first = await connect();
  const all = [first, ...(await Promise.all(Array.from({ length: connections - 1 }, connect)))];
  let turn = 0;
  return {
    revision: first.revision,
    said,
    tools: () => signedIn(first.tools),
    call: (tool, args) => {
      const { call } = all[turn++ % all.length] as Connection;
      return signedIn(() => call(tool, args));
    },
    close: async () => void (await Promise.all(all.map((connection) => connection.close()))),
  };
}
