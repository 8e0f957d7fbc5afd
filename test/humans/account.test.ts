// The account page: rules 3, 5.1, 9.1, 13.1; protocol 5.4, 6.
import { describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { formOf, unescaped, Visitor } from '../support/doors/visitor.ts';
import { type Account, anAccount, anotherAgent, call, useHill } from '../support/hill/index.ts';
import { aCode, aTournament, enter } from '../support/hill/tournaments.ts';

const hill = useHill();
const door = useHumansDoor(hill);

/** The account's human at the account page. */
async function humanOf(account: Account) {
  const visitor = new Visitor(account.session);
  const page = () => door.page(visitor, '/account');
  const csrf = formOf((await page()).text, '/sign-out')?.csrf as string;
  return {
    visitor,
    page,
    send: async (path: string, fields: Record<string, string>, follow = true) => {
      const answer = await visitor.post(door.baseUrl + path, { csrf, ...fields });
      const location = answer.headers.get('Location');
      return {
        status: answer.status,
        location,
        text: location && follow ? (await door.page(visitor, location)).text : await answer.text(),
      };
    },
  };
}

/** What a page says beside a field, where its input points to it. */
const problemBeside = (text: string, name: string) =>
  new RegExp(`<input id="${name}"[^>]* aria-describedby="${name}-problem[^>]* aria-invalid="true"`).test(text)
    ? unescaped(new RegExp(`<p class="problem" id="${name}-problem" role="alert">(.*?)</p>`).exec(text)?.[1] ?? '')
    : undefined;
const typedIn = (text: string, name: string) =>
  unescaped(new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? '');
const words = (text: string) => unescaped(text.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');

describe('a new human', () => {
  test('has an account with a name that tells nothing, the default mandate, no agent and no credits', async () => {
    const page = await door.page(await door.signIn('new@example.com'), '/account');

    expect(page.text).toMatch(/<h1><bdi>[A-Z][a-z]+ [A-Z][a-z]+<\/bdi><\/h1>/);
    expect(page.text).toContain('No agent plays for you yet.');
    expect(page.text).toContain('name="daily_cap" value="10.00"');
    expect(page.text).toContain('name="max_stake" value="15.00"');
    expect(page.text).toContain('Your agents have deposited no move today.');
  });
});

describe('the mandate', () => {
  test('is set in dollars, and binds the next deposit', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    const human = await humanOf(ann);

    const answer = await human.send('/account/mandate', { daily_cap: '$1,200.50', max_stake: '8' });

    expect(answer).toMatchObject({ status: 303, location: '/account' });
    expect(answer.text).toContain(
      'The daily cap is $1,200.50 from now on; it was $10. The largest stake is $8 from now on; it was $15.',
    );
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ daily_cap_cents: 120050, max_stake_cents: 800 });
  });

  test.each(['', '-1', '1.234', 'ten', '1e3', '99999999'])('refuses %j and keeps what was', async (daily_cap) => {
    const ann = await anAccount(hill);

    const human = await humanOf(ann);

    const answer = await human.send('/account/mandate', { daily_cap, max_stake: '8' });

    expect(answer).toMatchObject({ status: 303, location: '/account#daily_cap' });
    expect(problemBeside(answer.text, 'daily_cap')).toBe('Enter an amount from $0 to $1,000,000.');
    expect(problemBeside(answer.text, 'max_stake')).toBeUndefined();
    expect(typedIn(answer.text, 'daily_cap')).toBe(daily_cap);
    expect(typedIn(answer.text, 'max_stake')).toBe('8');
    // opened again, the page has forgotten it
    expect(typedIn((await human.page()).text, 'daily_cap')).toBe('10.00');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ daily_cap_cents: 1000, max_stake_cents: 1500 });
  });

  test('saved from a tab that is old changes only what was changed in it', async () => {
    const ann = await anAccount(hill);
    const human = await humanOf(ann);
    await hill.asHuman(ann).setMandate(700, null); // in another tab

    const answer = await human.send('/account/mandate', {
      ...{ shown_daily_cap: '10.00', shown_max_stake: '15.00' },
      ...{ daily_cap: '10.00', max_stake: '9' },
    });

    expect(answer.text).toContain('<p>The largest stake is $9 from now on; it was $15.</p>');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ daily_cap_cents: 700, max_stake_cents: 900 });
  });

  test('has a weekly cap, which an empty field takes away', async () => {
    const ann = await anAccount(hill);
    const human = await humanOf(ann);

    expect((await human.send('/account/weekly', { weekly_cap: '12.50' })).text).toContain('Left for today: $12.50.');
    expect(problemBeside((await human.send('/account/weekly', { weekly_cap: 'x' })).text, 'weekly_cap')).toBe(
      'Enter an amount from $0 to $1,000,000.',
    );
    expect((await human.send('/account/weekly', { weekly_cap: '' })).location).toBe('/account?done=weekly');
    expect(await hill.asHuman(ann).ownState()).not.toHaveProperty('weekly_cap_cents');
  });

  test('is paused until a day, and no longer', async () => {
    const ann = await anAccount(hill);
    const human = await humanOf(ann);
    const [, earliest = '', latest = ''] =
      /type="date" min="([\d-]+)" max="([\d-]+)"/.exec((await human.page()).text) ?? [];

    expect((await human.send('/account/pause', { until: latest })).text).toContain(
      `Paused until ${latest}, 00:00 UTC.`,
    );
    expect((await human.send('/account/pause', {})).text).toContain('The pause is over');
    for (const until of ['2026-02-30', 'soon', '2020-01-01', '9999-12-31'])
      expect(problemBeside((await human.send('/account/pause', { until })).text, 'until')).toBe(
        `Choose a day from ${earliest} to ${latest}.`,
      );
    expect(await hill.asHuman(ann).ownState()).not.toHaveProperty('paused_until');
  });

  test('says which of two caps decides: the default stake is over the default cap', async () => {
    const ann = await anAccount(hill);
    const human = await humanOf(ann);
    expect((await human.page()).text).toContain('no WAR can stake more than <strong>$10</strong>');
    expect((await human.send('/account/mandate', { daily_cap: '15', max_stake: '15' })).text).not.toContain(
      'no WAR can stake',
    );
  });
});

