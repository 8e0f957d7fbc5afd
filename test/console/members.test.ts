// Staff sign in on the site and are handed to the console; who is staff is a row that only owners write. Rules 18.4;
// decisions 220 to 222.
import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { sessionOf, useConsole } from '../support/doors/console.ts';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { Visitor } from '../support/doors/visitor.ts';
import { call, refusal, useHill } from '../support/hill/index.ts';
import { prove, signIn } from '../support/hill/sign-in.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { useGoogle } from '../support/peers/google-server.ts';
import { picture } from '../support/peers/judged.ts';
import { freePort } from '../support/ports.ts';

const hill = useHill();
const consolePort = await freePort();
const ofATunnel = await freePort();
const google = useGoogle();
/** Of another site than the console, which is at localhost: SameSite counts. */
const site = useHumansDoor(hill, (baseUrl) => {
  const BASE_URL = baseUrl.replace('localhost', '127.0.0.1');
  google.redirectUri = `${BASE_URL}/sign-in/google/callback`;
  const ports = { CONSOLE_PORT: String(consolePort), HILL_CONSOLE_PORTS: `1, ${ofATunnel}` };
  return {
    BASE_URL,
    ...ports,
    GOOGLE_ISSUER: google.issuer,
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
  };
});
const staff = useConsole(hill, () => site.baseUrl.replace('localhost', '127.0.0.1'), consolePort);

const random = () => randomBytes(32).toString('base64url');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const cookie = (visitor: Visitor) => `hill_staff=${visitor.cookies.get('hill_staff')}`;

let key: string;
/** Human and account of each name. */
const people: Record<'olga' | 'stan' | 'nora', { sub: string; account_id: string }> = {} as never;

beforeAll(async () => {
  key = await staff.signIn('Root');
  for (const name of ['olga', 'stan', 'nora'] as const) {
    const human = { sub: `g-${name}`, email: `${name}@example.com` };
    people[name] = {
      ...human,
      ...(await signIn(hill.as('web'), { provider: 'google', subject: human.sub, email: human.email })),
    };
  }
});

const set = (as: string, who: keyof typeof people | string, name: string, role: string) =>
  staff.graphql<{ setStaff: { staffMember: object } }>(
    as,
    `mutation ($id: UUID!, $name: String!, $role: String!) {
       setStaff(input: {accountId: $id, name: $name, role: $role, reason: "a test"}) { staffMember { name role account { id } } }
     }`,
    { id: people[who as 'olga']?.account_id ?? who, name, role },
  );
const remove = (as: string, who: keyof typeof people) =>
  staff.graphql(
    as,
    'mutation ($id: UUID!) { removeStaff(input: {accountId: $id, reason: "a test"}) { staffMember { name } } }',
    {
      id: people[who].account_id,
    },
  );
const codeOf = ({ errors }: { errors?: readonly { extensions?: Record<string, unknown> }[] }) =>
  errors?.[0]?.extensions?.code;
const members = () => hill.rows('select name, role from hill.staff_members order by name');
const lastEntry = async () =>
  (
    await hill.rows(
      'select staff_name, staff_account_id, action, account_id, details from hill.audit_log order by id desc limit 1',
    )
  )[0];

/** Up to the page of the site that leads to the console. */
async function ask(who: keyof typeof people, visitor = new Visitor()) {
  google.human = { sub: people[who].sub, email: `${who}@example.com`, email_verified: true };
  const asked = await visitor.once(`${staff.url}/sign-in/account`);
  const target = new URL(asked.headers.get('Location') as string);
  const signInPage = await visitor.go(target.href);
  const to = /href="(\/sign-in\/google[^"]+)"/.exec(signInPage.text)?.[1];
  const page = to ? await visitor.go(new URL(to.replaceAll('&amp;', '&'), target.origin).href) : signInPage;
  return { visitor, page };
}
/** And on, to where the console is told the code. */
async function getCode(who: keyof typeof people, visitor = new Visitor()) {
  const { page } = await ask(who, visitor);
  const answer = await visitor.send(page, '/console');
  return { visitor, to: answer.headers.get('Location') as string };
}
async function enter(who: keyof typeof people): Promise<string> {
  const { visitor, to } = await getCode(who);
  const page = await visitor.go(to);
  if (page.status !== 200) throw new Error(`not in: ${page.status} ${page.text}`);
  return cookie(visitor);
}

