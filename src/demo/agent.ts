// An agent's connection to the play interface: the SDK's client, over HTTP, with an access token. Protocol 2.2, 9.1.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { Refusal } from '../db/errors.ts';
import { asCall } from '../mcp/texts.ts';

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

/**
 * `newToken` makes an access token: the first one, and another when that is refused. While there is an `ahead`, a tool
 * is the function that it calls there: nights before anybody looks on take a fifth of the time.
 */
export async function connectAgent(
  authUrl: string,
  name: string,
  newToken: () => Promise<string>,
  ahead: () => pg.Pool | null = () => null,
): Promise<Agent> {
  let token = await newToken();
  const direct = async <T>(db: pg.Pool, tool: string, args: object, again = true): Promise<T> => {
    try {
      return withNext(await call<T>(db, `api_agent.${tool}`, { token, ...args }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'INVALID_TOKEN' || !again) throw new Refused(error.code);
      token = await newToken();
      return direct(db, tool, args, false);
    }
  };
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
      const db = ahead();
      if (db) return direct<T>(db, tool, args);
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

/** What the tool status says in words as next: of it the calls. */
export function withNext<T>(found: T): T {
  const { advice, wasted } = found as { readonly advice?: object | null; readonly wasted?: readonly number[] };
  if (!wasted) return found;
  const back = wasted.map((slot) => ({ slot, move: 'PASS' }));
  const calls = [...back, ...(advice ? [advice] : [])];
  return { ...found, next: calls.map((args) => asCall('play', args)).join(' ') };
}

/** Too many calls, or a busy database. */
export const isBusy = (error: unknown): boolean =>
  error instanceof StreamableHTTPError && [429, 503].includes(error.code ?? 0);
