// The view as a resource of MCP Apps (2026-01-26): hosts that can show it read it once, and give it each result of its
// tools. Protocol 9.11.
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/server';
import { viewDocument } from './document.ts';

/** What the tools that have the view name it by. */
export const hillView = 'ui://hill/view';

const mimeType = 'text/html;profile=mcp-app';

// The host frames it: it is not to pass for words of the chat. It may reach nobody.
const _meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };

export const viewResources: ListResourcesResult['resources'] = [
  {
    uri: hillView,
    name: 'view',
    title: 'The hill, drawn',
    description: 'Draws what status and night answer, in hosts that show MCP Apps.',
    mimeType,
    _meta,
  },
];

/** The view, if that is what the address names. */
export const viewOf = (uri: string): ReadResourceResult | undefined =>
  uri === hillView ? { contents: [{ uri, mimeType, text: viewDocument, _meta }] } : undefined;