describe('the first owner', () => {
  test('is added with the staff key, and the audit log says so', async () => {
    expect(await set(key, 'olga', ' Olga Owner ', 'owner')).toEqual({
      data: {
        setStaff: { staffMember: { name: 'Olga Owner', role: 'owner', account: { id: people.olga.account_id } } },
      },
    });
    expect(await lastEntry()).toEqual({
      staff_name: 'Root',
      staff_account_id: null,
      action: 'set_staff',
      account_id: people.olga.account_id,
      details: { name: 'Olga Owner', role: 'owner', was_name: null, was_role: null },
    });
  });

  test('signs in on the site and works in the console under that name, on the account’s own', async () => {
    const olga = await enter('olga');
    expect(await staff.data(olga, '{ staffName staffRole }')).toEqual({ staffName: 'Olga Owner', staffRole: 'owner' });
    expect(codeOf(await set(olga, 'stan', 'Stan', 'support'))).toBeUndefined();
    expect(await lastEntry()).toMatchObject({ staff_name: 'Olga Owner', staff_account_id: people.olga.account_id });
    expect(await staff.data(olga, '{ auditEntries(last: 1) { nodes { action staffAccount { id } } } }')).toEqual({
      auditEntries: { nodes: [{ action: 'set_staff', staffAccount: { id: people.olga.account_id } }] },
    });
  });
});

