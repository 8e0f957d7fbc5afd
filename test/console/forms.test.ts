// What staff do by form: two steps, nothing before the second, and from each entry of the audit log the way back.
import { randomUUID } from 'node:crypto';
import { parseHTML } from 'linkedom';
import { beforeAll, describe, expect, test } from 'vitest';
import { actions } from '../../src/console/act/actions.ts';
import { useConsole } from '../support/doors/console.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { aMember, type Role } from '../support/hill/staff.ts';
import { aCode, aTournament } from '../support/hill/tournaments.ts';

const hill = useHill();
const staff = useConsole(hill);
const reason = 'asked by its human';
let cookie: string;
let ann: Account;

beforeAll(async () => {
  cookie = await staff.signIn('Sam');
  ann = await anAccount(hill, { name: 'Ann <b>Bold</b>', credits: 20_000 });
  await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE', message: 'words of an announcement' });
  await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: 'words of a move' });
  await hill.clock.ringBell();
  await aTournament(hill, { slug: 'cup', opens_day: 5, sign_ups_close_day: 6, starts_day: 7, ends_day: 8 });
});

async function open(path: string) {
  const answer = await staff.fetch(path, { headers: { Cookie: cookie } });
  const { document } = parseHTML(await answer.text());
  const fields = [...document.querySelectorAll('form.act [name]')].map((field): [string, string] => [
    field.getAttribute('name') as string,
    field.getAttribute('value') ?? field.textContent ?? '',
  ]);
  return { status: answer.status, document, text: document.querySelector('main')?.textContent ?? '', fields };
}
const send = async (name: string, fields: Record<string, string>) => {
  const answer = await staff.fetch(`/do/${name}`, {
    method: 'POST',
    headers: { Cookie: cookie },
    body: new URLSearchParams(fields),
  });
  const { document } = parseHTML(await answer.text());
  return {
    status: answer.status,
    to: answer.headers.get('location'),
    text: document.querySelector('main')?.textContent ?? '',
    alert: document.querySelector('[role=alert]')?.textContent,
  };
};
const entries = async () => Number((await hill.rows<{ n: string }>('select count(*) as n from hill.audit_log'))[0]?.n);

describe('the forms', () => {
  test('are one for each function that staff call with a reason, and ask for its arguments', async () => {
    const functions = await hill.rows<{ name: string; args: string[]; needed: number }>(
      `select p.proname as name, p.proargnames as args, p.pronargs - p.pronargdefaults as needed
         from pg_proc p where p.pronamespace = 'api_staff'::regnamespace and 'reason' = any (p.proargnames)
          and has_function_privilege('hill_staff', p.oid, 'execute')`,
    );
    const shown = Object.values(actions);
    expect([...new Set(shown.map(({ call }) => call))].sort()).toEqual(functions.map(({ name }) => name).sort());
    for (const { call, to = [], fields = [], always = {} } of shown) {
      const { args = [], needed = 0 } = functions.find(({ name }) => name === call) ?? {};
      const asked = [...to, ...fields.map(({ name }) => name), ...Object.keys(always), 'reason'];
      expect(args, call).toEqual(expect.arrayContaining(asked));
      expect(asked, call).toEqual(expect.arrayContaining(args.slice(0, needed)));
      const optional = fields.filter((field) => field.optional).map(({ name }) => name);
      expect(args.slice(needed), call).toEqual(expect.arrayContaining(optional));
    }
    const [{ roles } = {}] = await hill.rows('select engine.staff_roles() as roles');
    expect(actions['set-staff']?.fields).toContainEqual(expect.objectContaining({ name: 'role', kind: roles }));
  });

  test.each(Object.keys(actions))('%s says what it does, and wants what it is about, and a reason', async (name) => {
    expect((await open(`/do/${name}`)).text).toContain(actions[name]?.so);
    expect((await send(name, {})).status).toBe(400);
    const about = Object.fromEntries((actions[name]?.to ?? []).map((key) => [key, randomUUID()]));
    const { alert = '' } = await send(name, { ...about, reason, sure: 'yes' });
    expect(alert).toMatch(/There is no such|is missing|There is not|That is not/);
    expect((await open('/do')).document.querySelector(`a[href="/do/${name}"]`)).not.toBeNull();
  });

  test('are for staff, from the console’s own pages', async () => {
    expect((await staff.fetch('/do')).status).toBe(401);
    expect((await staff.fetch('/do/grant-credits', { method: 'POST', body: new URLSearchParams() })).status).toBe(401);
    const elsewhere = { Cookie: cookie, Origin: 'http://localhost:8080' };
    expect((await staff.fetch('/do/grant-credits', { method: 'POST', headers: elsewhere })).status).toBe(403);
    expect((await open('/do/nonsense')).status).toBe(404);
    expect((await open('/do/constructor')).status).toBe(404);
  });
});

