// verify_badge: a real site on this machine, looked at by a real worker. Rules 11.2.
import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { aWorker } from '../support/hill/worker.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const mcp = useMcp(hill);

interface State {
  url: string | null;
  verified: boolean;
  badge: boolean;
  checking: boolean;
  put_on_your_site: { tag: string; badge: string };
  last_check: { result: string; status: number | null; what_it_means: string; url: string } | null;
  next: string;
}
type Page = string | ((request: http.IncomingMessage, response: http.ServerResponse) => void);

/** A site of its own for each page. */
async function aSite(page: Page): Promise<string> {
  const server = http.createServer((request, response) => {
    if (typeof page === 'function') page(request, response);
    else response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`;
}

const ask = async (account: Account) => mcp.call<State>(await mcp.token(account), 'verify_badge');
const giveSite = (account: Account, url: string) =>
  hill.rows('update hill.accounts set url = $2 where id = $1', [account.id, url]);
/** What verify_badge says when the page has been looked at. */
async function lookedAt(
  account: Account,
  page: (its: State['put_on_your_site'] & { slug: string }) => Page,
): Promise<State> {
  const { put_on_your_site } = await ask(account);
  const [{ slug } = { slug: '' }] = await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [
    account.id,
  ]);
  await giveSite(account, await aSite(page({ ...put_on_your_site, slug })));
  await hill.clock.tick(300_000);
  const worker = await aWorker(hill, undefined, { BASE_URL: mcp.baseUrl });
  expect((await ask(account)).checking).toBe(true);
  const state = await until('the look', async () => {
    const now = await ask(account);
    return !now.checking && now;
  });
  await worker.stop();
  return state;
}

test('an account without a url is told to set one, and what to put there', async () => {
  const ann = await anAccount(hill, { name: 'Ann & <Co>' });
  const state = await ask(ann);
  expect(state).toMatchObject({ url: null, verified: false, badge: false, checking: false, last_check: null });
  expect(state.put_on_your_site.tag).toMatch(/^<meta name="hill-verification" content="[0-9a-f]{32}">$/);
  expect(state.put_on_your_site.badge).toMatch(
    new RegExp(
      `^<a href="${mcp.baseUrl}/identity/ann-co"><img src="${mcp.baseUrl}/badge/ann-co.svg" alt="Ann &amp; &lt;Co&gt; on Hill"></a>$`,
    ),
  );
  expect(state.next).toContain('set_profile');
});

const inPage = (head: string, body: string) =>
  `<!doctype html><html><head><title>Me</title>${head}</head><body>${body}</body></html>`;

describe('a page', () => {
  test.each<
    [string, (its: { tag: string; badge: string; slug: string }) => Page, { verified: boolean; badge: boolean }, string]
  >([
    ['with the tag', ({ tag }) => inPage(tag, ''), { verified: true, badge: false }, 'found'],
    ['with the badge', ({ badge }) => inPage('', `<p>See ${badge}</p>`), { verified: true, badge: true }, 'found'],
    [
      'with the address that counts clicks',
      ({ badge }) => inPage('', badge.replace('/identity/', '/go/')),
      { verified: true, badge: true },
      'found',
    ],
    ['with both', ({ tag, badge }) => inPage(tag, badge), { verified: true, badge: true }, 'found'],
    ['with neither', () => inPage('', 'Hello'), { verified: false, badge: false }, 'nothing_found'],
    [
      'with both in a comment and a script',
      ({ tag, badge }) => inPage(`<!-- ${tag} --><script>const a = '${tag}${badge}'</script>`, `<!-- ${badge} -->`),
      { verified: false, badge: false },
      'nothing_found',
    ],
    [
      'with a hidden badge',
      ({ badge }) => inPage('', `<div style="display: none">${badge}</div>`),
      { verified: false, badge: false },
      'badge_hidden',
    ],
    [
      "with another one's badge",
      ({ badge, slug }) => inPage('', badge.replace(slug, 'somebody-else')),
      { verified: false, badge: false },
      'badge_of_another',
    ],
    [
      'that is not HTML',
      ({ tag }) =>
        (_, response) =>
          response.writeHead(200, { 'Content-Type': 'text/plain' }).end(tag),
      { verified: false, badge: false },
      'not_html',
    ],
    [
      'that is not there',
      () => (_, response) => response.writeHead(404).end(),
      { verified: false, badge: false },
      'status',
    ],
    [
      'that leads to another host',
      () => (_, response) => response.writeHead(302, { Location: 'http://127.0.0.2:1/' }).end(),
      { verified: false, badge: false },
      'unreachable',
    ],
    ['that is huge', ({ tag }) => inPage(tag, 'x'.repeat(1_100_000)), { verified: false, badge: false }, 'too_large'],
    [
      'that is made to keep a parser busy',
      // each paragraph has to begin with all of them anew
      ({ badge }) =>
        inPage(
          '',
          `${badge}<div>${Array.from({ length: 30_000 }, (_, n) => `<i a=${n}>`).join('')}</div>${'<p>x</p>'.repeat(50_000)}`,
        ),
      { verified: false, badge: false },
      'too_complicated',
    ],
  ])('%s', async (_, page, flags, result) => {
    const ann = await anAccount(hill);
    const state = await lookedAt(ann, page);
    expect({ verified: state.verified, badge: state.badge, result: state.last_check?.result }).toEqual({
      ...flags,
      result,
    });
    expect(state.last_check?.what_it_means).toMatch(/\.$/);
    const { rows } = await hill.asPublic().query('select api_public.hill() as hill');
    expect(rows.length).toBe(1);
    expect(await hill.rows('select verified, badge from hill.accounts where id = $1', [ann.id])).toEqual([flags]);
  });

  test('that loses its tag loses verified at the weekly look', async () => {
    const ann = await anAccount(hill);
    const { put_on_your_site } = await ask(ann);
    let page = inPage(put_on_your_site.tag, '');
    await giveSite(
      ann,
      await aSite((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)),
    );
    await hill.clock.tick(300_000);
    await ask(ann);
    await aWorker(hill, undefined, { BASE_URL: mcp.baseUrl });
    await until('verified', async () => (await ask(ann)).verified);

    page = inPage('', 'Under construction');
    await hill.clock.toDay((await hill.clock.day()) + 8);
    await hill.as('worker').query("select graphile_worker.add_job('look')");
    await until('no longer', async () => !(await ask(ann)).verified);
    expect((await ask(ann)).last_check?.result).toBe('nothing_found');
  });
});

test('answers by its output schema, as the SDK’s client checks it', async () => {
  const client = await mcp.client(await mcp.token(await anAccount(hill)));
  await client.listTools();
  const { content, isError } = await client.callTool({ name: 'verify_badge', arguments: {} });
  expect({ content, isError }).toEqual({
    content: [{ type: 'text', text: expect.stringContaining('hill-verification') }],
    isError: undefined,
  });
});
