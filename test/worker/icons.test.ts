// Icons from end to end: sites on this machine, a real worker that looks at them, pages that show what it drew.
// HILL_TEST_PICTURES is a folder for pictures of the pages. Rules 11.3.
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { type Account, call, useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import { aWorker } from '../support/hill/worker.ts';
import { aLoopbackServer } from '../support/outside/internet.ts';
import { aBitmap, anIco, aPicture } from '../support/outside/pictures.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { picture, pictures } from '../support/peers/judged.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const web = useWebDoor(hill);
let cast: Cast;
beforeAll(async () => {
  cast = await aLivelyNight(hill);
  await springCup(hill);
});

interface Site {
  verified: boolean;
  icon: boolean;
  icon_result: string | null;
  checking: boolean;
  token: string;
  slug: string;
}
const ask = ({ token }: Account) => call<Site>(hill.as('web'), 'api_agent.verify_badge', { token });

interface Icon {
  readonly type: string;
  readonly body: Buffer;
}
/** Gives an account a site with its tag; what the page names as its icon is `/icon`, whatever that is by then. */
async function giveSite(
  account: Account,
  files: Record<string, Icon>,
  link = '<link rel="icon" href="icon">',
): Promise<void> {
  const { token } = await ask(account);
  const port = await aLoopbackServer((request, response) => {
    const file = files[request.url ?? ''];
    if (request.url === '/')
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<!doctype html><head><meta name="hill-verification" content="${token}">${link}</head>`);
    else if (file) response.writeHead(200, { 'Content-Type': file.type }).end(file.body);
    else response.writeHead(404).end();
  });
  await hill.rows('update hill.accounts set url = $2 where id = $1', [account.id, `http://127.0.0.1:${port}/`]);
}
/** A look by a worker; what is told of the icon afterwards. */
async function lookedAt(...accounts: Account[]): Promise<Site[]> {
  await hill.clock.tick(300_000);
  for (const account of accounts) expect(await ask(account)).toMatchObject({ checking: true });
  const worker = await aWorker(hill);
  const sites = await Promise.all(
    accounts.map((account) =>
      until('the look', async () => {
        const site = await ask(account);
        return !site.checking && (!site.verified || site.icon_result !== null) && site;
      }),
    ),
  );
  await worker.stop();
  return sites;
}

const png = (body: Buffer): Icon => ({ type: 'image/png', body });
const pictureOf = async (address: string) =>
  (await web.get(address)).text().then((page) => /<img class="icon" src="([^"]+)"/.exec(page)?.[1]);

describe('an account with a verified site', () => {
  test('has the icon of that site on every page and true in every record, and nothing of the site in it', async () => {
    const marked = await aPicture('#d04020')
      .withMetadata({ exif: { IFD0: { Copyright: 'FOREIGN' } } })
      .png()
      .toBuffer();
    await giveSite(cast.ann, { '/icon': png(marked) });
    await giveSite(
      cast.dan,
      { '/favicon.ico': { type: 'image/x-icon', body: anIco([{ width: 48 }], aBitmap(48, 32, '#2040d0')) } },
      '',
    );
    await giveSite(cast.eve, {
      '/icon': { type: 'image/svg+xml', body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    });
    const [ann, dan, eve] = await lookedAt(cast.ann, cast.dan, cast.eve);
    expect(ann).toMatchObject({ verified: true, icon: true, icon_result: 'drawn' });
    expect(dan).toMatchObject({ verified: true, icon: true, icon_result: 'drawn' });
    expect(eve).toMatchObject({ verified: true, icon: false, icon_result: 'not_an_image' });

    const address = (await pictureOf('/identity/ann')) as string;
    const answer = await web.get(address);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=2, must-revalidate', // a simulated hill
    });
    const image = Buffer.from(await answer.arrayBuffer());
    expect(address).toBe(`/icon/${createHash('sha256').update(image).digest('hex')}.png`);
    expect([image.includes('FOREIGN'), marked.includes('FOREIGN')]).toEqual([false, true]);
    const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, ...data.subarray(0, 4)]).toEqual([64, 64, 0xd0, 0x40, 0x20, 255]);
    const etag = answer.headers.get('etag') as string;
    expect((await web.get(address, { headers: { 'If-None-Match': etag } })).status).toBe(304);

    const shown = `<img class="icon" src="${address}" width="20" height="20" alt="" loading="lazy" decoding="async">`;
    for (const page of ['/', '/boards/points', '/boards/wall'])
      expect((await (await web.get(page)).text()).includes(shown), page).toBe(true);
    // a night shows what does not change
    expect(await pictureOf('/day/1')).toBe(undefined);
    expect(await pictureOf('/boards/efficiency')).toBe(await pictureOf('/identity/dan'));
    for (const record of ['/api/hill', '/api/leaderboard/hill', '/api/wall', '/api/identity/ann'])
      expect(await (await web.get(record)).text(), record).toContain('"icon":true');
    expect(await (await web.get('/api/identity/eve')).json()).toMatchObject({ verified: true, icon: false });
    // records have no field for the address, so there is one for each slug
    const led = await web.get('/icon/ann', { redirect: 'manual' });
    expect([led.status, led.headers.get('location'), led.headers.get('cache-control')]).toEqual([
      302,
      address,
      'no-cache',
    ]);
  });

  test.each([
    '/icon/eve',
    '/icon/nobody',
    `/icon/${'0'.repeat(64)}.png`,
    `/icon/${'0'.repeat(63)}.png`,
    '/icon/x.svg',
    '/icon/',
    '/icon',
  ])('%s is a 404', async (address) => {
    const answer = await web.get(address);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  test('has the new icon of its site after the next look, and none when the site has none', async () => {
    const files = { '/icon': png(await aPicture('#105010').png().toBuffer()) };
    await giveSite(cast.bob, files);
    await lookedAt(cast.bob);
    const first = (await pictureOf('/identity/bob')) as string;
    expect((await web.get(first)).status).toBe(200);

    files['/icon'] = png(await aPicture('#e0e0ff').png().toBuffer());
    await lookedAt(cast.bob);
    const second = (await pictureOf('/identity/bob')) as string;
    expect(second).not.toBe(first);
    expect((await pictureOf('/boards/points')) && (await (await web.get('/boards/points')).text())).toContain(second);
    expect([(await web.get(first)).status, (await web.get(second)).status]).toEqual([404, 200]);

    await hill.rows("update hill.accounts set url = 'https://elsewhere.example/' where id = $1", [cast.bob.id]);
    expect(await pictureOf('/identity/bob')).toBe(undefined);
    expect((await web.get(second)).status).toBe(404);
    expect(await (await web.get('/api/identity/bob')).json()).toMatchObject({ icon: false, verified: false });
  });
});

/** In the browser: whether the first icon of the page was read and drawn. */
const loaded = "(icon => icon.complete && icon.naturalWidth === 64)(document.querySelector('main img.icon'))";

test.skipIf(!chromiumPath)('in Chromium icons are shown beside names, and nothing complains', async () => {
  const browser = await openChromium();
  try {
    for (const colorScheme of pictures ? (['light', 'dark'] as const) : (['dark'] as const)) {
      const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      const wrong: string[] = [];
      page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
      for (const address of pictures ? ['/', '/boards/points', '/identity/ann'] : ['/boards/points']) {
        await page.goto(web.baseUrl + address);
        await page.locator('main img.icon').first().scrollIntoViewIfNeeded();
        await until('it is there', () => page.evaluate<boolean>(loaded));
        await picture(page, `icons${address.replaceAll('/', '-')}-${colorScheme}`, { fullPage: true });
      }
      expect(wrong).toEqual([]);
      await context.close();
    }
  } finally {
    await browser.close();
  }
});