test('a role is shown the forms that it may use; of the others, who may', async () => {
  const support = await aMember(hill, 'support');
  const signedIn = cookie;
  cookie = await staff.signInAs(support.account);
  try {
    const { document } = await open('/do');
    expect(document.querySelector('a[href="/do/cut-agent"]')).not.toBeNull();
    expect(document.querySelector('ul.ways a[href="/do/create-tournament"]')).toBeNull();
    expect(await open('/do/create-tournament')).toMatchObject({
      status: 403,
      text: expect.stringContaining('for the role manager or owner, and yours is support'),
      fields: [],
    });
    expect(await send('open-place', { slot: '3', day: '90', reason, sure: 'yes' })).toMatchObject({
      status: 403,
      alert: expect.stringContaining('manager or owner'),
    });
  } finally {
    cookie = signedIn;
  }
});

describe('giving credits', () => {
  const lots = () => hill.rows('select cents from hill.lots where account_id = $1', [ann.id]);

  test('takes a name and an amount in words, then a yes; twice the same yes gives once; the way back takes it', async () => {
    const { text, fields } = await open(`/do/grant-credits?account_id=${ann.id}&cents=99999&reason=because`);
    expect(text).toContain('Ann <b>Bold</b>');
    expect(Object.fromEntries(fields)).toMatchObject({ account_id: ann.id, reason: 'because', cents: '99999' });
    const filled = { ...Object.fromEntries(fields), cents: '1250', reason };
    const before = await entries();
    const asked = await send('grant-credits', filled);
    expect(asked).toMatchObject({ status: 200, text: expect.stringContaining('$12.50 (1,250 cents)') });
    expect([await lots(), await entries()]).toEqual([[], before]);

    const [one, other] = await Promise.all([1, 2].map(() => send('grant-credits', { ...filled, sure: 'yes' })));
    expect([one?.status, other?.status]).toEqual([303, 303]);
    expect(await lots()).toEqual([{ cents: 1250 }]);

    const entry = await open(one?.to as string);
    expect(entry.text).toContain(reason);
    const back = entry.document.querySelector('a.button')?.getAttribute('href') as string;
    expect(back).toMatch(/^\/do\/revoke-grant\?lot_id=/);
    const undo = await open(back);
    expect(undo.text).toContain('$12.50');
    const undone = await send('revoke-grant', { ...Object.fromEntries(undo.fields), reason, sure: 'yes' });
    expect((await open(undone.to as string)).document.querySelector('a.button')?.textContent).toBe(
      actions['keep-grant']?.does,
    );
    expect((await open(one?.to as string)).text).toContain('Taken back');
  });

  test('is refused in words, at the first step, and changes nothing', async () => {
    const given = { account_id: ann.id, key: 'too much', cents: '999999999', reason };
    const before = await entries();
    for (const [wrong, why] of [
      [{}, /most that you can give at once|limit|at most/],
      [{ cents: '12.50' }, /whole number/],
      [{ cents: '0' }, /1 cent or more/],
      [{ cents: '5', reason: 'x' }, /reason of 3 to 500/],
      [{ cents: '5', reason: 'a\0b' }, /a character that is none/],
      [{ cents: '5', account_id: randomUUID() }, /no such account/],
    ] as const)
      expect(await send('grant-credits', { ...given, ...wrong })).toMatchObject({
        status: 400,
        alert: expect.stringMatching(why),
      });
    expect(await entries()).toBe(before);
  });
});

