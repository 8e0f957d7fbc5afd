// The public pages in a real browser: phone to wide screen, light and dark, with and without scripts. WCAG 2.2 AA, as far as axe-core can tell.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aLivelyNight } from '../support/a-lively-night.ts';
import { chromiumPath, openChromium } from '../support/chromium.ts';
import { useHill } from '../support/index.ts';
import { springCup } from '../support/spring-cup.ts';
import { useWebDoor } from '../support/web-door.ts';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

const addresses = [
  '/',
  '/day/1',
  '/boards/points',
  '/boards/efficiency',
  '/boards/wall',
  '/identity/ann',
  '/identity/dan',
  '/tournaments',
  '/tournaments/spring-cup',
  '/rules',
  '/errors',
  '/source',
  '/nothing/here',
];
const views = [360, 768, 1440].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })));
/** axe takes its time, and what it looks for differs by scheme, and between a phone and a desk. */
const judged = ({ width, scheme }: (typeof views)[number]) => (width === 360) === (scheme === 'light') && width !== 768;

describe.skipIf(!chromiumPath)('in Chromium', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  let browser: Browser;
  beforeAll(async () => {
    const cast = await aLivelyNight(hill);
    await springCup(hill);
    // what is awkward to lay out: the longest name, a name without a space, a link
    await hill.root.query("update hill.accounts set name = repeat('Wide', 15), url = 'https://ann.example/' where id = $1", [cast.bob.id]);
    browser = await openChromium();
  });
  afterAll(() => browser?.close());

  const open = async ({ width, scheme }: (typeof views)[number], scripts: boolean) => {
    // axe is a script of the test's, which the policy of the pages would refuse like any other
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      javaScriptEnabled: scripts,
      bypassCSP: scripts,
    });
    // on the simulated clock of a test the first page reads itself anew every few seconds: not in the middle of a look at it
    await context.addInitScript(
      'const later = setTimeout; globalThis.setTimeout = (what, ms, ...more) => ms === 4000 ? 0 : later(what, ms, ...more)',
    );
    return context;
  };
  const visit = async (context: BrowserContext, address: string) => {
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('console', (message) => message.type() === 'error' && !/status of 404/.test(message.text()) && wrong.push(message.text()));
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== web.baseUrl) wrong.push(`asked for ${request.url()}`);
    });
    await page.goto(web.baseUrl + address);
    return { page, wrong };
  };

  test.each(views)(
    'are readable by everybody, $width pixels wide, $scheme',
    async (view) => {
      const context = await open(view, true);
      const found: unknown[] = [];
      for (const address of addresses) {
        const { page, wrong } = await visit(context, address);
        found.push(...wrong.map((what) => ({ address, what })));
        if (judged(view)) await page.addScriptTag({ content: axe });
        const { violations } = judged(view)
          ? await page.evaluate(
              (tags) => (globalThis as unknown as { axe: Axe }).axe.run({ runOnly: { type: 'tag', values: tags } }),
              rules,
            )
          : { violations: [] };
        found.push(
          ...violations.map(({ id, nodes }) => ({
            address,
            id,
            where: nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary]),
          })),
        );
        const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        if (over !== 0) found.push({ address, over });
        await page.close();
      }
      await context.close();
      expect(found).toEqual([]);
    },
    180_000,
  );

  test('say the same without scripts, and keep to their policy', async () => {
    const context = await open({ width: 360, scheme: 'light' }, false);
    for (const address of addresses) {
      const { page, wrong } = await visit(context, address);
      expect(await page.locator('h1, .name').first().isVisible(), address).toBe(true);
      expect((await page.locator('main').innerText()).length, address).toBeGreaterThan(40);
      expect(wrong, address).toEqual([]);
      await page.close();
    }
    await context.close();
  });

  test('lead from the first page to a night, to who played it, and to the boards', async () => {
    const context = await open({ width: 360, scheme: 'light' }, true);
    const { page } = await visit(context, '/');
    await page.getByRole('link', { name: 'Every move of that night' }).click();
    expect(await page.locator('h1').innerText()).toBe('The night of day 1');
    await page.locator('#place-1').getByRole('link', { name: 'Ann' }).click();
    expect(await page.locator('h1').innerText()).toBe('Ann');
    expect(await page.locator('svg.plot.phone rect').count()).toBe(1);
    expect(await page.locator('svg.plot').filter({ visible: true }).count()).toBe(1);
    await page.getByRole('link', { name: 'Boards' }).click();
    expect(await page.getByRole('navigation', { name: 'Boards' }).locator('[aria-current]').innerText()).toBe('Points');
    await context.close();
  });
});
