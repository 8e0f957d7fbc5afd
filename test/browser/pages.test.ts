// The public pages in a real browser: phone to wide screen, light and dark, with and without scripts. WCAG 2.2 AA, as
// far as axe-core can tell: with
// HILL_TEST_AXE=1 all of its rules on each page on a phone and on a wide screen, otherwise by turns on the one
// and on the other, with those of layout and colours on both.
import { hash } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineSource } from '../../src/db/engine-source.ts';
import { ownSources } from '../../src/db/migrate.ts';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { useWebDoor, type WebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { aLongSeason } from '../support/hill/a-long-season.ts';
import { call, useHill } from '../support/hill/index.ts';
import { springCup } from '../support/hill/spring-cup.ts';
import { signLog } from '../support/log/sign.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { everything, picture, violationsOf } from '../support/peers/judged.ts';

const layout = { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] };

const views = [360, 768, 1440].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })));
type View = (typeof views)[number];
/**
 * axe takes its time: all its rules on a phone and on a wide screen, once in each scheme, and between the two those
 * that turn on the layout.
 */
const judgedBy = ({ width, scheme }: View) =>
  (width === 1440) !== (scheme === 'dark') ? undefined : width === 768 ? layout : everything;
const turns = process.env.HILL_TEST_AXE ? 1 : 2;
/** The other one of a turn has what depends on the layout and on the colours. */
const drawn = { type: 'rule', values: [...layout.values, 'color-contrast'] };
const judgedInTurn = (view: View, turn: number) => {
  const all = judgedBy(view);
  return all === everything && turn % turns !== Number(view.width === 1440) % turns ? drawn : all;
};

/** What is drawn over the edge of what it belongs to; the page itself does not scroll sideways either. */
const spilled = `[document.documentElement, ...document.querySelectorAll('main .card, main .figures, main .who, main .strip a')]
  .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => [box.tagName, box.className, box.scrollWidth, box.clientWidth].join(' '))`;

