// The Link field of the first page: what describes the hill to programs. RFC 8288, RFC 8631, RFC 9727; protocol 7.6.

const links: readonly (readonly [path: string, rel: string, type: string])[] = [
  ['/', 'alternate', 'text/markdown'],
  ['/llms.txt', 'service-doc', 'text/plain'],
  ['/auth.md', 'service-doc', 'text/markdown'],
  ['/nights.atom', 'alternate', 'application/atom+xml'],
  ['/openapi.json', 'service-desc', 'application/json'],
  ['/mcp/server-card', 'service-desc', 'application/mcp-server-card+json'],
  ['/.well-known/api-catalog', 'api-catalog', 'application/linkset+json'],
  ['/.well-known/ai-catalog.json', 'ai-catalog', 'application/ai-catalog+json'],
  ['/.well-known/agent-skills/index.json', 'service-meta', 'application/json'],
];

export const leadingOn = links.map(([path, rel, type]) => `<${path}>; rel="${rel}"; type="${type}"`).join(', ');
