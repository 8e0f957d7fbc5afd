// test/doors/humans/recycled-address.test.ts · an address that changes hands leads nobody into an account that was never theirs.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';

const db = useDatabase();

const signIn = async (provider: string, subject: string, email: string): Promise<{ account_id: string; first: boolean }> => {
  const { rows } = await db
    .as('web')
    .query('select api_human.sign_in($1, $2, $3, $4) as answer', [provider, subject, email, randomBytes(32).toString('base64url')]);
  return rows[0].answer;
};

test('whoever has an address next gets an account of their own', async () => {
  const ann = await signIn('google', 'ann', 'shared@example.com');
  const bob = await signIn('github', 'bob', 'bob@example.com');
  // Ann's provider now vouches for an address that is Bob's: her account cannot take it, and nobody vouches for her old one
  await signIn('google', 'ann', 'bob@example.com');

  const next = await signIn('github', 'next', 'shared@example.com');

  expect(next.first).toBe(true);
  expect([ann.account_id, bob.account_id]).not.toContain(next.account_id);
  expect((await signIn('google', 'ann', 'bob@example.com')).account_id).toBe(ann.account_id);
});

test('an address that a sign-in still vouches for joins its account, whichever provider says so', async () => {
  const dee = await signIn('google', 'dee', 'dee@example.com');

  const again = await signIn('github', 'dee-too', 'dee@example.com');

  expect(again).toMatchObject({ account_id: dee.account_id, first: false });
});
