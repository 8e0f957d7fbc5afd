// What happens at one instant: rows 35, 43 and 45 of protocol 11, and their like. Each round is two or more requests
// over HTTP, to two servers on one database.
// HILL_TEST_ROUNDS says how many rounds, for those who want more than 12.
import { describe, expect, test } from 'vitest';
import { useBrowserDoor } from '../support/doors/browser-door.ts';
import { attemptOf, succeeded, useOAuth } from '../support/doors/oauth.ts';
import { formOf, problemsOf, Visitor } from '../support/doors/visitor.ts';
import { anAccount, call, refusal, useHill } from '../support/hill/index.ts';
import { aCode, aTournament, enter } from '../support/hill/tournaments.ts';
import { until } from '../support/until.ts';

const many = Number(process.env.HILL_TEST_ROUNDS ?? 12);
const timeout = 60_000 + many * 500;
const generous = {
  ...{ HILL_LIMIT_REGISTRATIONS: '100000/3600', HILL_LIMIT_CLAIMS: '100000/3600', HILL_LIMIT_TOKENS: '1000000/3600' },
};

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);
/** Which of two was first. */
const winners = { one: 0, two: 0 };
const winner = (answers: { status: number }[]) => {
  winners[answers[0]?.status === 200 ? 'one' : 'two'] += 1;
};

