// Debian's Chromium without a screen, for tests that want a real browser.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where it is; undefined where it is not installed: then such tests are skipped. */
export const chromiumPath: string | undefined = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

if (!chromiumPath)
  console.warn('Tests in a browser are skipped: install Chromium (on Debian: apt-get install chromium).');

export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath as string,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
