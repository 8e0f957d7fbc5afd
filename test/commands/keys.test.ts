// Another signing secret takes the place of the one before it on a hill that serves, and the log gets a key of its own
// that no web process has. Protocol 2.8; rules 20.2, 20.6.
import { describe, expect, test } from 'vitest';
import { call } from '../../src/db/call.ts';
import { secretFits } from '../../src/db/kept-settings.ts';
import { openCheckpoint } from '../../src/log/checkpoint.ts';
import { handsOver } from '../../src/log/handover.ts';
import { derivedSigner } from '../../src/log/signing.ts';
import { parseConfig } from '../../src/process/config.ts';
import { mailLinks } from '../../src/process/mail-links.ts';
import { hashed } from '../../src/process/proofs.ts';
import { sealer, webhookSealer } from '../../src/process/secret.ts';
import type { Environment } from '../../src/process/settings.ts';
import { publishLog } from '../../src/worker/log.ts';
import { logSecrets } from '../../src/worker/publish.ts';
import { anOAuth, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { hill as command } from '../support/hill/hill-process.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { heldBy, testOrigin as origin, signing } from '../support/log/sign.ts';

const next = 'another secret of the tests, of more than thirty-two characters';
const third = 'a third secret of the tests, of more than thirty-two characters';
const both = { HILL_SIGNING_SECRET: next, HILL_OLD_SIGNING_SECRET: secret };

describe('the signing secret', () => {
  const hill = useHill();
  const door = useOAuth(hill);
  const keys = (step: string, env: Record<string, string>) =>
    command(['keys', step], { DATABASE_URL: hill.ownerUrl, HILL_CLOCK: 'simulated', BASE_URL: door.baseUrl, ...env });
  const fits = (one: string) => secretFits(hill.as('web'), one);
  const sealed = () =>
    hill.rows<{ kid: string; sealed: string }>(
      "select kid, encode(sealed_private, 'base64') as sealed from oauth.signing_keys",
    );

  test('is exchanged under clients that go on: old and new processes serve side by side, and then the new ones alone', async () => {
    const ann = await door.playing('ann@example.com');
    const config = parseConfig({ HILL_SIGNING_SECRET: secret });
    const { token, id: account } = await anAccount(hill);
    const webhook = '01900000-0000-7000-8000-000000000001';
    const subscribed = { token, id: webhook, url: 'https://example.com/hook', events: ['bell_rung'] };
    await call(hill.as('web'), 'api_agent.subscribe', {
      ...subscribed,
      sealed_secret: webhookSealer(config).seal('whsec_abc', webhook),
    });
    const address = '01900000-0000-7000-8000-000000000002';
    await hill.root.query(
      `insert into oauth.mail_addresses (account_id, nightly, id, address, stop_hash, confirmed_at, digest_night)
       values ($1, true, $2, 'ann@example.com', decode($3, 'hex'), now(), 0)`,
      [account, address, hashed(mailLinks(config).stopToken(address))],
    );
    const before = await sealed();

    // what would lose something is refused, and changes nothing
    for (const [step, env, why] of [
      ['finish', both, 'does not know HILL_SIGNING_SECRET'],
      ['begin', { HILL_SIGNING_SECRET: next }, 'HILL_OLD_SIGNING_SECRET must be set'],
      ['begin', { HILL_SIGNING_SECRET: next, HILL_OLD_SIGNING_SECRET: third }, 'is not the one of this database'],
    ] as const)
      expect(await keys(step, env)).toEqual({ code: 1, output: expect.stringContaining(why) });
    expect([await fits(secret), await fits(next)]).toEqual([true, false]);

    for (const _again of [1, 2])
      expect(await keys('begin', both)).toEqual({
        code: 0,
        output: expect.stringContaining('Two signing secrets are believed'),
      });
    expect([await fits(secret), await fits(next), await fits(third)]).toEqual([true, true, false]);
    expect(await sealed()).toEqual(before);

    const fresh = anOAuth(hill, 'one host', both, door);
    await fresh.open();
    try {
      expect([await door.accepts(ann.tokens.access_token), await fresh.accepts(ann.tokens.access_token)]).toEqual([
        'ok',
        'ok',
      ]);
      const renewed = succeeded(await fresh.exchange(ann.tokens.identity_assertion as string));
      expect(await door.accepts(renewed.access_token)).toBe('ok');

      expect(await keys('finish', both)).toEqual({
        code: 0,
        output: expect.stringMatching(/Sealed anew: 1 signing keys and 1 secrets of webhooks\. .* 1 addresses/),
      });
      expect((await keys('finish', both)).code).toBe(0);
      expect([await fits(secret), await fits(next)]).toEqual([false, true]);
      expect(await fresh.accepts(renewed.access_token)).toBe('ok');
      expect(
        await fresh.accepts(succeeded(await fresh.exchange(renewed.identity_assertion as string)).access_token),
      ).toBe('ok');
    } finally {
      await fresh.close();
    }

    // the new one alone opens all of it
    const alone = parseConfig({ HILL_SIGNING_SECRET: next });
    for (const { kid, sealed: text } of await sealed())
      expect(JSON.parse(sealer(() => next).open(text, kid))).toHaveProperty('d');
    const [kept] = await hill.rows<{ sealed: string }>(
      "select encode(sealed_secret, 'base64') as sealed from hill.subscriptions",
    );
    expect(webhookSealer(alone).open(kept?.sealed ?? '', webhook)).toBe('whsec_abc');
    const stopToken = mailLinks(alone).stopToken(address);
    expect(await call(hill.as('web'), 'api_human.stop_mail', { token: stopToken })).toBe(true);
    const last = anOAuth(hill, 'one host', { HILL_SIGNING_SECRET: next }, door);
    await last.open();
    expect(await last.accepts(ann.tokens.access_token)).toBe('ok');
    await last.close();
  });

  test('is not exchanged while there is something that neither opens', async () => {
    const all = { HILL_SIGNING_SECRET: third, HILL_OLD_SIGNING_SECRET: next };
    await hill.root.query("update hill.subscriptions set sealed_secret = decode($1, 'base64')", [
      sealer(() => 'a secret that nobody has any more, of forty characters').seal('whsec_abc', 'x'),
    ]);
    const before = await sealed();
    expect(await keys('begin', all)).toEqual({ code: 1, output: expect.stringContaining('opens the webhook') });
    expect([await fits(next), await fits(third)]).toEqual([true, false]);
    expect(await sealed()).toEqual(before);
  });
});

describe('HILL_LOG_KEY', () => {
  const hill = useHill();
  const logKey = 'the key of the log, of more than thirty-two characters';
  /** As a process with these settings signs. */
  const sign = (env: Environment) => {
    const config = parseConfig({ HILL_SIGNING_SECRET: secret, ...env });
    return publishLog(
      hill.as('worker'),
      signing({ ...logSecrets(config), witnessed: heldBy(hill.as('worker')), ask: async () => null }),
    );
  };
  const more = async () => {
    await hill.root.query("insert into hill.log_waiting (at, entry) values (engine.now(), 'deposit 1 ab')");
    await hill.root.query("update hill.settings set shown_at = shown_at + interval '15 minutes'");
  };
  const opened = (note: string, of: string, by: string) => openCheckpoint(note, derivedSigner(by, of, 'ed25519'));

  test('is taken over from the signing secret, whose key names it: after that no web process can sign the log, and a worker without it does not', async () => {
    opened(await sign({}), origin, secret);
    await more();
    opened(await sign({}), origin, secret);

    await more();
    const second = await sign({ HILL_LOG_KEY: logKey });
    expect(opened(second, `${origin}/2`, logKey)).toMatchObject({ origin: `${origin}/2` });
    const [handover] = await hill.rows<{ generation: number; note: string }>('select * from hill.log_handovers');
    const [from, to] = [derivedSigner(secret, origin, 'ed25519'), derivedSigner(logKey, `${origin}/2`, 'ed25519')];
    expect(handsOver(handover?.note ?? '', from, to)).toBe(true);
    expect(handsOver(handover?.note ?? '', to, to)).toBe(false);
    expect(handsOver(handover?.note ?? '', from, derivedSigner(secret, `${origin}/2`, 'ed25519'))).toBe(false);

    // one that was not told, and one with another key
    await more();
    for (const env of [{}, { HILL_LOG_KEY: third }])
      await expect(sign(env)).rejects.toMatchObject({ reason: 'contradicted' });
    expect(await hill.rows('select from hill.log_generations')).toHaveLength(2);
    const { secret: derived, formerSecrets } = logSecrets(parseConfig({ HILL_SIGNING_SECRET: secret }));
    for (const one of [derived, ...(formerSecrets ?? [])])
      expect(() => opened(second, `${origin}/2`, one)).toThrow('is not signed');
    for (const statement of [
      'select api_worker.log_head()',
      "insert into hill.log_checkpoints (generation, size, note, signed_at) values (2, 9, 'x', now())",
      "insert into hill.log_handovers (generation, note) values (1, 'x')",
    ])
      await expect(hill.as('web').query(statement)).rejects.toThrow('permission denied');
    const size = opened(await sign({ HILL_LOG_KEY: logKey }), `${origin}/2`, logKey).size;
    expect(size).toBeGreaterThan(1);

    // and from that key to another
    const third2 = await sign({ HILL_LOG_KEY: third, HILL_OLD_LOG_KEY: logKey });
    expect(opened(third2, `${origin}/3`, third)).toMatchObject({ size: 1 });
    expect(await hill.rows('select generation from hill.log_handovers order by 1')).toEqual([
      { generation: 2 },
      { generation: 3 },
    ]);
  });
});
