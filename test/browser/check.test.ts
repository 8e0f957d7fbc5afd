// /check in a real browser: nights of a real hill, online and from an archive, and each change of them named as npm run
// verify names it. Rules 20.14, 20.48.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run as makePage } from '../../src/commands/check-page.ts';
import { engineSource } from '../../src/db/engine-source.ts';
import { ownSources } from '../../src/db/migrate.ts';
import { receiptSigner } from '../../src/log/receipt.ts';
import { unpacked } from '../../src/log/tar.ts';
import { openedArchive } from '../../src/verify/archive.ts';
import type { KnownLogs } from '../../src/verify/known-logs.ts';
import { sha256 } from '../../src/verify/nights.ts';
import { beginArchive, endArchive, savedTo } from '../../src/verify/node/archive.ts';
import { askAt, type Served, servedAt } from '../../src/verify/reading.ts';
import { concluded } from '../../src/verify/report.ts';
import { archiveNight } from '../../src/worker/archives.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { filesIn, signAnew, writeFiles } from '../support/log/mutated-hills.ts';
import { useRelease } from '../support/log/release.ts';
import { type Said, saidInNode } from '../support/log/said-in-node.ts';
import { signLog } from '../support/log/sign.ts';
import { sourcesWith } from '../support/log/sources.ts';
import { checkOn, openPage, statusOf, tarOf } from '../support/peers/check-page.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { everything, picture, violationsOf } from '../support/peers/judged.ts';
import { aProxy } from '../support/peers/proxy.ts';

