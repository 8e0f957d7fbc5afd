// mcp/door/exchange.ts · one message in, one answer out: of the revision that needs no handshake, and of those before it, on the same address.
//
// A request with the modern envelope goes to the library's own handler. An older one is answered here: the library would answer it as a stream, and
// every client of every revision takes plain JSON.
import type { IncomingHttpHeaders } from 'node:http';
import {
  type CallToolResult,
  classifyInboundRequest,
  createMcpHandler,
  type JSONRPCMessage,
  type MessageExtraInfo,
  PerRequestHTTPServerTransport,
  parseJSONRPCMessage,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Tool } from '../tool.ts';
import { type Answer, idOf, invalidRequest, methodNotFound, rpcError } from './answers.ts';

/** What can be done for the caller of one request. Neither throws. */
export interface Hands {
  /** Runs a tool that exists. */
  run(tool: Tool, args: unknown): Promise<CallToolResult>;
  /** Gives the help on a topic that exists. */
  help(topic: string): Promise<{ title: string; text: string }>;
}

/** Makes the server object of one request. */
export type MakeServer = (hands: Hands, revisions?: string[]) => Server;

/** Answers the message of a POST. */
export type Exchange = (headers: IncomingHttpHeaders, message: object, hands: Hands) => Promise<Answer>;

export function exchanges(makeServer: MakeServer, onError: (error: Error) => void): Exchange {
  const library = createMcpHandler(({ authInfo }) => makeServer(authInfo?.extra?.hands as Hands), {
    legacy: 'reject',
    onerror: onError,
  });

  return async (headers, message, hands) => {
    const said = (name: string) => headers[name] as string | undefined;
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      protocolVersionHeader: said('mcp-protocol-version'),
      mcpMethodHeader: said('mcp-method'),
      mcpNameHeader: said('mcp-name'),
      body: message,
    } as Parameters<typeof classifyInboundRequest>[0]);
    if (route.kind === 'legacy') return answerLegacy(said('mcp-protocol-version'), message, () => makeServer(hands));

    const answered = route.kind === 'modern' && isPlainCall(route, said) && (await answerCall(route, hands, makeServer));
    if (answered) return answered;
    // The library would open a stream for this, and nothing that is listed here ever changes while the process runs.
    if ((message as { method?: unknown }).method === 'subscriptions/listen')
      return rpcError(404, methodNotFound, 'There are no subscriptions: nothing that this server lists changes.', { id: idOf(message) });
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: relevant(headers) });
    // The library passes authInfo on to whoever makes the server, and looks at nothing in it.
    const response = await library.fetch(request, {
      parsedBody: message,
      authInfo: { token: '', clientId: '', scopes: [], extra: { hands } },
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  };
}

/** The revision without a handshake. */
const modern = '2026-07-28';

type ModernRoute = Extract<ReturnType<typeof classifyInboundRequest>, { kind: 'modern' }>;

/** A call as a client that keeps the rules sends it: nothing of it has to be looked at twice. */
const isPlainCall = ({ classification, message }: ModernRoute, said: (header: string) => string | undefined): boolean =>
  classification.revision === modern &&
  said('mcp-protocol-version') === modern &&
  'id' in message &&
  message.method === 'tools/call' &&
  said('mcp-method') === message.method &&
  said('mcp-name') === message.params?.name;

/** What most requests are, answered without the library's conversions to and from the objects of the web. Nothing if no tool ran: the library words errors. */
async function answerCall({ classification, message }: ModernRoute, hands: Hands, makeServer: MakeServer): Promise<Answer | undefined> {
  let ran = false;
  const server = makeServer(
    {
      ...hands,
      run: (tool, args) => {
        ran = true;
        return hands.run(tool, args);
      },
    },
    [modern],
  );
  const transport = new OneCall({ classification });
  await server.connect(transport);
  const answer = await transport.ask(message, { classification });
  return ran ? { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) } : undefined;
}

const relevant = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (field): field is [string, string] => /^(mcp-|content-type|accept)/.test(field[0]) && typeof field[1] === 'string',
    ),
  );

async function answerLegacy(version: string | undefined, message: object, makeServer: () => Server): Promise<Answer> {
  let parsed: JSONRPCMessage;
  try {
    parsed = parseJSONRPCMessage(message);
  } catch {
    return rpcError(400, invalidRequest, 'The body is not a JSON-RPC 2.0 message.', { id: idOf(message) });
  }
  // A handshake names its version in its body, and gets one that is served.
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version) && !('method' in parsed && parsed.method === 'initialize'))
    return rpcError(400, -32000, `Unsupported protocol version. Supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`, {
      id: idOf(message),
      data: { supported: SUPPORTED_PROTOCOL_VERSIONS },
    });
  // A notification, or an answer to a question that this server never asks, changes nothing here.
  if (!('method' in parsed) || !('id' in parsed)) return { status: 202, headers: {}, body: '' };

  const transport = new OneExchange();
  await makeServer().connect(transport);
  const answer = await transport.ask(parsed); // and both are forgotten: closing them would only tell each other so
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

/** The same, of the library's kind: by that a server knows the revision that it speaks. */
class OneCall extends PerRequestHTTPServerTransport {
  #answered: (message: JSONRPCMessage) => void = () => {};

  ask(message: JSONRPCMessage, extra: MessageExtraInfo): Promise<JSONRPCMessage> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.onmessage?.(message, extra);
    });
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) this.#answered(message);
  }
}