describe('the name', () => {
  test('is changed on the page, by the rules of agents; the public page stays where it is', async () => {
    const ann = await anAccount(hill, { name: 'Ann of old' });
    await anAccount(hill, { name: 'Lady Macbeth' });
    const human = await humanOf(ann);

    const answer = await human.send('/account/name', { name: ' Ann the Bold ' });
    expect(answer.location).toBe('/account?done=named');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ name: 'Ann the Bold', slug: 'ann-of-old' });
    for (const [name, problem] of [
      ['nobody', 'The name is reserved: it could be taken for the service itself.'],
      ['', 'The name must have 1 to 60 characters.'],
      ['Lady Rnacbeth', "The name is another account's, or looks like it. \u2068Lady Rnacbeth 2\u2069 is free."],
    ] as const)
      expect(problemBeside((await human.send('/account/name', { name })).text, 'name')).toBe(problem);
    await hill.rows('update hill.accounts set suspended_at = now() where id = $1', [ann.id]);
    expect(problemBeside((await human.send('/account/name', { name: 'Eve' })).text, 'name')).toMatch(
      /^Your account is suspended/,
    );
  });
});

describe('the site', () => {
  test('is set, proven and looked at on its page, as agents do it', async () => {
    const ann = await anAccount(hill);
    const human = await humanOf(ann);
    const site = async () => words((await door.page(human.visitor, '/account/site')).text);

    for (const url of ['example', 'https://ann@example.com/', 'javascript:alert(1)', 'https://a\0b.example/'])
      expect([url, problemBeside((await human.send('/account/site', { url })).text, 'url')]).toEqual([
        url,
        'Give a whole http or https address without a user name, such as https://example.com/.',
      ]);
    const { location, text } = await human.send('/account/site', { url: ' https://Ann.example ' });
    expect([location, typedIn(text, 'url')]).toEqual(['/account/site', 'https://ann.example/']);
    expect(words(text)).toContain('Not verified yet');
    expect(words((await human.send('/account/site/check', {})).text)).toMatch(
      /The hill looks at your site now.*The page is being looked at/,
    );
    const { token, checking } = await call<{ token: string; checking: boolean }>(
      hill.as('web'),
      'api_agent.verify_badge',
      { token: ann.token },
    );
    expect([checking, (await site()).includes(`<meta name="hill-verification" content="${token}">`)]).toEqual([
      true,
      true,
    ]);
    const look = (result: string, tag: boolean) =>
      call(hill.as('worker'), 'api_worker.end_site_check', {
        ...{ account_id: ann.id, url: 'https://ann.example/', result, status: 200, tag, badge: false },
      });
    await look('nothing_found', false);
    expect(await site()).toContain('neither the tag in its head nor the badge link. (HTTP 200)');
    expect(words((await human.send('/account/site/check', {})).text)).toContain('was looked at a moment ago');
    await look('found', true);
    expect(await site()).toContain('The boards show that the site is yours. It is looked at again every');
    expect(words((await human.send('/account/site', { url: '' })).text)).toContain('The address is gone.');
    await hill.rows('update hill.accounts set suspended_at = now() where id = $1', [ann.id]);
    expect(words((await human.send('/account/site', { url: 'https://ann.example/' })).text)).toContain(
      'Your account is suspended, so nothing was changed.',
    );
  });
});