describe('from the site to the console', () => {
  test('leads one code, which only the browser that asked can use, and once', async () => {
    const { visitor, to } = await getCode('stan');
    expect(to).toMatch(new RegExp(`^${staff.url}/sign-in/code\\?code=[\\w-]{43}$`));
    const verifier = visitor.cookies.get('hill_staff_verifier');

    for (const other of [undefined, random()]) {
      const thief = new Visitor();
      if (other) thief.cookies.set('hill_staff_verifier', other);
      const page = await thief.go(to);
      expect([400, 401]).toContain(page.status);
      expect(page.text).toContain('Begin again.');
      expect(thief.cookies.get('hill_staff')).toBeUndefined();
    }
    const page = await visitor.go(to);
    expect(page.status).toBe(200);
    expect(page.text).toContain('http-equiv="refresh"');
    expect(visitor.cookies.get('hill_staff_verifier')).toBeUndefined();

    visitor.cookies.set('hill_staff_verifier', verifier as string);
    expect((await visitor.go(to)).status).toBe(401);
  });

  test('a code is good for a minute', async () => {
    const { visitor, to } = await getCode('stan');
    const good = "created_at = created_at - interval '59 seconds', expires_at = expires_at - interval '59 seconds'";
    const [row] = await hill.rows<{ seconds: number }>(
      'select extract(epoch from expires_at - created_at)::integer as seconds from oauth.console_codes where used_at is null',
    );
    expect(row?.seconds).toBe(60);
    await hill.root.query(`update oauth.console_codes set ${good.replaceAll('59', '61')} where used_at is null`);
    expect((await visitor.go(to)).status).toBe(401);
  });

  test('the cookies are for the console alone: the session is Strict, and what waits for the code goes to /sign-in only', async () => {
    const asked = await staff.fetch('/sign-in/account');
    expect(asked.status).toBe(303);
    expect(asked.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^hill_staff_verifier=[\w-]{43}; path=\/sign-in; expires=[^;]+; samesite=lax; httponly$/),
    ]);
    const { visitor, to } = await getCode('stan');
    const answer = await visitor.once(to);
    expect(answer.headers.getSetCookie().find((line) => line.startsWith('hill_staff='))).toMatch(
      /^hill_staff=[\w-]{43}; path=\/; expires=[^;]+; samesite=strict; httponly$/,
    );
  });

  test('leads only from a request of the console, and to this machine only', async () => {
    const { visitor } = await ask('stan');
    const challenge = sha256('x');
    for (const query of [
      '',
      '?challenge=x&at=localhost:1',
      `?challenge=${challenge}`,
      `?challenge=${challenge}&at=hill.example`,
    ]) {
      const page = await visitor.go(
        `${staff.url.replace(/:\d+$/, new URL(site.baseUrl).port.replace(/^/, ':'))}/console${query}`,
      );
      expect(page.status, query).toBe(400);
      expect(page.text).toContain('Begin at the console');
    }
    const { page } = await ask('stan', visitor);
    expect(page.text).toContain(`<code>http://localhost:${consolePort}</code>`);
    for (const at of ['localhost', 'localhost:80', '127.0.0.1:5432', '[::1]:2']) {
      const query = new URLSearchParams({ challenge, at });
      const other = await visitor.go(`${site.baseUrl.replace('localhost', '127.0.0.1')}/console?${query}`);
      expect([other.status, other.text.includes(`<code>http://${at}</code>, which is not the console`)], at).toEqual([
        400,
        true,
      ]);
      const answer = await visitor.send(page, '/console', { at });
      expect([answer.status, answer.headers.get('Location')], at).toEqual([400, null]);
    }
    const tunnel = await visitor.send(page, '/console', { at: `127.0.0.1:${ofATunnel}` });
    expect(tunnel.headers.get('Location')).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:${ofATunnel}/sign-in/code\\?code=`),
    );
    for (const at of [
      'hill.example',
      'localhost:80.hill.example',
      'localhost@hill.example',
      'localhost:1/x',
      '127.0.0.1.example:1',
      '',
    ])
      expect((await visitor.send(page, '/console', { at })).status, at).toBe(400);
    expect((await visitor.send(page, '/console', { csrf: 'x' })).status).toBe(403);
  });

  test('wants a recent sign-in', async () => {
    const { visitor } = await ask('stan');
    await hill.root.query(
      "update oauth.human_sessions set created_at = created_at - interval '11 minutes' where account_id = $1",
      [people.stan.account_id],
    );
    const { page } = await ask('stan', visitor);
    expect(page.text).toContain('Sign in again');
    expect(page.text).not.toContain('<form method="post" action="/console"');
    const session = visitor.cookies.get('hill_session') as string;
    const error = await refusal(
      call(hill.as('web'), 'api_human.give_console_code', { session, code: random(), challenge: sha256('x') }),
    );
    expect(error).toMatchObject({ code: 'SIGN_IN_AGAIN' });
  });

  test('a human who is not staff is refused, and told what to do', async () => {
    const { page, visitor } = await ask('nora');
    expect(page.status).toBe(403);
    expect(page.text).toContain('You are not staff');
    expect(page.text).toContain(people.nora.account_id);
    expect(page.text).toContain('under <i>Actions</i>');
    const session = visitor.cookies.get('hill_session') as string;
    const error = await refusal(
      call(hill.as('web'), 'api_human.give_console_code', { session, code: random(), challenge: sha256('x') }),
    );
    expect(error).toMatchObject({ code: 'NOT_STAFF', detail: { account_id: people.nora.account_id } });
  });
});

describe('who is staff', () => {
  test('is not said by staff who are no owners, nor by whoever has their connection', async () => {
    const stan = await enter('stan');
    const before = await members();
    expect(codeOf(await set(stan, 'nora', 'Nora', 'support'))).toBe('OWNERS_ONLY');
    expect(codeOf(await set(stan, 'stan', 'Stan', 'owner'))).toBe('OWNERS_ONLY');
    expect(codeOf(await remove(stan, 'olga'))).toBe('OWNERS_ONLY');
    for (const sql of [
      `insert into hill.staff_members values ('${people.nora.account_id}', 'Nora', 'owner', now())`,
      "update hill.staff_members set role = 'owner'",
      'delete from hill.staff_members',
    ])
      await expect(hill.asStaff().query(sql)).rejects.toMatchObject({ code: '42501' });
    // not even the functions' own role, in a session of Stan's
    await hill.asOwnerOf('hill_api_staff', async (client) => {
      await client.query("select set_config('hill.staff_session', $1, true)", [sessionOf(stan)]);
      expect((await client.query("update hill.staff_members set role = 'owner'")).rowCount).toBe(0);
      await client.query('savepoint before');
      const insert = `insert into hill.staff_members (account_id, name, role, since) values ('${people.nora.account_id}', 'N', 'support', now())`;
      await expect(client.query(insert)).rejects.toMatchObject({ code: '42501' });
      await client.query('rollback to before');
    });
    expect(await members()).toEqual(before);
  });

  test('is an account with a human, a name and a role', async () => {
    const house = await hill.rows<{ id: string }>(
      "insert into hill.accounts (name, slug, house, created_at) values ('House x', 'house-x', true, now()) returning id",
    );
    for (const [who, name, role, code] of [
      ['nora', '', 'support', 'INVALID_ARGUMENT'],
      ['nora', 'x'.repeat(61), 'support', 'INVALID_ARGUMENT'],
      ['nora', 'two\nlines', 'support', 'INVALID_ARGUMENT'],
      ['nora', 'Nora', 'admin', 'INVALID_ARGUMENT'],
      ['nora', 'Stan', 'support', 'NOT_ALLOWED'],
      ['00000000-0000-7000-8000-000000000000', 'Nobody', 'support', 'NOT_FOUND'],
      [house[0]?.id as string, 'House', 'support', 'NOT_ALLOWED'],
    ] as const)
      expect(codeOf(await set(key, who, name, role)), `${who} ${name} ${role}`).toBe(code);
  });

  test('changes at once, in sessions that are open: a name, a role, and being staff at all', async () => {
    const [olga, stan] = [await enter('olga'), await enter('stan')];
    await set(olga, 'stan', 'Stanley', 'owner');
    expect(await staff.data(stan, '{ staffName staffRole }')).toEqual({ staffName: 'Stanley', staffRole: 'owner' });
    // the same again changes nothing
    await set(olga, 'stan', 'Stanley', 'owner');
    await set(stan, 'stan', 'Stan', 'support');
    expect(await staff.data(stan, '{ staffRole }')).toEqual({ staffRole: 'support' });

    expect(await remove(olga, 'stan')).toEqual({ data: { removeStaff: { staffMember: { name: 'Stan' } } } });
    expect(await staff.graphql(stan, '{ staffName }')).toMatchObject({
      errors: [{ extensions: { code: 'INVALID_TOKEN' } }],
    });
    expect(codeOf(await remove(olga, 'stan'))).toBe('NOT_FOUND');
    // and the session stays ended when Stan comes back
    await set(olga, 'stan', 'Stan', 'support');
    expect((await staff.graphql(stan, '{ staffName }')).data).toBeUndefined();
  });

  test('a code that was given before its bearer was removed opens nothing', async () => {
    const { visitor, to } = await getCode('stan');
    await remove(key, 'stan');
    const page = await visitor.go(to);
    expect(page.status).toBe(401);
    await set(key, 'stan', 'Stan', 'support');
  });

  test('is signed out of the console where the human is signed out everywhere', async () => {
    const stan = await enter('stan');
    const { session } = await signIn(hill.as('web'), {
      provider: 'google',
      subject: people.stan.sub,
      email: 'stan@example.com',
    });
    await call(hill.as('web'), 'api_human.sign_out_everywhere', { session });
    expect((await staff.graphql(stan, '{ staffName }')).data).toBeUndefined();
  });

  test('has an owner as long as it had one: the last cannot be removed or made less, not with the key either', async () => {
    const olga = await enter('olga');
    for (const as of [olga, key]) {
      expect(codeOf(await remove(as, 'olga'))).toBe('LAST_OWNER');
      expect(codeOf(await set(as, 'olga', 'Olga Owner', 'support'))).toBe('LAST_OWNER');
    }
    await set(olga, 'stan', 'Stan', 'owner');
    const stan = await enter('stan');
    const both = await Promise.all([
      remove(olga, 'stan'),
      remove(stan, 'olga'),
      remove(key, 'olga'),
      remove(key, 'stan'),
    ]);
    expect(both.filter((answer) => !answer.errors)).toHaveLength(1);
    expect(await members()).toHaveLength(1);
    expect(await hill.rows("select from hill.staff_members where role = 'owner'")).toHaveLength(1);
  });
});

describe('with the web’s login, in an attacker’s hands', () => {
  test('nobody becomes staff', async () => {
    const login = hill.as('web');
    const { session, account_id } = await signIn(login, {
      provider: 'google',
      subject: 'mallory',
      email: 'mallory@example.com',
    });
    const before = await members();
    for (const sql of [
      `insert into hill.staff_members values ('${account_id}', 'M', 'owner', now())`,
      `insert into oauth.console_codes values (sha256('x'), '${account_id}', sha256('y'), now(), now() + interval '1 day', null)`,
      'select * from hill.staff_members',
      "select engine.enter_owner('please')",
      `select engine.own_membership('${account_id}')`,
      `select api_staff.set_staff('${account_id}', 'M', 'owner', 'please')`,
      "select api_staff.enter_console('x', 'y', 'z')",
    ])
      await expect(login.query(sql), sql).rejects.toMatchObject({ code: '42501' });
    const code = { code: random(), challenge: sha256('x') };
    for (const given of [session, random(), null])
      expect(['NOT_STAFF', 'INVALID_TOKEN']).toContain(
        ((await refusal(call(login, 'api_human.give_console_code', { session: given, ...code }))) as { code: string })
          .code,
      );
    // as somebody who is: that wants a proof, or the human's own session
    await login.query("select set_config('hill.account_id', $1, false)", [people.olga.account_id]);
    const forged = { ...prove('sign in', 'google', 'mallory', 'm@example.com', sha256('x')), session: random() };
    const coming = call(login, 'api_human.sign_in', {
      provider: 'google',
      subject: people.olga.sub,
      email: 'm@example.com',
      ...forged,
    });
    expect(await refusal(coming)).toMatchObject({ code: 'PROOF_REFUSED' });
    expect(await members()).toEqual(before);
  });
});

test.skipIf(!chromiumPath)(
  'in Chromium, across two sites: from the console to Google and back into the console',
  async () => {
    await hill.root.query('delete from hill.staff_members');
    await set(key, 'olga', 'Olga Owner', 'owner');
    google.human = { sub: people.olga.sub, email: 'olga@example.com', email_verified: true };
    const browser = await openChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
      const look = (name: string) => picture(page, name, { fullPage: true });
      await page.goto(staff.url);
      await look('console-sign-in');
      await page.getByRole('link', { name: 'Sign in with your account' }).click();
      await page.getByText('Sign in to open the staff console.').waitFor();
      await page.getByRole('link', { name: 'Continue with Google' }).click();
      await page.getByRole('heading', { name: 'Open the staff console' }).waitFor();
      await look('console-go-on');
      await page.getByRole('button', { name: 'Open the console' }).click();
      await page.locator('.who-looks').getByText('Olga Owner').waitFor();
      expect(page.url()).toBe(`${staff.url}/`);
      await look('console');
      google.human = { sub: people.nora.sub, email: 'nora@example.com', email_verified: true };
      await page.context().clearCookies();
      await page.goto(`${staff.url}/sign-in/account`);
      await page.getByRole('link', { name: 'Continue with Google' }).click();
      await page.getByRole('heading', { name: 'You are not staff' }).waitFor();
      await look('console-not-staff');
    } finally {
      await browser.close();
    }
  },
);
