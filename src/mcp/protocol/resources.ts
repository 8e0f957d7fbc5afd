// The hill as resources, each what a tool gives, and the help by topic: what a client can show to its model without a
// call of the model's own. Protocol 9.7, 9.9.
import {
  type CallToolResult,
  type ListResourcesResult,
  ProtocolError,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { topics } from '../help/topics.ts';

/** What changes while a process runs, with the tool that gives it. */
const live = {
  'hill://tonight': {
    tool: 'status',
    title: 'The hill tonight',
    description: 'What the tool status gives. Told when the bell rings, and when something is announced.',
  },
  'hill://night/latest': {
    tool: 'night',
    title: 'The last night',
    description: 'What the tool night gives for the last night. Told when the bell rings.',
  },
  'hill://account': {
    tool: 'whoami',
    title: 'You and your account',
    description: 'What the tool whoami gives. Told when the bell rings, never after a call of yours.',
  },
} as const;

export type LiveResource = keyof typeof live;
export const isLive = (uri: string): uri is LiveResource => Object.hasOwn(live, uri);

const prefix = 'hill://help/';
const markdown = 'text/markdown';
const json = 'application/json';

const help = Object.entries(topics).map(([topic, { title, about }]) => ({
  uri: prefix + topic,
  name: topic,
  title,
  description: about,
  mimeType: markdown,
}));

export const resourceList: ListResourcesResult = {
  resources: [
    ...Object.entries(live).map(([uri, { tool, title, description }]) => ({
      uri,
      name: tool,
      title,
      description,
      mimeType: json,
    })),
    ...help,
  ],
};

/** The tool whose result an address is; undefined for any other. */
export const toolBehind = (uri: string): string | undefined => (isLive(uri) ? live[uri].tool : undefined);

/** What a tool gave, as a resource. Throws what it refused. */
export function resourceJson(uri: string, { isError, structuredContent }: CallToolResult): ReadResourceResult {
  if (isError) {
    const { message, ...data } = structuredContent as { message: string };
    throw new ProtocolError(refused, message, data);
  }
  return {
    contents: [{ uri, mimeType: json, text: JSON.stringify(structuredContent) }],
    ttlMs: 0,
    cacheScope: 'private',
  };
}

/** From the range that JSON-RPC leaves to servers; data.code says what it is about. */
const refused = -32000;

/** The topic of a listed address; undefined for any other. */
export const topicOf = (uri: string): string | undefined =>
  help.some((resource) => resource.uri === uri) ? uri.slice(prefix.length) : undefined;

export const resourceText = (uri: string, { title, text }: { title: string; text: string }): ReadResourceResult => ({
  contents: [{ uri, mimeType: markdown, text: `# ${title}\n\n${text}\n` }],
});
