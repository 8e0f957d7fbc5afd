// Staff answer for codes: why one does not work, and many at once, as a page and as a file. Rules 8.5, 18.2, 18.6.
import { beforeAll, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { type Account, anAccount, refusal, useHill } from '../support/hill/index.ts';
import { aCode, aTournament, enter, redeem } from '../support/hill/tournaments.ts';

const hill = useHill();
const staff = useConsole(hill);
let cookie: string;
let ann: Account;
let slug: string;

beforeAll(async () => {
  slug = await aTournament(hill, { sign_ups_close_day: 20, starts_day: 21, ends_day: 25 });
  await aCode(hill, slug, { code: 'PRAGUE-2026' });
  ann = await anAccount(hill, { name: 'Ann' });
  await refusal(redeem(hill, ann, 'PRAG-2026'));
  await refusal(redeem(hill, ann, 'PRAGUE-2026'));
  await refusal(redeem(hill, ann, '<b>\u202e'));
  cookie = await staff.signIn();
});

const ask = async (path: string, options: RequestInit = {}) => {
  const response = await staff.fetch(path, { ...options, headers: { Cookie: cookie } });
  return { response, body: await response.text() };
};
const find = async (text: string) => (await ask('/find', { method: 'POST', body: new URLSearchParams({ text }) })).body;
const act = (name: string, fields: Record<string, string>) =>
  ask(`/do/${name}`, { method: 'POST', body: new URLSearchParams({ ...fields, sure: 'yes' }) });

test('what somebody typed is found by it, in any case, by the code that was meant, and by the account', async () => {
  const missed = await find('prag-20');
  expect(missed).toContain('The one that is most like it is <strong>PRAGUE-2026</strong>');
  expect(missed).toContain('There is no such code');
  const meant = await find('prague-2026');
  expect(meant).toContain('Who tried it');
  expect(meant).toContain('The code is for entrants');
  const { body } = await ask('/account/ann');
  for (const part of ['<bdi>PRAG-2026</bdi>', 'PRAGUE-2026', '&lt;B&gt;']) expect(body).toContain(part);
  const { codeAttempts } = await staff.data<{ codeAttempts: { nodes: unknown[] } }>(
    cookie,
    '{ codeAttempts(first: 1, orderBy: PRIMARY_KEY_ASC) { nodes { code outcome nearestCode account { slug } agent { id } } } }',
  );
  expect(codeAttempts.nodes).toEqual([
    {
      code: 'PRAG-2026',
      outcome: 'UNKNOWN_CODE',
      nearestCode: 'PRAGUE-2026',
      account: { slug: 'ann' },
      agent: { id: ann.agentId },
    },
  ]);
});

test('many codes are made once, handed out as a file that no cache keeps, and revoked from there', async () => {
  const fields = {
    slug,
    codes: '3',
    cents: '1250',
    prefix: 'meetup',
    key: 'one',
    note: 'Prague, <i>table 3</i>',
    reason: 'a meetup',
  };
  const [made, again] = [await act('create-tournament-codes', fields), await act('create-tournament-codes', fields)];
  const order = made.response.headers.get('Location') as string;
  expect(order).toMatch(/^\/orders\/\d+$/);
  expect(again.response.headers.get('Location')).toBe(order);
  const { body } = await ask(order);
  for (const part of ['3 codes of $12.50, $37.50 together', '&lt;i&gt;table 3', '3 of 3 can be redeemed'])
    expect(body).toContain(part);

  const file = async () => {
    const { response, body } = await ask(`${order}/codes.csv`);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('Content-Disposition')).toMatch(/^attachment; filename="hill-codes-\d+\.csv"$/);
    return body.split('\r\n').slice(0, -1);
  };
  const [head, first, ...others] = await file();
  expect(head).toBe('code,dollars,expires');
  expect(others).toHaveLength(2);
  expect(first).toMatch(/^MEETUP-[2-9A-Z]{5}-[2-9A-Z]{5}-[2-9A-Z]{4},12\.50,2026-\d\d-\d\dT00:00:00\.000Z$/);

  await enter(hill, ann, slug);
  await redeem(hill, ann, first?.split(',')[0] as string);
  expect(await file()).toEqual([head, ...others]);
  const revoked = await act('revoke-tournament-codes', {
    order_id: order.split('/')[2] as string,
    reason: 'it leaked',
  });
  const entry = (await ask(revoked.response.headers.get('Location') as string)).body;
  expect(entry).toContain(`href="${order}"`);
  expect(entry).toContain('restore-tournament-codes');
  expect(await file()).toEqual([head]);

  for (const path of ['/orders/999', '/orders/x', '/orders/999/codes.csv', '/orders/x/codes.csv'])
    expect((await ask(path)).response.status).toBe(404);
  expect((await staff.fetch(`${order}/codes.csv`)).status).not.toBe(200);
});

test('many codes are made by a mutation, too', async () => {
  const made = await staff.data<{ createTournamentCodes: { creditOrder: { tournamentCodes: { nodes: object[] } } } }>(
    cookie,
    `mutation ($slug: String!) { createTournamentCodes(input: {slug: $slug, cents: "100", codes: 2, prefix: "gql", key: "gql", reason: "a meetup"})
       { creditOrder { cents uses state tournamentCodes { nodes { code cents } } } } }`,
    { slug },
  );
  expect(made.createTournamentCodes.creditOrder).toMatchObject({
    cents: '100',
    uses: 2,
    state: 'made',
    tournamentCodes: { nodes: [{ cents: '100' }, { cents: '100' }] },
  });
});
