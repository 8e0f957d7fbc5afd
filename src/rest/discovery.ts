// What programs find the hill by: the card of its MCP server, the entry for registries, and catalogs that lead there.
// Protocol 7.4 to 7.6.
import { about, revisions } from '../records/about.ts';
import { type Addresses, linksOf } from '../records/links.ts';

const cardType = 'application/mcp-server-card+json';
const json = 'application/json; charset=utf-8';

interface Document {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

export const discovery = (config: Addresses): Document[] =>
  [
    { path: '/mcp/server-card', type: cardType, content: card(config) },
    { path: '/.well-known/ai-catalog.json', type: 'application/ai-catalog+json', content: aiCatalog(config) },
    { path: '/.well-known/api-catalog', type: linkset, content: apiCatalog(config) },
    { path: '/server.json', type: json, content: registryEntry(config) },
  ].map(({ content, ...document }) => ({ ...document, body: JSON.stringify(content) }));

/** Reverse DNS, as a registry gives names to whoever holds the domain. A port is no part of it. */
const nameOf = ({ baseUrl }: Addresses): string =>
  `${new URL(baseUrl).hostname.split('.').reverse().join('.')}/${about.name}`.replace(/[^a-zA-Z0-9./-]/g, '-');

const described = (config: Addresses) => {
  const { docs, icons, practice } = linksOf(config);
  return {
    name: nameOf(config),
    title: practice ? `${about.title} (PRACTICE)` : about.title,
    description: practice ? about.practice : about.description,
    version: about.version,
    websiteUrl: docs.rules_human,
    icons: [icons.hill],
  };
};

const endpoints = ({ authUrl, baseUrl }: Addresses) =>
  [...new Set([authUrl, baseUrl])].map((url) => ({ type: 'streamable-http', url: `${url}/mcp` }));

/**
 * SEP-2127. Where a token comes from is not in it: the endpoint itself says so, in its challenge. What the schema has
 * no field for is under a name of our own: where the practice hill is.
 */
const card = (config: Addresses) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  ...described(config),
  remotes: endpoints(config).map((endpoint) => ({ ...endpoint, supportedProtocolVersions: revisions })),
  ...(config.practiceUrl ? { _meta: { [`${nameOf(config)}-practice`]: config.practiceUrl } } : {}),
});

/** What an operator publishes in the MCP registry. */
const registryEntry = (config: Addresses) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ...described(config),
  remotes: endpoints(config),
});

const aiCatalog = (config: Addresses) => ({
  specVersion: '1.0',
  entries: [
    {
      identifier: `urn:air:${new URL(config.baseUrl).hostname}:mcp:${about.name}`,
      displayName: about.title,
      type: cardType,
      mediaType: cardType, // what the draft called it until July 2026
      url: linksOf(config).found.card,
    },
  ],
});

const linkset = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** RFC 9727: the services of this host, each with what describes it. */
function apiCatalog(config: Addresses) {
  const { docs, act, found } = linksOf(config);
  return {
    linkset: [
      {
        anchor: `${config.baseUrl}/api/hill`,
        'service-desc': [{ href: docs.openapi, type: 'application/json' }],
        'service-doc': [
          { href: docs.rules_human, type: 'text/html' },
          { href: found.llms, type: 'text/plain' },
        ],
      },
      {
        anchor: act.mcp.endpoint,
        'service-desc': [{ href: found.card, type: cardType }],
        'service-doc': [{ href: act.guide, type: 'text/markdown' }],
        'service-meta': [{ href: act.discovery.protected_resource, type: 'application/json' }],
      },
    ],
  };
}
