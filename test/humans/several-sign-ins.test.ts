// One account with several sign-ins: its human adds one while signed in with another, and removes one while another
// remains. Protocol 5.1, 5.2.
import { beforeEach, describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { formOf, unescaped, Visitor } from '../support/doors/visitor.ts';
import { call, useHill } from '../support/hill/index.ts';
import { chromiumPath, openChromium } from '../support/peers/chromium.ts';
import { useGithub } from '../support/peers/github-server.ts';
import { useGoogle } from '../support/peers/google-server.ts';
import { picture } from '../support/peers/judged.ts';
import { until } from '../support/until.ts';

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

let made = 0;
let name: string;

beforeEach(() => {
  made += 1;
  name = `ann-${made}`;
  google.human = { sub: `g-${name}`, email: `${name}@google.example`, email_verified: true };
  github.human = { id: 1_000 + made, emails: [{ email: `${name}@github.example`, primary: true, verified: true }] };
});

const signIn = async (provider: 'google' | 'github', visitor = new Visitor()) => {
  const page = await visitor.go(`${door.baseUrl}/sign-in/${provider}`);
  if (page.status !== 200) throw new Error(`not signed in: ${page.status}`);
  return visitor;
};
/** The address of the button that adds a sign-in, if the page has one. */
const addressOf = (text: string, provider: string) => {
  const [, found] = new RegExp(`href="(/account/add-sign-in/${provider}[^"]*)"`).exec(text) ?? [];
  return found && unescaped(found);
};
const add = async (visitor: Visitor, provider: 'google' | 'github', change?: (url: URL) => URL) => {
  const address = addressOf((await door.page(visitor, '/account')).text, provider);
  if (!address) throw new Error(`there is no way to add ${provider}`);
  return visitor.go(door.baseUrl + address, change);
};
const remove = async (visitor: Visitor, provider: string) => {
  const { text } = await door.page(visitor, '/account');
  const fields = [...text.matchAll(/<form method="post" action="\/account\/remove-sign-in">.*?<\/form>/gs)]
    .map(([form]) => formOf(form, '/account/remove-sign-in'))
    .find((form) => form?.provider === provider);
  if (!fields) throw new Error(`there is no way to remove ${provider}`);
  const answer = await visitor.post(`${door.baseUrl}/account/remove-sign-in`, fields);
  return answer.headers.get('Location') ?? `${answer.status}`;
};
interface Seen {
  account_id: string;
  email: string | null;
  sign_ins: { provider: string; email: string | null }[];
}
const accountOf = (visitor: Visitor) =>
  call<Seen>(hill.as('web'), 'api_human.account', { session: visitor.cookies.get('hill_session') as string });
const kept = async () =>
  (await hill.rows('select provider, subject, account_id, email from oauth.sign_ins order by provider, subject')).map(
    (row) => JSON.stringify(row),
  );

describe('a human who is signed in', () => {
  test('adds another provider, by which the same account is entered from then on', async () => {
    const visitor = await signIn('google');
    const before = await accountOf(visitor);

    const page = await add(visitor, 'github');

    expect(page).toMatchObject({ status: 200, url: `${door.baseUrl}/account?done=added` });
    expect(page.text).toContain('You sign in with GitHub and Google.');
    for (const host of ['google', 'github']) expect(page.text).toContain(`<bdi>${name}@${host}.example</bdi>`);
    expect(addressOf(page.text, 'github')).toBeUndefined();
    expect((await accountOf(await signIn('github'))).account_id).toBe(before.account_id);
    expect((await accountOf(await signIn('google'))).account_id).toBe(before.account_id);
    expect(
      (
        await hill.rows('select event from hill.security_events where account_id = $1 order by id', [before.account_id])
      ).map(({ event }) => event),
    ).toEqual(['account_opened', 'sign_in_added', 'signed_in', 'sign_in_added', 'signed_in', 'signed_in']);
  });

  test('goes on in another session, and the one before is over', async () => {
    const visitor = await signIn('google');
    const before = visitor.cookies.get('hill_session') as string;

    await add(visitor, 'github');

    expect(visitor.cookies.get('hill_session')).not.toBe(before);
    await expect(call(hill.as('web'), 'api_human.account', { session: before })).rejects.toMatchObject({
      code: 'ZHTOK',
    });
  });

  test('is meant by each of the addresses', async () => {
    const visitor = await signIn('google');
    await add(visitor, 'github');
    const { account_id } = await accountOf(visitor);

    for (const host of ['google', 'github'])
      expect(await hill.rows('select engine.account_of_address($1) as id', [`${name}@${host}.example`])).toEqual([
        { id: account_id },
      ]);
  });

  test('is refused a sign-in that opens another account, in plain words, and nothing changes', async () => {
    const other = await signIn('github');
    const visitor = await signIn('google');
    const before = await kept();

    const page = await add(visitor, 'github');

    expect(page.status).toBe(409);
    expect(page.text).toContain('That GitHub account opens another account here.');
    expect(page.text).toContain('Nothing was changed.');
    expect(await kept()).toEqual(before);
    expect((await accountOf(other)).account_id).not.toBe((await accountOf(visitor)).account_id);
  });

  test('who refuses at the provider is told so, and is still signed in', async () => {
    const visitor = await signIn('google');
    github.human = null;

    const page = await add(visitor, 'github');

    expect(page.status).toBe(403);
    expect(page.text).toContain('GitHub was told to refuse');
    expect((await accountOf(visitor)).sign_ins).toHaveLength(1);
  });
});

describe('another browser, session or site', () => {
  const refused = async (page: { status: number; text: string }, before: string[], status: number) => {
    expect(page.status).toBe(status);
    expect(await kept()).toEqual(before);
  };

  test.each([['no token'], ['the token of another session'], ['the token for another provider']])(
    'cannot begin with %s',
    async (which) => {
      const stranger = await signIn('github');
      const foreign = addressOf((await door.page(stranger, '/account')).text, 'google') as string;
      google.human = { sub: `g-own-${name}`, email: `own-${name}@google.example`, email_verified: true };
      const visitor = await signIn('google');
      const own = addressOf((await door.page(visitor, '/account')).text, 'github') as string;
      const before = await kept();
      const address = {
        'no token': '/account/add-sign-in/github',
        'the token of another session': foreign.replace('google', 'github'),
        'the token for another provider': own.replace('github', 'google'),
      }[which] as string;

      await refused(await visitor.go(door.baseUrl + address), before, 403);
    },
  );

  test('cannot finish what this one began: an answer without its cookie is worth nothing', async () => {
    const visitor = await signIn('google');
    let back = '';
    await expect(
      add(visitor, 'github', (url) => {
        if (!url.pathname.endsWith('/callback')) return url;
        back = url.href;
        throw new Error('stopped');
      }),
    ).rejects.toThrow('stopped');
    const stranger = new Visitor();
    google.human = { sub: `g-eve-${name}`, email: `eve-${name}@google.example`, email_verified: true };
    await signIn('google', stranger);
    const before = await kept();

    await refused(await stranger.go(back), before, 400);
  });

  test('who signs in as somebody else in between adds nothing to either account', async () => {
    const visitor = await signIn('google');
    let back = '';
    await expect(
      add(visitor, 'github', (url) => {
        if (!url.pathname.endsWith('/callback')) return url;
        back = url.href;
        throw new Error('stopped');
      }),
    ).rejects.toThrow('stopped');
    google.human = { sub: `g-bob-${name}`, email: `bob-${name}@google.example`, email_verified: true };
    const bob = await signIn('google');
    visitor.cookies.set('hill_session', bob.cookies.get('hill_session') as string);
    const before = await kept();

    const page = await visitor.go(back);

    await refused(page, before, 403);
    expect(page.text).toContain('You are not signed in as you were when you began.');
  });

  test('who put its code into the answer is refused', async () => {
    let theirs = '';
    const attacker = new Visitor();
    await expect(
      attacker.go(`${door.baseUrl}/sign-in/github`, (url) => {
        if (!url.pathname.endsWith('/callback')) return url;
        theirs = url.searchParams.get('code') ?? '';
        throw new Error('stopped');
      }),
    ).rejects.toThrow('stopped');
    expect(theirs).not.toBe('');
    const visitor = await signIn('google');
    const before = await kept();

    const page = await add(visitor, 'github', (url) => {
      if (url.pathname.endsWith('/callback')) url.searchParams.set('code', theirs);
      return url;
    });

    await refused(page, before, 400);
  });
});

describe('a sign-in is removed', () => {
  test('while another remains: it opens the account no more, its address means nobody, and other sessions end', async () => {
    const visitor = await signIn('google');
    await add(visitor, 'github');
    const elsewhere = await signIn('github');
    const { account_id } = await accountOf(visitor);

    expect(await remove(visitor, 'github')).toBe('/account?done=removed');

    expect(await accountOf(visitor)).toMatchObject({
      account_id,
      email: `${name}@google.example`,
      sign_ins: [{ provider: 'google' }],
    });
    await expect(accountOf(elsewhere)).rejects.toMatchObject({ code: 'ZHTOK' });
    expect(await hill.rows('select engine.account_of_address($1) as id', [`${name}@github.example`])).toEqual([
      { id: null },
    ]);
    expect((await accountOf(await signIn('github'))).account_id).not.toBe(account_id);
    const events = await hill.rows('select event from hill.security_events where account_id = $1', [account_id]);
    expect(events.map(({ event }) => event)).toContain('sign_in_removed');
  });

  test('but not the last one, which has no button either', async () => {
    const visitor = await signIn('google');
    const { text } = await door.page(visitor, '/account');
    expect(text).not.toContain('/account/remove-sign-in');

    const csrf = formOf(text, '/sign-out')?.csrf as string;
    const answer = await visitor.post(`${door.baseUrl}/account/remove-sign-in`, {
      csrf,
      provider: 'google',
      subject: `g-${name}`,
    });

    expect(answer.status).toBe(303);
    expect((await visitor.go(new URL(answer.headers.get('Location') as string, door.baseUrl).href)).text).toContain(
      'Add another sign-in first',
    );
    expect((await accountOf(visitor)).sign_ins).toHaveLength(1);
  });

  test('nor are both, by two at one instant', async () => {
    const visitor = await signIn('google');
    await add(visitor, 'github');
    await hill.root.query("update oauth.sign_ins set created_at = created_at - interval '8 days'");
    const session = visitor.cookies.get('hill_session');
    const take = (provider: string, subject: string) =>
      call<boolean>(hill.as('web'), 'api_human.remove_sign_in', { session, provider, subject }).catch(
        ({ code }) => code as string,
      );

    const answers = await Promise.all([take('google', `g-${name}`), take('github', String(1_000 + made))]);

    expect(answers.map(String).sort()).toEqual(['ZHSIL', 'true']);
    expect((await accountOf(visitor)).sign_ins).toHaveLength(1);
  });

  test('of another account by nobody', async () => {
    const other = await signIn('github');
    const visitor = await signIn('google');
    const csrf = formOf((await door.page(visitor, '/account')).text, '/sign-out')?.csrf as string;

    const answer = await visitor.post(`${door.baseUrl}/account/remove-sign-in`, {
      csrf,
      provider: 'github',
      subject: String(1_000 + made),
    });

    expect(answer.headers.get('Location')).toBe('/account?done=missing');
    for (const subject of ['', '\0', 'x\uFFFD'.repeat(900)])
      expect(
        (await visitor.post(`${door.baseUrl}/account/remove-sign-in`, { csrf, provider: `${subject}github`, subject }))
          .status,
      ).toBeLessThan(500);
    expect((await accountOf(other)).sign_ins).toHaveLength(1);
  });
});

/** The session of a visitor becomes as old as that: its human signed in then. */
const ago = (visitor: Visitor, age: string) =>
  hill.root.query(
    `update oauth.human_sessions set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
      where token_hash = engine.hash_token($1)`,
    [visitor.cookies.get('hill_session'), age],
  );
const csrfOf = async (visitor: Visitor) =>
  formOf((await door.page(visitor, '/account')).text, '/sign-out')?.csrf as string;
const sessionsOf = (visitor: Visitor) =>
  hill.rows('select created_at, expires_at from oauth.human_sessions where token_hash = engine.hash_token($1)', [
    visitor.cookies.get('hill_session'),
  ]);
/** Begins to add a provider, and stops on the way back from it. */
const begin = async (visitor: Visitor, address: string) => {
  let back = '';
  await visitor
    .go(door.baseUrl + address, (url) => {
      if (!url.pathname.endsWith('/callback')) return url;
      back = url.href;
      throw new Error('stopped');
    })
    .catch(() => undefined);
  return back;
};

describe.each(['10 minutes', '1 hour', '13 days'])('whoever has a session that began %s ago', (age) => {
  const told = (page: { status: number; text: string }) => {
    expect(page.status).toBe(403);
    expect(page.text).toContain('Sign in once more');
    expect(page.text).toContain('href="/sign-in?again=1&amp;return_to=%2Faccount"');
    expect(page.text).toContain(`Google (<bdi>${name}@google.example</bdi>)`);
  };

  test('adds no sign-in of their own, neither from the start nor by coming back to what was begun before', async () => {
    const visitor = await signIn('google');
    const address = addressOf((await door.page(visitor, '/account')).text, 'github') as string;
    const back = await begin(visitor, address);
    await ago(visitor, age);
    const before = await kept();
    const session = visitor.cookies.get('hill_session');

    told(await visitor.go(back));
    expect(addressOf((await door.page(visitor, '/account')).text, 'github')).toBeUndefined();
    told(await visitor.go(door.baseUrl + address));

    expect(await kept()).toEqual(before);
    expect(visitor.cookies.get('hill_session')).toBe(session);
  });

  test('removes none', async () => {
    const visitor = await signIn('google');
    await add(visitor, 'github');
    await ago(visitor, age);
    const before = await kept();
    const fields = { csrf: await csrfOf(visitor), provider: 'github', subject: String(1_000 + made) };
    expect((await door.page(visitor, '/account')).text).not.toContain('/account/remove-sign-in');

    const answer = await visitor.post(`${door.baseUrl}/account/remove-sign-in`, fields);

    told({ status: answer.status, text: await answer.text() });
    expect(await kept()).toEqual(before);
  });

  test('raises no cap; lowers them, and ends what there is to end', async () => {
    const visitor = await signIn('google');
    await ago(visitor, age);
    const set = async (daily_cap: string, max_stake: string) =>
      visitor.post(`${door.baseUrl}/account/mandate`, { csrf: await csrfOf(visitor), daily_cap, max_stake });

    for (const [cap, stake] of [
      ['10.01', '15.00'],
      ['0', '15.01'],
    ] as const) {
      const answer = await set(cap, stake);
      told({ status: answer.status, text: await answer.text() });
    }
    expect(await accountOf(visitor)).toMatchObject({ daily_cap_cents: 1000, max_stake_cents: 1500 });

    expect((await set('9.00', '15.00')).headers.get('Location')).toBe('/account');
    expect(
      (await visitor.post(`${door.baseUrl}/account/withdraw`, { csrf: await csrfOf(visitor), slot: '1' })).status,
    ).toBe(303);
    expect(
      (await visitor.post(`${door.baseUrl}/account/sign-out-everywhere`, { csrf: await csrfOf(visitor) })).status,
    ).toBe(303);
  });
});

describe('a session', () => {
  test('that replaces another, since a sign-in was added, is as old as that, and ends with it', async () => {
    const visitor = await signIn('google');
    await ago(visitor, '9 minutes');
    const before = await sessionsOf(visitor);

    await add(visitor, 'github');

    expect(await sessionsOf(visitor)).toEqual(before);
    expect(await accountOf(visitor)).toMatchObject({ fresh: true });
    await ago(visitor, '1 minute');
    expect(await accountOf(visitor)).toMatchObject({ fresh: false });
  });

  test('is recent again after the page that asks for it, which offers the account’s own sign-ins alone', async () => {
    const visitor = await signIn('google');
    await ago(visitor, '1 hour');
    const asked = await visitor.go(`${door.baseUrl}/sign-in?again=1&return_to=%2Faccount`);
    expect(asked.text).toContain('Continue with Google');
    expect(asked.text).not.toContain('Continue with GitHub');

    const [, link] = /href="(\/sign-in\/google[^"]*)"/.exec(asked.text) as RegExpExecArray;
    const back = await visitor.go(door.baseUrl + unescaped(link as string));

    expect(back.url).toBe(`${door.baseUrl}/account`);
    expect((await add(visitor, 'github')).url).toBe(`${door.baseUrl}/account?done=added`);
  });

  test('that ends while its request waits adds nothing', async () => {
    const visitor = await signIn('google');
    const back = await begin(visitor, addressOf((await door.page(visitor, '/account')).text, 'github') as string);
    const before = await kept();
    const answer = await hill.asRoot(async (root) => {
      await root.query("begin; select trusted.lock_one('sign-ins')");
      const asked = visitor.go(back);
      await until('it waits for the lock', async () => {
        const rows = await hill.rows(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%add_sign_in%'",
        );
        return rows.length > 0;
      });
      await root.query(
        'update oauth.human_sessions set revoked_at = clock_timestamp() where token_hash = engine.hash_token($1)',
        [visitor.cookies.get('hill_session')],
      );
      await root.query('commit');
      return asked;
    });

    expect(answer.url).toContain('/sign-in?');
    expect(await kept()).toEqual(before);
  });
});

