// mcp/exchange.ts · one message in, one answer out: of the revision that needs no handshake, and of those before it, on the same address.
//
// A request with the modern envelope goes to the library's own handler. An older one is answered here: the library would answer it as a stream, and
// every client of every revision takes plain JSON.
import {
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';
import { type Answer, idOf, invalidRequest, rpcError } from './answers.ts';

export interface Incoming {
  readonly url: string;
  readonly headers: Headers;
  /** What the body says. */
  readonly message: unknown;
}

export type Exchange = (incoming: Incoming, makeServer: () => Server) => Promise<Answer>;

export function exchanges(onError: (error: Error) => void): Exchange {
  return async ({ url, headers, message }, makeServer) => {
    const request = new Request(url, { method: 'POST', headers });
    if (await isLegacyRequest(request, message)) return answerLegacy(headers, message, makeServer);
    const handler = createMcpHandler(makeServer, { legacy: 'reject', responseMode: 'auto', maxSubscriptions: 0, onerror: onError });
    const response = await handler.fetch(request, { parsedBody: message });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  };
}

async function answerLegacy(headers: Headers, message: unknown, makeServer: () => Server): Promise<Answer> {
  let parsed: JSONRPCMessage;
  try {
    parsed = parseJSONRPCMessage(message);
  } catch {
    return rpcError(400, invalidRequest, 'The body is not a JSON-RPC 2.0 message.', { id: idOf(message) });
  }
  const version = headers.get('mcp-protocol-version');
  // A handshake names its version in its body, and gets one that is served.
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version) && !('method' in parsed && parsed.method === 'initialize'))
    return rpcError(400, -32000, `Unsupported protocol version. Supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`, {
      id: idOf(message),
      data: { supported: SUPPORTED_PROTOCOL_VERSIONS },
    });
  // A notification, or an answer to a question that this server never asks, changes nothing here.
  if (!('method' in parsed) || !('id' in parsed)) return { status: 202, headers: {}, body: '' };

  const transport = new OneExchange();
  const server = makeServer();
  await server.connect(transport);
  const answer = await transport.ask(parsed);
  void server.close();
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) };
}

/** A transport whose life is one request. What a server says besides the answer has nowhere to go. */
class OneExchange implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  #answered: (message: JSONRPCMessage) => void = () => {};

  async start(): Promise<void> {}

  ask(message: JSONRPCMessage): Promise<JSONRPCMessage> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.onmessage?.(message);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) this.#answered(message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
