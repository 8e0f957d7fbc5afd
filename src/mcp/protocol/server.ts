// mcp/protocol/server.ts · the protocol: which tools, prompts and resources there are, as the SDK serves them. It knows neither HTTP nor who calls.
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Links } from '../../records/links.ts';
import type { Tool } from '../tool.ts';
import { instructions } from './instructions.ts';
import { leanInput, leanOutput } from './lean.ts';
import { promptList, promptOf } from './prompts.ts';
import { resourceList, resourceText, topicOf } from './resources.ts';

/** Tools as they are offered: converted once, not per request. */
export interface Offer {
  readonly byName: ReadonlyMap<string, Tool>;
  /** What tools/list answers. */
  readonly list: ListToolsResult;
}

/** What the protocol leaves to whoever knows the caller. */
export interface Hands {
  /** Runs a tool that exists. */
  run(tool: Tool, args: unknown): Promise<CallToolResult>;
  /** Reads the help on a topic that exists. */
  help(topic: string): Promise<{ title: string; text: string }>;
}

/** Makes the server object of one request. */
export type MakeServer = (hands: Hands, revisions?: string[]) => Server;

type Listed = ListToolsResult['tools'][number];

export function offer(tools: readonly Tool[]): Offer {
  // An argument that a tool does not know is refused: its caller may have relied on it.
  const strict = tools.map((tool) => ({ ...tool, input: tool.input.strict() }));
  return {
    byName: new Map(strict.map((tool) => [tool.name, tool])),
    list: {
      tools: strict.map(({ name, title, description, annotations, input, output }) => ({
        name,
        title,
        description,
        annotations,
        inputSchema: leanInput(input) as Listed['inputSchema'],
        outputSchema: leanOutput(output) as Listed['outputSchema'],
      })),
    },
  };
}

const anHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const aMinute = { ttlMs: 60_000, cacheScope: 'public' } as const;

export function servers(links: Links, { byName, list }: Offer): MakeServer {
  const info = { name: 'hill', title: 'Hill', version: '0.1.0', websiteUrl: links.docs.rules_human };
  const options: ServerOptions = {
    capabilities: { tools: {}, resources: {}, prompts: {} },
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
  };
  const missing = (what: string) =>
    new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${what} of that name; ${what}s/list has them all.`);
  return (hands, supportedProtocolVersions) => {
    const server = new Server(info, supportedProtocolVersions ? { ...options, supportedProtocolVersions } : options);
    server.setRequestHandler('tools/list', () => list);
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = byName.get(params.name);
      if (!tool) throw missing('tool');
      return hands.run(tool, params.arguments);
    });
    server.setRequestHandler('resources/list', () => resourceList);
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
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
}
