// mcp/protocol/resources.ts · the help as resources, one per topic: a client can show them to its model without a call of the model's own. Protocol 9.7.
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/server';
import { topics } from '../help/topics.ts';

const prefix = 'hill://help/';
const mimeType = 'text/markdown';

export const resourceList: ListResourcesResult = {
  resources: Object.entries(topics).map(([topic, { title, about }]) => ({
    uri: prefix + topic,
    name: topic,
    title,
    description: about,
    mimeType,
  })),
};

/** The topic of a listed address; undefined for any other. */
export const topicOf = (uri: string): string | undefined =>
  resourceList.resources.some((resource) => resource.uri === uri) ? uri.slice(prefix.length) : undefined;

export const resourceText = (uri: string, { title, text }: { title: string; text: string }): ReadResourceResult => ({
  contents: [{ uri, mimeType, text: `# ${title}\n\n${text}\n` }],
});
