// verified and badge: what a look at an account's site makes of them, and when the site is looked at. Rules 11.2.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Account, anAccount, call, refusal, useHill } from '../../support/hill/index.ts';

const hill = useHill();
// each test has the worker for itself
beforeEach(() => hill.rows('update hill.site_checks set due_at = null'));

interface SiteState {
  name: string;
  slug: string;
  url: string | null;
  verified: boolean;
  badge: boolean;
  token: string;
  checking: boolean;
  ask_again_at: string | null;
  next_check_at: string | null;
  last_check: { at: string; url: string; result: string; status: number | null } | null;
}
interface Site {
  account_id: string;
  url: string;
  slugs: string[];
  token: string;
}

const ask = ({ token }: Account) => call<SiteState>(hill.as('web'), 'api_agent.verify_badge', { token });
const take = () => call<Site | null>(hill.as('worker'), 'api_worker.take_site_check');
const end = ({ account_id, url }: Site, result: string, found: { tag: boolean; badge: boolean } | null, status = 200) =>
  call<{ state: string }>(hill.as('worker'), 'api_worker.end_site_check', {
    account_id,
    url,
    result,
    status,
    tag: found?.tag ?? null,
    badge: found?.badge ?? null,
  });
const due = async () => (await call<{ look: number | null }>(hill.as('worker'), 'api_worker.errands_due')).look;
const change = ({ id }: Account, columns: string) =>
  hill.rows(`update hill.accounts set ${columns} where id = '${id}'`);
const flags = async ({ id }: Account) =>
  (
    await hill.rows<{ verified: boolean; badge: boolean }>('select verified, badge from hill.accounts where id = $1', [
      id,
    ])
  )[0];

const withSite = async (url = 'https://ann.example/') => {
  const ann = await anAccount(hill);
  await change(ann, `url = '${url}'`);
  return ann;
};
/** Asked for, looked at, and found. */
const found = async (tag: boolean, badge: boolean) => {
  const ann = await withSite();
  await ask(ann);
  await end((await take()) as Site, 'found', { tag, badge });
  return ann;
};

describe('asking', () => {
  test('without a url gives the token of the tag, and looks at nothing', async () => {
    const ann = await anAccount(hill);
    const state = await ask(ann);
    expect(state).toMatchObject({
      url: null,
      verified: false,
      checking: false,
      last_check: null,
      ask_again_at: null,
      next_check_at: null,
    });
    expect(state.token).toMatch(/^[0-9a-f]{32}$/);
    expect((await ask(ann)).token).toBe(state.token);
    expect([await take(), await due()]).toEqual([null, null]);
  });

  test('has the site looked at soon, and again only after five minutes', async () => {
    const ann = await withSite();
    const state = await ask(ann);
    expect(state).toMatchObject({ checking: true, last_check: null });
    expect(await due()).toBe(0);
    const site = (await take()) as Site;
    expect(site).toEqual({ account_id: ann.id, url: 'https://ann.example/', slugs: [state.slug], token: state.token });
    expect(await take(), 'another worker').toBe(null);
    await end(site, 'nothing_found', { tag: false, badge: false });

    expect(await ask(ann)).toMatchObject({ checking: false, last_check: { result: 'nothing_found', status: 200 } });
    await hill.clock.tick(299_000);
    expect(await ask(ann)).toMatchObject({ checking: false });
    await hill.clock.tick(1_000);
    expect(await ask(ann)).toMatchObject({ checking: true });
    await end((await take()) as Site, 'nothing_found', { tag: false, badge: false });
  });

  test('needs the scope to play', async () => {
    const ann = await anAccount(hill);
    await hill.rows("update oauth.access_tokens set scopes = '{hill:read}' where agent_id = $1", [ann.agentId]);
    expect((await refusal(ask(ann))).code).toBe('INSUFFICIENT_SCOPE');
  });

  test("shows one account nothing of another one's site", async () => {
    const [ann, bob] = [await withSite(), await anAccount(hill)];
    await ask(ann);
    await hill.asOwnerOf('hill_api_agent', async (client) => {
      await client.query("select set_config('hill.account_id', $1, true)", [bob.id]);
      expect((await client.query('select 1 from hill.site_checks')).rows).toEqual([]);
    });
    await end((await take()) as Site, 'nothing_found', { tag: false, badge: false });
  });
});