test('a refusal that another session was told of is not shown', async () => {
  const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
  const [first, second] = [await humanOf(ann), await humanOf(bob)];
  await first.send('/account/mandate', { daily_cap: 'mine', max_stake: '8' }, false);
  for (const [name, value] of first.visitor.cookies)
    if (name !== 'hill_session') second.visitor.cookies.set(name, value);

  expect((await second.page()).text).not.toContain('mine');
});

describe('credits', () => {
  test('comes from the sandbox, which says that it is one', async () => {
    const ann = await anAccount(hill);
    const human = await humanOf(ann);

    expect((await human.page()).text).toContain('<strong>Play money.</strong>');
    const answer = await human.send('/account/top-up', { amount: '20.00' });

    expect(answer.location).toBe('/account?done=credits');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ paid_cents: 2000 });
  });

  test.each(['19.99', '1000.01', 'all'])('refuses a top-up of %s', async (amount) => {
    const ann = await anAccount(hill);

    const answer = await (await humanOf(ann)).send('/account/top-up', { amount });

    expect(answer).toMatchObject({ status: 303, location: '/account#amount' });
    expect(problemBeside(answer.text, 'amount')).toBe('Enter an amount from $20 to $1,000.');
    expect(typedIn(answer.text, 'amount')).toBe(amount);
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ paid_cents: 0 });
  });

  test('comes from a code, once; what is wrong with one is said on the page', async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    const code = await aCode(hill, await aTournament(hill), { cents: 700 });
    await enter(hill, ann, 'spring-cup');
    const human = await humanOf(ann);

    expect((await human.send('/account/code', { code: ` ${code.toLowerCase()} ` })).location).toBe(
      '/account?done=code',
    );
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ granted_cents: 700 });

    const problem = async (who: typeof human, typed: string) => {
      const { status, text } = await who.send('/account/code', { code: typed });
      expect(status).toBe(303);
      expect(typedIn(text, 'code')).toBe(typed);
      return problemBeside(text, 'code');
    };
    expect(await problem(human, code)).toMatch(/^You have redeemed that code already/);
    expect(await problem(await humanOf(bob), code)).toMatch(/^That code is for those who take part/);
    const guesses = [];
    for (let i = 0; i < 9; i++) guesses.push(await problem(await humanOf(bob), `AAAA-BBBB-${i}`));
    expect(guesses.at(0)).toMatch(/^That code does not exist\./);
    expect(guesses.at(-1)).toMatch(/^That code does not exist\./);
    const eleventh = await (await humanOf(bob)).send('/account/code', { code: 'AAAA-BBBB-10' });
    expect(eleventh.status).toBe(429);
    expect(eleventh.text).toMatch(/Too many codes were tried\. Try again in \d+ (minute|second)s?\./);
    expect(await hill.asHuman(bob).ownState()).toMatchObject({ granted_cents: 0 });
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ granted_cents: 700 });
  });

  test('shows each lot of granted credits with its expiry', async () => {
    const ann = await anAccount(hill, { granted: [500, 700] });

    const { text } = await (await humanOf(ann)).page();

    expect(text).toMatch(/\$5\.00<\/td><td class="number">2026-05-30/);
    expect(text).toMatch(/\$7\.00<\/td><td class="number">2026-05-30/);
    expect(text).toContain('<dt>Granted</dt><dd>$12.00</dd>');
    expect(text).toContain('Those that expire during a day pay for its moves until its bell.');
  });
});

