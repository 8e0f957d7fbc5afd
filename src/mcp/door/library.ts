// Messages that the protocol's own library understands: of the revision that needs no handshake and of those before it,
// on one address.
//
// A request with the modern envelope goes to the library's own handler. An older one is answered here: the library
// would answer it as a stream, and every client of every revision takes plain JSON.
import type { IncomingHttpHeaders } from 'node:http';
import {
  classifyInboundRequest,
  createMcpHandler,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type ServerEventBus,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';
import { heartbeatMs } from '../../http/event-stream.ts';
import { isLive } from '../protocol/resources.ts';
import { type Hands, modern, type Served } from '../protocol/server.ts';
import type { Human, Tool } from '../tool.ts';
import { type Answer, idOf, invalidRequest, rpcError } from './answers.ts';
import type { Opened } from './streams.ts';

type Help = Awaited<ReturnType<Hands['help']>>;

/**
 * How far the protocol gets with a message by itself: to an answer, or to something that only the door can do. Then it
 * waits for the reply. If what it was promised fails, so does nothing here: whoever promised it knows, and drops the
 * answer.
 */
export type Turn =
  | { readonly wants: 'nothing'; readonly answer: Answer }
  | {
      readonly wants: 'tool';
      readonly tool: Tool;
      readonly args: unknown;
      readonly human: Human;
      reply(result: ReturnType<Hands['run']>): Promise<Answer>;
    }
  | { readonly wants: 'help'; readonly topic: string; reply(help: Promise<Help>): Promise<Answer> }
  | { readonly wants: 'stream'; open(): Promise<Opened | Answer> };

/** Takes the message of a POST. */
export type Exchange = (headers: IncomingHttpHeaders, message: object) => Promise<Turn>;

/** An id is kept as long as its stream, and repeated in each event. */
const longestId = 200;

/** `onModern` hears of each message that is well-formed in the newest revision. */
export function byLibrary(
  make: Served['make'],
  bus: ServerEventBus,
  onModern: (message: object) => void,
  onError: (error: Error) => void,
): Exchange {
  const handler = () =>
    createMcpHandler(({ authInfo }) => make(authInfo?.extra?.hands as Hands, 'modern'), {
      legacy: 'reject',
      onerror: onError,
      bus,
      keepAliveMs: heartbeatMs,
    });
  const library = handler();
  const respond = ({ fetch }: typeof library, headers: IncomingHttpHeaders, message: object, hands?: Hands) =>
    fetch(new Request('http://localhost/mcp', { method: 'POST', headers: relevant(headers) }), {
      parsedBody: message,
      // The library passes authInfo on to whoever makes the server, and reads nothing in it.
      authInfo: { token: '', clientId: '', scopes: [], extra: { hands } },
    });
  const whole = async (response: Response): Promise<Answer> => ({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  });

  /** The library's own handler ends all of its streams or none, so each stream has one. */
  async function open(headers: IncomingHttpHeaders, message: object): Promise<Opened | Answer> {
    const id = idOf(message);
    if (typeof id === 'string' && id.length > longestId)
      return rpcError(400, invalidRequest, `The id of a stream has at most ${longestId} characters.`);
    const own = handler();
    const response = await respond(own, headers, onlyLive(message));
    const { body } = response;
    if (!body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return whole(response);
    return { body, end: own.close };
  }

  async function answer(headers: IncomingHttpHeaders, message: object, hands: Hands): Promise<Answer> {
    const route = classify(headers, message);
    if (route.kind === 'legacy')
      return answerLegacy(headers['mcp-protocol-version'] as string | undefined, message, make, hands);
    if (route.kind === 'modern' && route.classification.revision === modern && 'id' in message) onModern(message);
    return whole(await respond(library, headers, message, hands));
  }

  return (headers, message) =>
    new Promise((resolve, reject) => {
      if (
        (message as { method?: unknown }).method === 'subscriptions/listen' &&
        classify(headers, message).kind !== 'legacy'
      ) {
        resolve({ wants: 'stream', open: () => open(headers, message) });
        return;
      }
      const want = <T>(turn: (reply: (promised: Promise<T>) => Promise<Answer>) => Turn): Promise<T> =>
        new Promise((give) => {
          const reply = (promised: Promise<T>) => {
            give(promised);
            return answered;
          };
          resolve(turn(reply));
        });
      const answered = answer(headers, message, {
        run: (tool, args, human) => want((reply) => ({ wants: 'tool', tool, args, human, reply })),
        help: (topic) => want((reply) => ({ wants: 'help', topic, reply })),
      });
      answered.then((answer) => resolve({ wants: 'nothing', answer }), reject);
    });
}

const classify = (headers: IncomingHttpHeaders, message: object) =>
  classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: headers['mcp-protocol-version'],
    mcpMethodHeader: headers['mcp-method'],
    mcpNameHeader: headers['mcp-name'],
    body: message,
  } as Parameters<typeof classifyInboundRequest>[0]);

/** The message without addresses that nothing is ever told of: the library would promise to. */
function onlyLive(message: object): object {
  const { params, ...rest } = message as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const asked = params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(asked) || !asked.every((uri) => typeof uri === 'string')) return message;
  const resourceSubscriptions = [...new Set(asked)].filter(isLive);
  return { ...rest, params: { ...params, notifications: { ...params?.notifications, resourceSubscriptions } } };
}

const relevant = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (field): field is [string, string] =>
        /^(mcp-|content-type|accept)/.test(field[0]) && typeof field[1] === 'string',
    ),
  );

async function answerLegacy(
  version: string | undefined,
  message: object,
  make: Served['make'],
  hands: Hands,
): Promise<Answer> {
  let parsed: JSONRPCMessage;
  try {
    parsed = parseJSONRPCMessage(message);
  } catch {
    return rpcError(400, invalidRequest, 'The body is not a JSON-RPC 2.0 message.', { id: idOf(message) });
  }
  // A handshake names its version in its body, and is offered one that is served.
  if (
    version !== undefined &&
    !SUPPORTED_PROTOCOL_VERSIONS.includes(version) &&
    !('method' in parsed && parsed.method === 'initialize')
  )
    return rpcError(
      400,
      -32000,
      `Unsupported protocol version. Supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
      {
        id: idOf(message),
        data: { supported: SUPPORTED_PROTOCOL_VERSIONS },
      },
    );
  // A notification changes nothing here, and this server asks nothing that could be answered.
  if (!('method' in parsed) || !('id' in parsed)) return { status: 202, headers: {}, body: '' };

  const transport: Transport = { start: async () => {}, send: async () => {}, close: async () => {} };
  await make(hands, 'legacy').connect(transport);
  return ask(transport, parsed);
}

/**
 * Asks the server behind a transport once. Whatever else it says has nowhere to go. Neither is closed: closing would
 * only tell each other so.
 */
const ask = (transport: Transport, message: JSONRPCMessage): Promise<Answer> =>
  new Promise((resolve) => {
    transport.send = async (said) => {
      if (!('method' in said))
        resolve({ status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(said) });
    };
    transport.onmessage?.(message);
  });