test.each([
  ['suspend-account', () => ({ account_id: ann.id, because: 'for a while' }), 'restore-account'],
  ['mark-founder', () => ({ account_id: ann.id }), 'unmark-founder'],
  ['cut-agent', () => ({ agent_id: ann.agentId }), 'uncut-agent'],
  ['hide-profile', () => ({ account_id: ann.id }), 'show-profile'],
  ['hide-message', () => ({ account_id: ann.id, day: '1', slot: '1' }), 'show-message'],
  ['hide-announcement', () => ({ account_id: ann.id, day: '1', slot: '1' }), 'show-announcement'],
  ['cancel-tournament', () => ({ slug: 'cup' }), 'uncancel-tournament'],
  ['set-staff', () => ({ account_id: ann.id, name: 'Ann', role: 'viewer' }), 'remove-staff'],
] as const)('%s leads to what takes it back', async (name, given, reverse) => {
  const done = await send(name, { ...given(), reason, sure: 'yes' });
  expect(done).toMatchObject({ status: 303, to: expect.stringMatching(/^\/audit\/\d+$/) });
  const back = (await open(done.to as string)).document.querySelector('a.button')?.getAttribute('href') as string;
  expect(back).toMatch(new RegExp(`^/do/${reverse}\\?`));
  const { fields, status } = await open(back);
  expect(status).toBe(200);
  const again = await send(reverse, { ...Object.fromEntries(fields), reason, sure: 'yes' });
  expect(again, again.alert).toMatchObject({ status: 303 });
});

describe('an account whose human cannot sign in', () => {
  let beside: string; // Sam's cookie is of the key, which may do none of it
  const sessions: string[] = [];
  const aCookie = async (role: Role) => staff.signInAs((await aMember(hill, role)).account);
  const orderOf = async ({ id }: Account) =>
    await hill.rows<{ id: string; state: string }>(
      'select id, state from hill.account_orders where account_id = $1 order by id desc',
      [id],
    );

  beforeAll(async () => {
    beside = cookie;
    sessions.push(await aCookie('support'), await aCookie('manager'));
    return () => {
      cookie = beside;
    };
  });

  test.each(['move-sign-in', 'close-account-for'] as const)(
    '%s: begun on its page, approved by a colleague, stopped from the log',
    async (name) => {
      const bea = await anAccount(hill);
      const [{ slug } = {}] = await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [
        bea.id,
      ]);
      const page = () => open(`/account/${slug}`);
      const link = async (part: string, path = `/account/${slug}`) =>
        (await open(path)).document.querySelector(`a[href^="/do/${part}"]`)?.getAttribute('href') as string;
      const fill = async (way: string, more: Record<string, string> = {}) =>
        send(way.slice(4).split('?')[0] as string, {
          ...Object.fromEntries((await open(way)).fields),
          reason,
          ...more,
        });

      cookie = beside; // the key: nobody could be the second
      expect(await fill(await link(name))).toMatchObject({
        status: 400,
        alert: expect.stringContaining('your own account'),
      });

      [cookie] = sessions as [string];
      const { fields } = await open(await link(name));
      const filled = { ...Object.fromEntries(fields), reason };
      expect((await send(name, filled)).text).toContain('7 days later or more');
      expect(await orderOf(bea)).toEqual([]);
      const twice = await Promise.all([1, 2].map(() => send(name, { ...filled, sure: 'yes' })));
      expect(twice.map(({ status }) => status)).toEqual([303, 303]);
      expect(await orderOf(bea)).toHaveLength(1);
      const shown = /code for its human: ([\w-]+)/.exec((await page()).text)?.[1];
      expect(shown !== undefined).toBe(name === 'move-sign-in');
      const own = await fill(await link('approve-account-order'), { sure: 'yes' });
      expect(own).toMatchObject({ status: 403, alert: expect.stringContaining('for the role manager or owner') });

      [, cookie] = sessions as [string, string];
      expect((await page()).text).not.toContain(shown ?? 'code for its human');
      if (name === 'move-sign-in') {
        expect((await fill(await link('approve-account-order', '/do'))).alert).toContain(
          'has not signed in with the code',
        );
        await hill.root.query(
          `update hill.account_orders set code = null, provider = 'google', subject = 'x', email = 'x@y.example', proven_at = now() where account_id = $1`,
          [bea.id],
        );
      }
      const approved = await fill(await link('approve-account-order', '/do'), { sure: 'yes' });
      expect(approved, approved.alert).toMatchObject({ status: 303, to: expect.stringMatching(/^\/audit\/\d+$/) });
      const told = await page();
      expect(told.text).not.toContain('x@y.example');
      expect(told.text).toMatch(/approve|stop/);
      expect((await orderOf(bea))[0]?.state).toBe('approved');

      const back = (await open(approved.to as string)).document
        .querySelector('a.button')
        ?.getAttribute('href') as string;
      expect(back).toMatch(/^\/do\/stop-account-order\?/);
      const stopped = await fill(back, { sure: 'yes' });
      expect(stopped, stopped.alert).toMatchObject({ status: 303 });
      expect((await orderOf(bea))[0]?.state).toBe('stopped');
      expect((await open(approved.to as string)).text).toContain('Taken back');
      expect(await fill(back, { sure: 'yes' })).toMatchObject({
        status: 400,
        alert: expect.stringContaining('stopped'),
      });
      expect((await open(stopped.to as string)).document.querySelector('a.button')?.getAttribute('href')).toMatch(
        new RegExp(`^/do/${name}\\?`),
      );
    },
  );
});

