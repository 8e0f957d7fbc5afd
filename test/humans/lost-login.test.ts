// A human who lost the login signs in with a new one by a code of the staff; and whoever still has the account is told
// of what staff are about to do, and stops it. Rules 18.8.
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { carryOutOrders } from '../../src/worker/tasks.ts';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { formOf, unescaped, Visitor } from '../support/doors/visitor.ts';
import { useHill } from '../support/hill/index.ts';
import { aMember } from '../support/hill/staff.ts';
import { useGithub } from '../support/peers/github-server.ts';
import { useGoogle } from '../support/peers/google-server.ts';

const hill = useHill();
const google = useGoogle();
const github = useGithub();
const door = useHumansDoor(hill, (baseUrl) => {
  google.redirectUri = `${baseUrl}/sign-in/google/callback`;
  github.redirectUri = `${baseUrl}/sign-in/github/callback`;
  return {
    GOOGLE_ISSUER: google.issuer,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    GITHUB_URL: github.url,
    GITHUB_API_URL: github.url,
    GITHUB_CLIENT_ID: github.clientId,
    GITHUB_CLIENT_SECRET: github.clientSecret,
  };
});
const standIn = useHumansDoor(hill);

let support: Awaited<ReturnType<typeof aMember>>;
let manager: typeof support;
let n = 0;
let old: Visitor;
let accountId: string;
let slug: string;

beforeAll(async () => {
  support = await aMember(hill, 'support');
  manager = await aMember(hill, 'manager');
});

beforeEach(async () => {
  n += 1;
  google.human = { sub: `g-${n}`, email: `ann-${n}@google.example`, email_verified: true };
  github.human = { id: 1_000 + n, emails: [{ email: `ann-${n}@github.example`, primary: true, verified: true }] };
  old = new Visitor();
  await door.page(old, '/sign-in/google');
  const [row] = await hill.rows<{ id: string; slug: string }>(
    "select a.id, a.slug from oauth.sign_ins i join hill.accounts a on a.id = i.account_id where i.subject = $1 and i.provider = 'google'",
    [`g-${n}`],
  );
  ({ id: accountId, slug } = row as { id: string; slug: string });
});

const begun = async () => {
  const [order] = await support.query<{ id: string; code: string }>(
    'select id, code from api_staff.move_sign_in($1, $2, $3)',
    [accountId, randomUUID(), 'a receipt'],
  );
  return order as { id: string; code: string };
};
const approve = async ({ id }: { id: string }) =>
  manager.query('select from api_staff.approve_account_order($1, $2)', [id, 'asked again']);
const wordsOf = (text: string) =>
  text
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
const follow = (visitor: Visitor, text: string) =>
  door.page(visitor, unescaped(/href="(\/sign-in\/move\/github[^"]*)"/.exec(text)?.[1] as string));
const prove = async (code: string) => {
  const visitor = new Visitor();
  return follow(visitor, (await door.page(visitor, `/sign-in/move?code=${code}`)).text);
};
const stop = async (page: { text: string; url: string }) =>
  old.send(page as Awaited<ReturnType<Visitor['go']>>, '/account/stop-order');

