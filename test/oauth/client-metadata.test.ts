// Client ID metadata documents, read from real servers through the guarded fetcher.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientDocuments, isDocumentId } from '../../src/oauth/client-metadata.ts';
import { shownNames } from '../../src/oauth/client-name.ts';
import { guardedFetcher } from '../../src/outside/fetcher/index.ts';
import { useHill } from '../support/hill/index.ts';
import { aLoopbackServer, anInternet, type Internet } from '../support/outside/internet.ts';

const hill = useHill();
const shown = () => shownNames(hill.as('web'));
let internet: Internet;
beforeAll(async () => {
  internet = await anInternet();
});
afterAll(() => internet.close());

let sites = 0;
/** Fillers, blanks and selectors that look like nothing. */
const invisible = ['\u3164', '\u2800', '\u115f', '\u{e0100}', '\u{1d159}', 'Ann\u{e0101}', '\u3164Ann'];

/** Publishes what is given at an address of its own, and tells how often it was read. */
async function published(document: (id: string) => unknown, headers: Record<string, string> = {}, status = 200) {
  sites += 1;
  const id = `https://client-${sites}.example/oauth/client.json`;
  let reads = 0;
  await internet.site(`client-${sites}`, (_request, response) => {
    reads += 1;
    const body = document(id);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  return { id, reads: () => reads, ask: clientDocuments(internet.fetch, shown()) };
}

const good = (id: string) => ({
  client_id: id,
  client_name: 'A harness',
  client_uri: 'https://client.example/',
  redirect_uris: ['http://127.0.0.1/callback', 'cursor://callback'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  unknown_member: { of: 'the future' },
});

test('a good document is a client', async () => {
  const { id, ask } = await published(good);
  expect(await ask(id)).toEqual({
    client: {
      id,
      name: 'A harness',
      redirectUris: ['http://127.0.0.1/callback', 'cursor://callback'],
      freshSeconds: 300,
    },
  });
});

test('the least that it must say', async () => {
  const { id, ask } = await published((client_id) => ({
    client_id,
    redirect_uris: ['https://client.example/callback'],
  }));
  expect(await ask(id)).toMatchObject({ client: { name: new URL(id).hostname } });
});

test.each([
  '',
  '   ',
  'two\nlines',
  'turned \u202e around',
  'zero\u200bwidth',
  'x'.repeat(61),
  ...invisible,
  '\ud800',
  'nul\0',
])('a name that is not fit to be shown gives way to the host: %j', async (name) => {
  const { id, ask } = await published((client_id) => ({ ...good(client_id), client_name: name }));
  expect(await ask(id)).toMatchObject({ client: { name: new URL(id).hostname } });
});

test.each<[string, string, (id: string) => unknown]>([
  ['another_client', 'another id', (id) => ({ ...good(id), client_id: `${id}?` })],
  ['another_client', 'its id in other letters', (id) => ({ ...good(id), client_id: id.toUpperCase() })],
  ['not_a_document', 'no id', (id) => ({ ...good(id), client_id: undefined })],
  ['not_a_document', 'a list', (id) => [good(id)]],
  ['not_a_document', 'null', () => 'null'],
  ['not_a_document', 'no JSON', () => '{"client_id":'],
  ['not_a_document', 'nothing', () => ''],
  ['not_a_document', 'bytes that are no UTF-8', () => Buffer.from([0x7b, 0xff, 0x7d])],
  [
    'not_a_document',
    'redirect_uris that are a text',
    (id) => ({ ...good(id), redirect_uris: 'https://client.example/' }),
  ],
  ['not_a_document', 'a secret', (id) => ({ ...good(id), client_secret: 'public, then' })],
  [
    'not_public',
    'a client with a secret',
    (id) => ({ ...good(id), token_endpoint_auth_method: 'client_secret_basic' }),
  ],
  ['not_for_codes', 'another grant', (id) => ({ ...good(id), grant_types: ['client_credentials'] })],
  ['not_for_codes', 'another response', (id) => ({ ...good(id), response_types: ['token'] })],
  ['redirect_uris', 'no redirect', (id) => ({ ...good(id), redirect_uris: [] })],
  [
    'redirect_uris',
    'a script',
    (id) => ({ ...good(id), redirect_uris: ['https://client.example/', 'javascript:alert(1)'] }),
  ],
  ['redirect_uris', 'a scheme of the system', (id) => ({ ...good(id), redirect_uris: ['search-ms:query=x'] })],
  [
    'redirect_uris',
    'a remote address in clear',
    (id) => ({ ...good(id), redirect_uris: ['http://client.example/callback'] }),
  ],
  [
    'redirect_uris',
    'too many',
    (id) => ({ ...good(id), redirect_uris: Array.from({ length: 21 }, (_, n) => `https://client.example/${n}`) }),
  ],
  ['answer_not_allowed', 'more than 5 KB', (id) => ({ ...good(id), padding: 'x'.repeat(5_120) })],
])('%s: %s', async (problem, _what, document) => {
  const { id, ask } = await published(document);
  expect(await ask(id)).toEqual({ problem });
});

test('a page, an error and a redirect are no documents', async () => {
  const page = await published(good, { 'Content-Type': 'text/html' });
  expect(await page.ask(page.id)).toEqual({ problem: 'answer_not_allowed' });
  const missing = await published(good, {}, 404);
  expect(await missing.ask(missing.id)).toEqual({ problem: 'not_found' });
  const moved = await published(good, { Location: 'https://127.0.0.1/client.json' }, 302);
  expect(await moved.ask(moved.id)).toEqual({ problem: 'answer_not_allowed' });
  expect(internet.canary.heard()).toBe(0);
});

test('an address inside is told as little of as one that does not exist', async () => {
  internet.dns.tell('inside.example', ['10.0.0.1']);
  const ask = clientDocuments(internet.fetch, shown());
  expect(await ask('https://inside.example/client.json')).toEqual({ problem: 'unreachable' });
  expect(await ask('https://nobody.example/client.json')).toEqual({ problem: 'unreachable' });
});

test.each([
  'client-1',
  'http://client.example/client.json',
  'https://client.example',
  'https://client.example/',
  'https://client.example/a/../client.json',
  'https://client.example/a/%2e%2e/client.json',
  'https://client.example/client.json#part',
  'https://client.example/client.json#',
  'https://user@client.example/client.json',
  'https://CLIENT.example/client.json',
  'https://client.example:443/client.json',
  'https://client.example:8443/client.json',
  'https://127.0.0.1/client.json',
  'https://2130706433/client.json',
  `https://client.example/${'a'.repeat(500)}`,
])('no address of a document: %s', async (id) => {
  expect(await clientDocuments(internet.fetch, shown())(id)).toEqual({ problem: 'url_not_allowed' });
});

test('an id that is told apart from that of a registered client by its form alone', () => {
  expect(isDocumentId('https://client.example/oauth/client.json')).toBe(true);
  expect(isDocumentId('http://localhost:3000/client.json')).toBe(true); // the fetcher says whether that is allowed
  expect(isDocumentId('0199f6e2-5f0c-7000-8000-000000000000')).toBe(false);
});

describe('keeping', () => {
  test('a good document is read once, also by many at once', async () => {
    const { id, ask, reads } = await published(good);
    await Promise.all(Array.from({ length: 20 }, () => ask(id)));
    await ask(id);
    expect(reads()).toBe(1);
  });

  test('a bad one is read anew, and believed once it is mended', async () => {
    let mended = false;
    const { id, ask, reads } = await published((client_id) => (mended ? good(client_id) : {}));
    expect(await ask(id)).toEqual({ problem: 'not_a_document' });
    mended = true;
    expect(await ask(id)).toMatchObject({ client: { id } });
    expect(reads()).toBe(2);
  });

  test.each([
    ['max-age=600', 600],
    ['public, max-age=10', 60],
    ['max-age=31536000, immutable', 3_600],
    ['no-store', 60],
    ['no-cache, max-age=600', 60],
    ['s-maxage=900', 300],
    ['max-age=-1', 300],
  ])('for as long as it says, within bounds: %s', async (value, freshSeconds) => {
    const { id, ask } = await published(good, { 'Cache-Control': value });
    expect(await ask(id)).toMatchObject({ client: { freshSeconds } });
  });
});

test('in development a document on loopback will do', async () => {
  const port = await aLoopbackServer(({ url, headers }, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(good(`http://${headers.host}${url}`)));
  });
  const id = `http://localhost:${port}/client.json`;

  const development = clientDocuments(guardedFetcher({ userAgent: 'Hill-test/1', allowLoopback: true }), shown());
  expect(await development(id)).toMatchObject({ client: { id } });
  const production = clientDocuments(guardedFetcher({ userAgent: 'Hill-test/1' }), shown());
  expect(await production(id)).toEqual({ problem: 'url_not_allowed' });
});