describe('the usual tickets', () => {
  const find = async (text: string) => {
    const answer = await staff.fetch('/find', {
      method: 'POST',
      headers: { Cookie: cookie },
      body: new URLSearchParams({ text }),
    });
    return answer.headers.get('location') ?? (await answer.text());
  };

  test('“somebody insults me”: words are found in any case, by a part of them, and hidden from there', async () => {
    for (const [wanted, found] of [
      ['WORDS OF A', ['words of a move', 'words of an announcement']],
      ['of a move', ['words of a move']],
      ['%', []],
      ['words_of', []],
      ['words\0of', []],
    ] as const) {
      const { text, status } = await open(`/words?text=${encodeURIComponent(wanted)}`);
      expect([wanted, status]).toEqual([wanted, 200]);
      for (const said of ['words of a move', 'words of an announcement'])
        expect(text.includes(said), `${wanted}: ${said}`).toBe((found as readonly string[]).includes(said));
    }
    const link = (await open('/words?text=of a move')).document.querySelector('td a[href^="/do/hide-message"]');
    const form = await open(link?.getAttribute('href') as string);
    expect((await send('hide-message', { ...Object.fromEntries(form.fields), reason, sure: 'yes' })).status).toBe(303);
    const again = await open('/words?text=of a move');
    expect(again.text).toContain('words of a move');
    expect(again.document.querySelector('td a[href^="/do/show-message"]')).not.toBeNull();
    expect((await open('/night/1/1')).document.querySelector('td a[href^="/do/show-message"]')).not.toBeNull();
  });

  test('“my code does not work”: it is found as it was typed, with what is left of it and who has it', async () => {
    const code = await aCode(hill, 'cup', { code: 'WELCOME-2026', uses: 3 });
    const found = await find(` ${code.toLowerCase()} `);
    expect(found).toContain('0 of 3');
    expect(found).toContain('Nobody yet.');
    expect(found).toContain('/do/revoke-tournament-code?code=WELCOME-2026');
  });

  test('“I paid and have no credits”: each top-up with its state and what Stripe calls it', async () => {
    await hill.root.query(
      `insert into hill.top_ups (account_id, cents, created_at, started_at, checkout, failed_at)
       values ($1, 2500, now(), now(), 'cs_pending', null), ($1, 3500, now(), now(), 'cs_failed', now())`,
      [ann.id],
    );
    const [{ slug } = { slug: '' }] = await hill.rows<{ slug: string }>(
      'select slug from hill.accounts where id = $1',
      [ann.id],
    );
    const { text } = await open(`/account/${slug}`);
    expect(text).toMatch(/\$35\.00\s*failed/);
    expect(text).toMatch(/\$25\.00\s*not paid yet, or on its way/);
    expect(text).toContain('cs_pending');
  });

  test('“my agent was cut”: its account is found by the name of the agent', async () => {
    await hill.root.query("update hill.agents set name = 'Robo Nine' where id = $1", [ann.agentId]);
    expect(await find('robo nine')).toMatch(/^\/account\//);
  });
});
