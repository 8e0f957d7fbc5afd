// Signing keys: sealed in the database, rotated without a restart, agreed on by several processes. Protocol 2.7.
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bearers } from '../../src/mcp/door/request.ts';
import { KeyRing } from '../../src/oauth/keys.ts';
import { lifetimesOf } from '../../src/oauth/lifetimes.ts';
import { signer } from '../../src/oauth/tokens.ts';
import { sealer, signingSecret } from '../../src/process/secret.ts';
import { headerOf, secret, useOAuth } from '../support/doors/oauth.ts';
import { aDataDir } from '../support/hill/hill-process.ts';
import { useHill } from '../support/hill/index.ts';

const hill = useHill();
const issuer = 'https://hill.example';
const day = 86_400;
const times = { lifetimeSeconds: 10 * day, noticeSeconds: 3_600, rereadMs: 0 };
const ring = (more = {}) =>
  new KeyRing(
    hill.as('web'),
    sealer(() => secret),
    { ...times, ...more },
  );
const signing = (keys: KeyRing, by = issuer) => signer(by, keys, lifetimesOf(hill.as('web')));
const now = async () =>
  (await hill.rows<{ now: number }>('select extract(epoch from engine.now())::float8 as now'))[0]?.now as number;
const kids = async (keys: KeyRing) => (await keys.published()).keys.map(({ kid }) => kid as string);

describe('the ring', () => {
  test('begins with one key, however many processes begin at once', async () => {
    const rings = Array.from({ length: 6 }, () => ring());
    const sets = await Promise.all(rings.map(kids));

    expect(new Set(sets.flat()).size).toBe(1);
    expect(await hill.rows('select kid from oauth.signing_keys')).toHaveLength(1);
  });

  test('signs what is verified once, and again when the key is gone', async () => {
    const keys = ring();
    const { accessToken, readAccessToken } = signing(keys);
    const { access_token: token } = await accessToken(await now(), {
      sub: 'x',
      client_id: 'c',
      audience: issuer,
      scopes: ['hill:read'],
    });
    let verified = 0;
    const read = (token: string) => {
      verified += 1;
      return readAccessToken(token, [issuer]);
    };
    const bearerOf = bearers({ read, isPublished: (kid) => keys.isPublished(kid) }, true);
    const bearer = { account: 'x', client: 'x c', scopes: ['hill:read'] };

    for (const time of [1, 2, 3]) expect([time, await bearerOf(token), verified]).toEqual([time, bearer, 1]);
    for (const time of [2, 3])
      expect([await bearerOf(`${token.slice(0, -3)}AAA`), verified]).toEqual([undefined, time]);
    await hill.root.query('update oauth.signing_keys set retires_at = engine.now()');
    expect([await bearerOf(token), verified]).toEqual([bearer, 3]); // until the keys are read again
    await keys.published();
    expect([await bearerOf(token), verified]).toEqual([undefined, 4]);
  });

  test('publishes the next key before it signs, and the last one until what it signed has expired', async () => {
    const [a, b] = [ring(), ring()];
    const [first] = (await kids(a)) as [string];
    const old = await signing(a).assertion(await now(), {
      sub: 'x',
      client_id: 'c',
      registration_id: 'r',
      generation: 1,
    });
    expect(headerOf(old.identity_assertion).kid).toBe(first);

    await hill.clock.tick((10 * day - 3_600) * 1000);
    const sets = await Promise.all([kids(a), kids(b)]);
    expect(sets[0]).toHaveLength(2);
    expect(sets[1]).toEqual(sets[0]);
    expect((await a.signingKey(await now())).kid).toBe(first);

    const last = await signing(b).assertion(await now(), {
      sub: 'x',
      client_id: 'c',
      registration_id: 'r',
      generation: 1,
    });
    await hill.clock.tick(3_600 * 1000);
    const second = (await a.signingKey(await now())).kid;
    expect(second).not.toBe(first);
    expect((await b.signingKey(await now())).kid).toBe(second);
    expect(headerOf(last.identity_assertion).kid).toBe(first);
    expect(await signing(a).readAssertion(await now(), last.identity_assertion)).toMatchObject({ sub: 'x' });

    await hill.clock.tick(23 * 3_600 * 1000 - 1_000);
    expect(await signing(b).readAssertion(await now(), last.identity_assertion)).toMatchObject({ sub: 'x' }); // to its very end
    await hill.clock.tick(3 * 3_600 * 1000);
    expect(await kids(a)).toEqual([second]);
  });

  test('finds the key of another process that it has not read yet', async () => {
    const slow = ring({ rereadMs: 1_000_000 });
    await slow.published();
    await hill.clock.tick(11 * day * 1000);
    const fresh = ring();
    await fresh.published();
    await hill.clock.tick(3_600 * 1000);
    const { identity_assertion } = await signing(fresh).assertion(await now(), {
      sub: 'x',
      client_id: 'c',
      registration_id: 'r',
      generation: 1,
    });
    expect(await slow.published()).not.toEqual(await fresh.published());

    await new Promise((resolve) => setTimeout(resolve, 1_100)); // what is not known is looked up once a second
    expect(await signing(slow).readAssertion(await now(), identity_assertion)).toMatchObject({ sub: 'x' });
  });

  test('does not sign with another secret, and says which setting is wrong', async () => {
    const wrong = new KeyRing(
      hill.as('web'),
      sealer(() => 'another secret, of the same length or thereabouts'),
      times,
    );

    await expect(wrong.signingKey(await now())).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      kind: expect.stringContaining('HILL_SIGNING_SECRET'),
    });
    expect((await wrong.published()).keys.length).toBeGreaterThan(0);
  });

  test('takes no successor from a process with another secret: one that it alone could open', async () => {
    const keys = async () => hill.rows('select kid, retires_at from oauth.signing_keys order by kid');
    await hill.clock.tick(11 * day * 1000);
    const before = await keys();
    const wrong = new KeyRing(
      hill.as('web'),
      sealer(() => 'another secret, of the same length or thereabouts'),
      times,
    );

    await wrong.published(); // verifying needs no secret

    expect(await keys()).toEqual(before);
    await ring().published();
    expect((await keys()).length).toBe(before.length + 1);
  });

  test('shows nothing of a private key in the database', async () => {
    const rows = await hill.rows<{ kid: string; sealed: string; text: string }>(
      "select kid, encode(sealed_private, 'base64') as sealed, encode(sealed_private, 'escape') || public_jwk::text as text from oauth.signing_keys",
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const { kid, sealed, text } of rows) {
      const { d } = JSON.parse(sealer(() => secret).open(sealed, kid)) as { d: string };
      expect(d).toMatch(/^[\w-]{43}$/);
      expect(text).not.toContain(d);
      expect(text).not.toContain('"d"');
      expect(() => sealer(() => secret).open(sealed, 'another kid')).toThrow();
    }
  });
});

