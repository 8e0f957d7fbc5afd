// An address is no key: whoever comes by one, at whatever provider, comes into no account that was there before.
// Protocol 5.2.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { attemptOf, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { call, useHill } from '../support/hill/index.ts';
import { signIn } from '../support/hill/sign-in.ts';

const hill = useHill();
const door = useOAuth(hill);

const vouch = (provider: string, subject: string, email: string) =>
  signIn(hill.as('web'), { provider, subject, email });
const emailOf = async ({ session }: { session: string }) =>
  (await call<{ email: string | null }>(hill.as('web'), 'api_human.account', { session })).email;

describe('a new subject by an address that an account has', () => {
  test.each([['google'], ['github'], ['development']])(
    'opens a new account at %s, and the address goes there',
    async (provider) => {
      const address = `${provider}@example.com`;
      const before = await vouch('google', `before-${provider}`, address);

      const after = await vouch(provider, `after-${provider}`, address.toUpperCase());

      expect(after.first).toBe(true);
      expect(after.account_id).not.toBe(before.account_id);
      expect([await emailOf(before), await emailOf(after)]).toEqual([null, address]);
    },
  );

  test('leaves the former holder the account, which has its address again when it is vouched for again', async () => {
    const ann = await vouch('google', 'ann', 'shared@example.com');
    const bob = await vouch('google', 'bob', 'shared@example.com');

    const again = await vouch('google', 'ann', 'shared@example.com');

    expect(again).toMatchObject({ account_id: ann.account_id, first: false });
    expect([await emailOf(ann), await emailOf(bob)]).toEqual(['shared@example.com', null]);
  });

  test('is told to staff, without the address', async () => {
    const cyd = await vouch('google', 'cyd', 'cyd@example.com');
    await vouch('github', 'cyd-next', 'cyd@example.com');

    const events = await hill.rows<{ event: string; text: string }>(
      'select event, details::text as text from hill.security_events where account_id = $1 order by id',
      [cyd.account_id],
    );
    expect(events.map(({ event }) => event)).toEqual([
      'account_opened',
      'sign_in_added',
      'signed_in',
      'address_changed',
    ]);
    expect(events.map(({ text }) => text).join()).not.toContain('@');
  });
});

describe('a known subject', () => {
  test('comes back to its account with another address; the old one means nobody', async () => {
    const dee = await vouch('google', 'dee', 'dee@example.com');
    const moved = await vouch('google', 'dee', 'dee.new@example.com');

    expect(moved.account_id).toBe(dee.account_id);
    expect(await emailOf(dee)).toBe('dee.new@example.com');
    expect(await hill.rows("select engine.account_of_address('dee@example.com') as id")).toEqual([{ id: null }]);
  });

  test('may swap addresses with another: each account has the address that was vouched for last', async () => {
    const [eve, fay] = [
      await vouch('google', 'eve', 'eve@example.com'),
      await vouch('github', 'fay', 'fay@example.com'),
    ];

    await vouch('google', 'eve', 'fay@example.com');
    expect([await emailOf(eve), await emailOf(fay)]).toEqual(['fay@example.com', null]);
    await vouch('github', 'fay', 'eve@example.com');

    expect([await emailOf(eve), await emailOf(fay)]).toEqual(['fay@example.com', 'eve@example.com']);
  });
});

describe('at one instant', () => {
  test('eight first sign-ins of one human make one account', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => vouch('google', 'gil', 'gil@example.com')));

    expect(new Set(all.map(({ account_id }) => account_id)).size).toBe(1);
    expect(all.filter(({ first }) => first)).toHaveLength(1);
  });

  test('first sign-ins of eight humans by one address make eight accounts, of which one has the address', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => vouch('github', `hal-${i}`, 'hal@example.com')));

    expect(new Set(all.map(({ account_id }) => account_id)).size).toBe(8);
    expect((await Promise.all(all.map(emailOf))).filter(Boolean)).toEqual(['hal@example.com']);
    expect((await hill.rows("select 1 from oauth.sign_ins where email = 'hal@example.com'")).length).toBe(1);
  });
});

test('a claim that names an address means whoever has it when the code is typed', async () => {
  const before = await vouch('google', 'ida', 'ida@example.com');
  const registration = await door.register();
  const claim = succeeded(await door.claim(registration.claim_token, 'ida@example.com'));
  const [attempt, code] = [attemptOf(claim), claim.claim_attempt.user_code];
  expect(await door.look(before.session, attempt)).toMatchObject({ outcome: 'initiated' });
  const after = await vouch('google', 'ida-next', 'ida@example.com');

  expect(await door.look(before.session, attempt)).toEqual({ outcome: 'wrong_account' });
  expect(await door.approve(before.session, attempt, code)).toEqual({ outcome: 'wrong_account' });
  expect(await door.refuse(before.session, attempt)).toEqual({ outcome: 'wrong_account' });
  const approved = await door.approve(after.session, attempt, code);

  expect(approved).toMatchObject({ outcome: 'approved' });
  expect(await hill.rows('select account_id from hill.agents where id = $1', [approved.agent_id])).toEqual([
    { account_id: after.account_id },
  ]);
});

test('a session opens once', async () => {
  const session = randomBytes(32).toString('base64url');
  await signIn(hill.as('web'), { subject: 'jo', email: 'jo@example.com', session });

  await expect(signIn(hill.as('web'), { subject: 'kim', email: 'kim@example.com', session })).rejects.toMatchObject({
    code: 'ZHPRF',
  });
  expect(await hill.rows("select 1 from oauth.sign_ins where subject = 'kim'")).toEqual([]);
});
