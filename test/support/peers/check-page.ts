// /check as a reader uses it, and what npm run verify says of the same.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Verification, verifyHill } from '../../../src/verify/index.ts';
import { Missing } from '../../../src/verify/reading.ts';
import { receiptsIn } from '../../../src/verify/receipts.ts';

/** What a sentence was said as: a check that holds or not, or a note. */
export type Said = readonly [mark: string, sentence: string];

/** With what goes wrong in it. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  return { context, page, wrong };
}

/** Presses the button, and waits for the end. */
export async function checkOn(page: Page, seconds = 120): Promise<Said[]> {
  await page.getByRole('button', { name: /^Check/ }).click();
  await page.locator('#check-stop').waitFor({ state: 'hidden', timeout: seconds * 1_000 });
  return page
    .locator('#check-list li')
    .evaluateAll((items) =>
      items.map((item) => [item.firstChild?.textContent ?? '', item.lastChild?.textContent?.trim() ?? ''] as const),
    );
}

export const statusOf = (page: Page) => page.locator('#check-status').textContent();

/** What npm run verify says, but of how nights follow; and, as `failed`, of what ends it. */
export async function saidInNode({
  receipts = [],
  ...asked
}: Pick<Verification, 'hill' | 'withEngine'> & Partial<Verification> & { receipts?: readonly string[] }) {
  const said: Said[] = [];
  let failed: string | undefined;
  await verifyHill({
    ...{ days: [], seen: {}, held: receiptsIn(receipts) },
    say: (holds, sentence) => said.push([holds ? 'ok' : 'WRONG', sentence]),
    note: (sentence) => said.push(['note', sentence]),
    ...asked,
  }).catch((error: Error) => {
    if (error instanceof Missing) said.push(['WRONG', error.message]);
    else failed = error.message;
  });
  return { said, failed };
}

/** A folder as the archive that the page takes. */
export function tarOf(folder: string): string {
  const file = `${folder}.tar`;
  execFileSync('tar', ['-cf', file, '-C', path.dirname(folder), path.basename(folder)]);
  return file;
}