describe.skipIf(!chromiumPath)('in Chromium', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  const withRelease = useRelease();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-check-'));
  let browser: Browser;
  afterAll(async () => {
    await browser?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const saved = path.join(folder, 'saved');

  beforeAll(async () => {
    browser = await openChromium();
    const hal = await anAccount(hill, { name: 'Hal', credits: 5000, daily_cap_cents: 5000 });
    await hill.asAgent(hal).play({ slot: 6, move: 'PEACE' });
    await aLivelyNight(hill);
    const settle = async () => {
      while (await archiveNight(hill.as('worker')));
      await hill.clock.at('00:20');
      await signLog(hill);
    };
    await settle();
    await hill.asAgent(hal).play({ slot: 5, move: 'WAR', stake_cents: 900 });
    await hill.clock.ringBell();
    await settle();
    await web.get('/check'); // is made when it is first asked for
    beginArchive(saved, web.baseUrl);
    const keeping = savedTo(saved, web.baseUrl, askAt(web.baseUrl));
    await inNode(keeping);
    await keeping.bytes('/log/receipt-keys'); // for receipts that somebody brings later
    endArchive(saved, web.baseUrl, 'all');
  });

  /** What npm run verify says. */
  const inNode = async (served: Served, asked: Partial<Parameters<typeof saidInNode>[0]> = {}): Promise<Said[]> =>
    (await saidInNode({ hill: served, withEngine: (_source, use) => use(hill.root), withRelease, ...asked })).said;

  /** A tar of what was saved, with a change. */
  function archived(name: string, change: (dir: string) => void = () => {}): string {
    const dir = path.join(folder, name);
    fs.cpSync(saved, dir, { recursive: true });
    change(dir);
    return tarOf(dir);
  }
  const ofTar = (file: string) => openedArchive(new Map(unpacked(fs.readFileSync(file)))).hill;

  test('a night is checked from its own page, with the sentences of npm run verify, and again with what was seen', async () => {
    const { context, page, wrong } = await openPage(browser);
    await page.goto(`${web.baseUrl}/day/2`);
    await page.getByRole('link', { name: 'Check this night here' }).click();
    await page.waitForURL('**/check?night=2');
    const expected = await inNode(servedAt(web.baseUrl), { days: [2] });
    expect(await checkOn(page)).toEqual(expected);
    expect(await statusOf(page)).toContain(concluded(0));
    expect((await checkOn(page)).map(([, sentence]) => sentence)).toContain(
      'It begins with each of the 1 checkpoints that were seen before.',
    );
    expect(wrong).toEqual([]);
    await context.close();
  });

  test('offline, an archive is checked, and each change in it is named as npm run verify names it', async () => {
    const { context, page, wrong } = await openPage(browser);
    await page.goto(`${web.baseUrl}/check`);
    await page.locator('#check-archive').setInputFiles(archived('whole'));
    const [first, ...rest] = await checkOn(page);
    expect(first?.[1]).toContain('Nothing is asked of the hill.');
    const seen: KnownLogs = {};
    expect(rest).toEqual(await inNode(ofTar(archived('whole')), { seen }));
    await page.getByText('this page works offline').waitFor();
    await context.setOffline(true);
    for (const [name, change] of changes) {
      const file = archived(name, change);
      await page.locator('#check-archive').setInputFiles(file);
      const expected = await inNode(ofTar(file), { seen: structuredClone(seen) });
      expect((await checkOn(page)).slice(1), name).toEqual(expected);
      expect(
        expected.map(([mark]) => mark),
        name,
      ).toContain('WRONG');
      expect(await statusOf(page), name).toMatch(/^\d+ of these checks failed\.$/);
    }
    const forged = receiptSigner('of somebody else', 'hill.example/log').sign({
      ...{ day: 1, deposited_at: '2027-01-01T12:00:00Z', commitment: 'a'.repeat(64) },
    });
    const file = archived('with-receipt');
    await page.locator('#check-archive').setInputFiles(file);
    await page.getByText('Receipts and keys').click();
    await page.locator('#check-receipts').fill(forged);
    const expected = await inNode(ofTar(file), { receipts: [forged], seen });
    expect((await checkOn(page)).slice(1)).toEqual(expected);
    expect(expected.at(-1)).toEqual(['WRONG', expect.stringContaining('is not signed by a key that the log has')]);
    expect(wrong).toEqual([]);
    await context.close();
  });

  test('an engine that does not end is ended, and named for each of its nights', async () => {
    const hostile = sourcesWith(
      'sql/night/result.sql',
      `\ncreate or replace function engine.result_of(night jsonb) returns text language plpgsql stable as $$
        begin loop perform 1; end loop; end $$;\n`,
    );
    const file = archived('endless', (dir) => {
      const files = filesIn(dir);
      const [own = ''] = fs.readdirSync(path.join(dir, 'source'));
      files.set(`source/${sha256(hostile)}`, hostile);
      signAnew(files, (entries) => entries.map((entry) => entry.replace(own, sha256(hostile))));
      fs.rmSync(dir, { recursive: true });
      writeFiles(files, dir);
    });
    const { context, page, wrong } = await openPage(browser);
    await page.goto(`${web.baseUrl}/check`);
    await page.locator('#check-archive').setInputFiles(file);
    await page.getByText('Receipts and keys').click();
    await page.getByLabel('Seconds that an engine may take').fill('2');
    expect((await checkOn(page)).filter(([mark]) => mark === 'WRONG')).toEqual([
      ...[1, 2].map((night) => [
        'WRONG',
        `Night ${night}, resolved again from its night file, came to no result: It did not come to an end within 2 seconds, and was ended.`,
      ]),
      // the entry that says so has the root of what was before it, which was exchanged
      [
        'WRONG',
        expect.stringMatching(/^How night 2 was sealed is not what the log says: closed hill\.example\/log 14 /),
      ],
    ]);
    await page.locator('#check-archive').setInputFiles(archived('after-endless'));
    expect((await checkOn(page)).filter(([mark]) => mark === 'WRONG')).toEqual([]);
    expect(wrong).toEqual([]);
    await context.close();
  });

  test('once loaded it opens and checks without a network, and other pages do not', async () => {
    const proxy = await aProxy(web.baseUrl);
    const { context, page } = await openPage(browser);
    const site = proxy.through(`${web.baseUrl}/`);
    await page.goto(`${site}check?night=1`);
    await checkOn(page);
    await page.getByText('It opens offline, too.').waitFor();
    proxy.cut();
    await expect((await context.newPage()).goto(`${site}day/1`)).rejects.toThrow('ERR_CONNECTION_REFUSED');
    await page.goto(`${site}check?night=2`);
    await page.locator('#check-archive').setInputFiles(archived('unplugged'));
    expect((await checkOn(page)).slice(1)).toEqual(await inNode(ofTar(archived('unplugged')), { days: [2] }));
    expect(await statusOf(page)).toContain(concluded(0));
    await context.close();
  });

  test('as one file from a disk it checks a hill, and loads nothing', async () => {
    const file = path.join(folder, 'check.html');
    await makePage({} as Parameters<typeof makePage>[0], [file]);
    const { context, page, wrong } = await openPage(browser);
    await page.goto(`file://${file}`);
    await page.getByLabel('Address of the hill').fill(`${web.baseUrl}/day/2`);
    await page.getByLabel('Night', { exact: true }).fill('2');
    expect(await checkOn(page)).toEqual(await inNode(servedAt(web.baseUrl), { days: [2] }));
    expect(wrong).toEqual([]);
    await context.close();
  });

  const looks = [
    [1280, 'light'],
    [390, 'dark'],
    [1280, 'dark'],
    [390, 'light'],
  ] as const;
  test.each(looks.slice(0, process.env.HILL_TEST_PICTURES ? 4 : 2))(
    'at %i pixels, %s, it is readable while it runs, when all holds, and when not',
    async (width, scheme) => {
      const { context, page } = await openPage(browser, {
        ...{ viewport: { width, height: 900 }, colorScheme: scheme, bypassCSP: true },
      });
      const look = async (state: string) => {
        expect(await violationsOf(page, everything), state).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), state).toBe(true);
        await picture(page, `check-${state}-${width}-${scheme}`, { fullPage: true });
      };
      await page.goto(`${web.baseUrl}/check?night=1`);
      await page.getByRole('button', { name: /^Check/ }).click();
      await page.locator('#check-list li').nth(2).waitFor({ timeout: 120_000 });
      await look('running');
      await page.locator('#check-stop').waitFor({ state: 'hidden', timeout: 120_000 });
      await look('good');
      await page.locator('#check-archive').setInputFiles(archived(`bad-${width}-${scheme}`, changes[0]?.[1]));
      await checkOn(page);
      await look('bad');
      await context.close();
    },
  );

  test('without scripts it names the command, and other pages keep their policy', async () => {
    const { context, page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${web.baseUrl}/check`);
    expect(await page.locator('noscript').innerText()).toContain('npm run verify -- http://');
    expect(await page.locator('main').innerText()).toContain(`own release is ${sha256(engineSource(ownSources))}.`);
    await context.close();
    const policy = async (address: string) => (await web.get(address)).headers.get('Content-Security-Policy');
    expect(await policy('/check')).toContain("worker-src 'self'");
    for (const address of ['/', '/day/1', '/log']) expect(await policy(address)).not.toMatch(/worker-src|wasm/);
  });

  const inText = (file: string, change: (text: string) => string) => (dir: string) => {
    const before = fs.readFileSync(path.join(dir, file), 'utf8');
    expect(change(before)).not.toBe(before);
    fs.writeFileSync(path.join(dir, file), change(before));
  };
  const bundle = (dir: string) => {
    const at = path.join(dir, 'log/tile/entries/000.p');
    return path.join(at, fs.readdirSync(at)[0] as string);
  };
  const changes: [string, (dir: string) => void][] = [
    ['night-file', inText('api/day/1/night.json', (text) => text.replace('"stake_cents": 900', '"stake_cents": 901'))],
    ['move', inText('api/day/2/moves.ndjson', (text) => text.replace('"WAR"', '"PEACE"'))],
    ['result', inText('api/day/1@limit=1.json', (text) => text.replace('"outcome":"BURN"', '"outcome":"PEACE"'))],
    [
      'log',
      (dir) => {
        const bytes = fs.readFileSync(bundle(dir));
        fs.writeFileSync(bundle(dir), bytes.fill(bytes[40] === 0x61 ? 0x62 : 0x61, 40, 41));
      },
    ],
    [
      'checkpoint',
      inText('log/checkpoint', (text) => text.replace(/\n(\d+)\n/, (_, size) => `\n${Number(size) - 1}\n`)),
    ],
    [
      'engine',
      (dir) => {
        const [hash = ''] = fs.readdirSync(path.join(dir, 'source'));
        fs.appendFileSync(path.join(dir, 'source', hash), ' ');
      },
    ],
    // no log has a board: it is what the nights come to
    ['board', inText('api/leaderboard/hill@day=1&limit=1000.json', (text) => text.replace('"points":', '"points":1'))],
    ['gone', (dir) => fs.rmSync(path.join(dir, 'api/day/1/moves.ndjson'))],
  ];
});
