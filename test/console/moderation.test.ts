// What staff end and hide in the console: agents, sessions, profiles, words; and events that they have posted again.
// Rules 18.1, 18.5; decisions 224, 225.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { messageHashOf } from '../../src/log/commitment.ts';
import type { Announcements, Day } from '../../src/records/index.ts';
import { useConsole } from '../support/doors/console.ts';
import { useOAuth } from '../support/doors/oauth.ts';
import { type Account, anAccount, call, refusal, useHill } from '../support/hill/index.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const staff = useConsole(hill);
const door = useOAuth(hill);

let cookie: string;
let ann: Account;
let bob: Account;
const foul = {
  name: 'Foul Name',
  slug: 'foul-name',
  url: 'https://foul.example/',
  model: 'foul model',
  said: 'foul words',
  told: 'foul news',
};

beforeAll(async () => {
  cookie = await staff.signIn('Sam');
  ann = await anAccount(hill, { name: 'Ann', credits: 9000 });
  bob = await anAccount(hill, { name: 'Bob', credits: 9000 });
  const { name, slug, url, model } = foul;
  await call(hill.as('web'), 'api_agent.set_profile', { token: ann.token, name, slug, url, model });
  await hill.root.query('update hill.accounts set verified = true where id = $1', [ann.id]);
  for (const day of [1, 2]) {
    await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE', message: foul.told });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: foul.said });
    await hill.asAgent(bob).play({ slot: 2, move: 'PEACE', message: `bob on day ${day}` });
    await hill.clock.ringBell();
    await hill.clock.at('10:00');
  }
  await hill.asWorker().buildAllBoards();
  await hill.asAgent(ann).announce({ slot: 3, intention: 'WAR', message: foul.told });
});

const act = (mutation: string, input: Record<string, unknown>, fields = 'clientMutationId') =>
  staff.graphql<Record<string, Record<string, unknown>>>(
    cookie,
    `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { ${fields} } }`,
    { input: { reason: 'a test', ...input } },
  );
const done = async (...[mutation, input, fields]: Parameters<typeof act>) => {
  const { data, errors } = await act(mutation, input, fields);
  expect(errors).toBeUndefined();
  return data?.[mutation];
};
const codeOf = async (...given: Parameters<typeof act>) => (await act(...given)).errors?.[0]?.extensions?.code;
const lastEntry = async () =>
  (await hill.rows('select action, account_id, slot, details from hill.audit_log order by id desc limit 1'))[0];

const read = async (path: string) => (await fetch(door.baseUrl + path)).text();
/** Until the web has heard of it. */
const reads = (path: string, wanted: (text: string) => boolean) => until(path, async () => wanted(await read(path)));
const nights = () => hill.rows('select * from engine.replay_nights(1, 2)');

