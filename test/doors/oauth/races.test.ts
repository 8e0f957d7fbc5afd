// What happens at one instant: row 35 of the acceptance list, and its like. Each round is two or more requests over HTTP to two web processes' worth of pools.
import { describe, expect, test } from 'vitest';
import { useHill } from '../../support/index.ts';
import { attemptOf, succeeded, useOAuth } from '../../support/oauth.ts';

const hill = useHill();
const generous = { HILL_LIMIT_REGISTRATIONS: '100000/3600', HILL_LIMIT_CLAIMS: '100000/3600' };
// two servers on one database
const one = useOAuth(hill, 'one host', generous);
const two = useOAuth(hill, 'one host', generous);
const rounds = Array.from({ length: 50 }, (_, i) => i);

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

describe('at the same instant, 50 times', () => {
  test('35: of two polls after success, one issues', async () => {
    for (const round of rounds) {
      const { registration } = await one.claimed(`polls-${round}@example.com`);

      const answers = await Promise.all([one.poll(registration.claim_token), two.poll(registration.claim_token)]);

      expect(statuses(answers)).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 400)?.body.error).toBe('invalid_grant');
    }
    const [count] = await hill.rows(
      'select count(*)::integer as tokens, count(distinct grant_id)::integer as grants from oauth.access_tokens',
    );
    expect(count).toEqual({ tokens: rounds.length, grants: rounds.length });
  });

  test('two claims of one registration give one code', async () => {
    for (const round of rounds) {
      const { claim_token } = await one.register();
      const email = `claims-${round}@example.com`;

      expect(statuses(await Promise.all([one.claim(claim_token, email), two.claim(claim_token, email)]))).toEqual([200, 409]);
    }
  });

  test('two humans’ clicks on approve make one agent', async () => {
    const email = 'clicks@example.com';
    const human = await one.human(email);
    for (const round of rounds.slice(0, 15)) {
      const { claim_token } = await one.register(`Bot ${round}`);
      const claim = succeeded(await one.claim(claim_token, email));
      const click = () => one.approve(human, attemptOf(claim), claim.claim_attempt.user_code);

      const outcomes = await Promise.all([click(), click()]);

      expect(outcomes.filter(({ agent_id }) => agent_id)).toHaveLength(1);
      expect(await hill.rows('select name from hill.agents where name = $1', [`Bot ${round}`])).toHaveLength(1);
    }
  });

  test('six wrong codes at once lock after five', async () => {
    const email = 'guesses@example.com';
    const human = await one.human(email);
    const { claim_token } = await one.register();
    const claim = succeeded(await one.claim(claim_token, email));
    const wrong = claim.claim_attempt.user_code === '000000' ? '000001' : '000000';

    const outcomes = (await Promise.all(Array.from({ length: 6 }, () => one.approve(human, attemptOf(claim), wrong)))).map(
      ({ outcome }) => outcome,
    );

    expect(outcomes.sort()).toEqual(['locked', 'locked', 'wrong_code', 'wrong_code', 'wrong_code', 'wrong_code']);
  });

  test('no token outlives a revocation or a claim that it raced', async () => {
    for (const round of rounds) {
      const email = `late-${round}@example.com`;
      const registration = await one.register();
      const claim = succeeded(await one.claim(registration.claim_token, email));
      const human = await one.human(email);
      const first = succeeded(await one.exchange(registration.identity_assertion));
      const end =
        round % 2 === 0 ? () => one.revoke(first.access_token) : () => one.approve(human, attemptOf(claim), claim.claim_attempt.user_code);

      const [answer] = await Promise.all([two.exchange(registration.identity_assertion), end()]);

      if (answer.status === 200) expect(await one.accepts(answer.body.access_token)).toBe('ZHTOK');
      else expect(answer.body.error).toBe('invalid_grant');
      expect(await two.accepts(first.access_token)).toBe('ZHTOK');
    }
  });

  test('48: a cut is known to every process at the next call', async () => {
    const { tokens, session, agentId } = await one.playing('cut@example.com');
    const pool = hill.pool(hill.url('web'), 2);
    const asks = () => pool.query('select api_agent.own_state($1)', [tokens.access_token]);
    await Promise.all([asks(), asks()]);

    await hill.as('web').query('select api_human.cut_agent($1, $2)', [session, agentId]);

    for (const answer of await Promise.allSettled([asks(), asks()]))
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'ZHTOK' } });
    expect((await two.exchange(tokens.identity_assertion as string)).status).toBe(400);
  });
});
