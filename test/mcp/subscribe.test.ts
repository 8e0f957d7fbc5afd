// subscribe: events posted to a real server, from the call of the tool to the signature that its receiver verifies.
// Rules 15.1.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { secret as signingSecret } from '../support/doors/oauth.ts';
import { runHill } from '../support/hill/hill-process.ts';
import { type Account, anAccount, anotherAgent, useHill } from '../support/hill/index.ts';
import { aTournament } from '../support/hill/tournaments.ts';
import { aWorker } from '../support/hill/worker.ts';
import { aReceiver, type Receiver, verified } from '../support/peers/receiver.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const mcp = useMcp(hill);

interface Subscription {
  id: string;
  url: string;
  events: string[];
  state: string;
  ended_because: string | null;
  waiting: number;
  last_try: { outcome: string; status: number | null; attempt: number } | null;
}
interface Answer {
  subscription: Subscription;
  secret: string;
  subscriptions: Subscription[];
  subscriptions_left: number;
}

const add = async (account: Account, { url }: Pick<Receiver, 'url'>, events?: string[]) => {
  const token = await mcp.token(account);
  const { subscription, secret } = await mcp.call<Answer>(token, 'subscribe', {
    action: 'add',
    url,
    ...(events ? { events } : {}),
  });
  const state = async () =>
    (await mcp.call<Answer>(token, 'subscribe', { action: 'list' })).subscriptions.find(
      ({ id }) => id === subscription.id,
    ) as Subscription;
  return { token, id: subscription.id, secret, state };
};
/** Retries are due now, and the worker looks. */
const hurry = async () => {
  await hill.rows('update hill.deliveries set due_at = clock_timestamp() where ended_at is null');
  await hill.as('worker').query("select graphile_worker.add_job('deliver')");
};