describe('at the same instant', { timeout }, () => {
  const hill = useHill();
  // Two servers on one database, which go by the same addresses. One host: the database decides, whichever host was
  // asked.
  const one = useOAuth(hill, 'one host', { ...generous, HILL_REFRESH_GRACE_SECONDS: '0' });
  const two = useOAuth(hill, 'one host', { ...generous, HILL_REFRESH_GRACE_SECONDS: '0' }, one);
  const browser = useBrowserDoor(one);
  const rounds = numbers(many);

  test('35: of two polls after success, one issues', async () => {
    for (const round of rounds) {
      const { registration } = await one.claimed(`polls-${round}@example.com`);

      const answers = await Promise.all([one.poll(registration.claim_token), two.poll(registration.claim_token)]);

      winner(answers);
      expect(statuses(answers)).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 400)?.body.error).toBe('invalid_grant');
    }
    const [count] = await hill.rows(
      'select count(*)::integer as tokens, count(distinct grant_id)::integer as grants from oauth.access_tokens',
    );
    expect(count).toEqual({ tokens: rounds.length, grants: rounds.length });
  });

  test('43: of two exchanges of a code, one issues, and the other ends what it issued', async () => {
    const [{ client_id }, session] = [await browser.register(), await one.human('codes@example.com')];
    for (const _ of rounds) {
      const code = await browser.approved(client_id, session);

      const answers = await Promise.all([
        browser.exchange(client_id, code),
        browser.exchange(client_id, code, {}, two),
      ]);

      winner(answers);
      expect(statuses(answers)).toEqual([200, 400]);
      const tokens = succeeded(answers.find(({ status }) => status === 200) as (typeof answers)[0]);
      expect(await two.accepts(tokens.access_token)).toBe('401 invalid_token');
      expect((await browser.refresh(client_id, tokens.refresh_token as string)).body.error).toBe('invalid_grant');
    }
  });

  test('45: of two refreshes with one token, one issues, and the other ends the chain, where no grace is given', async () => {
    const [{ client_id }, session] = [await browser.register(), await one.human('refreshes@example.com')];
    for (const _ of rounds) {
      const { refresh_token } = succeeded(
        await browser.exchange(client_id, await browser.approved(client_id, session)),
      );

      const answers = await Promise.all([
        browser.refresh(client_id, refresh_token as string),
        browser.refresh(client_id, refresh_token as string, {}, two),
      ]);

      winner(answers);
      expect(statuses(answers)).toEqual([200, 400]);
      const tokens = succeeded(answers.find(({ status }) => status === 200) as (typeof answers)[0]);
      expect(await two.accepts(tokens.access_token)).toBe('401 invalid_token');
      expect((await browser.refresh(client_id, tokens.refresh_token as string)).body.error).toBe('invalid_grant');
    }
  });

  test('of two who redeem the last use of a code, one is granted its credits', async () => {
    const slug = await aTournament(hill);
    const humanOf = async (account: Awaited<ReturnType<typeof anAccount>>, at: string) => {
      const visitor = new Visitor(account.session);
      const csrf = formOf((await visitor.go(`${at}/account`)).text, '/sign-out')?.csrf as string;
      // both lead back to the account page
      return async (code: string) =>
        problemsOf(await visitor.post(`${at}/account/code`, { csrf, code }, { Origin: one.baseUrl }))
          ? 'refused'
          : 'granted';
    };
    for (const _ of rounds) {
      const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
      for (const account of [ann, bob]) await enter(hill, account, slug);
      const [last, own] = [await aCode(hill, slug, { uses: 1 }), await aCode(hill, slug, { uses: 5 })];
      const [a, b, again] = [
        await humanOf(ann, one.baseUrl),
        await humanOf(bob, two.baseUrl),
        await humanOf(ann, two.baseUrl),
      ];

      expect((await Promise.all([a(last), b(last)])).sort()).toEqual(['granted', 'refused']);
      expect((await Promise.all([a(own), again(own)])).sort()).toEqual(['granted', 'refused']);

      const granted = await Promise.all(
        [ann, bob].map(async (account) => (await hill.asHuman(account).ownState()).granted_cents),
      );
      expect(granted.reduce((sum, cents) => sum + cents)).toBe(1000);
    }
  });

  test('two claims of one registration give one code', async () => {
    for (const round of rounds) {
      const { claim_token } = await one.register();
      const email = `claims-${round}@example.com`;

      expect(statuses(await Promise.all([one.claim(claim_token, email), two.claim(claim_token, email)]))).toEqual([
        200, 409,
      ]);
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

  test.each(['a claim', 'a device', 'a client'])(
    'a session that ended meanwhile approves no longer: %s',
    async (what) => {
      const session = await one.human(`ended-${what.slice(2)}@example.com`);
      const [{ client_id }, code] = [await browser.register(), `for ${what}`];
      const claim = succeeded(
        await one.claim((await one.register()).claim_token, `ended-${what.slice(2)}@example.com`),
      );
      const asked = { client_id, scopes: ['hill:read'], audience: 'x' };
      await call(hill.as('web'), 'api_oauth.begin_device', { ...asked, device_code: code, user_code: code });
      const approve = {
        'a claim': () => one.approve(session, attemptOf(claim), claim.claim_attempt.user_code),
        'a device': () =>
          call(hill.as('web'), 'api_human.approve_device', { session, user_code: code, account_name: null }),
        'a client': () =>
          call(hill.as('web'), 'api_human.approve_client', {
            ...{ ...asked, session, code, redirect_uri: 'http://localhost:1/', code_challenge: 'x'.repeat(43) },
          }),
      }[what] as () => Promise<unknown>;
      const agents = () => hill.rows('select id from hill.agents order by id');
      const before = await agents();
      let late: Promise<{ code: string }> | undefined;
      await hill.asRoot(async (root) => {
        await root.query("begin; select from hill.locks where name = 'approvals' for update");
        await root.query('select from oauth.grants for update');
        late = refusal(approve());
        await until('it waits', async () => {
          const waiting = await hill.rows(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'approve_'",
          );
          return waiting.length > 0;
        });
        await hill.root.query(
          "update oauth.human_sessions set revoked_at = now() where token_hash = sha256(convert_to($1, 'UTF8'))",
          [session],
        );
        await root.query('rollback');
      });

      expect((await late)?.code).toBe('INVALID_TOKEN');
      expect(await agents()).toEqual(before);
    },
  );

  test('six wrong codes at once lock after five', async () => {
    const email = 'guesses@example.com';
    const human = await one.human(email);
    const { claim_token } = await one.register();
    const claim = succeeded(await one.claim(claim_token, email));
    const wrong = claim.claim_attempt.user_code === '000000' ? '000001' : '000000';

    const outcomes = (
      await Promise.all(Array.from({ length: 6 }, () => one.approve(human, attemptOf(claim), wrong)))
    ).map(({ outcome }) => outcome);

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
        round % 2 === 0
          ? () => one.revoke(first.access_token)
          : () => one.approve(human, attemptOf(claim), claim.claim_attempt.user_code);

      const [answer] = await Promise.all([two.exchange(registration.identity_assertion), end()]);

      if (answer.status === 200) expect(await one.accepts(answer.body.access_token)).toBe('401 invalid_token');
      else expect(answer.body.error).toBe('invalid_grant');
      expect(await two.accepts(first.access_token)).toBe('401 invalid_token');
    }
  });
});

