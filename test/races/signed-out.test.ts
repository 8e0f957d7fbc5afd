// Signing out ends all sessions, those too that are about to take the place of one that ends. Protocol 5.
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { hashed } from '../../src/process/proofs.ts';
import { call, refusal, useHill } from '../support/hill/index.ts';
import { prove, signIn } from '../support/hill/sign-in.ts';
import { aCode, aTournament } from '../support/hill/tournaments.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const aSecret = () => randomBytes(32).toString('base64url');
let made = 0;
const waiting =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ $1";

/** A human who is staff, in two browsers, and what the first one asks for in a transaction that is still open. */
async function beside(
  asks: (session: string, next: string) => readonly [name: string, args: object],
  out: (human: { id: string; other: string }) => Promise<unknown>,
) {
  made += 1;
  const email = `ann-${made}@example.com`;
  const { account_id: id, session } = await signIn(hill.as('web'), { subject: `ann-${made}`, email });
  const { session: other } = await signIn(hill.as('web'), { subject: `ann-${made}`, email });
  await hill
    .asStaff()
    .call('api_staff.set_staff', { account_id: id, name: `Ann ${made}`, role: 'support', reason: 'a test' });
  const next = aSecret();
  const [name, args] = asks(session, next);
  const client = await hill.as('web').connect();
  try {
    await client.query('begin');
    const given = Object.entries(args);
    await client.query(
      `select ${name}(${given.map(([key], i) => `${key} => $${i + 1}`).join(', ')})`,
      given.map(([, value]) => value),
    );
    const gone = out({ id, other });
    await until('it waits', async () => {
      return (await hill.rows(waiting, ['sign_out'])).length > 0;
    });
    await client.query('commit');
    await gone;
  } finally {
    client.release();
  }
  return next;
}
const byStaff = ({ id }: { id: string }) =>
  hill.asStaff().call('api_staff.sign_out_human', { account_id: id, reason: 'It was stolen.' });
const byHuman = ({ other }: { other: string }) =>
  call(hill.as('web'), 'api_human.sign_out_everywhere', { session: other });
const out = [
  ['by staff', byStaff],
  ['in another browser', byHuman],
] as const;

test.each(out)('%s, while a sign-in is added: the session that this gives is over', async (_, signOut) => {
  const next = await beside((session, next) => {
    const [provider, subject, email] = ['github', `g-${made}`, `ann-${made}@example.com`];
    const proof = prove('add sign-in', hashed(session), provider, subject, email, hashed(next));
    return ['api_human.add_sign_in', { session, provider, subject, email, next_session: next, ...proof }];
  }, signOut);

  expect(await refusal(call(hill.as('web'), 'api_human.account', { session: next }))).toMatchObject({
    code: 'INVALID_TOKEN',
  });
});

test.each(out)('%s, while a code for the console is given: it opens nothing', async (_, signOut) => {
  await beside(
    (session, code) => ['api_human.give_console_code', { session, code, challenge: hashed('mine') }],
    signOut,
  );

  expect(await hill.rows('select from oauth.console_codes')).toEqual([]);
});

test.each([
  ['the account is closed', 'close_account'],
  ['all are signed out', 'sign_out_everywhere'],
])('what waited for a sign-out is refused, when %s by the session that it ended', async (_, name) => {
  const subject = `late-${name}`;
  const { account_id: id, session } = await signIn(hill.as('web'), { subject, email: `${subject}@example.com` });
  const [account] = await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [id]);
  const client = await hill.root.connect();
  try {
    await client.query('begin');
    await client.query('select engine.sign_out_everywhere($1)', [id]);
    const late = refusal(
      call(hill.as('web'), `api_human.${name}`, { session, ...(name === 'close_account' ? account : {}) }),
    );
    await until('it waits', async () => (await hill.rows(waiting, [name])).length > 0);
    await client.query('commit');
    expect((await late).code).toBe('INVALID_TOKEN');
  } finally {
    client.release();
  }
});

beforeAll(async () => {
  await aCode(hill, await aTournament(hill), { code: 'SIGNED-OUT' });
});
test.each([
  ['set_mandate', { daily_cap_cents: 1_000 }],
  ['set_weekly_cap', { cents: null }],
  ['pause', { until: null }],
  ['rename', { name: 'Thief' }],
  ['set_site', { url: 'https://thief.example' }],
  ['check_site', {}],
  ['make_feed', { token: aSecret() }],
  [
    'ask_for_mail',
    {
      ...{ address: 'thief@example.com', nightly: true, id: randomUUID() },
      ...{ confirm_token: aSecret(), stop_token: aSecret() },
    },
  ],
  ['begin_top_up', { cents: 2_000 }],
  ['redeem_code', { code: 'SIGNED-OUT' }],
  ['withdraw_move', { slot: 1 }],
  ['cut_agent', { agent_id: randomUUID() }],
])('%s waits for the account, and is refused when its session was ended meanwhile', async (name, args) => {
  const { account_id: id, session } = await signIn(hill.as('web'), { subject: name, email: `${name}@example.com` });
  const client = await hill.root.connect();
  try {
    await client.query('begin');
    await client.query('select trusted.lock_account($1)', [id]);
    const late = refusal(call(hill.as('web'), `api_human.${name}`, { session, ...args }));
    await until('it waits', async () => (await hill.rows(waiting, [name])).length > 0);
    await call(hill.as('web'), 'api_human.sign_out', { session });
    await client.query('commit');
    expect((await late).code).toBe('INVALID_TOKEN');
  } finally {
    client.release();
  }
});
