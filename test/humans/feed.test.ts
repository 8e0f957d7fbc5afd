// The private feed of an account: protocol 5.4.
import { beforeAll, describe, expect, test } from 'vitest';
import { useHumansDoor } from '../support/doors/humans-door.ts';
import { formOf, unescaped, Visitor } from '../support/doors/visitor.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';

const hill = useHill();
const door = useHumansDoor(hill);

const post = async (visitor: Visitor, path: string) => {
  const { text } = await door.page(visitor, '/account');
  const csrf = formOf(text, '/sign-out')?.csrf as string;
  const answer = await visitor.post(door.baseUrl + path, { csrf });
  return visitor.landed({ url: `${door.baseUrl}/account` } as never, answer);
};
const addressIn = (text: string) => /<code>(http[^<]+\.atom)<\/code>/.exec(text)?.[1] as string;
const read = async (address: string) => {
  const answer = await fetch(address);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe('a private feed', () => {
  let ann: Account;
  let visitor: Visitor;
  let address: string;

  beforeAll(async () => {
    ann = await anAccount(hill, { name: 'Ann', credits: 1000 });
    visitor = new Visitor(ann.session);
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.clock.ringBell();
    address = addressIn((await post(visitor, '/account/feed')).text);
  });

  test('is shown once, and opens without a session', async () => {
    expect((await door.page(visitor, '/account')).text).not.toContain(address);
    const { status, headers, text } = await read(address);
    expect(status).toBe(200);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'application/atom+xml; charset=utf-8',
      'private, max-age=300',
    ]);
    expect([...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => unescaped(title as string))).toEqual([
      'Your account on Hill: Ann',
      'Night 1: place 1, +10 points, −$3.00',
    ]);
    expect(unescaped(text)).toContain(`href="${door.baseUrl}/day/1#place-1"`);
  });

  test('says nothing of what is deposited tonight, and what its human should see to after the bell', async () => {
    const before = await read(address);
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    expect((await door.page(visitor, '/account')).text).toContain('left to spend');
    expect((await read(address)).text).toBe(before.text);
    await hill.clock.ringBell();
    expect((await read(address)).text).toContain('left to spend');
  });

  test('has one address, which a new one replaces, and an end', async () => {
    const another = addressIn((await post(visitor, '/account/feed')).text);
    expect((await read(address)).status).toBe(404);
    expect((await read(another)).status).toBe(200);
    await post(visitor, '/account/end-feed');
    expect((await read(another)).status).toBe(404);
  });

  test('is made after a recent sign-in alone, and ended after any', async () => {
    const bob = await anAccount(hill);
    const his = new Visitor(bob.session);
    const made = addressIn((await post(his, '/account/feed')).text);
    await hill.rows(
      "update oauth.human_sessions set created_at = created_at - interval '1 hour' where account_id = $1",
      [bob.id],
    );
    expect((await post(his, '/account/feed')).text).toContain('Sign in once more');
    expect((await read(made)).status).toBe(200);
    await post(his, '/account/end-feed');
    expect((await read(made)).status).toBe(404);
  });
});
