// Events of the hill, written for whoever subscribed to them, and what becomes of their deliveries. Rules 15.1, 15.3.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type Account,
  anAccount,
  anotherAgent,
  call,
  type Hill,
  refusal,
  topUp,
  useHill,
} from '../../support/hill/index.ts';

interface Subscription {
  id: string;
  url: string;
  events: string[];
  state: string;
  ended_because: string | null;
  waiting: number;
  failing_since: string | null;
  last_try: { webhook_id: string; event: string; attempt: number; outcome: string; status: number | null } | null;
}
interface Delivery {
  id: string;
  subscription_id: string;
  url: string;
  sealed_secret: string;
  body: string;
  event: string;
  attempt: number;
}

const subscribe = (hill: Hill, { token }: Account, url: string | null, events: string[] | null = null) =>
  call<Subscription>(hill.as('web'), 'api_agent.subscribe', {
    token,
    id: randomUUID(),
    url,
    events,
    sealed_secret: 'c2VhbGVk',
  });
const list = (hill: Hill, { token }: Account) =>
  call<{ subscriptions: Subscription[]; subscriptions_left: number }>(hill.as('web'), 'api_agent.list_subscriptions', {
    token,
  });
const cancel = (hill: Hill, { token }: Account, id: string) =>
  call<Subscription>(hill.as('web'), 'api_agent.cancel_subscription', { token, id });
const take = (hill: Hill) => call<Delivery | null>(hill.as('worker'), 'api_worker.take_delivery');
const end = (hill: Hill, { id, attempt }: Delivery, outcome: string, status: number | null = null) =>
  call<{ state: string }>(hill.as('worker'), 'api_worker.end_delivery', { id, attempt, outcome, status });

/** What was written for an account, in order, without what every event has. */
const told = async (hill: Hill, { id }: Account): Promise<{ type: string; data: Record<string, unknown> }[]> =>
  (
    await hill.rows<{ body: { type: string; data: Record<string, unknown> } }>(
      "select body from hill.deliveries where account_id = $1 order by body ->> 'type', body -> 'data' ->> 'slot', id",
      [id],
    )
  ).map(({ body: { type, data } }) => ({ type, data }));