describe('a sign-in that was just added', () => {
  test('locks nobody out: the older one is removed after seven days at the earliest, and the new one at once', async () => {
    const visitor = await signIn('google');
    await add(visitor, 'github');
    const thief = await signIn('github'); // a recent sign-in, with one that the account has
    const before = await kept();
    const removal = async (who: Visitor, provider: string, subject: string) =>
      (
        await who.landed(
          await door.page(who, '/account'),
          await who.post(`${door.baseUrl}/account/remove-sign-in`, { csrf: await csrfOf(who), provider, subject }),
        )
      ).text;

    expect((await door.page(thief, '/account')).text).toMatch(/to be removed from .* on, when the others are older/);
    expect(await removal(thief, 'google', `g-${name}`)).toContain('were added too short a while ago');
    expect(await kept()).toEqual(before);

    const human = await signIn('google');
    expect((await door.page(human, '/account')).text).toContain(
      `also opens with GitHub (<bdi>${name}@github.example</bdi>)`,
    );
    expect(await removal(human, 'github', String(1_000 + made))).toContain('The sign-in is removed');
    await expect(accountOf(thief)).rejects.toMatchObject({ code: 'ZHTOK' });
  });

  test('may take the place of the older one a week later', async () => {
    const visitor = await signIn('google');
    await add(visitor, 'github');
    await hill.root.query("update oauth.sign_ins set created_at = created_at - interval '7 days' where subject = $1", [
      String(1_000 + made),
    ]);
    await hill.root.query("update oauth.sign_ins set created_at = created_at - interval '8 days' where subject = $1", [
      `g-${name}`,
    ]);

    const { text } = await door.page(visitor, '/account');
    expect(text).not.toContain('also opens with');
    expect(await remove(visitor, 'google')).toBe('/account?done=removed');
  });
});

test.skipIf(!chromiumPath)('in Chromium, on a phone: one click adds it, two remove it', async () => {
  const browser = await openChromium();
  try {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(`${door.baseUrl}/sign-in/google`);
    await page.getByRole('link', { name: 'Sign in with GitHub too' }).click();

    await page.getByText('The sign-in is added.').waitFor();
    expect(page.url()).toBe(`${door.baseUrl}/account?done=added`);
    expect(await page.getByRole('link', { name: /too$/ }).count()).toBe(0);
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Sign-ins' }) });
    const box = await section.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    await picture(section, 'sign-ins-360');

    await section.getByText('Remove GitHub').click();
    await picture(section, 'sign-ins-remove-360');
    await section.getByRole('button', { name: 'Yes, remove it' }).click();
    await page.getByText('The sign-in is removed').waitFor();
    expect(await section.getByText('You sign in with Google.').count()).toBe(1);
  } finally {
    await browser.close();
  }
});
