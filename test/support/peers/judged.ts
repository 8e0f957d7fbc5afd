// What a page is like for everybody: axe-core's judgement, and what is broader than the screen.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** All rules that a page has to keep. */
export const everything = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/** What axe finds, and where. `runOnly`: by which of its rules. */
export async function violationsOf(page: Page | Frame, runOnly: object = everything) {
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (only) => (globalThis as unknown as { axe: Axe }).axe.run({ runOnly: only, resultTypes: ['violations'] }),
    runOnly,
  );
  return violations.map(({ id, nodes }) => ({
    id,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary]),
  }));
}

/** A folder for pictures of pages, for whoever wants to look. */
export const pictures = process.env.HILL_TEST_PICTURES;

/** Keeps a picture, if there is a folder for it. */
export async function picture(of: Page | Locator, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (!pictures) return;
  fs.mkdirSync(pictures, { recursive: true });
  await of.screenshot({ path: path.join(pictures, `${name}.png`), ...options });
}

/** On a phone and on a wide screen, light and dark: nothing is broader than the screen, and axe finds nothing. */
export async function isForEverybody(page: Page, name: string): Promise<void> {
  for (const width of [390, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      const broadest = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([await violationsOf(page), broadest], `${name} at ${width}, ${colorScheme}`).toEqual([[], width]);
      await picture(page, `${name}-${width}-${colorScheme}`, { fullPage: true });
    }
}
