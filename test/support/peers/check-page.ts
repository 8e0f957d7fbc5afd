// /check as a reader uses it.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Said } from '../log/said-in-node.ts';
import { until } from '../until.ts';
import { chromiumPath, openChromium } from './chromium.ts';
import { firefoxPath, openFirefox } from './firefox.ts';

/** With what goes wrong in it. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  return { context, page, wrong };
}

/** One page of a browser, as tests of several browsers use it. */
export type Window = Awaited<ReturnType<typeof openFirefox>>;

async function openChromiumWindow(): Promise<Window> {
  const browser = await openChromium();
  const { page, wrong } = await openPage(browser);
  return {
    wrong,
    goto: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    setFile: (selector, file) => page.locator(selector).setInputFiles(file),
    close: () => browser.close(),
  };
}
export const browsers = [
  { name: 'Chromium', installed: chromiumPath !== undefined, open: openChromiumWindow },
  { name: 'Firefox', installed: firefoxPath !== undefined, open: openFirefox },
] as const;

/** Presses the button, and waits for the end. */
export async function checkOn(page: Pick<Window, 'evaluate'>, seconds = 120): Promise<Said[]> {
  await page.evaluate("document.getElementById('check-go').click()");
  await until('the check ends', () => page.evaluate("document.getElementById('check-stop').hidden"), seconds);
  return page.evaluate(
    "[...document.querySelectorAll('#check-list li')].map((line) => [line.firstChild.textContent, line.lastChild.textContent.trim()])",
  );
}

export const statusOf = (page: Pick<Window, 'evaluate'>): Promise<string> =>
  page.evaluate("document.getElementById('check-status').textContent");

/** A folder as the archive that the page takes. */
export function tarOf(folder: string): string {
  const file = `${folder}.tar`;
  execFileSync('tar', ['-cf', file, '-C', path.dirname(folder), path.basename(folder)]);
  return file;
}
