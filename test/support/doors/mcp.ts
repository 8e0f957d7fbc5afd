// The play interface as agents meet it: over HTTP, with the SDK's client, or with a bare POST.
//
// const hill = useHill();
// const mcp = useMcp(hill);            // the web process, with all of useOAuth
// const ann = await anAccount(hill, { credits: 5000 });
// const receipt = await mcp.call<Receipt>(await mcp.token(ann), 'play', { slot: 3, move: 'PEACE' });
// expect(await mcp.refusal(await mcp.token(ann), 'play', { slot: 11, move: 'PEACE' })).toMatchObject({ code:
// 'INVALID_ARGUMENT' });
import {
  type ClientCapabilities,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { onTestFinished } from 'vitest';
import { offer } from '../../../src/mcp/protocol/server.ts';
import { tools } from '../../../src/mcp/tools/index.ts';
import { accessToken } from '../hill/access-token.ts';
import type { Account } from '../hill/accounts.ts';
import type { Hill } from '../hill/hill.ts';
import { anOAuth, type hosts, type OAuth, useOAuth } from './oauth.ts';

export interface ToolResult<T = Record<string, unknown>> {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: T;
}

export interface Posted<T = unknown> {
  status: number;
  headers: Headers;
  /** The body as it came. */
  text: string;
  /** The message, if the body is one. */
  message: {
    jsonrpc: '2.0';
    id: string | number | null;
    result?: T;
    error?: { code: number; message: string; data?: Record<string, unknown> };
  };
}

export interface PostOptions {
  /** Which address is asked: the authorization host's, if not said otherwise. */
  at?: 'authUrl' | 'baseUrl';
  headers?: Record<string, string>;
  /** Of the request: the next number, if not said otherwise. */
  id?: number;
}

interface TokenOptions {
  scopes?: readonly string[];
  /** The resource that it is for: the authorization host's, if not said otherwise. */
  audience?: string;
}

const listed = offer(tools).list.tools;
const validator = new AjvJsonSchemaValidator();

export function useMcp(hill: Hill, setup: keyof typeof hosts = 'one host', env: Record<string, string> = {}) {
  return playedThrough(hill, useOAuth(hill, setup, env));
}

/** One that the caller opens and closes. */
export const anMcp = (hill: Hill, env: Record<string, string> = {}) =>
  playedThrough(hill, anOAuth(hill, 'one host', env));

function playedThrough(hill: Hill, door: OAuth) {
  let ids = 0;

  const mcp = {
    /**
     * Signed by the hill's own key and recorded as the authorization server does, without end: for tests whose clock
     * goes on.
     */
    token: (account: Account, { scopes, audience = door.authUrl }: TokenOptions = {}): Promise<string> =>
      accessToken(hill.as('web'), hill.root, {
        ...{ account: account.id, agent: account.agentId, audience, issuer: door.authUrl },
        ...(scopes ? { scopes } : {}),
      }),

    /** One message, with nothing done for it. A string is sent as it is. */
    post: async <T>(
      token: string | undefined,
      message: unknown,
      { at = 'authUrl', headers = {} }: PostOptions = {},
    ): Promise<Posted<T>> => {
      const response = await fetch(`${door[at]}/mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: typeof message === 'string' ? message : JSON.stringify(message),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        message: (text.startsWith('{') ? JSON.parse(text) : undefined) as Posted<T>['message'],
      };
    },
    /** One request of a method. */
    request: <T>(token: string | undefined, method: string, params?: object, options?: PostOptions) =>
      mcp.post<T>(token, { jsonrpc: '2.0', id: options?.id ?? ++ids, method, ...(params ? { params } : {}) }, options),
    /**
     * The answer of a tool, whatever it is. What it is must be what tools/list says of it, a refusal too: clients check
     * both.
     */
    callTool: async <T = Record<string, unknown>>(
      token: string,
      name: string,
      args: object = {},
      options?: PostOptions,
    ) => {
      const posted = await mcp.request<ToolResult<T>>(token, 'tools/call', { name, arguments: args }, options);
      const told = posted.message?.result?.structuredContent;
      const { outputSchema } = listed.find((tool) => tool.name === name) ?? {};
      const checked = told && outputSchema ? validator.getValidator(outputSchema as never)(told) : undefined;
      if (checked?.valid === false) throw new Error(`${name}: ${checked.errorMessage} in ${JSON.stringify(told)}`);
      return posted;
    },
    /** What a tool gives: its structured content. Throws if it did not answer 200, or refused. */
    call: async <T = Record<string, unknown>>(token: string, name: string, args: object = {}): Promise<T> => {
      const { status, text, message } = await mcp.callTool<T>(token, name, args);
      if (status !== 200 || !message?.result || message.result.isError) throw new Error(`${name}: ${status} ${text}`);
      return message.result.structuredContent as T;
    },
    /** What a tool says when it refuses: its structured content. Throws if it does not refuse. */
    refusal: async (
      token: string,
      name: string,
      args: object = {},
    ): Promise<{ code: string; message: string; hint: string } & Record<string, unknown>> => {
      const { status, text, message } = await mcp.callTool<never>(token, name, args);
      if (status !== 200 || !message?.result?.isError) throw new Error(`${name} did not refuse: ${status} ${text}`);
      return message.result.structuredContent as never;
    },
    /**
     * The SDK's own client, connected; closed when the test is over. Its callTool validates results against the output
     * schema.
     */
    client: async (token: string, at: 'authUrl' | 'baseUrl' = 'authUrl'): Promise<Client> => {
      const client = new Client({ name: 'a test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(`${door[at]}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${token}` } },
      });
      await client.connect(transport as Transport);
      onTestFinished(() => client.close());
      return client;
    },
    /** The client of the newest revision, likewise. */
    modernClient: async (
      token: string,
      { at = 'authUrl', capabilities = {} }: { at?: 'authUrl' | 'baseUrl'; capabilities?: ClientCapabilities } = {},
    ): Promise<ModernClient> => {
      const client = new ModernClient(
        { name: 'a test', version: '1' },
        { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      await client.connect(
        new ModernTransport(new URL(`${door[at]}/mcp`), {
          requestInit: { headers: { Authorization: `Bearer ${token}` } },
        }),
      );
      onTestFinished(() => client.close());
      return client;
    },
  };
  // The door's own fields are set when it listens.
  return Object.assign(door, mcp);
}

export type Mcp = ReturnType<typeof useMcp>;