describe('a look', () => {
  test.each([
    [true, false],
    [false, true],
    [true, true],
    [false, false],
  ])('that finds tag: %s, badge: %s', async (tag, badge) => {
    expect(await flags(await found(tag, badge))).toEqual({ verified: tag || badge, badge });
  });

  test('whose worker died is done by another after a minute', async () => {
    const ann = await withSite();
    await ask(ann);
    const site = (await take()) as Site;
    expect(await take()).toBe(null);
    expect(await due()).toBeGreaterThan(50);
    await hill.rows("update hill.site_checks set busy_until = busy_until - interval '61 s'");
    expect(await take()).toEqual(site);
    await end(site, 'found', { tag: true, badge: false });
    expect(await flags(ann)).toEqual({ verified: true, badge: false });
  });

  test('is repeated every week as long as it finds something, and takes back what is not there any more', async () => {
    const ann = await found(true, true);
    expect(await take()).toBe(null);
    await hill.clock.toDay((await hill.clock.day()) + 7, '09:59');
    expect(await take()).toBe(null);
    await hill.clock.at('10:06');
    await end((await take()) as Site, 'nothing_found', { tag: false, badge: false });
    expect(await flags(ann)).toEqual({ verified: false, badge: false });
    expect(await due(), 'nothing to lose, so no other look').toBe(null);
  });

  test('at a site that does not answer is repeated the next day, and believed the third time', async () => {
    const ann = await found(true, true);
    await hill.clock.toDay((await hill.clock.day()) + 7, '11:00');
    for (const verified of [true, true, false]) {
      await end((await take()) as Site, 'unreachable', null);
      expect(await flags(ann)).toEqual({ verified, badge: verified });
      await hill.clock.toDay((await hill.clock.day()) + 1, '11:00');
    }
    expect(await take()).toBe(null);
  });

  test('that we did not get round to counts for nothing', async () => {
    const ann = await withSite();
    await ask(ann);
    await end((await take()) as Site, 'busy', null);
    expect(await ask(ann)).toMatchObject({ last_check: null });
    await hill.clock.tick(10_000);
    await end((await take()) as Site, 'found', { tag: true, badge: false });
    expect((await flags(ann))?.verified).toBe(true);
  });

  test('at what was the site when it began says nothing of another one', async () => {
    const ann = await withSite();
    await ask(ann);
    const old = (await take()) as Site;
    await change(ann, "url = 'https://other.example/'");
    expect(await end(old, 'found', { tag: true, badge: true })).toEqual({ state: 'another_site' });
    expect(await flags(ann)).toEqual({ verified: false, badge: false });
    const site = (await take()) as Site;
    expect(site.url).toBe('https://other.example/');
    await change(ann, 'url = null');
    expect(await end(site, 'found', { tag: true, badge: true })).toEqual({ state: 'another_site' });
    expect([await take(), await due()]).toEqual([null, null]);
  });
});

describe('another url', () => {
  test('is to be verified anew; another slug is not, and badges with the one that was left count', async () => {
    const ann = await found(true, true);
    const { slug } = await ask(ann);
    await change(ann, `name = 'Another name', slug = '${slug}-two'`);
    expect(await flags(ann)).toEqual({ verified: true, badge: true });
    await hill.clock.tick(300_000);
    await ask(ann);
    expect(((await take()) as Site).slugs).toEqual([`${slug}-two`, slug]);

    await change(ann, "url = 'https://other.example/'");
    expect(await flags(ann)).toEqual({ verified: false, badge: false });
  });
});
