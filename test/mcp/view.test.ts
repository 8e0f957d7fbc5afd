// The view that status and night carry (MCP Apps): found by both generations of the SDK, valid by the extension's
// schemas, and drawn in a host. Protocol 9.11.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpUiResourceMetaSchema, McpUiToolMetaSchema, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps';
import { getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { type Shown, show } from '../support/peers/app-host.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { picture, pictures, violationsOf } from '../support/peers/judged.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const mcp = useMcp(hill);
const hostile = '<img src=x onerror=alert(1)>';
let cast: Cast;
let eve: Account;

beforeAll(async () => {
  cast = await aLivelyNight(hill);
  eve = await anAccount(hill, { name: hostile, credits: 5000 });
  const mallory = hill.asAgent(eve);
  await mallory.play({ slot: 7, move: 'PEACE', message: '"><script>alert(2)</script>' });
  await mallory.announce({ slot: 7, intention: 'PEACE', message: `</script><svg onload="alert(3)">` });
  await hill.asAgent(cast.ann).play({ slot: 1, move: 'PEACE' });
  await hill.clock.ringBell();
  await hill.asAgent(cast.ann).play({ slot: 2, move: 'WAR', stake_cents: 900, message: 'Tonight & tomorrow' });
  await mallory.announce({ slot: 7, intention: 'WAR', message: `<b>${'x'.repeat(130)}` });
});

const hosts: Client[] = [];
const modern = { mode: { pin: '2026-07-28' } } as const;
/** A host of the newer SDK. */
const aHost = async (who: Account | string, options: ConstructorParameters<typeof Client>[1] = {}) => {
  const client = new Client(
    { name: 'a chat', version: '1' },
    { capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } }, ...options },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${mcp.authUrl}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${typeof who === 'string' ? who : await mcp.token(who)}` } },
  });
  await client.connect(transport);
  hosts.push(client);
  return client;
};
afterAll(() => Promise.all(hosts.map((client) => client.close())));

describe.each([
  ['the older SDK', async () => mcp.client(await mcp.token(cast.ann))],
  ['the newer SDK', () => aHost(cast.ann)],
  ['the newer SDK without a handshake', () => aHost(cast.ann, { versionNegotiation: modern })],
] as const)('%s', (_, connect) => {
  test('finds the view of status and night, and of no other tool, and reads it', async () => {
    const client = await connect();

    const { tools } = await client.listTools();
    const viewed = tools.filter((tool) => getToolUiResourceUri(tool as never) !== undefined);
    expect(viewed.map(({ name }) => name)).toEqual(['status', 'night']);
    for (const { _meta } of viewed)
      expect(McpUiToolMetaSchema.strict().parse(_meta?.ui)).toEqual({ resourceUri: 'ui://hill/view' });

    const listed = (await client.listResources()).resources.find(({ uri }) => uri === 'ui://hill/view');
    expect(listed).toMatchObject({ mimeType: RESOURCE_MIME_TYPE });
    const { contents } = await client.readResource({ uri: 'ui://hill/view' });
    expect(contents).toEqual([
      {
        uri: 'ui://hill/view',
        mimeType: RESOURCE_MIME_TYPE,
        text: expect.stringMatching(/^<!doctype html>/),
        _meta: listed?._meta,
      },
    ]);
    // it may reach nobody, and wants nothing of the browser
    expect(McpUiResourceMetaSchema.strict().parse(listed?._meta?.ui)).toEqual({
      csp: { connectDomains: [], resourceDomains: [] },
      prefersBorder: true,
    });
  });
});

test('the view is the same for everybody, small, and may be kept', async () => {
  const read = async (account: Account) => {
    const client = await aHost(account, { versionNegotiation: modern });
    return client.readResource({ uri: 'ui://hill/view' });
  };
  const [one, two] = [await read(cast.ann), await read(eve)];

  expect(one).toEqual(two);
  expect(one).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
  const { text } = one.contents[0] as { text: string };
  expect(Buffer.byteLength(text)).toBeLessThan(20_000);
  expect(text).not.toMatch(/https?:|\/\/[a-z]/);
});

describe.skipIf(!chromiumPath)('in a chat', () => {
  let browser: Browser;
  let context: BrowserContext;
  const clients = new Map<Account | string, Client>();

  beforeAll(async () => {
    browser = await openChromium();
    context = await browser.newContext();
  });
  afterAll(() => browser?.close());

  const shows = async (
    who: Account | string,
    tool: string,
    args: object = {},
    options: Parameters<typeof show>[4] = {},
  ) => {
    const client = clients.get(who) ?? (await aHost(who));
    clients.set(who, client); // it compiles what tools/list has, which takes its time
    const shown = await show(context, client, tool, { ...args }, options);
    onTestFinished(async () => {
      await shown.bridge.close();
      await shown.page.close();
    });
    return shown;
  };
  const reads = (shown: Shown, text: string) => shown.view.getByText(text).first().waitFor();
  /** Nothing was asked for or reported, nothing spills, and the frame is as high as the view. */
  const isSound = async ({ view, page, wrong, heights }: Shown, name: string) => {
    await until('the frame to be as high as the view', async () => {
      const wanted = await view.evaluate<number>('Math.ceil(document.documentElement.getBoundingClientRect().height)');
      const box = await page.locator('iframe').boundingBox();
      return heights.at(-1) === wanted && box?.height === wanted;
    });
    expect(await view.evaluate('[document.documentElement.scrollWidth, innerWidth]')).toEqual(
      await view.evaluate('[innerWidth, innerWidth]'),
    );
    expect(wrong).toEqual([]);
    if (pictures) {
      await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: heights.at(-1) ?? 0 }); // a frame is painted as far as it is in view
      await view.evaluate('new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))');
      await picture(page, `view-${name}`);
    }
  };

  test.each([
    { width: 700, theme: 'light' },
    { width: 340, theme: 'dark' },
  ] as const)('status is drawn, $width pixels wide, $theme', async ({ width, theme }) => {
    const shown = await shows(cast.ann, 'status', {}, { width, theme });

    await reads(shown, 'as of');
    const places = shown.view.locator('.places > li');
    expect(await places.count()).toBe(10);
    expect(await places.nth(0).innerText()).toMatch(
      /Ann[\s\S]*you[\s\S]*held 1 night[\s\S]*10 points\s+PEACE \$3\.45/i,
    );
    expect(await places.nth(1).innerText()).toMatch(/Your sealed move: WAR \$9\.00 “Tonight & tomorrow”/);
    expect(await places.nth(9).innerText()).toMatch(/Free[\s\S]*1 point$/);
    expect(await shown.view.locator('.figures').innerText()).toMatch(
      /Moves left today\s+3[\s\S]*Left of the cap\s+\$1\.00/,
    );
    await isSound(shown, `status-${width}-${theme}`);
    expect(await violationsOf(shown.view)).toEqual([]);
  });

  test.each([
    { width: 700, theme: 'dark' },
    { width: 340, theme: 'light' },
  ] as const)('a night is drawn, $width pixels wide, $theme', async ({ width, theme }) => {
    const shown = await shows(cast.cid, 'night', { day: 1 }, { width, theme });

    await reads(shown, 'The night of day 1');
    const told = await shown.view.locator('main').innerText();
    expect(told).toMatch(/You had 4 points for \$3\.00\./);
    expect(told).toMatch(/Your PEACE on place 1 got no seat there, and the queue gave it place 3, for \$3\.00\./);
    expect(told).toMatch(/PEACE Place 1\. ann and bob share it; 1 more went to the queue\./);
    expect(told).toMatch(/WAR Place 2\. dan went to war and sits there alone\. Evicted: 1\./);
    expect(told).toMatch(/BURN Place 3\. 2 warriors met, and \$18\.00 burned\. Now there: cid YOU and eve\./);
    expect(told).toMatch(/Nobody moved on places 4, 5, 6, 7, 8, 9 and 10\./);
    expect(told).toMatch(/dan announced PEACE on place 2 BETRAYED/);
    await isSound(shown, `night-${width}-${theme}`);
    expect(await violationsOf(shown.view)).toEqual([]);
  });

  test('refresh asks the host for status, and last night is asked for where it is wanted', async () => {
    const shown = await shows(cast.bob, 'status');
    await reads(shown, 'Available');
    expect(shown.asked).toEqual([]); // nothing before a human wants it

    await hill.asAgent(cast.bob).play({ slot: 4, move: 'PEACE' });
    await shown.view.getByRole('button', { name: 'Refresh' }).click();
    await reads(shown, 'Your sealed move');
    expect(await shown.view.getByRole('status').innerText()).toBe('The hill is drawn anew.');
    await shown.view.getByRole('button', { name: 'Show last night, day 2' }).click();
    await shown.view.getByRole('heading', { name: 'Last night, day 2' }).waitFor();
    expect(await shown.view.getByRole('button').allInnerTexts()).toEqual(['Refresh']);
    expect(shown.asked).toEqual(['status', 'night']);
    await until('the keyboard to have a place', () =>
      shown.view.evaluate<boolean>('document.activeElement.id === "refresh"'),
    );
    await isSound(shown, 'both');
  });

  test('from a night, one press leads to tonight', async () => {
    const shown = await shows(cast.bob, 'night', { slot: 1 });
    await reads(shown, 'Moves there');
    await shown.view.getByRole('button', { name: 'Show tonight' }).click();
    await reads(shown, 'The ten places');
    expect(shown.asked).toEqual(['status']);
    await isSound(shown, 'place-and-tonight');
  });

  test('a host that passes nothing on is not asked, and one that refuses is no dead end', async () => {
    const shut = await shows(cast.bob, 'status', {}, { calls: 'not offered' });
    await reads(shut, 'Available');
    expect(await shut.view.getByRole('button').count()).toBe(0);

    const refusing = await shows(cast.bob, 'status', {}, { calls: 'refused' });
    await refusing.view.getByRole('button', { name: 'Refresh' }).click();
    await reads(refusing, 'The host did not let this view ask the hill.');
    expect(await refusing.view.locator('.places > li').count()).toBe(10);
    await isSound(refusing, 'refused-by-host');
  });

  test('what others wrote stays text', async () => {
    const shown = await shows(eve, 'night', { slot: 7 }, { width: 340 });
    await reads(shown, hostile);
    await reads(shown, '</script><svg onload="alert(3)">');
    await shown.view.getByRole('button', { name: 'Show tonight' }).click();
    await reads(shown, '“<b>xxx');
    await shown.bridge.sendToolResult(
      await (await aHost(cast.bob)).callTool({ name: 'night', arguments: { slot: 7 } }),
    );
    await reads(shown, '"><script>alert(2)</script>');

    expect(await shown.view.locator('img, main script, main svg, main b').count()).toBe(0);
    await isSound(shown, 'hostile');
  });

  test('follows the theme of the host, which need not be the system’s', async () => {
    const shown = await shows(cast.ann, 'status', {}, { theme: 'light' });
    await shown.page.emulateMedia({ colorScheme: 'dark' });
    const background = () => shown.view.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(246, 244, 236)');
    shown.bridge.setHostContext({ theme: 'dark' });
    await until('the view to be dark', async () => (await background()) === 'rgb(18, 22, 15)');
    await isSound(shown, 'theme');
  });

  test('a refusal, a text without a record, a cancelled call and a sparse answer are shown as they are', async () => {
    const sparse = {
      day: 3,
      bell_ringing: true,
      places: [{ slot: 2, occupants: ['dan'] }],
      house_announcements: [{ intention: 'PEACE', slots: [4, 9] }],
    };
    const shown = await shows(cast.ann, 'night', { day: 99 });
    await reads(shown, 'has not been resolved');
    await shown.bridge.sendToolResult({ content: [{ type: 'text', text: 'Day 3.\nOnly <b>text</b>.' }] });
    await reads(shown, 'Only <b>text</b>.');
    await shown.bridge.sendToolCancelled({ reason: 'the human' });
    await reads(shown, 'The call was cancelled.');
    await shown.bridge.sendToolResult({ content: [], structuredContent: sparse });
    await reads(shown, 'dan');
    expect(await shown.view.locator('#when').innerText()).toBe('Day 3. The bell is ringing.');
    expect(await shown.view.locator('main').innerText()).toContain('HOUSE agents announced PEACE on places 4 and 9');
    expect(await shown.view.locator('.places > li').count()).toBe(10);
    await shown.bridge.sendToolResult({
      content: [],
      structuredContent: { day: 2, places: [{ slot: 2, outcome: 'WAR' }] },
    });
    await reads(shown, 'went to war');
    expect(await shown.view.locator('body').innerText()).not.toMatch(/undefined|NaN|null|\[object/);
    await isSound(shown, 'sparse');
    expect(await shown.bridge.teardownResource({})).toEqual({});
  });

  test('one that nobody has claimed sees the hill, and why it cannot play', async () => {
    const { identity_assertion } = await mcp.register('Newcomer');
    const { access_token } = succeeded(await mcp.exchange(identity_assertion));
    const shown = await shows(access_token, 'status');
    await reads(shown, 'No human has claimed this agent yet');
    await isSound(shown, 'unclaimed');
  });
});
