// The account page: rules 3, 5.1, 9.1, 13.1; protocol 5.4, 6.
import { describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { formOf, Visitor } from '../support/doors/visitor.ts';
import { type Account, anAccount, anotherAgent, useHill } from '../support/hill/index.ts';
import { aCode, aTournament, enter } from '../support/hill/tournaments.ts';

const hill = useHill();
const door = useHumansDoor(hill);

/** The account's human at the account page. */
async function humanOf(account: Account) {
  const visitor = new Visitor();
  visitor.cookies.set('hill_session', account.session);
  const page = () => door.page(visitor, '/account');
  const csrf = formOf((await page()).text, '/sign-out')?.csrf as string;
  return {
    page,
    send: async (path: string, fields: Record<string, string>) => {
      const answer = await visitor.post(door.baseUrl + path, { csrf, ...fields });
      const location = answer.headers.get('Location');
      return {
        status: answer.status,
        headers: answer.headers,
        location,
        text: location ? (await door.page(visitor, location)).text : await answer.text(),
      };
    },
  };
}

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

    expect(answer).toMatchObject({ status: 303, location: '/account?done=mandate' });
    expect(answer.text).toContain('The mandate is saved.');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ daily_cap_cents: 120050, max_stake_cents: 800 });
  });

  test.each(['', '-1', '1.234', 'ten', '1e3', '99999999'])('refuses %j and keeps what was', async (daily_cap) => {
    const ann = await anAccount(hill);

    const answer = await (await humanOf(ann)).send('/account/mandate', { daily_cap, max_stake: '8' });

    expect(answer.status).toBe(422);
    expect(answer.text).toContain('role="alert"');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ daily_cap_cents: 1000, max_stake_cents: 1500 });
  });
});

describe('fuel', () => {
  test('comes from the sandbox, which says that it is one', async () => {
    const ann = await anAccount(hill);
    const human = await humanOf(ann);

    expect((await human.page()).text).toContain('<strong>Sandbox.</strong>');
    const answer = await human.send('/account/top-up', { amount: '20.00' });

    expect(answer.location).toBe('/account?done=fuel');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ paid_cents: 2000 });
  });

  test.each(['19.99', '1000.01', 'all'])('refuses a top-up of %s', async (amount) => {
    const ann = await anAccount(hill);

    const answer = await (await humanOf(ann)).send('/account/top-up', { amount });

    expect(answer.status).toBe(422);
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ paid_cents: 0 });
  });

  test('comes from a code, once; what is wrong with one is said on the page', async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    const code = await aCode(hill, await aTournament(hill), { cents: 700 });
    await enter(hill, ann, 'spring-cup');
    const human = await humanOf(ann);

    expect((await human.send('/account/code', { code: ` ${code.toLowerCase()} ` })).location).toBe('/account?done=code');
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ granted_cents: 700 });

    expect((await human.send('/account/code', { code })).status).toBe(409);
    expect((await (await humanOf(bob)).send('/account/code', { code })).status).toBeGreaterThanOrEqual(403);
    const guesses = [];
    for (let i = 0; i < 11; i++) guesses.push(await (await humanOf(bob)).send('/account/code', { code: `AAAA-BBBB-${i}` }));
    expect(guesses.at(0)?.status).toBe(404);
    expect(guesses.at(-1)?.status).toBe(429);
    const seconds = Number(guesses.at(-1)?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(guesses.at(-1)?.text).toContain(`Too many codes were tried. Try again in ${seconds.toLocaleString('en-US')} seconds.`);
    expect(await hill.asHuman(bob).ownState()).toMatchObject({ granted_cents: 0 });
    expect(await hill.asHuman(ann).ownState()).toMatchObject({ granted_cents: 700 });
  });

  test('shows each lot of granted credits with its expiry', async () => {
    const ann = await anAccount(hill, { granted: [500, 700] });

    const { text } = await (await humanOf(ann)).page();

    expect(text).toMatch(/\$5\.00<\/td><td class="number">2026-05-30/);
    expect(text).toMatch(/\$7\.00<\/td><td class="number">2026-05-30/);
    expect(text).toContain('<dt>Granted credits</dt><dd>$12.00</dd>');
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

    expect((await (await humanOf(bob)).send('/account/withdraw', { slot: '4' })).location).toBe('/account?done=nothing');
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
      expect(await human.send('/account/withdraw', { slot: '5' })).toMatchObject({ status: 503 });
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

  test('of another account cannot be cut', async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];

    const human = await humanOf(ann);
    expect((await human.send('/account/cut', { agent_id: bob.agentId })).location).toBe('/account?done=gone');
    expect((await human.send('/account/cut', { agent_id: 'no id' })).location).toBe('/account?done=gone');

    await expect(hill.asAgent(bob).ownState()).resolves.toBeDefined();
  });
});

test('says nothing that its address makes up', async () => {
  const visitor = new Visitor();
  visitor.cookies.set('hill_session', (await anAccount(hill)).session);

  for (const done of ['toString', '__proto__', '<script>', 'unknown'])
    expect((await door.page(visitor, `/account?done=${encodeURIComponent(done)}`)).text).not.toContain('class="notice good"');
});