describe('an event', () => {
  test('arrives after the bell, signed, once, with what it means for the account and with nothing before it', async () => {
    await aWorker(hill);
    const [mine, others] = [await aReceiver(), await aReceiver()];
    const [ann, bob] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
    const { secret, state } = await add(ann, mine);
    await add(bob, others, ['seat_won']);
    await hill.asAgent(ann).play({ slot: 9, move: 'WAR', stake_cents: 850, message: 'not yet' });
    expect((await state()).waiting).toBe(0);

    await hill.clock.ringBell();
    const requests = [await mine.nth(1), await mine.nth(2)];
    const events = requests.map((request) => verified(secret, request));

    expect(events.map(({ type }) => type).sort()).toEqual(['bell_rung', 'seat_won']);
    expect(events.find(({ type }) => type === 'seat_won')).toEqual({
      type: 'seat_won',
      timestamp: expect.stringMatching(/^2026-03-02T00:00:0/),
      data: { day: 1, slot: 9, via: 'war', points: 2, occupants: 1 },
    });
    for (const { method, url, headers } of requests) {
      expect({ method, url }).toEqual({ method: 'POST', url: '/hook?key=of-mine' });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^Hill \(http/),
      });
      expect(Object.keys(headers).sort()).toEqual(
        ['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent']
          .concat(['webhook-id', 'webhook-signature', 'webhook-timestamp'])
          .sort(),
      );
    }
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    await until('all is delivered', async () => (await state()).waiting === 0);
    expect(await state()).toMatchObject({
      state: 'active',
      last_try: { outcome: 'delivered', status: 204, attempt: 1 },
    });
    expect(mine.received.length).toBe(2);
    expect(others.received).toEqual([]);
    expect(() => verified(secret, { ...(requests[0] as (typeof requests)[0]), body: '{}' })).toThrow();
  });

  test('that a receiver did not take comes again, the same, and is not lost', async () => {
    await aWorker(hill);
    const receiver = await aReceiver();
    const ann = await anAccount(hill);
    const { secret, state } = await add(ann, receiver, ['bell_rung']);
    receiver.answer(500, { status: 302, headers: { location: `${receiver.url}&followed` } }, 200);
    await hill.clock.ringBell();

    const first = await receiver.nth(1);
    await until('the failure is known', async () => (await state()).state === 'failing');
    expect((await state()).last_try).toMatchObject({ outcome: 'status', status: 500 });
    await hurry();
    await receiver.nth(2);
    await until('the next one', async () => (await state()).last_try?.outcome === 'redirect');
    await hurry();
    const third = await receiver.nth(3);

    expect(third.body).toBe(first.body);
    expect(third.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(third.url, 'no redirect is followed').toBe(first.url);
    expect([verified(secret, first), verified(secret, third)].map(({ type }) => type)).toEqual([
      'bell_rung',
      'bell_rung',
    ]);
    await until('it is over', async () => (await state()).state === 'active');
    expect(await state()).toMatchObject({ waiting: 0, last_try: { outcome: 'delivered', status: 200, attempt: 3 } });
  });

  test('that was under way when its worker was killed comes again', async () => {
    const receiver = await aReceiver();
    const ann = await anAccount(hill);
    const { secret, state } = await add(ann, receiver, ['bell_rung']);
    receiver.answer('silence', 204);
    const doomed = runHill(['worker'], {
      WORKER_DATABASE_URL: hill.url('worker'),
      HILL_CLOCK: 'simulated',
      HILL_SIGNING_SECRET: signingSecret,
      LOG_LEVEL: 'info',
    });
    await doomed.says('the worker is waiting');
    await hill.clock.ringBell();
    const first = await receiver.nth(1);
    await doomed.stop('SIGKILL');

    const worker = await aWorker(hill);
    expect(await state()).toMatchObject({ waiting: 1, last_try: null });
    await hill.rows('update hill.subscriptions set busy_until = clock_timestamp() where busy_until is not null');
    await hurry();
    const second = await receiver.nth(2);
    expect(verified(secret, second)).toEqual(verified(secret, first));
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    await until('it is over', async () => (await state()).waiting === 0);
    await worker.stop();
  });

  test('that was written while no worker ran is delivered when one starts', async () => {
    const receiver = await aReceiver();
    const { secret } = await add(await anAccount(hill), receiver, ['bell_rung']);
    await hill.clock.ringBell();
    await aWorker(hill);
    expect(verified(secret, await receiver.nth(1)).type).toBe('bell_rung');
  });

  test('for an address that says Gone is the last one', async () => {
    await aWorker(hill);
    const receiver = await aReceiver();
    const { token, id, state } = await add(await anAccount(hill), receiver, ['bell_rung']);
    receiver.answer(410);
    await hill.clock.ringBell();
    await until('the end', async () => (await state()).state === 'ended');
    expect(await state()).toMatchObject({ ended_because: 'gone', waiting: 0 });
    await hill.clock.ringBell();
    expect(await mcp.call(token, 'subscribe', { action: 'list' })).toMatchObject({
      subscriptions: [{ id }],
      subscriptions_left: 5,
    });
    expect(receiver.received.length).toBe(1);
  });

  test('is not posted any more after cancel, what waited included', async () => {
    const receiver = await aReceiver();
    const { token, id } = await add(await anAccount(hill), receiver, ['bell_rung']);
    await hill.clock.ringBell();
    expect(await mcp.call(token, 'subscribe', { action: 'cancel', id })).toMatchObject({
      subscription: { id, state: 'ended', ended_because: 'cancelled', waiting: 0 },
      secret: null,
    });
    const other = await aReceiver();
    const { secret } = await add(await anAccount(hill), other, ['bell_rung']);
    await aWorker(hill);
    await hill.clock.ringBell();
    expect(verified(secret, await other.nth(1)).type).toBe('bell_rung');
    expect(receiver.received).toEqual([]);
  });

  test('waits for slow receivers in its own lane: others get theirs, and bells ring', async () => {
    await aWorker(hill);
    const [slow, quick] = [await aReceiver(), await aReceiver()];
    slow.answer('silence');
    const account = await anAccount(hill);
    for (let n = 0; n < 3; n++) await add(account, { url: `${slow.url}&n=${n}` }, ['bell_rung']);
    await add(await anAccount(hill), quick, ['bell_rung']);
    await hill.clock.ringBell();
    await hill.clock.ringBell();
    await quick.nth(2);
    await slow.nth(3);
  });
});

test('staff’s answer to a report arrives at the account that reported, and says where to read it', async () => {
  await aWorker(hill);
  const [mine, others] = [await aReceiver(), await aReceiver()];
  const ann = await anAccount(hill);
  const { secret, token } = await add(ann, mine, ['report_answered']);
  await add(await anAccount(hill), others, ['report_answered']);
  const { report_id } = await mcp.call<{ report_id: string }>(token, 'report_missing_capability', {
    what: 'A bell at noon',
    tool: 'play',
  });
  await hill
    .asStaff()
    .call('api_staff.answer_report', { report_id, answer: 'There is one bell', reason: 'It was asked' });

  expect(verified(secret, await mine.nth(1))).toMatchObject({
    type: 'report_answered',
    data: { report_id, tool: 'play', day: expect.any(Number) },
  });
  expect(mine.received[0]?.body).not.toContain('one bell');
  expect(await mcp.call(token, 'list_my_reports')).toMatchObject({
    reports: [{ report_id, answer: 'There is one bell' }],
  });
  expect(others.received).toEqual([]);
});

