// One message in, one answer out. Messages that keep the rules of the protocol and ask for nothing unusual, as nearly
// all do, are understood and answered here, without the library, which makes a server for each message and checks the
// message many times over. All others are for the library. Decisions 280.
import type { IncomingHttpHeaders } from 'node:http';
import {
  type CallToolResult,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  type ServerEventBus,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { type Era, type Hands, modern, nobody, opensPages, type Served } from '../protocol/server.ts';
import type { Tool } from '../tool.ts';
import type { Answer } from './answers.ts';
import { byLibrary, type Exchange } from './library.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Plain {
  readonly id: string | number;
  readonly era: Era;
}
interface PlainCall extends Plain {
  readonly tool: Tool;
  readonly args: Fields | undefined;
}
/** Asks for a list that is the same for everybody. */
interface PlainList extends Plain {
  readonly list: string;
}

const lists: ReadonlySet<unknown> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
]);

/** Programs are few, and each says the same of itself with every message. */
const mostEnvelopes = 500;
const longestEnvelope = 2_000;

export function plainMessages({ byName, info }: Pick<Served, 'byName' | 'info'>) {
  /** What the library found to be well-formed: which program calls, and what it can do. */
  const envelopes = new LRUCache<string, true>({ max: mostEnvelopes });
  /** What it answered to a list: the result as JSON, and the fields of the header. */
  const listed = new Map<string, Pick<Answer, 'headers'> & { readonly result: string }>();
  const ends: Readonly<Record<Era, string>> = {
    legacy: '}',
    modern: `,${JSON.stringify({ resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: info } }).slice(1)}`,
  };
  const answer = ({ id }: Plain, result: string, headers: Answer['headers'] = json): Answer => ({
    ...{ status: 200, headers },
    body: `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`,
  });

  const eraOf = (headers: IncomingHttpHeaders, method: string, meta: Fields): Era | undefined => {
    const version = headers['mcp-protocol-version'];
    if (meta.progressToken !== undefined && !isId(meta.progressToken)) return undefined;
    const envelope = envelopeOf(meta);
    if (version === modern)
      return meta[PROTOCOL_VERSION_META_KEY] === modern && headers['mcp-method'] === method && envelopes.has(envelope)
        ? 'modern'
        : undefined;
    const known = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version as string);
    return known && envelope === none ? 'legacy' : undefined;
  };

  return {
    /** Undefined for any other message. */
    read(headers: IncomingHttpHeaders, message: object): PlainCall | PlainList | undefined {
      const { jsonrpc, id, method, params = {} } = message as Fields;
      if (
        jsonrpc !== '2.0' ||
        !isId(id) ||
        typeof method !== 'string' ||
        !isObject(params) ||
        !hasOnly(message, inMessage)
      )
        return undefined;
      const { name, arguments: args, _meta: meta = {} } = params;
      if (!isObject(meta)) return undefined;
      const era = eraOf(headers, method, meta);
      if (!era) return undefined;
      if (lists.has(method)) return hasOnly(params, inList) ? { id, era, list: method } : undefined;
      const tool = method === 'tools/call' && hasOnly(params, inCall) ? byName.get(name as string) : undefined;
      if (!tool || (era === 'modern' && headers['mcp-name'] !== name) || (tool.page && opensPages(meta)))
        return undefined;
      if (args === undefined) return { id, era, tool, args };
      // the library would leave such a name out
      return isObject(args) && !Object.hasOwn(args, '__proto__') ? { id, era, tool, args } : undefined;
    },

    /** The result of a tool, its fields in the library's order. */
    answer: (call: PlainCall, { content, structuredContent, isError }: CallToolResult): Answer =>
      answer(call, JSON.stringify({ content, structuredContent, isError }).slice(0, -1) + ends[call.era]),

    /** A list as the library gave it before; undefined if it was not asked yet. */
    listAnswer(asked: PlainList): Answer | undefined {
      const known = listed.get(`${asked.era} ${asked.list}`);
      return known && answer(asked, known.result, known.headers);
    },

    keep({ era, list }: PlainList, { status, headers, body }: Answer): void {
      if (status === 200) listed.set(`${era} ${list}`, { headers, result: JSON.stringify(JSON.parse(body).result) });
    },

    /** The library took this message for one of the newest revision: what it says of its program is well-formed. */
    understood(message: object): void {
      const { params } = message as { params?: { _meta?: Fields } };
      const envelope = envelopeOf(params?._meta ?? {});
      if (envelope.length <= longestEnvelope) envelopes.set(envelope, true);
    },
  };
}

export function exchanges(served: Served, bus: ServerEventBus, onError: (error: Error) => void): Exchange {
  const plain = plainMessages(served);
  const library = byLibrary(served.make, bus, plain.understood, onError);
  return async (headers, message) => {
    const asked = plain.read(headers, message);
    if (!asked) return library(headers, message);
    if ('tool' in asked) {
      const reply = async (result: ReturnType<Hands['run']>) => plain.answer(asked, (await result) as CallToolResult);
      return { wants: 'tool', tool: asked.tool, args: asked.args, human: nobody, reply };
    }
    const known = plain.listAnswer(asked);
    if (known) return { wants: 'nothing', answer: known };
    const turn = await library(headers, message);
    if (turn.wants === 'nothing') plain.keep(asked, turn.answer);
    return turn;
  };
}

const json = { 'Content-Type': 'application/json' };
const inMessage: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const inCall: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
const inList: ReadonlySet<string> = new Set(['_meta']);

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): value is string | number => typeof value === 'string' || Number.isSafeInteger(value);
const hasOnly = (fields: object, names: ReadonlySet<string>): boolean =>
  Object.keys(fields).every((name) => names.has(name));

/** The protocol's own part of _meta. What else is there, such as the ids of a trace, nobody checks. */
const envelopeOf = (meta: Fields): string => {
  const own = Object.entries(meta).filter(([name]) => name.startsWith('io.modelcontextprotocol/'));
  return own.length === 0 ? none : JSON.stringify(own);
};
const none = '';
