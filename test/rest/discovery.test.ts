// What programs find the hill by: the card, the catalogs, the registry's entry, the icons. Row 55 of protocol 11;
// protocol 7.4, 7.5 and 7.7.
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { icons } from '../../src/html/icons.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { checkout } from '../../src/process/config.ts';
import { about, revisions } from '../../src/records/about.ts';
import { discovery } from '../../src/rest/discovery.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { anAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
const mcp = useMcp(hill, 'two hosts');
const get = (url: string, init?: RequestInit) => fetch(url, init);
const read = async <T = Record<string, unknown>>(url: string) => (await (await get(url)).json()) as T;

const icon = z.object({
  src: z.url(),
  mimeType: z.enum(['image/png', 'image/svg+xml']),
  sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)),
});
/** What the schemas of the card (v1, July 2026) and of server.json (2025-12-11) ask in common. */
const server = z.object({
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  title: z.string().min(1).max(100),
  websiteUrl: z.url(),
  icons: z.array(icon).min(1),
});
const remote = z.strictObject({ type: z.literal('streamable-http'), url: z.url() });
const card = z.strictObject({
  ...server.shape,
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'),
  remotes: z.array(remote.extend({ supportedProtocolVersions: z.array(z.iso.date()).min(1) })),
});
const entry = z.strictObject({
  ...server.shape,
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  remotes: z.array(remote),
});

const documents = {
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/server.json': 'application/json; charset=utf-8',
};

describe.each(Object.entries(documents))('55: %s', (at, type) => {
  test('is there on each host, for every origin, with a validator', async () => {
    for (const host of [mcp.baseUrl, mcp.authUrl]) {
      const answer = await get(host + at, { headers: { Origin: 'https://elsewhere.example' } });

      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(type);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toContain('ETag');
      expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=[1-9]/);
      const etag = answer.headers.get('etag') as string;
      expect((await get(host + at, { headers: { 'If-None-Match': etag } })).status).toBe(304);
      const asked = await get(host + at, { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } });
      expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD, OPTIONS']);
      expect((await get(host + at, { method: 'POST' })).status).toBe(405);
    }
  });
});

describe('the card', () => {
  test('has what its schema asks, and the endpoint of each host', async () => {
    const { remotes, name } = card.parse(await read(`${mcp.authUrl}/mcp/server-card`));

    expect(name).toBe('localhost/hill');
    expect(remotes.map(({ url }) => url)).toEqual([`${mcp.authUrl}/mcp`, `${mcp.baseUrl}/mcp`]);
  });

  test('says what the endpoint says when it is asked', async () => {
    const { version, title, websiteUrl, icons, remotes } = card.parse(await read(`${mcp.authUrl}/mcp/server-card`));
    const token = await mcp.token(await anAccount(hill));
    const legacy = (await mcp.client(token)).getServerVersion();
    expect(legacy).toEqual({ name: about.name, version, title, websiteUrl, icons });

    const [newest = '', ...older] = remotes[0]?.supportedProtocolVersions ?? [];
    expect([newest, ...older]).toEqual([...revisions]);
    for (const protocolVersion of older) {
      const { message } = await mcp.request<{ protocolVersion: string }>(token, 'initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'a test', version: '1' },
      });
      expect(message.result?.protocolVersion).toBe(protocolVersion);
    }
    const { message } = await mcp.request<{ supportedVersions: string[]; _meta: Record<string, unknown> }>(
      token,
      'server/discover',
      {
        _meta: { 'io.modelcontextprotocol/protocolVersion': newest, 'io.modelcontextprotocol/clientCapabilities': {} },
      },
      { headers: { 'MCP-Protocol-Version': newest, 'Mcp-Method': 'server/discover' } },
    );
    expect(message.result?.supportedVersions).toEqual([newest]);
    expect(message.result?._meta['io.modelcontextprotocol/serverInfo']).toEqual(legacy);
  });

  test('is found by whoever knows the domain alone', async () => {
    const { specVersion, entries } = await read<{ specVersion: string; entries: Record<string, string>[] }>(
      `${mcp.baseUrl}/.well-known/ai-catalog.json`,
    );
    expect(specVersion).toBe('1.0');
    expect(entries).toHaveLength(1);
    const [{ identifier, type, url } = {}] = entries;
    expect(identifier).toBe('urn:air:localhost:mcp:hill');
    expect(type).toBe('application/mcp-server-card+json');
    const answer = await get(url as string, { headers: { Accept: type as string } });
    expect(answer.headers.get('content-type')).toBe(type);
    card.parse(await answer.json());
  });
});