describe('a tournament', () => {
  test('is entered by its slug alone, as its own record says, and again without harm', async () => {
    const today = await hill.clock.day();
    const days = { opens_day: today, sign_ups_close_day: today + 1, starts_day: today + 2, ends_day: today + 4 };
    const slug = await aTournament(hill, { slug: 'evening-cup', ...days });
    const token = await mcp.token(await anAccount(hill));

    const { tournaments, next } = await mcp.call<{ tournaments: Record<string, unknown>[]; next: string }>(
      token,
      'subscribe',
      {
        to: 'tournament',
      },
    );
    expect(tournaments).toMatchObject([{ slug, phase: 'open', i_am_in: false, ...days }]);
    const { arguments: args } = JSON.parse(`{"arguments": ${/\{.*\}/.exec(next)?.[0]}}`) as { arguments: object };
    const entered = await mcp.call(token, 'subscribe', args);
    expect(entered).toMatchObject({
      to: 'tournament',
      action: 'sign_up',
      tournament: { slug, i_am_in: true, entries: 1 },
      subscriptions: null,
    });
    expect(await mcp.call(token, 'subscribe', { to: 'tournament', tournament: slug })).toEqual(entered);
  });

  test('that is unknown or over is refused with what there is', async () => {
    const token = await mcp.token(await anAccount(hill));
    const unknown = await mcp.refusal(token, 'subscribe', { tournament: 'winter-cup' });
    expect(unknown).toMatchObject({ code: 'NOT_FOUND', tournaments: ['evening-cup'] });
    await hill.clock.toDay((await hill.clock.day()) + 2);
    expect(await mcp.refusal(token, 'subscribe', { tournament: 'evening-cup' })).toMatchObject({
      code: 'TOURNAMENT_CLOSED',
      phase: 'running',
    });
  });
});

