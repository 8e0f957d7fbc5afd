// Sessions, forms and what production refuses: rules 17.1; protocol 8.
import { describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { formOf, Visitor } from '../support/doors/visitor.ts';
import { anAccount, call, useHill } from '../support/hill/index.ts';
import { signIn } from '../support/hill/sign-in.ts';
import { freePort } from '../support/ports.ts';

const hill = useHill();
const door = useHumansDoor(hill);

describe('the development sign-in', () => {
  test('says on its page that it stands in for both providers', async () => {
    const page = await door.page(new Visitor(), '/account');

    expect(page.url).toBe(`${door.baseUrl}/sign-in?return_to=%2Faccount`);
    expect(page.text).toContain('This is the development sign-in.');
    expect(page.text).toContain('It stands in for Google and GitHub');
  });

  test('signs in whoever names an address, and the same address again to the same account', async () => {
    const [first, second] = [await door.signIn('Dev@Example.com'), await door.signIn('dev@example.com')];

    expect((await door.page(first, '/account')).text).toContain('dev@example.com');
    expect((await door.page(second, '/account')).text).toContain('You are signed in in 2 places');
  });

  test('refuses what is no address', async () => {
    const visitor = new Visitor();
    const page = await door.page(visitor, '/sign-in');

    const answer = await visitor.send(page, '/sign-in/development', { email: 'nobody' });

    const again = await visitor.landed(page, answer);
    expect(again.text).toMatch(
      /value="nobody"[^>]* aria-invalid="true"[\s\S]*role="alert">That is not an e-mail address\./,
    );
    expect(visitor.cookies.has('hill_session')).toBe(false);
  });
});

describe('a form', () => {
  const forms: [path: string, fields: Record<string, string>][] = [
    ['/account/mandate', { daily_cap: '77.00', max_stake: '77.00' }],
    ['/account/top-up', { amount: '20.00' }],
    ['/account/withdraw', { slot: '1' }],
    ['/account/cut', { agent_id: '00000000-0000-7000-8000-000000000000' }],
    ['/account/sign-out-everywhere', {}],
    ['/device', { user_code: 'BCDF-GHJK', decision: 'approve' }],
    ['/claim', { claim_attempt_token: 'x', user_code: '000000', decision: 'approve' }],
    ['/sign-out', {}],
  ];

  test.each(forms)(
    '%s is refused with 403 and changes nothing without its token, with another session’s, or from another page',
    async (path, fields) => {
      const visitor = await door.signIn('csrf@example.com');
      const other = await door.signIn('other@example.com');
      const csrf = formOf((await door.page(visitor, '/account')).text, '/sign-out')?.csrf as string;
      const foreign = formOf((await door.page(other, '/account')).text, '/sign-out')?.csrf as string;
      const url = door.baseUrl + path;

      expect(csrf).toMatch(/^[\w-]{43}$/);
      expect(foreign).not.toBe(csrf);
      expect((await visitor.post(url, fields)).status).toBe(403);
      expect((await visitor.post(url, { ...fields, csrf: foreign })).status).toBe(403);
      expect((await visitor.post(url, { ...fields, csrf }, { Origin: 'https://evil.example' })).status).toBe(403);
      expect((await visitor.post(url, { ...fields, csrf }, { Origin: 'null' })).status).toBe(403);
      expect((await visitor.post(url, { ...fields, csrf }, { Origin: '' })).status).toBe(403);
      expect((await visitor.post(url, { ...fields, csrf }, { 'Sec-Fetch-Site': 'same-site' })).status).toBe(403);
      expect(
        (await visitor.post(url, { ...fields, csrf }, { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' })).status,
      ).toBe(403);
      expect(
        (
          await visitor.post(
            url,
            { ...fields, csrf },
            { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
          )
        ).status,
      ).toBe(403);
      expect((await new Visitor().post(url, { ...fields, csrf })).status).toBe(403);

      const page = await door.page(visitor, '/account');
      expect(page.status).toBe(200);
      expect(page.text).toContain('name="daily_cap" value="10.00"');
      expect(page.text).not.toContain('$20.00</dd>');
    },
  );

  test('of the sign-in page is bound to the browser that opened it', async () => {
    const page = await door.page(new Visitor(), '/sign-in');
    const csrf = formOf(page.text, '/sign-in/development')?.csrf as string;
    const stranger = new Visitor();

    expect(
      (await stranger.post(`${door.baseUrl}/sign-in/development`, { email: 'eve@example.com', csrf })).status,
    ).toBe(403);
    expect(stranger.cookies.has('hill_session')).toBe(false);
  });

  test('that is too long, or no form, is refused', async () => {
    const visitor = await door.signIn('long@example.com');
    const csrf = formOf((await door.page(visitor, '/account')).text, '/sign-out')?.csrf as string;

    expect((await visitor.post(`${door.baseUrl}/account/mandate`, { csrf, daily_cap: '1'.repeat(5_000) })).status).toBe(
      413,
    );
    const json = await visitor.once(`${door.baseUrl}/account/mandate`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json', Origin: door.baseUrl },
    });
    expect(json.status).toBe(415);
  });
});

describe('a session', () => {
  test('ends with sign out, and its cookie is worth nothing afterwards', async () => {
    const visitor = await door.signIn('out@example.com');
    const kept = visitor.cookies.get('hill_session') as string;

    const answer = await visitor.send(await door.page(visitor, '/account'), '/sign-out');

    expect(answer.status).toBe(303);
    expect(visitor.cookies.has('hill_session')).toBe(false);
    visitor.cookies.set('hill_session', kept);
    expect((await door.page(visitor, '/account')).url).toContain('/sign-in?');
  });

  test('ends with sign out everywhere, on every device of this human and no other’s', async () => {
    const [phone, desk, stranger] = [
      await door.signIn('all@example.com'),
      await door.signIn('all@example.com'),
      await door.signIn('stranger@example.com'),
    ];

    await phone.send(await door.page(phone, '/account'), '/account/sign-out-everywhere');

    expect((await door.page(desk, '/account')).url).toContain('/sign-in?');
    expect((await door.page(stranger, '/account')).status).toBe(200);
    expect((await door.page(stranger, '/account')).url).toBe(`${door.baseUrl}/account`);
  });

  test('that has expired is not among those that sign out everywhere says it ended', async () => {
    const human = { subject: 'counted', email: 'counted@example.com' };
    const [{ session: expired }, { session }] = [
      await signIn(hill.as('web'), human),
      await signIn(hill.as('web'), human),
    ];
    await hill.root.query(
      'update oauth.human_sessions set expires_at = clock_timestamp() where token_hash = engine.hash_token($1)',
      [expired],
    );

    expect(await call(hill.as('web'), 'api_human.sign_out_everywhere', { session })).toBe(1);
  });

  test('that was revoked meanwhile leads a form to the sign-in page, which says so, and changes nothing', async () => {
    const visitor = await door.signIn('late@example.com');
    const page = await door.page(visitor, '/account');
    await hill.root.query('update oauth.human_sessions set revoked_at = now()');

    const answer = await visitor.send(page, '/account/mandate', { daily_cap: '1', max_stake: '1' });

    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe('/sign-in?return_to=%2Faccount&ended=1');
    expect((await visitor.landed(page, answer)).text).toContain('You are signed out, and nothing was changed.');
    const [mandate] = await hill.rows(
      'select m.daily_cap_cents::int from hill.mandates m join oauth.humans h using (account_id) where h.email = $1',
      ['late@example.com'],
    );
    expect(mandate).toEqual({ daily_cap_cents: 1000 });
  });

  test('ends after 30 days, used or not', async () => {
    const visitor = await door.signIn('month@example.com');
    const [session] = await hill.rows<{ days: number }>(
      'select extract(epoch from s.expires_at - s.created_at)::int / 86400 as days from oauth.human_sessions s join oauth.humans h using (account_id) where h.email = $1',
      ['month@example.com'],
    );
    expect(session?.days).toBe(30);

    await hill.root.query('update oauth.human_sessions set expires_at = now()');

    expect((await door.page(visitor, '/account')).url).toContain('/sign-in?');
  });

  test('is a new one at each sign-in: what the browser had before ends', async () => {
    const visitor = await door.signIn('fixed@example.com');
    const before = visitor.cookies.get('hill_session') as string;
    visitor.cookies.delete('hill_session'); // the page would lead on at once
    const page = await door.page(visitor, '/sign-in');
    visitor.cookies.set('hill_session', before);

    await visitor.send(page, '/sign-in/development', { email: 'fixed@example.com' });

    expect(visitor.cookies.get('hill_session')).not.toBe(before);
    const old = new Visitor(before);
    expect((await door.page(old, '/account')).url).toContain('/sign-in?');
  });

  test('is kept as a hash, and no secret of it is in the database or the log', async () => {
    const visitor = await door.signIn('hash@example.com');
    const session = visitor.cookies.get('hill_session') as string;
    const csrf = formOf((await door.page(visitor, '/account')).text, '/sign-out')?.csrf as string;

    const rows = await hill.rows<{ text: string }>(
      'select t::text as text from oauth.human_sessions t union all select t::text from hill.security_events t union all select t::text from oauth.sign_ins t',
    );
    const all = rows.map(({ text }) => text).join('\n') + door.logged();

    expect(all).not.toContain(session);
    expect(all).not.toContain(csrf);
    expect(door.logged()).not.toContain('hash@example.com');
  });
});

test('the pages are in no frame, load nothing, are kept by nobody, and tell other sites nothing', async () => {
  const visitor = await door.signIn('head@example.com');

  for (const path of ['/sign-in', '/account', '/claim?claim_attempt_token=x']) {
    const { response } = await door.page(visitor, path);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(part);
  }
});

describe('what happened to the security of an account', () => {
  test('is read by staff, without addresses and secrets, and changed by nobody', async () => {
    const visitor = await door.signIn('audit@example.com');
    await visitor.send(await door.page(visitor, '/account'), '/sign-out');
    const staff = hill.asStaff();

    const events = await staff.query<{ event: string; details: unknown }>(
      `select event, details from hill.security_events where account_id = (select account_id from hill.security_events where event = 'signed_out' order by id desc limit 1) order by id`,
    );

    expect(events).toEqual([
      { event: 'account_opened', details: { provider: 'development' } },
      { event: 'sign_in_added', details: { provider: 'development' } },
      { event: 'signed_in', details: { provider: 'development' } },
      { event: 'signed_out', details: {} },
    ]);
    await expect(hill.root.query('delete from hill.security_events')).rejects.toMatchObject({ code: 'ZHLED' });
    await expect(staff.query('select 1 from oauth.humans')).rejects.toMatchObject({ code: '42501' });
  });
});

describe('in production', () => {
  const production = useHumansDoor(hill, () => ({
    HILL_ENV: 'production',
    HILL_DAY_ONE: '2026-03-01',
    DATABASE_URL: 'postgres://owner@db.example/hill',
  }));

  test('there is no development sign-in, whoever asks for it', async () => {
    const visitor = new Visitor();
    const page = await production.page(visitor, '/sign-in');

    expect(page.text).not.toContain('development sign-in');
    expect(page.text).toContain('no provider is configured');
    expect(production.logged()).toContain('nobody can sign in: no provider is configured');
    expect(
      (await visitor.post(`${production.baseUrl}/sign-in/development`, { email: 'eve@example.com' })).status,
    ).toBeGreaterThanOrEqual(404);
    expect(visitor.cookies.size).toBe(0);
    expect(await hill.rows("select 1 from oauth.humans where email = 'eve@example.com'")).toEqual([]);
  });

  test('there is no sandbox top-up: the page says that staff grant credits', async () => {
    const ann = await anAccount(hill);
    const visitor = new Visitor(ann.session);
    const page = await production.page(visitor, '/account');
    const csrf = formOf(page.text, '/sign-out')?.csrf as string;

    expect(page.text).toContain('Staff grant them');
    expect(page.text).not.toContain('/account/top-up');
    expect(
      (await visitor.post(`${production.baseUrl}/account/top-up`, { csrf, amount: '20' })).status,
    ).toBeGreaterThanOrEqual(404);
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ paid_cents: 0 });
  });
});

describe('over https', () => {
  const secure = useHumansDoor(hill, () => ({
    HILL_ENV: 'production',
    HILL_DAY_ONE: '2026-03-01',
    DATABASE_URL: 'postgres://owner@db.example/hill',
    BASE_URL: 'https://hill.example',
  }));

  test('cookies are Secure and of this host alone, behind a proxy that speaks https too', async () => {
    const ann = await anAccount(hill);
    const visitor = new Visitor();
    visitor.cookies.set('__Host-hill_session', ann.session);
    const page = await secure.page(visitor, '/account');
    expect(page.status).toBe(200);
    const csrf = formOf(page.text, '/sign-out')?.csrf as string;

    const answer = await visitor.post(`${secure.baseUrl}/sign-out`, { csrf }, { Origin: 'https://hill.example' });

    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()).toEqual([
      '__Host-hill_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ]);
  });
});

describe('a process with another HILL_SIGNING_SECRET than the last migration', () => {
  const strange = useHumansDoor(hill, () => ({
    HILL_SIGNING_SECRET: 'another secret, of more than thirty-two characters',
  }));

  test('signs nobody in, says so in plain words, and names the setting in its log', async () => {
    const before = await hill.rows('select count(*) from oauth.human_sessions');
    const visitor = new Visitor();
    const page = await visitor.go(`${strange.baseUrl}/sign-in`);

    const answer = await visitor.send(page, '/sign-in/development', { email: 'zoe@example.com' });

    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('Begin again.');
    expect(visitor.cookies.has('hill_session')).toBe(false);
    expect(await hill.rows('select count(*) from oauth.human_sessions')).toEqual(before);
    expect(strange.logged()).toContain('HILL_SIGNING_SECRET is not that of the last');
  });

  test('adds no play money', async () => {
    const zoe = await anAccount(hill);
    const visitor = new Visitor(zoe.session);
    const page = await strange.page(visitor, '/account');

    expect((await visitor.send(page, '/account/top-up', { amount: '20.00' })).status).toBe(500);
    expect(await hill.asHuman(zoe).ownState()).toMatchObject({ paid_cents: 0 });
  });
});

describe('a provider that does not answer', () => {
  const unreachable = useHumansDoor(hill, () => ({
    GOOGLE_ISSUER: `http://localhost:${closedPort}`,
    GOOGLE_CLIENT_ID: 'hill',
    GOOGLE_CLIENT_SECRET: 'a secret',
  }));

  test('is named, with 502', async () => {
    const page = await unreachable.page(new Visitor(), '/sign-in/google');

    expect(page.status).toBe(502);
    expect(page.text).toContain('Google does not answer');
  });
});

const closedPort = await freePort();