describe('the entry for the registry', () => {
  test('has what its schema asks, and the name that its domain may publish', async () => {
    entry.parse(await read(`${mcp.baseUrl}/server.json`));
    const config = { baseUrl: 'https://play.hill.example', authUrl: 'https://agents.hill.example' };
    const [made] = discovery(config).filter(({ path }) => path === '/server.json');
    const { name, remotes, icons } = entry.parse(JSON.parse(made?.body as string));

    expect(name).toBe('example.hill.play/hill');
    expect(remotes.map(({ url }) => url)).toEqual(['https://agents.hill.example/mcp', 'https://play.hill.example/mcp']);
    expect(icons[0]?.src).toMatch(/^https:/);
  });

  test('a name is well-formed on any host', () => {
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'hill.example'])
      for (const { path, body } of discovery({ baseUrl: `http://${host}`, authUrl: `http://${host}` }))
        if (path === '/mcp/server-card') card.parse(JSON.parse(body));
  });

  test('has the version of the package', () => {
    expect(about.version).toBe(JSON.parse(fs.readFileSync(path.join(checkout, 'package.json'), 'utf8')).version);
  });
});

test('the catalog of services leads to what it names', async () => {
  const { linkset } = await read<{ linkset: Record<string, { href: string; type: string }[]>[] }>(
    `${mcp.baseUrl}/.well-known/api-catalog`,
  );
  const targets = linkset.flatMap(({ anchor: _, ...rels }) => Object.values(rels).flat());
  expect(targets.length).toBe(6);
  for (const { href, type } of targets) {
    const answer = await get(href, { headers: { Accept: type } });
    expect([href, answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([href, 200, type]);
  }
});

describe('icons', () => {
  test('every tool has one, and it is a picture that runs nothing', async () => {
    const client = await mcp.client(await mcp.token(await anAccount(hill)));
    const listed = (await client.listTools()).tools;
    expect(listed.length).toBe(tools.length);
    for (const { name, icons } of listed) {
      expect(icons).toEqual([{ src: `${mcp.authUrl}/icons/${name}.svg` }]);
      const answer = await get(icons?.[0]?.src as string);
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([name, 200, 'image/svg+xml']);
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      const svg = await answer.text();
      expect(svg).not.toMatch(/script|href|style|url\(|\bon\w+=/i);
      const { channels } = await sharp(Buffer.from(svg)).flatten({ background: '#2e6b45' }).stats();
      expect(channels[0]?.max, `${name} is drawn`).toBeGreaterThan(200);
    }
  });

  test('no tool has another’s, and none is for nothing', () => {
    expect(Object.keys(icons).sort()).toEqual(['hill', ...tools.map(({ name }) => name)].sort());
    expect(new Set(Object.values(icons)).size).toBe(Object.keys(icons).length);
  });

  test('the icon of the hill is its drawing, as large as it says', async () => {
    const answer = await get(`${mcp.authUrl}/icons/hill.png`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    const pixels = (image: Buffer) => sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const served = await pixels(Buffer.from(await answer.arrayBuffer()));
    const drawn = await pixels(Buffer.from(icons.hill as string));
    expect([served.info.width, served.info.height]).toEqual([128, 128]);
    // other versions of the renderer smooth edges a little differently
    const far = served.data.filter((value, i) => Math.abs(value - (drawn.data[i] as number)) > 40).length;
    expect(far).toBeLessThan(served.data.length / 500);
  });
});
