// mcp/server.ts · the protocol's side of the tools: what is listed, and which call runs what. Built from parts that are made once.
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { z } from 'zod';
import type { Links } from '../links.ts';
import { instructions } from './instructions.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools/index.ts';

/** The tools by name; an argument that a tool does not know is refused, for it may be one that its caller relied on. */
export const toolsByName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, { ...tool, input: tool.input.strict() }]));

const asJsonSchema = (schema: z.ZodObject) =>
  z.toJSONSchema(schema, { io: 'input' }) as unknown as ListToolsResult['tools'][number]['inputSchema'];

const { $schema, ...refusal } = z.toJSONSchema(
  z.looseObject({
    code: z.string().describe('Stable. get_help explains each.'),
    message: z.string(),
    hint: z.string().describe('What to do next.'),
  }),
);

/** The result, or a refusal: clients hold what they get against this schema also where it is an error. */
const resultOrRefusal = (output: z.ZodObject) => {
  const { $schema: _, ...result } = z.toJSONSchema(output, { io: 'output' });
  return { $schema, type: 'object', anyOf: [result, refusal] } as unknown as ListToolsResult['tools'][number]['outputSchema'];
};

/** What tools/list answers, converted once. */
export const toolList: ListToolsResult = {
  tools: [...toolsByName.values()].map(({ name, title, description, annotations, input, output }) => ({
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: asJsonSchema(input),
    outputSchema: resultOrRefusal(output),
  })),
};

/** Makes the server object of one request: `run` runs a tool that exists. */
export function servers(links: Links) {
  const info = { name: 'hill', title: 'Hill', version: '0.1.0', websiteUrl: links.docs.rules_human };
  const options: ServerOptions = {
    capabilities: { tools: {} },
    instructions: instructions(links),
    jsonSchemaValidator: new AjvJsonSchemaValidator(), // one for all, or each would compile its own
    cacheHints: {
      'server/discover': { ttlMs: 3_600_000, cacheScope: 'public' },
      'tools/list': { ttlMs: 3_600_000, cacheScope: 'public' },
    },
  };
  return (run: (tool: Tool, args: unknown) => Promise<CallToolResult>): Server => {
    const server = new Server(info, options);
    server.setRequestHandler('tools/list', () => toolList);
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = toolsByName.get(params.name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool of that name; tools/list has them all.');
      return run(tool, params.arguments);
    });
    return server;
  };
}