describe('where a client that races itself is given a moment, as by default', { timeout }, () => {
  const hill = useHill();
  const one = useOAuth(hill, 'two hosts', generous);
  const two = useOAuth(hill, 'two hosts', generous, one);
  const browser = useBrowserDoor(one);
  const chainOf = (client_id: string) =>
    hill.rows<{ tokens: number; used: number; chains: number }>(
      `select count(*)::integer as tokens, count(t.used_at)::integer as used, count(distinct c.id)::integer as chains
         from oauth.refresh_tokens t join oauth.refresh_chains c on c.id = t.chain_id join oauth.grants g on g.id = c.grant_id where g.client_id = $1`,
      [client_id],
    );

  test('45b: four refreshes at one instant, of two processes, get one successor; each access token works, and the chain goes on', async () => {
    const { client_id, refresh_token } = await browser.signedIn('racing@example.com');
    let token = refresh_token;
    const rounds = numbers(Math.min(many, 30));
    for (const round of rounds) {
      await hill.clock.tick(2_000);
      const answers = await Promise.all(
        [one, two, two, one].map((door) => browser.refresh(client_id, token, {}, door)),
      );

      expect(statuses(answers)).toEqual([200, 200, 200, 200]);
      const successors = new Set(answers.map((answer) => succeeded(answer).refresh_token as string));
      expect(successors.size).toBe(1);
      for (const { body } of answers) expect(await two.accepts(body.access_token)).toBe('ok');
      // one rotation: a line without a branch
      expect(await chainOf(client_id)).toEqual([{ tokens: round + 2, used: round + 1, chains: 1 }]);
      [token] = [...successors] as [string];
    }
    expect(await hill.rows("select * from hill.security_events where event = 'refresh_token_reused'")).toEqual([]);
  });

  test('45b: one that finds the successor saved already does not shut out another that comes with the token before', async () => {
    const [{ client_id }, session] = [await browser.register(), await one.human('stragglers@example.com')];
    const chains = numbers(4).map(async () => {
      const code = await browser.approved(client_id, session);
      const first = succeeded(await browser.exchange(client_id, code)).refresh_token as string;
      const second = succeeded(await browser.refresh(client_id, first)).refresh_token as string;

      const answers = await Promise.all([
        browser.refresh(client_id, second),
        browser.refresh(client_id, first, {}, two),
      ]);

      expect(statuses(answers)).toEqual([200, 200]);
      for (const { body } of answers) expect(await one.accepts(body.access_token)).toBe('ok');
    });
    await Promise.all(chains);
  });

  test('45: the moment is over after 10 seconds, and as soon as the successor is used; of what races then, nothing is left', async () => {
    for (const round of numbers(Math.min(many, 20))) {
      const { client_id, refresh_token } = await browser.signedIn(`slow-${round}@example.com`);
      const next = succeeded(await browser.refresh(client_id, refresh_token));
      await hill.clock.tick(round % 2 === 0 ? 10_000 : 2_000);
      if (round % 2 === 1) succeeded(await browser.refresh(client_id, next.refresh_token as string));

      const answers = await Promise.all([one, two].map((door) => browser.refresh(client_id, refresh_token, {}, door)));

      expect(answers.map(({ body }) => body.error)).toEqual(['invalid_grant', 'invalid_grant']);
      expect((await browser.refresh(client_id, next.refresh_token as string)).body.error).toBe('invalid_grant');
      expect(await one.accepts(next.access_token)).toBe('401 invalid_token');
    }
  });

  test('what the database keeps does not make the successor: another secret derives another, which is refused and begins no branch', async () => {
    const { client_id, refresh_token } = await browser.signedIn('derived@example.com');
    const next = succeeded(await browser.refresh(client_id, refresh_token));
    const held = { refresh_token, client_id, grace_seconds: 10, access_token: 'made up', scopes: ['hill:read'] };

    expect(await call(hill.as('web'), 'api_oauth.refresh', { ...held, next_token: 'of another secret' })).toBe(false);

    expect(await chainOf(client_id)).toEqual([{ tokens: 2, used: 1, chains: 1 }]);
    expect((await browser.refresh(client_id, next.refresh_token as string)).status).toBe(200);
  });
});

if (process.env.HILL_TEST_ROUNDS)
  test('figures', () => {
    console.log(
      `${many} rounds each; of two servers asked at one instant, the first won ${winners.one} times, the second ${winners.two}`,
    );
  });