describe('the secret', () => {
  test('of development is a file that only its owner reads, made once', () => {
    const dataDir = `${aDataDir()}/new`;
    const first = signingSecret({ env: 'development', signingSecret: null, dataDir });

    expect(first.length).toBeGreaterThanOrEqual(43);
    expect(signingSecret({ env: 'development', signingSecret: null, dataDir })).toBe(first);
    expect(fs.statSync(`${dataDir}/signing-secret`).mode & 0o777).toBe(0o600);
  });

  test('of production has to be given', () => {
    expect(() => signingSecret({ env: 'production', signingSecret: null, dataDir: '/nowhere' })).toThrow(
      'HILL_SIGNING_SECRET',
    );
    expect(signingSecret({ env: 'production', signingSecret: secret, dataDir: '/nowhere' })).toBe(secret);
  });
});

describe('types', () => {
  const door = useOAuth(hill);

  test('an assertion is no access token, and the reverse', async () => {
    const registration = await door.register();
    const { body } = await door.exchange(registration.identity_assertion);
    const { readAccessToken, readAssertion } = signing(ring(), door.authUrl);

    expect(await readAccessToken(body.access_token, [door.authUrl])).toMatchObject({ scope: 'hill:read' });
    expect(await readAccessToken(body.access_token, ['https://elsewhere.example'])).toBeUndefined();
    expect(await readAccessToken(registration.identity_assertion, [door.authUrl])).toBeUndefined();
    expect(await readAssertion(await now(), body.access_token)).toBeUndefined();
    expect(await door.accepts(registration.identity_assertion)).toBe('401 invalid_token');
  });
});