describe('a subscription', () => {
  const hill = useHill();

  test('is for all events unless some are named, which are kept in one order', async () => {
    const ann = await anAccount(hill);

    expect(await subscribe(hill, ann, 'https://ann.example/hook')).toMatchObject({
      url: 'https://ann.example/hook',
      events: ['bell_rung', 'seat_won', 'seat_lost', 'fuel_low', 'report_answered'],
      state: 'active',
      waiting: 0,
      last_try: null,
    });
    expect(
      (await subscribe(hill, ann, 'https://ann.example/other', ['seat_lost', 'bell_rung', 'seat_lost'])).events,
    ).toEqual(['bell_rung', 'seat_lost']);
  });

  test.each([
    ['an event that is none', 'https://ann.example/', ['bell_rung', 'rain']],
    ['no event', 'https://ann.example/', []],
    ['no address', null, null],
    ['another scheme', 'ftp://ann.example/', null],
    ['an address that is too long', `https://ann.example/${'x'.repeat(2048)}`, null],
  ])('with %s is refused', async (_, url, events) => {
    expect((await refusal(subscribe(hill, await anAccount(hill), url, events))).code).toBe('INVALID_ARGUMENT');
  });

  test('stands once for each address, and there are at most five of an account, all its agents together', async () => {
    const ann = await anAccount(hill);
    const bob = await anotherAgent(hill, ann);
    const first = await subscribe(hill, ann, 'https://ann.example/1');
    expect(await refusal(subscribe(hill, bob, 'https://ann.example/1'))).toMatchObject({
      code: 'ALREADY_SUBSCRIBED',
      detail: { subscription: { id: first.id } },
    });
    for (let n = 2; n <= 5; n++) await subscribe(hill, bob, `https://ann.example/${n}`);
    const refused = await refusal(subscribe(hill, ann, 'https://ann.example/6'));
    expect(refused).toMatchObject({ code: 'TOO_MANY_SUBSCRIPTIONS', detail: { subscriptions_left: 0 } });
    expect((refused.detail.subscriptions as unknown[]).length).toBe(5);

    await cancel(hill, bob, first.id);
    expect((await subscribe(hill, ann, 'https://ann.example/1')).state).toBe('active');
  });

  test('of two agents that ask at one instant for the last one, one has it', async () => {
    const ann = await anAccount(hill);
    for (let n = 1; n <= 4; n++) await subscribe(hill, ann, `https://ann.example/${n}`);
    const asked = await Promise.allSettled([5, 6, 7].map((n) => subscribe(hill, ann, `https://ann.example/${n}`)));
    expect(asked.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });

  test('is cancelled once, and cancelled again stays cancelled', async () => {
    const ann = await anAccount(hill);
    const { id } = await subscribe(hill, ann, 'https://ann.example/');
    const cancelled = await cancel(hill, ann, id);
    expect(cancelled).toMatchObject({ id, state: 'ended', ended_because: 'cancelled' });
    expect(await cancel(hill, ann, id)).toEqual(cancelled);
    expect(await list(hill, ann)).toMatchObject({ subscriptions: [{ id, state: 'ended' }], subscriptions_left: 5 });
  });

  test("is nobody else's to see or to cancel", async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    const { id } = await subscribe(hill, ann, 'https://ann.example/secret-path');

    expect(await list(hill, bob)).toEqual({ subscriptions: [], subscriptions_left: 5 });
    const refused = await refusal(cancel(hill, bob, id));
    expect(refused).toMatchObject({ code: 'NOT_FOUND', detail: { subscriptions: [] } });
    expect(JSON.stringify(refused)).not.toContain('secret-path');
    await hill.asOwnerOf('hill_api_agent', async (client) => {
      await client.query("select set_config('hill.account_id', $1, true)", [bob.id]);
      expect((await client.query('select url from hill.subscriptions')).rows).toEqual([]);
      expect((await client.query('select body from hill.deliveries')).rows).toEqual([]);
      expect(
        (await client.query("update hill.subscriptions set ended_because = 'gone', ended_at = now()")).rowCount,
      ).toBe(0);
    });
    // its own human downloads it, and does nothing else with it
    await hill.asOwnerOf('hill_api_human', async (client) => {
      await client.query("select set_config('hill.account_id', $1, true)", [bob.id]);
      expect((await client.query('select url from hill.subscriptions')).rows).toEqual([]);
      expect((await client.query('select body from hill.deliveries')).rows).toEqual([]);
      for (const what of ['insert', 'update'])
        expect(
          (await client.query("select has_any_column_privilege('hill.subscriptions', $1) as may", [what])).rows,
        ).toEqual([{ may: false }]);
      expect(
        (await client.query("select has_column_privilege('hill.subscriptions', 'sealed_secret', 'select') as may"))
          .rows,
      ).toEqual([{ may: false }]);
    });
    for (const role of ['hill_api_public', 'hill_api_oauth', 'hill_dba', 'hill_staff'])
      for (const table of ['hill.subscriptions', 'hill.deliveries'])
        expect(
          await hill.rows('select has_any_column_privilege($1, $2, $3) as may', [
            role,
            table,
            'select, insert, update',
          ]),
        ).toEqual([{ may: false }]);
  });

  test('needs the scope to play', async () => {
    const ann = await anAccount(hill);
    await hill.rows("update oauth.access_tokens set scopes = '{hill:read}' where agent_id = $1", [ann.agentId]);
    expect((await refusal(subscribe(hill, ann, 'https://ann.example/'))).code).toBe('INSUFFICIENT_SCOPE');
    expect((await refusal(list(hill, ann))).code).toBe('INSUFFICIENT_SCOPE');
    expect((await refusal(cancel(hill, ann, randomUUID()))).code).toBe('INSUFFICIENT_SCOPE');
  });

  test('shows its secret to the worker alone', async () => {
    await expect(
      hill.asOwnerOf('hill_api_agent', (client) => client.query('select sealed_secret from hill.subscriptions')),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a night', () => {
  const hill = useHill();

  test('tells who sits where now and did not, who no longer does, and to each only the own', async () => {
    const [ann, bob, cyd, dee] = await Promise.all(
      ['Ann', 'Bob', 'Cyd', 'Dee'].map((name) => anAccount(hill, { name, credits: 20_000, daily_cap_cents: 5_000 })),
    );
    for (const account of [ann, bob, cyd] as Account[])
      await subscribe(hill, account, `https://${account.name.toLowerCase()}.example/`);

    await hill.asAgent(ann as Account).play({ slot: 2, move: 'PEACE' });
    await hill.asAgent(ann as Account).play({ slot: 3, move: 'PEACE' });
    await hill.asAgent(bob as Account).play({ slot: 2, move: 'PEACE' });
    expect(await hill.rows('select 1 from hill.deliveries'), 'a deposit tells nothing').toEqual([]);
    const night = await hill.clock.ringBell();

    const rung = {
      type: 'bell_rung',
      data: {
        day: 1,
        bell_at: '2026-03-02T00:00:00.000000Z',
        next_bell_at: '2026-03-03T00:00:00.000000Z',
        moves: night.moves,
        accounts: night.accounts,
        burned_cents: 0,
      },
    };
    expect(await told(hill, ann as Account)).toEqual([
      rung,
      { type: 'seat_won', data: { day: 1, slot: 2, via: 'peace', points: 4.5, occupants: 2 } },
      { type: 'seat_won', data: { day: 1, slot: 3, via: 'peace', points: 8, occupants: 1 } },
    ]);
    expect(await told(hill, bob as Account)).toEqual([
      rung,
      { type: 'seat_won', data: { day: 1, slot: 2, via: 'peace', points: 4.5, occupants: 2 } },
    ]);
    expect(await told(hill, cyd as Account)).toEqual([rung]);
    expect(await told(hill, dee as Account)).toEqual([]);
    await hill.rows('delete from hill.deliveries');

    // ann keeps 2 with bob and leaves 3; the night after, dee takes 2 from both of them
    await hill.asAgent(ann as Account).play({ slot: 2, move: 'PEACE' });
    await hill.asAgent(bob as Account).play({ slot: 2, move: 'PEACE' });
    await hill.clock.ringBell();
    expect((await told(hill, ann as Account)).slice(1)).toEqual([
      { type: 'seat_lost', data: { day: 2, slot: 3, days_held: 0, outcome: 'VACANT', because: 'left' } },
    ]);
    expect((await told(hill, bob as Account)).slice(1)).toEqual([]);
    await hill.rows('delete from hill.deliveries');
    await hill.asAgent(bob as Account).play({ slot: 2, move: 'PEACE' });
    await hill.asAgent(dee as Account).play({ slot: 2, move: 'WAR', stake_cents: 800 });
    await hill.clock.ringBell();
    expect((await told(hill, ann as Account)).slice(1)).toEqual([
      { type: 'seat_lost', data: { day: 3, slot: 2, days_held: 1, outcome: 'WAR', because: 'left' } },
    ]);
    expect((await told(hill, bob as Account)).slice(1)).toEqual([
      { type: 'seat_lost', data: { day: 3, slot: 2, days_held: 1, outcome: 'WAR', because: 'evicted' } },
    ]);
    expect(await told(hill, dee as Account)).toEqual([]);
  });

  test('tells that fuel is low when it has become worse, once for each step', async () => {
    const ann = await anAccount(hill, { credits: 1_500, daily_cap_cents: 1_000 });
    await subscribe(hill, ann, 'https://ann.example/', ['fuel_low']);
    const night = async (move?: 'WAR' | 'PEACE') => {
      await hill.rows('delete from hill.deliveries');
      if (move) await hill.asAgent(ann).play({ slot: 7, move, ...(move === 'WAR' ? { stake_cents: 800 } : {}) });
      expect(await told(hill, ann), 'before the bell').toEqual([]);
      await hill.clock.ringBell();
      return (await told(hill, ann)).map(({ data: { below, credits_cents } }) => ({ below, credits_cents }));
    };

    expect(await night()).toEqual([]);
    expect(await night('WAR')).toEqual([{ below: 'daily_cap', credits_cents: 700 }]);
    expect(await night()).toEqual([]);
    expect(await night('PEACE')).toEqual([]); // 400 left: still enough for a move
    await topUp(hill, ann, 100);
    expect(await night('PEACE')).toEqual([{ below: 'cheapest_move', credits_cents: 200 }]);
    await topUp(hill, ann, 2_000);
    expect(await night()).toEqual([]);
    expect(await night('WAR')).toEqual([]); // 1400
    expect(await night('WAR')).toEqual([{ below: 'daily_cap', credits_cents: 600 }]);
  });

  test('tells nothing to whom was cut off, nor to a subscription that ended', async () => {
    const ann = await anAccount(hill);
    const bob = await anotherAgent(hill, ann);
    await subscribe(hill, bob, 'https://bob.example/');
    const { id } = await subscribe(hill, ann, 'https://ann.example/');
    await cancel(hill, ann, id);
    await hill.rows('update hill.agents set cut_at = engine.now() where id = $1', [bob.agentId]);
    await hill.clock.ringBell();
    expect(await told(hill, ann)).toEqual([]);
    expect(await list(hill, ann)).toMatchObject({
      subscriptions: [{ ended_because: 'cancelled' }, { url: 'https://bob.example/', ended_because: 'agent_cut' }],
      subscriptions_left: 5,
    });
    expect((await subscribe(hill, ann, 'https://bob.example/')).state).toBe('active');
  });

  test('sends nothing to a subscription that was cancelled while the bell wrote to it', async () => {
    const ann = await anAccount(hill);
    const { id } = await subscribe(hill, ann, 'https://late.example/', ['bell_rung']);
    await hill.clock.toMidnight();
    await hill.as('worker').query('select api_worker.close_next_day()');
    const bell = await hill.as('worker').connect();
    await bell.query('begin');
    const rung = await bell.query('select api_worker.ring_next_bell() as night');
    expect(rung.rows[0].night).toMatchObject({ day: expect.any(Number) });
    expect(await cancel(hill, ann, id)).toMatchObject({ state: 'ended', waiting: 0 });
    await bell.query('commit');
    bell.release();

    expect(await told(hill, ann)).toMatchObject([{ type: 'bell_rung' }]);
    for (let one = await take(hill); one; one = await take(hill)) {
      expect(one.url).not.toBe('https://late.example/');
      await end(hill, one, 'delivered');
    }
    expect(await hill.rows('select ended_as from hill.deliveries where subscription_id = $1', [id])).toEqual([
      { ended_as: 'dropped' },
    ]);
  });

  test('that is undone has told nothing', async () => {
    const ann = await anAccount(hill);
    await subscribe(hill, ann, 'https://ann.example/', ['bell_rung']);
    await hill.clock.toMidnight();
    await hill.asRoot(async (client) => {
      await client.query('begin');
      await client.query('select api_worker.ring_next_bell()');
      expect((await client.query('select 1 from hill.deliveries where account_id = $1', [ann.id])).rows.length).toBe(1);
      await client.query('rollback');
    });
    expect(await told(hill, ann)).toEqual([]);
    await hill.clock.ringBell();
    expect((await told(hill, ann)).map(({ type }) => type)).toEqual(['bell_rung']);
  });
});

describe('a delivery', () => {
  const hill = useHill();

  /** An account with one event that waits, and nothing else on the hill that does. */
  const waiting = async (events: string[] = ['bell_rung']) => {
    await hill.rows("update hill.deliveries set ended_at = now(), ended_as = 'dropped' where ended_at is null");
    await hill.rows(
      "update hill.subscriptions set ended_at = now(), ended_because = 'cancelled' where ended_at is null",
    );
    const ann = await anAccount(hill);
    const { id } = await subscribe(hill, ann, 'https://ann.example/', events);
    await hill.clock.ringBell();
    return { ann, id };
  };
  const seconds = async () =>
    (await call<{ deliver: number | null }>(hill.as('worker'), 'api_worker.errands_due')).deliver;
  const shown = async (ann: Account) => (await list(hill, ann)).subscriptions[0] as Subscription;
  const letTimePass = (interval: string) =>
    hill.rows(
      `with d as (update hill.deliveries set due_at = due_at - $1::interval)
       update hill.subscriptions set failing_since = failing_since - $1::interval, busy_until = busy_until - $1::interval`,
      [interval],
    );

  test('is taken with everything that sending it needs, and by one worker', async () => {
    const { id } = await waiting();
    expect(await seconds()).toBeLessThanOrEqual(0);
    const [one, other] = await Promise.all([take(hill), take(hill)]);
    const taken = (one ?? other) as Delivery;
    expect([one, other]).toContain(null);
    expect(taken).toMatchObject({
      subscription_id: id,
      url: 'https://ann.example/',
      sealed_secret: 'c2VhbGVk',
      event: 'bell_rung',
      attempt: 1,
    });
    expect(JSON.parse(taken.body)).toMatchObject({
      type: 'bell_rung',
      timestamp: expect.stringMatching(/Z$/),
      data: { day: expect.any(Number) },
    });
    expect(await take(hill)).toBe(null);
  });

  test('that arrived is over', async () => {
    const { ann } = await waiting();
    const taken = (await take(hill)) as Delivery;
    expect(await end(hill, taken, 'delivered', 204)).toEqual({ state: 'delivered' });
    expect(await end(hill, taken, 'delivered', 204)).toEqual({ state: 'over' });
    expect(await shown(ann)).toMatchObject({
      state: 'active',
      waiting: 0,
      last_try: { webhook_id: taken.id, event: 'bell_rung', outcome: 'delivered', status: 204, attempt: 1 },
    });
    expect([await take(hill), await seconds()]).toEqual([null, null]);
  });

  test('whose worker died is taken by another after a minute, with the same id and the same body', async () => {
    await waiting();
    const first = (await take(hill)) as Delivery;
    expect(await take(hill)).toBe(null);
    expect(await seconds()).toBeGreaterThan(50);
    await letTimePass('61 s');
    const second = (await take(hill)) as Delivery;
    expect(second).toEqual({ ...first, attempt: 2 });

    // the first one was not dead after all: a failure of it is no news, a success is
    expect(await end(hill, first, 'unreachable')).toEqual({ state: 'over' });
    expect(await end(hill, first, 'delivered', 200)).toEqual({ state: 'delivered' });
    expect(await end(hill, second, 'unreachable')).toEqual({ state: 'over' });
  });

  test('that failed is tried again, ever later, and then given up', async () => {
    const { ann } = await waiting();
    const delays: number[] = [];
    for (let attempt = 1; attempt < 12; attempt++) {
      const taken = (await take(hill)) as Delivery;
      expect(taken.attempt).toBe(attempt);
      expect(await end(hill, taken, 'status', 500)).toEqual({ state: 'waiting' });
      const wait = (await seconds()) as number;
      delays.push(Math.round(wait));
      // not the whole time: the subscription would have failed for days
      await hill.rows('update hill.deliveries set due_at = clock_timestamp() where ended_at is null');
    }
    expect(delays).toEqual([5, 25, 125, 625, 3125, 15625, 43200, 43200, 43200, 43200, 43200]);
    expect(await shown(ann)).toMatchObject({
      state: 'failing',
      waiting: 1,
      last_try: { outcome: 'status', status: 500 },
    });

    expect(await end(hill, (await take(hill)) as Delivery, 'unreachable')).toEqual({ state: 'given_up' });
    expect(await shown(ann)).toMatchObject({
      state: 'failing',
      waiting: 0,
      last_try: { outcome: 'unreachable', attempt: 12 },
    });
    await hill.clock.ringBell();
    expect(await end(hill, (await take(hill)) as Delivery, 'delivered', 200)).toEqual({ state: 'delivered' });
    expect(await shown(ann)).toMatchObject({ state: 'active', failing_since: null });
  });

  test('to which nobody answered for three days ends its subscription', async () => {
    const { ann, id } = await waiting();
    await end(hill, (await take(hill)) as Delivery, 'status', 500);
    await letTimePass('71 hours');
    await end(hill, (await take(hill)) as Delivery, 'status', 500);
    expect((await shown(ann)).state).toBe('failing');
    await letTimePass('2 hours');
    expect(await end(hill, (await take(hill)) as Delivery, 'status', 500)).toEqual({ state: 'ended' });
    expect(await shown(ann)).toMatchObject({ id, state: 'ended', ended_because: 'failing', waiting: 0 });
    await hill.clock.ringBell();
    expect(await take(hill)).toBe(null);
  });

  test('that was answered with Gone ends its subscription at once', async () => {
    const { ann } = await waiting();
    await hill.clock.ringBell(); // a second one waits
    expect(await end(hill, (await take(hill)) as Delivery, 'gone', 410)).toEqual({ state: 'ended' });
    expect(await shown(ann)).toMatchObject({
      state: 'ended',
      ended_because: 'gone',
      waiting: 0,
      last_try: { status: 410 },
    });
    expect([await take(hill), await seconds()]).toEqual([null, null]);
  });

  test('that was not tried at all counts for nothing', async () => {
    const { ann } = await waiting();
    expect(await end(hill, (await take(hill)) as Delivery, 'busy')).toEqual({ state: 'waiting' });
    expect(await shown(ann)).toMatchObject({ state: 'active', last_try: null });
    await letTimePass('11 s');
    expect((await take(hill))?.attempt).toBe(1);
  });

  test('goes out one at a time for each subscription, in the order of what happened', async () => {
    await waiting();
    await hill.clock.ringBell();
    const first = (await take(hill)) as Delivery;
    expect(await take(hill)).toBe(null);
    await end(hill, first, 'delivered', 200);
    const second = (await take(hill)) as Delivery;
    expect(JSON.parse(second.body).data.day).toBe(JSON.parse(first.body).data.day + 1);
  });

  test('of an agent that was cut off meanwhile is dropped, and so is its subscription', async () => {
    const { ann } = await waiting();
    await hill.rows('update hill.agents set cut_at = engine.now() where id = $1', [ann.agentId]);
    expect(await take(hill)).toBe(null);
    expect(await hill.rows('select ended_because from hill.subscriptions where account_id = $1', [ann.id])).toEqual([
      { ended_because: 'agent_cut' },
    ]);
  });

  test('is forgotten a week after it ended', async () => {
    await waiting();
    await end(hill, (await take(hill)) as Delivery, 'delivered', 200);
    await hill.clock.ringBell();
    const forget = () => call<number>(hill.as('worker'), 'api_worker.forget_deliveries');
    await forget();
    await hill.rows(
      "update hill.deliveries set ended_at = ended_at - interval '6 days 23 hours' where ended_at is not null",
    );
    expect(await forget()).toBe(0);
    await hill.rows("update hill.deliveries set ended_at = ended_at - interval '2 hours' where ended_at is not null");
    expect(await forget()).toBeGreaterThan(0);
    expect((await hill.rows('select ended_at from hill.deliveries')).map(({ ended_at }) => ended_at)).toEqual([null]);

    // so many that one statement might not end in its time
    await hill.rows(`
      insert into hill.deliveries (subscription_id, account_id, body, due_at, ended_at, ended_as)
      select d.subscription_id, d.account_id, d.body, d.due_at, now() - interval '8 days', 'delivered'
        from hill.deliveries d cross join generate_series(1, 5001)`);
    expect([await forget(), await forget(), await forget()]).toEqual([5000, 1, 0]);
  });
});
