// Who may call: tokens and sessions, by their hash. Protocol 2.2.
import { describe, expect, test } from 'vitest';
import { anAccount, anotherAgent, call, refusal, useHill } from '../../support/hill/index.ts';

const hill = useHill();

const calls: [string, string, Record<string, unknown>][] = [
  ['api_agent.play', 'hill:play', { slot: 1, move: 'PASS' }],
  ['api_agent.announce', 'hill:play', { slot: 1, intention: 'PEACE' }],
  ['api_agent.whoami', 'hill:read', {}],
];

describe.each(calls)('%s', (name, scope, args) => {
  const ask = (token: string | null) => call(hill.asPublic(), name, { token, ...args });

  test('takes a live token of its scope', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    await hill.rows('update oauth.access_tokens set scopes = $2 where agent_id = $1', [ann.agentId, [scope]]);

    await expect(ask(ann.token)).resolves.toBeDefined();
  });

  test('refuses a token of the other scope alone, and says which is needed', async () => {
    const ann = await anAccount(hill);
    await hill.rows('update oauth.access_tokens set scopes = $2 where agent_id = $1', [
      ann.agentId,
      [scope === 'hill:play' ? 'hill:read' : 'hill:play'],
    ]);

    expect(await refusal(ask(ann.token))).toMatchObject({ code: 'INSUFFICIENT_SCOPE', detail: { scope } });
  });

  test.each([
    ['unknown', "update oauth.access_tokens set token_hash = sha256('x' || agent_id::text::bytea) where agent_id = $1"],
    ['revoked', 'update oauth.access_tokens set revoked_at = engine.now() where agent_id = $1'],
    ['that expires this instant', 'update oauth.access_tokens set expires_at = engine.now() where agent_id = $1'],
    ['of an agent that was cut off', 'update hill.agents set cut_at = engine.now() where id = $1'],
  ])('refuses a token %s', async (_, spoil) => {
    const ann = await anAccount(hill);
    await hill.rows(spoil, [ann.agentId]);

    expect(await refusal(ask(ann.token))).toMatchObject({ code: 'INVALID_TOKEN' });
  });

  test.each([['null'], ['']])('refuses no token (%s)', async (token) => {
    expect(await refusal(ask(token === 'null' ? null : token))).toMatchObject({ code: 'INVALID_TOKEN' });
  });

  test('keeps the tokens of an account apart: one cut off, the other plays on', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const bob = await anotherAgent(hill, ann);
    await hill.rows('update hill.agents set cut_at = engine.now() where id = $1', [ann.agentId]);

    await expect(ask(bob.token)).resolves.toBeDefined();
  });
});

test('a token that lives now is dead when its time has come', async () => {
  const ann = await anAccount(hill);
  await hill.rows(
    "update oauth.access_tokens set expires_at = engine.now() + interval '15 minutes' where agent_id = $1",
    [ann.agentId],
  );
  await expect(hill.asAgent(ann).ownState()).resolves.toBeDefined();

  await hill.clock.tick(15 * 60 * 1000);

  expect((await refusal(hill.asAgent(ann).ownState())).code).toBe('INVALID_TOKEN');
});

describe('a human’s session', () => {
  test.each([
    ['revoked', 'update oauth.human_sessions set revoked_at = engine.now() where account_id = $1'],
    ['expired', 'update oauth.human_sessions set expires_at = engine.now() where account_id = $1'],
  ])('is refused when %s', async (_, spoil) => {
    const ann = await anAccount(hill);
    await hill.rows(spoil, [ann.id]);

    const human = hill.asHuman(ann);
    for (const ask of [() => human.ownState(), () => human.setMandate(1, 1), () => human.withdrawMove(1)])
      expect((await refusal(ask())).code).toBe('INVALID_TOKEN');
  });

  test('is no access token, nor the other way round', async () => {
    const ann = await anAccount(hill);

    expect((await refusal(call(hill.asPublic(), 'api_agent.whoami', { token: ann.session }))).code).toBe(
      'INVALID_TOKEN',
    );
    expect((await refusal(call(hill.asPublic(), 'api_human.account', { session: ann.token }))).code).toBe(
      'INVALID_TOKEN',
    );
  });
});

describe('a forged actor', () => {
  test('in the setting that row-level security reads gains nothing', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const bob = await anAccount(hill, { credits: 2000 });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    const web = await hill.asPublic().connect();
    try {
      await web.query(
        "select set_config('hill.account_id', $1, false), set_config('hill.accounts', array[$1]::text, false)",
        [ann.id],
      );

      expect(await call(web, 'api_agent.whoami', { token: bob.token })).toMatchObject({
        account: { accountId: bob.id, credits: { reserved_cents: 0 } },
      });
      await expect(call(web, 'api_agent.whoami', { token: 'none' })).rejects.toMatchObject({ code: 'ZHTOK' });
      await expect(web.query('select * from hill.sealed_moves')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await web.query("select set_config('hill.account_id', '', false), set_config('hill.accounts', '', false)");
      web.release();
    }
  });

  test('is gone after each call: the next one on the connection starts as nobody', async () => {
    const ann = await anAccount(hill, { credits: 2000 });
    const web = await hill.asPublic().connect();
    try {
      await call(web, 'api_agent.whoami', { token: ann.token });
      const { rows } = await web.query("select nullif(current_setting('hill.account_id', true), '') as actor");

      expect(rows).toEqual([{ actor: null }]);
    } finally {
      web.release();
    }
  });
});