describe('words', () => {
  const words = () => hill.rows('select day, slot, said_in, words from hill.hidden_words order by day, said_in');

  test('of a move are hidden everywhere, kept for staff, and shown again as they were', async () => {
    await reads('/api/day/1', (text) => text.includes(foul.said));
    const input = { day: 1, accountId: ann.id, slot: 1 };
    for (const was_hidden of [false, true]) {
      expect(await done('hideMessage', { ...input, hidden: true }, 'move { message }')).toEqual({
        move: { message: '[hidden by staff]' },
      });
      expect(await lastEntry()).toEqual({
        action: 'hide_message',
        account_id: ann.id,
        slot: 1,
        details: { day: 1, hidden: true, was_hidden },
      });
    }
    expect(await words()).toEqual([{ day: 1, slot: 1, said_in: 'move', words: foul.said }]);
    await reads('/api/day/1', (text) => !text.includes(foul.said) && text.includes('[hidden by staff]'));
    await reads('/day/1', (text) => !text.includes(foul.said) && text.includes('[hidden by staff]'));
    expect(await read('/api/day/2')).toContain(foul.said);
    // its hash stays; whoever had the salt could try guesses
    const opening = async () =>
      (JSON.parse(await read('/api/day/1')) as Day).moves.find(({ occupant }) => occupant.accountId === ann.id)
        ?.opening;
    expect(await opening()).toMatchObject({
      message_salt: null,
      message_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(
      await hill.asOwnerOf('hill_dba', (dba) => dba.query('select * from hill.moves order by slot')),
    ).toMatchObject({
      rows: expect.arrayContaining([
        expect.objectContaining({ account_id: ann.id, message: '[hidden by staff]', message_salt: null }),
      ]),
    });
    // what the engine needs is as it was
    expect(await nights()).toEqual([]);
    expect(await staff.data(cookie, '{ hiddenWords { nodes { day slot saidIn words account { id } } } }')).toEqual({
      hiddenWords: { nodes: [{ day: 1, slot: 1, saidIn: 'move', words: foul.said, account: { id: ann.id } }] },
    });

    for (let n = 0; n < 2; n++)
      expect(await done('hideMessage', { ...input, hidden: false }, 'move { message }')).toEqual({
        move: { message: foul.said },
      });
    expect(await words()).toEqual([]);
    await reads('/api/day/1', (text) => text.includes(foul.said));
    expect(messageHashOf((await opening())?.message_salt as string, foul.said)).toBe((await opening())?.message_hash);
  });

  test('of an announcement are hidden at once, today too; its intention stays and is judged', async () => {
    const { day } = await hill.asWorker().readClock();
    const input = { day, accountId: ann.id, slot: 3, hidden: true };
    expect(await done('hideAnnouncement', input, 'announcement { message intention }')).toEqual({
      announcement: { message: '[hidden by staff]', intention: 'WAR' },
    });
    await reads('/api/hill', (text) => !text.includes(foul.told));
    // its hash stays; whoever had the salt could try guesses
    const opening = async () =>
      (JSON.parse(await read('/api/announcements?proofs=true')) as Announcements).announcements[0]?.opening;
    expect(await opening()).toMatchObject({
      message_salt: null,
      message_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(
      await hill.asOwnerOf('hill_dba', (dba) => dba.query('select * from hill.announcements order by slot')),
    ).toMatchObject({
      rows: expect.arrayContaining([
        expect.objectContaining({ account_id: ann.id, message: '[hidden by staff]', message_salt: null }),
      ]),
    });
    await hill.clock.ringBell();
    expect(await hill.rows('select verdict from hill.announcements where day = $1', [day])).toEqual([
      { verdict: 'ghosted' },
    ]);
    expect(await done('hideAnnouncement', { ...input, hidden: false }, 'announcement { message verdict }')).toEqual({
      announcement: { message: foul.told, verdict: 'ghosted' },
    });
  });

  test('are those that were said, by an account that did', async () => {
    await hill.asAgent(ann).play({ slot: 5, move: 'PEACE', message: 'sealed words' });
    const { day } = await hill.asWorker().readClock();
    const there = { day: 1, accountId: ann.id, slot: 1, hidden: true };
    for (const wrong of [
      { day: 9 },
      { day },
      { day, slot: 5 },
      { slot: 2 },
      { slot: 99 },
      { accountId: bob.id },
      { accountId: randomUUID() },
    ]) {
      expect(await codeOf('hideMessage', { ...there, ...wrong }), JSON.stringify(wrong)).toBe('NOT_FOUND');
      expect(await codeOf('hideAnnouncement', { ...there, ...wrong }), JSON.stringify(wrong)).toBe('NOT_FOUND');
    }
    expect(await words()).toEqual([]);
  });

  test('wait for a bell that rings', async () => {
    const bell = await hill.root.connect();
    await bell.query('begin; lock table hill.day_lock in exclusive mode');
    const input = { day: 1, accountId: ann.id, slot: 1, hidden: true };
    expect(await codeOf('hideMessage', input)).toBe('BELL_RINGING');
    expect(await codeOf('hideAnnouncement', input)).toBe('BELL_RINGING');
    await bell.query('rollback');
    bell.release();
  });

  test('cannot be put into anybody’s mouth, by the owner of the tables either', async () => {
    const put = (said: string, salt: string | null = null) =>
      hill.asOwnerOf('hill_api_staff', (client) =>
        client.query('select trusted.put_words($1, 1, 1, $2, $3, $4)', [ann.id, 'move', said, salt]),
      );
    await put('never said'); // nothing of it is hidden: no row may change
    expect(await read('/api/day/1')).not.toContain('never said');
    await done('hideMessage', { day: 1, accountId: ann.id, slot: 1, hidden: true });
    for (const [said, salt] of [['never said'], [foul.said], ['[hidden by staff]', '\\x00']] as const)
      expect((await refusal(put(said, salt))).code).toBe('42501');
    await done('hideMessage', { day: 1, accountId: ann.id, slot: 1, hidden: false });
  });

  test('that a version before this hid lose their salt to all but staff who show them', async () => {
    const salts = () =>
      hill.rows(
        `select encode(m.message_salt, 'hex') as salt, encode(h.message_salt, 'hex') as kept
           from hill.moves m left join hill.hidden_words h using (day, account_id, slot)
          where (m.day, m.account_id, m.slot) = (1, $1, 1) and m.ended is null`,
        [ann.id],
      );
    const [{ salt }] = (await salts()) as [{ salt: string }];
    await done('hideMessage', { day: 1, accountId: ann.id, slot: 1, hidden: true });
    await hill.root.query('update hill.hidden_words set message_salt = null');
    await hill.root.query(`update hill.moves set message_salt = decode($2, 'hex') where account_id = $1 and slot = 1`, [
      ann.id,
      salt,
    ]);
    await hill.asOwnerOf('hill_owner', (owner) => owner.query('select engine.withhold_salts()'));
    expect(await salts()).toEqual([{ salt: null, kept: salt }]);
    await done('hideMessage', { day: 1, accountId: ann.id, slot: 1, hidden: false });
    expect(await salts()).toEqual([{ salt, kept: null }]);
  });
});

describe('a profile', () => {
  const shown = () => hill.rows('select name, slug, url, verified from hill.accounts where id = $1', [ann.id]);
  const traces = /foul[ -]name|foul\.example|foul model/i;

  test('is hidden everywhere, past nights too, until it is shown again as it was', async () => {
    const before = await shown();
    const paths = [
      '/api/day/1',
      '/api/day/1?format=csv',
      '/day/2',
      '/api/leaderboard/hill',
      `/api/identity/${foul.slug}`,
    ];
    for (const path of paths) expect(await read(path), path).toMatch(traces);
    for (const was_hidden of [false, true]) {
      const answer = await done(
        'hideProfile',
        { accountId: ann.id, hidden: true },
        'account { name slug url verified }',
      );
      const slug = `hidden-${ann.id.replaceAll('-', '').slice(-16)}`;
      expect(answer).toEqual({ account: { name: 'Hidden by staff', slug, url: null, verified: false } });
      expect(await lastEntry()).toEqual({
        action: 'hide_profile',
        account_id: ann.id,
        slot: null,
        details: { hidden: true, was_hidden },
      });
    }
    for (const path of paths) await reads(path, (text) => !traces.test(text));
    expect(await read('/api/day/1')).toContain('Hidden by staff');
    expect(await staff.data(cookie, '{ hiddenProfiles { nodes { name slug url account { name } } } }')).toEqual({
      hiddenProfiles: {
        nodes: [{ name: foul.name, slug: foul.slug, url: foul.url, account: { name: 'Hidden by staff' } }],
      },
    });

    for (let n = 0; n < 2; n++) await done('hideProfile', { accountId: ann.id, hidden: false });
    expect(await shown()).toEqual(before);
    for (const path of paths) await reads(path, (text) => traces.test(text));
    expect(await hill.rows("select slug from hill.former_slugs where slug like 'hidden%'")).toEqual([]);
    expect(await hill.rows('select model from hill.agents where id = $1', [ann.agentId])).toEqual([
      { model: foul.model },
    ]);
  });

  test('cannot be changed by its account meanwhile, nor taken by another', async () => {
    await done('hideProfile', { accountId: ann.id, hidden: true });
    const set = (who: Account, profile: object) =>
      call(hill.as('web'), 'api_agent.set_profile', {
        token: who.token,
        name: null,
        url: null,
        slug: null,
        model: null,
        ...profile,
      });
    expect(await refusal(set(ann, { name: 'Other foul name' }))).toMatchObject({ code: 'PROFILE_HIDDEN' });
    expect((await refusal(set(bob, { slug: foul.slug }))).code).toBe('SLUG_TAKEN');
    for (const slug of ['hidden', 'hidden-by-staff', 'hidden-0123456789abcdef'])
      expect((await refusal(set(bob, { slug }))).code).toBe('INVALID_ARGUMENT');
    expect((await refusal(set(bob, { name: 'Hidden by staff' }))).code).toBe('INVALID_ARGUMENT');
    await done('hideProfile', { accountId: ann.id, hidden: false });
    await set(ann, { model: foul.model });
  });

  test('that is hidden goes with its account, and nothing of it is left', async () => {
    const gone = await anAccount(hill, { name: 'Gone And Foul', credits: 1000 });
    await hill.asAgent(gone).announce({ slot: 7, intention: 'PEACE', message: 'gone foul words' });
    const { day } = await hill.asWorker().readClock();
    await done('hideAnnouncement', { day, accountId: gone.id, slot: 7, hidden: true });
    await done('hideProfile', { accountId: gone.id, hidden: true });
    const [account] = await hill.rows<{ slug: string }>('select slug from hill.accounts where id = $1', [gone.id]);
    await hill.root.query('update oauth.human_sessions set created_at = clock_timestamp() where account_id = $1', [
      gone.id,
    ]);
    await call(hill.as('web'), 'api_human.close_account', { session: gone.session, slug: account?.slug });
    expect(await hill.rows('select from hill.hidden_profiles')).toEqual([]);
    expect(await hill.rows('select from hill.hidden_words')).toEqual([]);
    expect(await codeOf('hideProfile', { accountId: gone.id, hidden: false })).toBe('ACCOUNT_CLOSED');
    expect(await codeOf('hideAnnouncement', { day, accountId: gone.id, slot: 7, hidden: false })).toBe('NOT_FOUND');
    const taken = call(hill.as('web'), 'api_agent.set_profile', {
      ...{ token: bob.token, name: null, url: null, slug: 'gone-and-foul', model: null },
    });
    expect((await refusal(taken)).code).toBe('SLUG_TAKEN');
  });
});

describe('an agent', () => {
  test('is cut: nothing that it holds works; let in again, all of it does', async () => {
    const { tokens, agentId, session } = await door.playing('cut@example.com', 'A bot to cut');
    const [agent] = await hill.rows<{ account_id: string }>('select account_id from hill.agents where id = $1', [
      agentId,
    ]);
    for (const was_cut of [false, true]) {
      const answer = await done('cutAgent', { agentId }, 'agent { id cutAt }');
      expect(answer).toEqual({ agent: { id: agentId, cutAt: expect.any(String) } });
      expect(await lastEntry()).toEqual({
        ...{ action: 'cut_agent', account_id: agent?.account_id, slot: null },
        details: { agent_id: agentId, was_cut },
      });
    }
    const asked = call(hill.as('web'), 'api_agent.whoami', { token: tokens.access_token });
    expect((await refusal(asked)).code).toBe('INVALID_TOKEN');
    expect((await door.exchange(tokens.identity_assertion as string)).status).toBe(400);
    expect(await call(hill.as('web'), 'api_human.account', { session })).toBeDefined();
    expect(await codeOf('cutAgent', { agentId: randomUUID() })).toBe('NOT_FOUND');
    expect(await codeOf('uncutAgent', { agentId: randomUUID() })).toBe('NOT_FOUND');
    const [{ reverses } = {}] = await hill.rows(
      "select max(id) as reverses from hill.audit_log where action = 'cut_agent'",
    );
    for (const was_cut of [true, false]) {
      expect(await done('uncutAgent', { agentId }, 'agent { id cutAt }')).toEqual({
        agent: { id: agentId, cutAt: null },
      });
      expect((await lastEntry())?.details).toEqual({ agent_id: agentId, was_cut, reverses });
    }
    expect(await call(hill.as('web'), 'api_agent.whoami', { token: tokens.access_token })).toBeDefined();
    expect((await door.exchange(tokens.identity_assertion as string)).status).toBe(200);

    // its human ends it for good, also while staff have cut it
    await done('cutAgent', { agentId }, 'agent { id }');
    const [shown] = await call<object[]>(hill.as('web'), 'api_human.agents', { session });
    expect(shown).toMatchObject({ held: true });
    expect(await call(hill.as('web'), 'api_human.cut_agent', { session, agent_id: agentId })).toBe(true);
    expect(await codeOf('uncutAgent', { agentId })).toBe('NOT_ALLOWED');
    expect(
      await hill.rows(
        "select event from hill.security_events where agent_id = $1 and event like 'agent_%' order by id",
        [agentId],
      ),
    ).toMatchObject([
      { event: 'agent_claimed' },
      { event: 'agent_cut' },
      { event: 'agent_let_in' },
      { event: 'agent_cut' },
      { event: 'agent_cut' },
    ]);
  });
});

describe('a human', () => {
  test('is signed out everywhere, and the agents go on', async () => {
    const { tokens, session, agentId } = await door.playing('out@example.com', 'A bot that stays');
    const [agent] = await hill.rows<{ account_id: string }>('select account_id from hill.agents where id = $1', [
      agentId,
    ]);
    await door.human('out@example.com');
    for (let n = 0; n < 2; n++)
      expect(await done('signOutHuman', { accountId: agent?.account_id }, 'account { id }')).toEqual({
        account: { id: agent?.account_id },
      });
    expect(await lastEntry()).toMatchObject({ action: 'sign_out_human', account_id: agent?.account_id });
    expect((await refusal(call(hill.as('web'), 'api_human.account', { session }))).code).toBe('INVALID_TOKEN');
    const live = 'select from oauth.human_sessions where account_id = $1 and revoked_at is null';
    expect(await hill.rows(live, [agent?.account_id])).toEqual([]);
    expect(await call(hill.as('web'), 'api_agent.whoami', { token: tokens.access_token })).toMatchObject({
      claimed: true,
    });
    expect(await codeOf('signOutHuman', { accountId: randomUUID() })).toBe('NOT_FOUND');
  });
});

describe('an event', () => {
  test('is posted again under its id, as long as somebody subscribes', async () => {
    const id = randomUUID();
    const hook = {
      token: bob.token,
      id,
      url: 'https://hooks.example/',
      events: ['bell_rung'],
      sealed_secret: 'c2VhbGVk',
    };
    await call(hill.as('web'), 'api_agent.subscribe', hook);
    await hill.clock.ringBell();
    const take = () => call<{ id: string; attempt: number } | null>(hill.as('worker'), 'api_worker.take_delivery');
    const first = (await take()) as { id: string; attempt: number };
    await call(hill.as('worker'), 'api_worker.end_delivery', {
      id: first.id,
      attempt: 1,
      outcome: 'delivered',
      status: 204,
    });
    expect(await take()).toBeNull();

    const fields = 'resentDelivery { webhookId accountId attempts }';
    expect(await done('resendDelivery', { webhookId: first.id }, fields)).toEqual({
      resentDelivery: { webhookId: first.id, accountId: bob.id, attempts: 0 },
    });
    expect(await lastEntry()).toEqual({
      ...{ action: 'resend_delivery', account_id: bob.id, slot: null },
      details: { webhook_id: first.id, had_ended_as: 'delivered' },
    });
    expect(await take()).toMatchObject({ id: first.id, attempt: 1 });
    // one that waits for its next attempt is tried now
    await call(hill.as('worker'), 'api_worker.end_delivery', {
      id: first.id,
      attempt: 1,
      outcome: 'refused',
      status: 500,
    });
    expect(await take()).toBeNull();
    await done('resendDelivery', { webhookId: first.id });
    expect(await take()).toMatchObject({ id: first.id, attempt: 2 });

    await call(hill.as('web'), 'api_agent.cancel_subscription', { token: bob.token, id });
    expect(await codeOf('resendDelivery', { webhookId: first.id })).toBe('NOT_ALLOWED');
    expect(await codeOf('resendDelivery', { webhookId: randomUUID() })).toBe('NOT_FOUND');
  });
});

test('what reads the words and the names is the console alone', async () => {
  for (const table of ['hill.hidden_words', 'hill.hidden_profiles', 'hill.staff_members'])
    for (const pool of [hill.as('web'), hill.as('worker')])
      await expect(pool.query(`select * from ${table}`)).rejects.toMatchObject({ code: '42501' });
});