describe("tonight's own moves", () => {
  test('are shown to their human, and withdrawn', async () => {
    const [ann, bob] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
    await hill.asAgent(ann).play({ slot: 4, move: 'WAR', stake_cents: 900, message: 'Mine & <b>yours</b>' });
    const human = await humanOf(ann);

    const { text } = await human.page();
    expect(text).toContain('WAR</span> <strong>on place 4</strong> with a stake of $9.00');
    expect(text).toContain('Mine &amp; &lt;b&gt;yours&lt;/b&gt;');
    expect((await (await humanOf(bob)).page()).text).not.toContain('on place 4');

    expect((await (await humanOf(bob)).send('/account/withdraw', { slot: '4' })).location).toBe(
      '/account?done=nothing',
    );
    expect((await hill.asHuman(ann).ownState()).moves).toHaveLength(1);

    expect((await human.send('/account/withdraw', { slot: '4' })).location).toBe('/account?done=withdrawn');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ moves: [], reserved_cents: 0 });
  });

  test('are not shown while the bell is ringing, and cannot be withdrawn', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 5, move: 'PEACE' });
    const human = await humanOf(ann);

    await hill.asRoot(async (bell) => {
      await bell.query('begin; lock table hill.day_lock in exclusive mode');
      expect((await human.page()).text).toContain('The bell is ringing');
      expect(await human.send('/account/withdraw', { slot: '5' })).toMatchObject({
        status: 303,
        text: expect.stringMatching(/role="alert"><p>The bell/),
      });
      await bell.query('rollback');
    });

    expect((await hill.asHuman(ann).ownState()).moves).toHaveLength(1);
  });
});

describe('agents', () => {
  test('are listed with name and model, escaped, and cut one by one', async () => {
    const ann = await anAccount(hill, { name: 'First <i>', credits: 5000 });
    const second = await anotherAgent(hill, ann);
    const human = await humanOf(ann);

    const { text } = await human.page();
    expect(text).toContain('First &lt;i&gt;');
    expect(text).toContain('model <bdi>another model</bdi>');

    expect((await human.send('/account/cut', { agent_id: second.agentId })).location).toBe('/account?done=cut');
    await expect(hill.asAgent(second).ownState()).rejects.toMatchObject({ code: 'ZHTOK' });
    await expect(hill.asAgent(ann).ownState()).resolves.toBeDefined();
    expect((await human.page()).text).toContain('cut off on');
  });

  test('that staff have cut can be cut for good', async () => {
    const ann = await anAccount(hill);
    const human = await humanOf(ann);
    await hill.rows(
      `with c as (insert into oauth.clients (id, kind, name, scopes, created_at)
                  values ('a-client', 'registered', 'A client', '{hill:play}', engine.door_now()) returning id, created_at)
       insert into oauth.grants (client_id, account_id, agent_id, scopes, created_at, last_used_at)
       select c.id, $1, $2, '{hill:play}', c.created_at, c.created_at from c`,
      [ann.id, ann.agentId],
    );
    await hill.asStaff().call('api_staff.cut_agent', { agent_id: ann.agentId, reason: 'a test' });
    const { text } = await human.page();
    expect(text).toMatch(/cut off by staff on .*; they may let it in again/);
    expect(text).toContain('Cut off for good');

    await human.send('/account/cut', { agent_id: ann.agentId });
    expect((await human.page()).text).not.toMatch(/by staff|for good/);
  });

  test('of another account cannot be cut', async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];

    const human = await humanOf(ann);
    expect((await human.send('/account/cut', { agent_id: bob.agentId })).location).toBe('/account?done=gone');
    expect((await human.send('/account/cut', { agent_id: 'no id' })).location).toBe('/account?done=gone');

    await expect(hill.asAgent(bob).ownState()).resolves.toBeDefined();
  });
});

test('says nothing that its address makes up', async () => {
  const visitor = new Visitor((await anAccount(hill)).session);

  for (const done of ['toString', '__proto__', '<script>', 'unknown'])
    expect((await door.page(visitor, `/account?done=${encodeURIComponent(done)}`)).text).not.toContain(
      'class="notice good"',
    );
});