describe('the new login', () => {
  test('is proven by a code on the way through the provider, opens nothing meanwhile, and the account afterwards', async () => {
    const order = await begun();
    const visitor = new Visitor();
    const first = await door.page(visitor, '/sign-in/move');
    expect(wordsOf(first.text)).toContain('Only for a code that you asked the staff for');
    expect(first.text).not.toContain('/sign-in/move/github');
    const second = await door.page(visitor, `/sign-in/move?code=+${order.code.toLowerCase()}+`);
    const done = await follow(visitor, second.text);

    expect([done.status, wordsOf(done.text)]).toEqual([200, expect.stringContaining('Your new sign-in is noted')]);
    expect(visitor.cookies.has('hill_session')).toBe(false);
    const early = await door.page(visitor, '/sign-in/github');
    expect([early.status, wordsOf(early.text)]).toEqual([
      409,
      expect.stringContaining('That sign-in waits for an account'),
    ]);
    await approve(order);
    const [{ day = 0 } = {}] = await hill.rows<{ day: number }>('select day from hill.account_orders where id = $1', [
      order.id,
    ]);
    while ((await hill.asWorker().readClock()).last_night < day) await hill.clock.ringBell();
    await carryOutOrders(hill.as('worker'));
    expect((await door.page(visitor, '/sign-in/github')).text).toContain(`ann-${n}@github.example`);
    expect((await door.page(visitor, '/account')).text).toContain('You sign in with GitHub.');
    expect((await door.page(old, '/account')).url).toContain('/sign-in?');
  });

  test('is refused in words where it opens an account, with a wrong code, or when the provider does not vouch', async () => {
    const { code } = await begun();
    const owner = new Visitor();
    await door.page(owner, '/sign-in/github');
    const taken = await prove(code);
    expect([taken.status, wordsOf(taken.text)]).toEqual([409, expect.stringContaining('close that account first')]);

    github.human = { id: 9_000 + n, emails: [{ email: 'x@y.example', primary: true, verified: true }] };
    const wrong = await prove('AAAA-AAAAA-AAAAA');
    expect([wrong.status, wordsOf(wrong.text)]).toEqual([404, expect.stringContaining('ask the staff for a new one')]);
    for (const nonsense of ['a%00b', 'a.b', '%3Cb%3E', 'x'.repeat(50)])
      for (const path of ['/sign-in/move', '/sign-in/move/google'])
        expect((await door.page(new Visitor(), `${path}?code=${nonsense}`)).status).toBe(400);

    github.human = null;
    const denied = await prove(code);
    expect([denied.status, wordsOf(denied.text)]).toEqual([403, expect.stringContaining('GitHub was told to refuse')]);
    expect(
      await hill.rows('select from hill.account_orders where account_id = $1 and proven_at is null', [accountId]),
    ).toHaveLength(1);
  });

  test('is not proven by a link from elsewhere, which only shows the page', async () => {
    const { id, code } = await begun();
    const visitor = new Visitor();
    await door.page(visitor, '/sign-in/move');
    for (const token of ['', '&token=none']) {
      const page = await door.page(visitor, `/sign-in/move/github?code=${code}${token}`);
      expect([page.status, wordsOf(page.text)]).toEqual([
        200,
        expect.stringContaining('Leave this page if somebody sent you'),
      ]);
    }
    expect(await hill.rows('select proven_at from hill.account_orders where id = $1', [id])).toEqual([
      { proven_at: null },
    ]);
  });

  test('is an address where the development sign-in stands in', async () => {
    const { code } = await begun();
    const visitor = new Visitor();
    const page = await standIn.page(visitor, `/sign-in/move?code=${code}`);
    const [no, yes] = [
      await visitor.send(page, '/sign-in/move/development', { email: 'none' }),
      await visitor.send(page, '/sign-in/move/development', { email: `new-${n}@site.example` }),
    ];
    expect([no.status, yes.status]).toEqual([400, 200]);
    expect(wordsOf(await yes.text())).toContain('Your new sign-in is noted');
    expect(
      (await new Visitor().post(`${standIn.baseUrl}/sign-in/move/development`, { code, email: 'a@b.example' })).status,
    ).toBe(403);
  });
});

describe('the account page', () => {
  test('tells what staff are about to do, and its button stops it, from a stale tab and by a second click too', async () => {
    const order = await begun();
    await hill.rows(
      "update oauth.human_sessions set created_at = created_at - interval '1 day' where account_id = $1",
      [accountId],
    );
    const page = await door.page(old, '/account');
    expect(wordsOf(page.text)).toContain('The staff were asked to move this account to another sign-in.');
    expect(formOf(page.text, '/account/stop-order')).toMatchObject({ account_order_id: String(order.id) });

    const answers = await Promise.all([stop(page), stop(page)]);
    expect(answers.map(({ headers }) => headers.get('location')).sort()).toEqual([
      '/account?done=order-over',
      '/account?done=order-stopped',
    ]);
    const after = await door.page(old, '/account?done=order-stopped');
    expect(wordsOf(after.text)).toContain('It is stopped: the staff do nothing with the account.');
    expect(formOf(after.text, '/account/stop-order')).toBeUndefined();

    const next = await begun(); // the old tab is of another order
    expect((await stop(page)).headers.get('location')).toBe('/account?done=order-over');
    expect(
      await hill.rows("select from hill.account_orders where id = $1 and state = 'begun'", [next.id]),
    ).toHaveLength(1);
    for (const account_order_id of ['', '1\0', '9'.repeat(30), '-1'])
      expect((await old.send(page, '/account/stop-order', { account_order_id })).headers.get('location')).toBe(
        '/account?done=order-over',
      );
  });

  test('says after which bell, and the feed too, without a word of tonight', async () => {
    const feed = await old.send(await door.page(old, '/account'), '/account/feed');
    const landed = await door.page(old, feed.headers.get('location') as string);
    const [, address] = /<code>(http[^<]*\.atom)<\/code>/.exec(landed.text) ?? [];
    await support.query('select api_staff.close_account_for($1, $2, $3)', [accountId, randomUUID(), 'a receipt']);
    const [{ id } = { id: '' }] = await hill.rows<{ id: string }>('select max(id) as id from hill.account_orders');
    await approve({ id });
    const [{ date } = {}] = await hill.rows(
      "select to_char(engine.bell_at(day), 'YYYY-MM-DD') as date from hill.account_orders where id = $1",
      [id],
    );
    const atom = await (await fetch(address as string)).text();
    expect(atom).toContain('The staff were asked to close this account.');
    expect(wordsOf((await door.page(old, '/account')).text)).toContain(
      `They do it after the bell of ${date}, 00:00 UTC.`,
    );
    expect(atom).toContain('/account#staff-order');
    expect(slug).toBeTruthy();
  });
});