describe.skipIf(!chromiumPath)('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());

  const open = async ({ width, scheme }: View, scripts: boolean) => {
    // axe is a script of the test's, which the policy of the pages would refuse like any other
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      javaScriptEnabled: scripts,
      bypassCSP: scripts,
    });
    // on the simulated clock of a test the first page reads itself anew every few seconds: not in the middle of a look
    // at it
    await context.addInitScript(
      'const later = setTimeout; globalThis.setTimeout = (what, ms, ...more) => ms === 4000 ? 0 : later(what, ms, ...more)',
    );
    return context;
  };
  const blank = async (context: BrowserContext, web: WebDoor) => {
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('console', (message) => {
      // a browser says of a page that is not there that it is not there, and of one that refuses that it does
      if (
        message.type() === 'error' &&
        !(/status of 40[034]/.test(message.text()) && message.location().url === page.url())
      )
        wrong.push(message.text());
    });
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== web.baseUrl) wrong.push(`asked for ${request.url()}`);
    });
    return { page, wrong };
  };
  const visit = async (context: BrowserContext, web: WebDoor, address: string) => {
    const blankPage = await blank(context, web);
    await blankPage.page.goto(web.baseUrl + address);
    return blankPage;
  };

  /**
   * Every address in every view: loaded once, one after the other in one tab, and looked at in each view. `arrive` is
   * asked once the hill is there.
   */
  const holds = (
    web: WebDoor,
    addresses: readonly string[],
    arrive: (context: BrowserContext) => Promise<unknown> = async () => {},
  ) => {
    const found = new Map<View, unknown[]>(views.map((view) => [view, []]));
    const look = async (page: Page, view: View, address: string, turn: number, wrong: string[]) => {
      await page.setViewportSize({ width: view.width, height: 900 });
      await page.emulateMedia({ colorScheme: view.scheme });
      const runOnly = judgedInTurn(view, turn);
      const violations = runOnly ? await violationsOf(page, runOnly) : [];
      const over = await page.evaluate<string[]>(spilled);
      found
        .get(view)
        ?.push(
          ...violations.map((violation) => ({ address, ...violation })),
          ...(over.length > 0 ? [{ address, over }] : []),
          ...wrong.splice(0).map((what) => ({ address, what })),
        );
    };
    let looked = 0;
    beforeAll(async () => {
      const context = await open(views[0] as View, true);
      await arrive(context);
      const { page, wrong } = await blank(context, web);
      for (const address of addresses) {
        await page.goto(web.baseUrl + address);
        // what is folded is judged, too
        await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
        for (const view of views) await look(page, view, address, looked, wrong);
        looked += 1;
      }
      await context.close();
    });

    test.each(views)('are readable by everybody, $width pixels wide, $scheme', (view) => {
      expect(looked).toBe(addresses.length);
      expect(found.get(view)).toEqual([]);
    });

    test('say the same without scripts, and keep to their policy', async () => {
      const context = await open({ width: 360, scheme: 'light' }, false);
      await arrive(context);
      const { page, wrong } = await blank(context, web);
      for (const address of addresses) {
        await page.goto(web.baseUrl + address);
        expect(await page.locator('h1, .name').first().isVisible(), address).toBe(true);
        expect((await page.locator('main').innerText()).length, address).toBeGreaterThan(40);
        expect(wrong, address).toEqual([]);
      }
      await context.close();
    });
  };

  describe('the pages of a hill before its first day', () => {
    const hill = useHill({ day: 0, founders: 7 });
    holds(useWebDoor(hill), [
      '/',
      '/day',
      '/nights',
      '/nights?q=guest',
      '/boards/points',
      '/boards/efficiency',
      '/boards/wall',
      '/tournaments',
      '/sign-in',
    ]);
  });

  describe('the pages of a hill with a crowd and tournaments in every phase', () => {
    const hill = useHill();
    const web = useWebDoor(hill);
    const second = { cursor: '' };
    beforeAll(async () => {
      await aLongSeason(hill);
      second.cursor = (await web.read<{ next_cursor: string }>('/api/leaderboard/hill?limit=50')).next_cursor;
    });
    const phases = ['announced', 'open', 'closed', 'running', 'ended'];
    holds(web, [
      '/',
      '/day/3',
      '/day/4',
      '/nights',
      '/boards/points',
      '/identity/guest-1',
      '/tournaments',
      ...phases.map((slug) => `/tournaments/${slug}`),
    ]);

    test('show a long board page after page, a crowded place at length when asked, and each tournament in its phase', async () => {
      const context = await open({ width: 360, scheme: 'light' }, true);
      const { page } = await visit(context, web, '/boards/points');
      expect(await page.locator('tbody tr').count()).toBe(50);
      await page.getByRole('link', { name: 'The next 50' }).click();
      expect(await page.locator('tbody tr').count()).toBe(4);
      expect(new URL(page.url()).searchParams.get('cursor')).toBe(second.cursor);
      expect(await page.evaluate<string[]>(spilled)).toEqual([]);
      await page.goto(`${web.baseUrl}/day/3`);
      const [first, last] = [page.locator('#place-10 tbody tr').first(), page.locator('#place-10 tbody tr').last()];
      expect(await first.textContent()).toMatch(/^Guest 2.*Takes a seat/s);
      expect(await last.isVisible()).toBe(false);
      expect(await first.isVisible()).toBe(false);
      await page.locator('#place-10').getByText('The 54 moves, and why').click();
      expect(await first.isVisible()).toBe(true);
      expect(await last.isVisible()).toBe(true);
      await page.goto(web.baseUrl);
      expect(await page.locator('.cup').allInnerTexts()).toEqual([
        expect.stringMatching(/^The running one RUNNING\s+7 nights, days 3 to 9 .* 5 nights left\./s),
        expect.stringMatching(/^The open one SIGN-UPS OPEN\s+3 nights/s),
      ]);
      for (const [slug, tag] of [
        ['announced', 'announced'],
        ['open', 'sign-ups open'],
        ['closed', 'sign-ups closed'],
        ['running', 'running'],
        ['ended', 'ended'],
      ]) {
        await page.goto(`${web.baseUrl}/tournaments/${slug}`);
        expect((await page.locator('h1 .tag').textContent())?.trim()).toBe(tag);
      }
      await context.close();
    });
  });

  describe('the pages of a lively hill', () => {
    const hill = useHill();
    const web = useWebDoor(hill);
    let cast: Cast;
    beforeAll(async () => {
      cast = await aLivelyNight(hill);
      await springCup(hill);
      const { size } = parseCheckpoint(await signLog(hill));
      const line = '\u2014 witness.example AAAA';
      const keep = "select trusted.keep_cosignature(1, $1, 'witness.example+01234567+BA==', $2, now()) as kept";
      expect((await hill.root.query(keep, [size, line])).rows).toEqual([{ kept: true }]);
      await hill.root.query('select engine.load_engine($1)', [nextEngine]);
      // what is awkward to lay out: the longest name, a name without a space, a link
      await hill.root.query(
        "update hill.accounts set name = repeat('W', 60), url = 'https://ann.example/' where id = $1",
        [cast.bob.id],
      );
      await hill.asAgent(cast.bob).announce({ slot: 2, intention: 'PEACE', message: 'Unspaced'.repeat(17) });
      await hill.root.query(
        `with h as (insert into oauth.humans (account_id, created_at) values ($1, now()))
         insert into oauth.sign_ins (provider, subject, account_id, email, created_at, last_used_at)
         select i.provider, i.subject, $1, i.subject || '@example.com', i.at, i.at
           from (values ('google', repeat('ann', 20), now() - interval '1 year'), ('github', 'ann', now())) i (provider, subject, at)`,
        [cast.ann.id],
      );
      await call(hill.as('web'), 'api_oauth.register_client', {
        ...{
          client_id: 'a-client',
          client_name: 'W'.repeat(60),
          redirect_uris: [afar],
          scopes: ['hill:read'],
          details: '{}',
        },
      });
    });
    const engine = engineSource(ownSources);
    const nextEngine = Buffer.from(
      engine.toString('latin1').replace('function engine.resolve_places', 'FUNCTION engine.resolve_places'),
      'latin1',
    );
    const afar = `https://${'unspaced'.repeat(7)}.example/callback`;
    const signedIn = (context: BrowserContext) =>
      context.addCookies([{ name: 'hill_session', value: cast.ann.session, url: web.baseUrl }]);
    holds(
      web,
      [
        ...[
          '/',
          '/day/1',
          '/day/1/all',
          '/announced',
          '/boards/points',
          '/boards/efficiency',
          '/boards/wall',
          '/boards/points?day=1',
          '/identity/ann',
          '/identity/bob',
          '/identity/dan',
        ],
        ...[
          '/tournaments',
          '/tournaments/spring-cup',
          '/rules',
          '/errors',
          '/source',
          `/source/${hash('sha256', engine)}..${hash('sha256', nextEngine)}`,
          '/log',
          '/bring',
          '/changelog',
          '/links',
          '/claim',
          '/account',
          '/sign-in?again=1&return_to=%2Faccount',
          `/oauth/authorize?${new URLSearchParams({ client_id: 'a-client', redirect_uri: afar })}`,
          '/nothing/here',
          '/day/9',
        ],
      ],
      signedIn,
    );

    test('ask for a recent sign-in where one is wanted, readable by everybody', async () => {
      await hill.root.query(
        "update oauth.human_sessions set created_at = created_at - interval '1 hour' where account_id = $1",
        [cast.ann.id],
      );
      for (const view of views.filter((one) => judgedBy(one) === everything)) {
        const context = await open(view, true);
        await signedIn(context);
        const { page, wrong } = await visit(context, web, '/account');
        await page.getByLabel('Daily cap').fill('900');
        await page.getByRole('button', { name: 'Save the mandate' }).click();
        await page.getByRole('heading', { name: 'Sign in once more' }).waitFor();
        expect([
          await violationsOf(page),
          await page.evaluate<string[]>(spilled),
          wrong.filter((text) => !/status of 403/.test(text)),
        ]).toEqual([[], [], []]);
        await picture(page, `recent-${view.width}-${view.scheme}`);
        await page.getByRole('link', { name: 'Sign in again' }).click();
        await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
        await context.close();
      }
    });

    test('lead from the keyboard past the head of the page, and back to a place in a night', async () => {
      const context = await open({ width: 1440, scheme: 'light' }, true);
      const { page } = await visit(context, web, '/day/1');
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: 'To the content' });
      expect(await skip.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
      expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.locator('main :focus').count()).toBe(1);
      await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: '3 BURN' }).click();
      expect(new URL(page.url()).hash).toBe('#place-3');
      await context.close();
    });

    test('copy what is to be pasted with a button, under their own policy', async () => {
      const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
      const { page, wrong } = await visit(context, web, '/bring');
      const first = page.locator('.copied').first();
      await first.getByRole('button', { name: 'Copy' }).click();
      await first.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await first.locator('code').textContent());
      expect(wrong).toEqual([]);
      await context.close();
    });

    test('show each move of a night on paper, and nothing to click on', async () => {
      const context = await open({ width: 768, scheme: 'light' }, false);
      const { page } = await visit(context, web, '/day/1');
      const rows = page.locator('.night tbody tr');
      const shown = async () => (await rows.filter({ visible: true }).count()) === (await rows.count());
      expect([await rows.count(), await shown()]).toEqual([7, false]);
      await page.emulateMedia({ media: 'print' });
      expect(await shown()).toBe(true);
      expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
      await context.close();
    });

    test('lead from the first page to a night, to who played it, and to the boards', async () => {
      const context = await open({ width: 360, scheme: 'light' }, true);
      const { page } = await visit(context, web, '/');
      await page.getByRole('link', { name: 'Every move of that night' }).click();
      expect(await page.locator('h1').innerText()).toBe('Ann and Bob take the top; Fay and Gus burn $18.00 on place 3');
      // all of it in four screens of a phone, before anything folded is opened
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(4 * 844);
      await page.locator('#place-1').getByRole('link', { name: 'Ann' }).click();
      expect(await page.locator('h1').innerText()).toBe('Ann');
      expect(await page.locator('svg.plot.phone rect').count()).toBe(1);
      expect(await page.locator('svg.plot').filter({ visible: true }).count()).toBe(1);
      await page.getByRole('link', { name: 'Boards' }).click();
      expect(await page.getByRole('navigation', { name: 'Boards' }).locator('[aria-current]').innerText()).toBe(
        'Points',
      );
      await context.close();
    });
  });
});