describe('the last night', () => {
  test('is told first: place, points, cost and verdict; then move by move, with what paid for it', async () => {
    const ann = await anAccount(hill, { name: 'Ann', granted: [200], credits: 5000, daily_cap_cents: 5000 });
    const [bob, cid] = [
      await anAccount(hill, { name: 'Bob', credits: 5000 }),
      await anAccount(hill, { name: 'Cid', credits: 5000 }),
    ];
    const human = await humanOf(ann);
    await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(bob).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 8, move: 'PEACE', message: 'Room for two' });
    await hill.asAgent(cid).play({ slot: 8, move: 'WAR', stake_cents: 800 });
    expect(words((await human.page()).text)).not.toContain('+5 points');

    const { day } = await hill.clock.ringBell();

    const text = words((await human.page()).text);
    expect(text).toContain(`Last night day ${day} place 1, +5 points, −$6.00, kept`);
    expect(text).toContain('PEACE on place 1 : took a seat (+5 points, −$3.00)');
    expect(text).toContain('PEACE on place 8 : evicted by Cid (−$3.00) “ Room for two ”');
    expect(text).toMatch(
      /From credits granted 2026-\d\d-\d\d, to expire 2026-\d\d-\d\d: \$2\.00; play money: \$4\.00\./,
    );
    expect(text).toMatch(/Reputation 100 % peace/);
    // of the others it tells what is theirs
    expect(words((await (await humanOf(cid)).page()).text)).toContain('place 8, +3 points, −$8.00');

    const history = await door.page(human.visitor, '/account/history');
    expect(words(history.text)).toMatch(new RegExp(`Day ${day} PEACE on place 1 .* \\+5 −\\$6\\.00 \\$46\\.00 `));
    expect(words(history.text)).toMatch(/Grant of credits \+\$2\.00 Day \d+ Top-up of play money \+\$50\.00/);

    // each deposit of it with what opens it
    expect(history.text).toContain(`href="/account/history/${day}"`);
    const deposits = await door.page(human.visitor, `/account/history/${day}`);
    const own = await hill.rows<{ salt: string; commitment: string }>(
      "select encode(salt, 'hex') as salt, encode(commitment, 'hex') as commitment from hill.moves where day = $1 and account_id = $2",
      [day, ann.id],
    );
    expect(own).toHaveLength(2);
    for (const { salt, commitment } of own) {
      expect(deposits.text).toContain(salt);
      expect(deposits.text).toContain(`href="/log/deposit/${day}/${commitment}"`);
    }
    for (const none of [day + 1, 0, 'x', 999999999])
      expect((await door.page(human.visitor, `/account/history/${none}`)).status).toBe(404);

    // it plays nothing the next day: the place is left, and nothing is spent
    await hill.clock.ringBell();
    expect(words((await human.page()).text)).toContain(
      `Last night day ${day + 1} no place, +0 points, $0.00 Left place 1 : no agent of yours moved there.`,
    );
    expect(words((await door.page(human.visitor, `/account/history/${day + 1}`)).text)).toContain(
      'The log has no deposit of yours of that day.',
    );
    await hill.clock.ringBell();
    expect(words((await human.page()).text)).toContain(
      'Your agents had no move and no place: nothing was spent, nothing earned.',
    );
  });

  test('and all others are turned page by page', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    const human = await humanOf(ann);
    await hill.asAgent(ann).play({ slot: 9, move: 'PEACE' });
    const { day } = await hill.clock.ringBell();
    await hill.clock.toDay(day + 33);

    const latest = await door.page(human.visitor, '/account/history');
    expect(latest.text).not.toContain(`href="/day/${day}"`);
    const [, earlier] = /href="([^"]*)" rel="next"/.exec(latest.text) ?? [];
    const before = await door.page(human.visitor, earlier as string);
    expect(before.text).toContain(`href="/day/${day}"`);
    expect(before.text).toContain('Later nights');
    for (const nonsense of ['0', '-1', '999999999', 'x', '1&before=2'])
      expect((await door.page(human.visitor, `/account/history?before=${nonsense}`)).status).toBe(200);
  });
});
