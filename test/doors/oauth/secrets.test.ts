// Nothing secret in the logs or in a plain column: every token, code and key that a run handles is looked for in all of both. Protocol, security list.
import { beforeAll, expect, test } from 'vitest';
import { useHill } from '../../support/index.ts';
import { attemptOf, succeeded, useOAuth } from '../../support/oauth.ts';

const hill = useHill();
const door = useOAuth(hill);
const secrets = new Map<string, string>();

beforeAll(async () => {
  const email = 'careful@example.com';
  const registration = await door.register();
  const reading = succeeded(await door.exchange(registration.identity_assertion));
  const claim = succeeded(await door.claim(registration.claim_token, email));
  const session = await door.human(email);
  await door.poll(registration.claim_token);
  await door.approve(session, attemptOf(claim), claim.claim_attempt.user_code);
  const playing = succeeded(await door.poll(registration.claim_token));
  const renewed = succeeded(await door.exchange(playing.identity_assertion as string));
  // what is refused, and what fails, is handled too
  await door.exchange('a secret that is no assertion');
  await door.poll('a secret that is no claim token');
  await door.revoke('a secret that is no token');
  await door.get(`${door.authUrl}/.well-known/jwks.json?access_token=a-secret-in-an-address`);
  await hill.rows('alter table oauth.registrations rename to registrations_gone');
  await door.poll(registration.claim_token);
  await door.exchange(renewed.identity_assertion as string);
  await hill.rows('alter table oauth.registrations_gone rename to registrations');

  for (const [name, value] of Object.entries({
    assertion: registration.identity_assertion,
    'claim token': registration.claim_token,
    'reading token': reading.access_token,
    'attempt token': attemptOf(claim),
    session,
    'playing token': playing.access_token,
    'second assertion': playing.identity_assertion,
    'renewed token': renewed.access_token,
    'renewed assertion': renewed.identity_assertion,
    'refused assertion': 'a secret that is no assertion',
    'refused claim token': 'a secret that is no claim token',
    'refused token': 'a secret that is no token',
    'secret in an address': 'a-secret-in-an-address',
  }))
    secrets.set(name, value as string);
  secrets.set('user code', claim.claim_attempt.user_code);
});

const found = (text: string) =>
  [...secrets]
    .filter(([, value]) => (/^\d{6}$/.test(value) ? new RegExp(`(?<![\\d.])${value}(?!\\d)`).test(text) : text.includes(value)))
    .map(([name]) => name);

test('the logs have none of it, and something of what failed', () => {
  const logs = door.logged.join('');
  expect(logs).toContain('the authorization server failed');
  expect(found(logs)).toEqual([]);
});

test('the database has none of it in any column of any table', async () => {
  const tables = await hill.rows<{ name: string }>(
    "select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'",
  );
  expect(tables.length).toBeGreaterThan(30);
  let rows = 0;
  for (const { name } of tables) {
    const dump = await hill.rows<{ row: string }>(`select t::text as row from ${name} t`);
    rows += dump.length;
    const text = dump.map(({ row }) => row).join('\n');
    expect(found(text), name).toEqual([]);
    // bytea shows as hexadecimal: nothing may be there as it is, only its hash
    const hexadecimal = [...secrets].filter(([, value]) => text.includes(Buffer.from(value).toString('hex'))).map(([secret]) => secret);
    expect(hexadecimal, name).toEqual([]);
  }
  expect(rows).toBeGreaterThan(40);
});
