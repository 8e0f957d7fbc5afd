// mcp/door/exchange.ts · one message in, one answer out: of the revision that needs no handshake and of those before it, on the same address.
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
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Hands, MakeServer } from '../protocol/server.ts';
import type { Tool } from '../tool.ts';
import { type Answer, idOf, invalidRequest, methodNotFound, rpcError } from './answers.ts';

type Help = Awaited<ReturnType<Hands['help']>>;

/**
 * How far the protocol gets with a message by itself: to an answer, or to something that only the door can do. Then it waits for the reply. If what it was
 * promised fails, so does nothing here: whoever promised it knows, and drops the answer.
 */
type Turn =
  | { readonly wants: 'nothing'; readonly answer: Answer }
  | { readonly wants: 'tool'; readonly tool: Tool; readonly args: unknown; reply(result: Promise<CallToolResult>): Promise<Answer> }
  | { readonly wants: 'help'; readonly topic: string; reply(help: Promise<Help>): Promise<Answer> };

/** Takes the message of a POST. */
export type Exchange = (headers: IncomingHttpHeaders, message: object) => Promise<Turn>;

export function exchanges(makeServer: MakeServer, onError: (error: Error) => void): Exchange {
  const library = createMcpHandler(({ authInfo }) => makeServer(authInfo?.extra?.hands as Hands), {
    legacy: 'reject',
    onerror: onError,
  });

  async function answer(headers: IncomingHttpHeaders, message: object, hands: Hands): Promise<Answer> {
    const header = (name: string) => headers[name] as string | undefined;
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      protocolVersionHeader: header('mcp-protocol-version'),
      mcpMethodHeader: header('mcp-method'),
      mcpNameHeader: header('mcp-name'),
      body: message,
    } as Parameters<typeof classifyInboundRequest>[0]);
    if (route.kind === 'legacy') return answerLegacy(header('mcp-protocol-version'), message, makeServer, hands);
    if (route.kind === 'modern' && isPlainCall(route, header)) return answerCall(route, makeServer, hands);
    // The library would open a stream for this, and nothing that is listed here changes while the process runs.
    if ((message as { method?: unknown }).method === 'subscriptions/listen')
      return rpcError(404, methodNotFound, 'There are no subscriptions: nothing that this server lists changes.', { id: idOf(message) });
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: relevant(headers) });
    // The library passes authInfo on to whoever makes the server, and reads nothing in it.
    const response = await library.fetch(request, {
      parsedBody: message,
      authInfo: { token: '', clientId: '', scopes: [], extra: { hands } },
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  }

  return (headers, message) =>
    new Promise((resolve, reject) => {
      const want = <T>(turn: (reply: (promised: Promise<T>) => Promise<Answer>) => Turn): Promise<T> =>
        new Promise((give) => {
          const reply = (promised: Promise<T>) => {
            give(promised);
            return answered;
          };
          resolve(turn(reply));
        });
      const answered = answer(headers, message, {
        run: (tool, args) => want((reply) => ({ wants: 'tool', tool, args, reply })),
        help: (topic) => want((reply) => ({ wants: 'help', topic, reply })),
      });
      answered.then((answer) => resolve({ wants: 'nothing', answer }), reject);
    });
}

/** The revision without a handshake. */
const modern = '2026-07-28';

type ModernRoute = Extract<ReturnType<typeof classifyInboundRequest>, { kind: 'modern' }>;

/** A call as a well-behaved client sends it: the library would find nothing to refuse in its headers. */
const isPlainCall = ({ classification, message }: ModernRoute, header: (name: string) => string | undefined): boolean =>
  classification.revision === modern &&
  header('mcp-protocol-version') === modern &&
  'id' in message &&
  message.method === 'tools/call' &&
  header('mcp-method') === message.method &&
  typeof message.params?.name === 'string' &&
  header('mcp-name') === message.params.name;

/** What most requests are, without the library's conversions to and from web objects. */
async function answerCall({ classification, message }: ModernRoute, makeServer: MakeServer, hands: Hands): Promise<Answer> {
  const transport = new PerRequestHTTPServerTransport({ classification });
  await makeServer(hands, [modern]).connect(transport);
  return ask(transport, message, { classification });
}

const relevant = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (field): field is [string, string] => /^(mcp-|content-type|accept)/.test(field[0]) && typeof field[1] === 'string',
    ),
  );

async function answerLegacy(version: string | undefined, message: object, makeServer: MakeServer, hands: Hands): Promise<Answer> {
  let parsed: JSONRPCMessage;
  try {
    parsed = parseJSONRPCMessage(message);
  } catch {
    return rpcError(400, invalidRequest, 'The body is not a JSON-RPC 2.0 message.', { id: idOf(message) });
  }
  // A handshake names its version in its body, and is offered one that is served.
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version) && !('method' in parsed && parsed.method === 'initialize'))
    return rpcError(400, -32000, `Unsupported protocol version. Supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`, {
      id: idOf(message),
      data: { supported: SUPPORTED_PROTOCOL_VERSIONS },
    });
  // A notification changes nothing here, and this server asks nothing that could be answered.
  if (!('method' in parsed) || !('id' in parsed)) return { status: 202, headers: {}, body: '' };

  const transport: Transport = { start: async () => {}, send: async () => {}, close: async () => {} };
  await makeServer(hands).connect(transport);
  return ask(transport, parsed);
}

/** Asks the server behind a transport once. Whatever else it says has nowhere to go. Neither is closed: closing would only tell each other so. */
const ask = (transport: Transport, message: JSONRPCMessage, extra?: MessageExtraInfo): Promise<Answer> =>
  new Promise((resolve) => {
    transport.send = async (said) => {
      if (!('method' in said)) resolve({ status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(said) });
    };
    transport.onmessage?.(message, extra);
  });
