// The protocol: which tools, prompts and resources there are, as the SDK serves them. It knows neither HTTP nor who
// calls.
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type InputRequiredResult,
  inputResponse,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { about } from '../../records/about.ts';
import type { Links } from '../../records/links.ts';
import { type Human, pageKey, type Tool } from '../tool.ts';
import { viewOf, viewResources } from '../view/resource.ts';
import { instructions } from './instructions.ts';
import { leanInput, leanOutput } from './lean.ts';
import { promptList, promptOf } from './prompts.ts';
import { resourceJson, resourceList, resourceText, toolBehind, topicOf } from './resources.ts';

/** Tools as they are offered: converted once, not per request. */
export interface Offer {
  readonly byName: ReadonlyMap<string, Tool>;
  /** What tools/list answers, but for the icons: they are on the hill's own host. */
  readonly list: ListToolsResult;
}

/** What the protocol leaves to whoever knows the caller. */
export interface Hands {
  /** Runs a tool that exists. */
  run(tool: Tool, args: unknown, human: Human): Promise<CallToolResult | InputRequiredResult>;
  /** Reads the help on a topic that exists. */
  help(topic: string): Promise<{ title: string; text: string }>;
}

/** The revision without a handshake, or those before it. */
export type Era = 'modern' | 'legacy';

export interface Served {
  readonly byName: Offer['byName'];
  /** Who serves, as the newest revision returns it with each result. */
  readonly info: Implementation;
  /** Makes the server object of one request. */
  make(hands: Hands, era: Era): Server;
}

/** The revision without a handshake. */
export const modern = '2026-07-28';

type Listed = ListToolsResult['tools'][number];

export function offer(tools: readonly Tool[]): Offer {
  // An argument that a tool does not know is refused: its caller may have relied on it.
  const strict = tools.map((tool) => ({ ...tool, input: tool.input.strict() }));
  return {
    byName: new Map(strict.map((tool) => [tool.name, tool])),
    list: {
      tools: strict.map(({ name, title, description, annotations, input, output, view }) => ({
        name,
        title,
        description,
        annotations,
        inputSchema: leanInput(input) as Listed['inputSchema'],
        outputSchema: leanOutput(output) as Listed['outputSchema'],
        ...(view ? { _meta: { ui: { resourceUri: view } } } : {}),
      })),
    },
  };
}

/**
 * Earlier revisions tell of changes on a stream that belongs to a session, and there are no sessions here. Decisions
 * 167.
 */
const extensions = { 'io.modelcontextprotocol/ui': {} };
const quiet = { capabilities: { tools: {}, resources: {}, prompts: {}, extensions } };
const listening = {
  capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, extensions },
  supportedProtocolVersions: [modern],
};

/**
 * Only the newest revision says with each call what the client can do. A session that would remember it does not exist.
 * Decisions 168.
 */
export const opensPages = (envelope: object | undefined): boolean =>
  (envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ]?.elicitation?.url !== undefined;

function humanOf({ mcpReq }: ServerContext): Human {
  const page = inputResponse(mcpReq.inputResponses, pageKey);
  return { opensPages: opensPages(mcpReq.envelope), ...(page.kind === 'elicit' ? { page: page.action } : {}) };
}
export const nobody: Human = { opensPages: false };

const anHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const aMinute = { ttlMs: 60_000, cacheScope: 'public' } as const;

export function servers(links: Links, { byName, list }: Offer): Served {
  const { name, title, version } = about;
  const info: Implementation = { name, title, version, websiteUrl: links.docs.rules_human, icons: [links.icons.hill] };
  const listed = { tools: list.tools.map((tool) => ({ ...tool, icons: [links.icons.tool(tool.name)] })) };
  const options = {
    instructions: instructions(links),
    jsonSchemaValidator: new AjvJsonSchemaValidator(), // shared: each server would compile its own
    cacheHints: {
      'server/discover': anHour,
      'tools/list': anHour,
      'resources/list': anHour,
      'resources/templates/list': anHour,
      'resources/read': aMinute, // it holds numbers of the rules, and which places are open
      'prompts/list': anHour,
    },
  } satisfies Partial<ServerOptions>;
  const missing = (what: string) =>
    new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${what} of that name; ${what}s/list has them all.`);
  const make: Served['make'] = (hands, era) => {
    const server = new Server(info, { ...options, ...(era === 'modern' ? listening : quiet) });
    server.setRequestHandler('tools/list', () => listed);
    server.setRequestHandler('tools/call', ({ params }, ctx) => {
      const tool = byName.get(params.name);
      if (!tool) throw missing('tool');
      return hands.run(tool, params.arguments, humanOf(ctx));
    });
    server.setRequestHandler('resources/list', () => ({ resources: [...resourceList.resources, ...viewResources] }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
      const view = viewOf(uri);
      if (view) return { ...view, ...anHour };
      const tool = byName.get(toolBehind(uri) ?? '');
      if (tool) return resourceJson(uri, (await hands.run(tool, {}, nobody)) as CallToolResult);
      const topic = topicOf(uri);
      if (topic === undefined) throw new ResourceNotFoundError(uri);
      return resourceText(uri, await hands.help(topic));
    });
    server.setRequestHandler('prompts/list', () => promptList);
    server.setRequestHandler('prompts/get', ({ params }) => {
      const prompt = promptOf(params.name, params.arguments);
      if (!prompt) throw missing('prompt');
      return prompt;
    });
    return server;
  };
  return { byName, info, make };
}