describe('the tool', () => {
  test.each([
    ['http://example.com/', 'url_not_allowed'],
    ['https://example.com:8443/', 'url_not_allowed'],
    ['https://10.0.0.1/', 'url_not_allowed'],
    ['https://169.254.169.254/latest/meta-data', 'url_not_allowed'],
    ['https://metadata.internal/', 'url_not_allowed'],
    ['https://user:secret-word@example.com/', 'url_not_allowed'],
    ['ftp://example.com/', 'url_not_allowed'],
    ['not an address', 'url_not_allowed'],
  ])('refuses %s at once', async (url, reason) => {
    const token = await mcp.token(await anAccount(hill));
    const refused = await mcp.refusal(token, 'subscribe', { action: 'add', url });
    expect(refused).toMatchObject({
      code: 'ADDRESS_REFUSED',
      reason,
      argument: 'url',
      hint: expect.stringContaining('https'),
    });
    expect(JSON.stringify(refused)).not.toContain('secret-word');
    expect(await mcp.call(token, 'subscribe', { action: 'list' })).toMatchObject({ subscriptions: [] });
  });

  test('says what is missing, and what it does not know', async () => {
    const token = await mcp.token(await anAccount(hill));
    expect(await mcp.refusal(token, 'subscribe', { action: 'add' })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'url',
    });
    expect(await mcp.refusal(token, 'subscribe', { action: 'cancel' })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument: 'id',
    });
    expect(
      await mcp.refusal(token, 'subscribe', { action: 'add', url: 'http://127.0.0.1:9/', events: ['rain'] }),
    ).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    for (const [args, argument] of [
      [{ tournament: 'spring', action: 'cancel' }, 'action'],
      [{ to: 'tournament', url: 'http://127.0.0.1:9/' }, 'url'],
      [{ to: 'events', tournament: 'spring' }, 'tournament'],
      [{ url: 'http://127.0.0.1:9/' }, 'url'],
      [{ action: 'list', events: ['bell_rung'] }, 'events'],
    ] as const)
      expect(await mcp.refusal(token, 'subscribe', args)).toMatchObject({ code: 'INVALID_ARGUMENT', argument });
    expect(await mcp.call(token, 'subscribe'), 'by default it lists').toMatchObject({
      to: 'events',
      action: 'list',
      subscriptions: [],
    });
  });

  test('recovers from its refusals by what they say', async () => {
    const ann = await anAccount(hill);
    const token = await mcp.token(ann);
    const receiver = await aReceiver();
    const first = await add(ann, receiver);
    const twice = await mcp.refusal(token, 'subscribe', { action: 'add', url: receiver.url });
    expect(twice).toMatchObject({ code: 'ALREADY_SUBSCRIBED', subscription: { id: first.id } });
    await mcp.call(token, 'subscribe', { action: 'cancel', id: (twice.subscription as Subscription).id });
    const again = await mcp.call<Answer>(token, 'subscribe', { action: 'add', url: receiver.url });
    expect(again.secret).not.toBe(first.secret);

    for (let n = 2; n <= 5; n++) await mcp.call(token, 'subscribe', { action: 'add', url: `${receiver.url}&n=${n}` });
    const full = await mcp.refusal(token, 'subscribe', { action: 'add', url: `${receiver.url}&n=6` });
    expect(full).toMatchObject({ code: 'TOO_MANY_SUBSCRIPTIONS' });
    const [one] = full.subscriptions as [Subscription];
    await mcp.call(token, 'subscribe', { action: 'cancel', id: one.id });
    await mcp.call(token, 'subscribe', { action: 'add', url: `${receiver.url}&n=6` });
  });

  test("neither lists nor cancels another account's; the account's other agents do both", async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    const { id } = await add(ann, await aReceiver());
    const stranger = await mcp.token(bob);
    expect(await mcp.call(stranger, 'subscribe', { action: 'list' })).toMatchObject({ subscriptions: [] });
    expect(await mcp.refusal(stranger, 'subscribe', { action: 'cancel', id })).toMatchObject({
      code: 'NOT_FOUND',
      subscriptions: [],
    });
    const sister = await mcp.token(await anotherAgent(hill, ann));
    expect(await mcp.call(sister, 'subscribe', { action: 'list' })).toMatchObject({
      subscriptions: [{ id, state: 'active' }],
    });
    expect(await mcp.call(sister, 'subscribe', { action: 'cancel', id })).toMatchObject({
      subscription: { id, state: 'ended' },
    });
  });

  test('answers by its output schema, as the SDK’s client checks it', async () => {
    const ann = await anAccount(hill);
    const client = await mcp.client(await mcp.token(ann));
    await client.listTools();
    const receiver = await aReceiver();
    for (const args of [{ action: 'add', url: receiver.url }, { action: 'list' }]) {
      const { content, isError } = await client.callTool({ name: 'subscribe', arguments: args });
      expect({ content, isError }).toEqual({
        content: [{ type: 'text', text: expect.stringContaining('/hook') }],
        isError: undefined,
      });
    }
  });
});

test('a secret is shown once, and is in no table, no job and no log', async () => {
  const worker = await aWorker(hill);
  const receiver = await aReceiver();
  const { secret, token } = await add(await anAccount(hill), receiver, ['bell_rung']);
  receiver.answer(500);
  await hill.clock.ringBell();
  await receiver.nth(1);
  const bare = secret.replace(/^whsec_/, '');
  const hex = Buffer.from(bare, 'base64').toString('hex');
  expect(Buffer.from(bare, 'base64').length).toBeGreaterThanOrEqual(24);

  const tables = await hill.rows<{ shown: string }>(
    "select oid::regclass::text as shown from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ('hill', 'oauth', 'graphile_worker')",
  );
  expect(tables.map(({ shown }) => shown)).toContain('hill.subscriptions');
  let dump = '';
  for (const { shown } of tables) dump += JSON.stringify(await hill.rows(`select to_jsonb(t)::text from ${shown} t`));
  expect(dump).toContain(receiver.url);
  const [{ folder } = { folder: '' }] = await hill.rows<{ folder: string }>(
    "select current_setting('data_directory') as folder",
  );
  const log = fs.readFileSync(path.join(path.dirname(folder), 'postgres.log'), 'utf8');
  const logs = worker.everything() + mcp.logged.join('') + log;
  expect(logs).toContain('an event was posted');
  for (const word of [bare, hex]) expect(dump + logs).not.toContain(word);
  expect(logs, 'addresses may hold keys').not.toContain('of-mine');
  expect(JSON.stringify(await mcp.call(token, 'subscribe', { action: 'list' }))).not.toContain(bare);
});
