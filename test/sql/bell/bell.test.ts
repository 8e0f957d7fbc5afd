// The bell: when it rings, what it publishes, and what stays with its account. Rules 2.2, 3, 4.3, 4.4, 9.1.
import { describe, expect, test } from 'vitest';
import { type Account, anAccount, anotherAgent, refusal, useHill } from '../../support/hill/index.ts';

const falsified = useHill();

describe('the bell', () => {
  const hill = useHill();

  test('rings when its instant has come, and not a microsecond before', async () => {
    expect(await hill.asWorker().ringNextBell()).toBeNull();
    await hill.clock.at('23:59:59.999999');
    expect(await hill.asWorker().ringNextBell()).toBeNull();
    await hill.clock.tick(0.001);

    expect(await hill.asWorker().ringNextBell()).toMatchObject({ day: 1, accounts: 0, moves: 0, burned_cents: 0 });
  });

  test('resolves a night once', async () => {
    expect(await hill.asWorker().ringNextBell()).toBeNull();
    expect(await hill.rows('select day, bell_at from hill.nights')).toEqual([
      { day: 1, bell_at: new Date('2026-03-02T00:00:00Z') },
    ]);
  });

  test('that was missed is rung late, one night at a time, in order, each at its nominal instant', async () => {
    await hill.rows("update hill.settings set shown_at = shown_at + interval '3 days 5 hours'");
    const days: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) days.push((await hill.asWorker().ringNextBell())?.day);

    expect(days).toEqual([2, 3, 4, undefined]);
    expect(
      await hill.rows(
        'select day, engine.iso(bell_at) as bell, engine.iso(resolved_at) as resolved from hill.nights where day > 1 order by 1',
      ),
    ).toEqual(
      [3, 4, 5].map((date) => ({
        day: date - 1,
        bell: `2026-03-0${date}T00:00:00.000000Z`,
        resolved: '2026-03-05T05:00:00.000000Z',
      })),
    );
  });

  test('on an empty night leaves ten vacant places and moves no money', async () => {
    expect(await hill.rows('select outcome, count(*) from hill.place_results where day = 2 group by 1')).toEqual([
      { outcome: 'VACANT', count: 10 },
    ]);
    expect(
      await hill.rows(
        'select rent_cents + stakes_cents + burned_cents + expired_cents as cents from hill.nights where day = 2',
      ),
    ).toEqual([{ cents: 0 }]);
  });

  test('is noted as a change, and so are its boards', async () => {
    const changes = await hill.changes();
    await hill.clock.ringBell();
    expect(await changes()).toEqual(expect.arrayContaining(['boards', 'night']));
  });
});

describe('the table of the next day’s sealed moves', () => {
  const hill = useHill();
  const waiting = async () =>
    (
      await hill.rows<{ name: string }>(
        "select relname as name from pg_class where relnamespace = 'engine'::regnamespace and relkind = 'r'",
      )
    ).map(({ name }) => name);
  const oid = async (name: string) => (await hill.rows('select $1::regclass::oid as oid', [name]))[0];
  const plays = async () => {
    const ann = await anAccount(hill, { credits: 3_000 });
    await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });
    const night = await hill.clock.ringBell();
    expect(await hill.rows('select day from hill.seats where account_id = $1', [ann.id])).toEqual([{ day: night.day }]);
  };

  test('is there before a bell, which opens the day with it', async () => {
    const made = await oid('engine.sealed_moves_000002');

    await plays();

    expect(await oid('hill.sealed_moves')).toEqual(made);
    expect(await waiting()).toEqual([]);
  });

  test('is made once by workers that come at once, beside a deploy', async () => {
    const owner = hill.owner.query('select engine.guard_tonight()');
    await Promise.all([owner, ...Array.from({ length: 4 }, () => hill.asWorker().makeNextTable())]);

    expect(await waiting()).toEqual(['sealed_moves_000003']);
  });

  test('is made by a bell that does not find it: of another day, or none', async () => {
    await hill.root.query('alter table engine.sealed_moves_000003 rename to sealed_moves_000009');
    await plays();
    expect(await waiting()).toEqual([]);

    await plays();
  });

  test('is made anew by a bell that finds it with other columns than moves have by now', async () => {
    for (const change of ['add mood text', 'drop mood']) {
      await hill.asWorker().makeNextTable();
      await hill.root.query(`alter table hill.moves ${change}; alter table hill.sealed_moves ${change}`);
      await plays();
      await plays();
    }
  });
});

test('a night that has not as many moves as were counted, or costs an account more than it has, is not published', async () => {
  const ann = await anAccount(falsified, { credits: 5000 });
  await falsified.asAgent(ann).play({ slot: 1, move: 'PEACE' });
  await falsified.clock.toMidnight();

  for (const [column, by] of [
    ['peace', 1],
    ['cents', 9000],
  ]) {
    const change = (sign: '+' | '-') =>
      falsified.asRoot(async (root) => {
        await root.query('set session_replication_role = replica'); // past all guards
        await root.query(`update hill.reservations set ${column} = ${column} ${sign} ${by}`);
        if (column === 'cents') await root.query(`update hill.sealed_moves set cost_cents = cost_cents ${sign} ${by}`);
      });
    await change('+');
    expect((await refusal(falsified.asWorker().ringNextBell())).code).toBe('NIGHT_DOES_NOT_BALANCE');
    expect(await falsified.rows('select from hill.nights')).toEqual([]);
    await change('-');
  }

  expect(await falsified.asWorker().ringNextBell()).toMatchObject({ day: 1, moves: 1 });
});

describe('a night that is over', () => {
  const hill = useHill();
  let ann: Account;
  let bob: Account;
  let carl: Account;

  test('is settled: rents and stakes taken, whoever was served or not', async () => {
    ann = await anAccount(hill, { credits: 5000 });
    bob = await anAccount(hill, { credits: 5000 });
    carl = await anAccount(hill, { credits: 5000, granted: 500 });
    const second = await anotherAgent(hill, ann);
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE', message: 'withdrawn' });
    await hill.asAgent(ann).play({ slot: 1, move: 'PASS' });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE', message: 'replaced' });
    await hill.asAgent(second).play({ slot: 2, move: 'WAR', stake_cents: 850, message: 'live' });
    await hill.asAgent(bob).play({ slot: 2, move: 'WAR', stake_cents: 900 });
    await hill.clock.tick();
    await hill.asAgent(carl).play({ slot: 2, move: 'PEACE' });
    await hill.asHuman(carl).setMandate(5000, 1500);
    await hill.asAgent(carl).play({ slot: 5, move: 'WAR', stake_cents: 800 });

    expect(await hill.clock.ringBell()).toMatchObject({ day: 1, accounts: 3, moves: 4, burned_cents: 1750 });
    expect(
      await hill.rows(
        'select rent_cents, stakes_cents, burned_cents, granted_cents, paid_cents, expired_cents, accounts, moves from hill.nights',
      ),
    ).toEqual([
      {
        rent_cents: 300,
        stakes_cents: 800,
        burned_cents: 1750,
        granted_cents: 500,
        paid_cents: 2350,
        expired_cents: 0,
        accounts: 3,
        moves: 4,
      },
    ]);
    const balances = Object.fromEntries(
      (await hill.rows('select code, balance_cents from hill.ledger_accounts')).map(({ code, balance_cents }) => [
        code,
        balance_cents,
      ]),
    );
    expect(balances).toEqual({
      cash: -15_000,
      grants: -500,
      rent: 300,
      stakes: 800,
      burned: 1750,
      expired: 0,
      lapsed: 0,
      written_off: 0,
    });
    for (const [who, paid, granted] of [
      [ann, 4150, 0],
      [bob, 4100, 0],
      [carl, 4400, 0],
    ] as const)
      expect(await hill.asAgent(who).ownState()).toMatchObject({
        paid_cents: paid,
        granted_cents: granted,
        reserved_cents: 0,
        moves_left: 4,
        places_left: 2,
      });
  });

  test('seats the agent that deposited', async () => {
    expect(
      await hill.rows('select slot, account_id, agent_id, via, points::float from hill.seats order by slot'),
    ).toEqual([
      { slot: 2, account_id: carl.id, agent_id: carl.agentId, via: 'peace', points: 9 },
      { slot: 5, account_id: carl.id, agent_id: carl.agentId, via: 'war', points: 6 },
    ]);
  });

  test('has its live moves public; what was withdrawn or replaced stays with its account', async () => {
    const see = (role: string, actor?: Account) =>
      hill.asOwnerOf(role, async (client) => {
        if (actor) await client.query("select set_config('hill.account_id', $1, true)", [actor.id]);
        const { rows } = await client.query<{ account_id: string; message: string | null }>(
          'select account_id, message from hill.moves order by seq',
        );
        return rows.map(({ account_id, message }) =>
          `${[ann, bob, carl].find(({ id }) => id === account_id) === ann ? 'ann' : 'other'} ${message ?? ''}`.trim(),
        );
      });
    const live = ['ann live', 'other', 'other', 'other'];

    for (const role of ['hill_api_public', 'hill_dba', 'hill_api_worker']) expect(await see(role), role).toEqual(live);
    expect(await see('hill_api_agent', bob)).toEqual(live);
    expect(await see('hill_api_human', bob)).toEqual(live);
    expect(await see('hill_api_agent', ann)).toEqual(['ann withdrawn', 'ann', 'ann replaced', ...live]);
    const staff = await hill.asStaff().query<{ message: string | null }>('select message from hill.moves order by seq');
    expect(staff.map(({ message }) => message)).toEqual(['live', null, null, null]);
  });

  test('leaves nothing of it to the next: moves and places are counted anew', async () => {
    expect(await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' })).toMatchObject({
      day: 2,
      moves_left: 3,
      places_left: 1,
    });
  });
});

describe('sealedTonight', () => {
  const hill = useHill();
  const count = async () =>
    (await hill.rows('select day, moves, engine.iso(counted_at) as at from hill.sealed_counts'))[0];

  test('is the live moves of the last quarter hour, however late it is counted', async () => {
    const [ann, bob] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
    await hill.clock.at('10:01');
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 2, move: 'PEACE' });
    await hill.asAgent(bob).play({ slot: 2, move: 'PEACE' });
    await hill.asAgent(bob).play({ slot: 2, move: 'PEACE', message: 'again' });
    await hill.clock.at('10:14:59.999999');
    await hill.asWorker().refreshSealedCount();
    expect(await count()).toMatchObject({ moves: 0 }); // of 10:00

    await hill.clock.at('10:15');
    await hill.asAgent(bob).play({ slot: 3, move: 'PEACE' }); // after the quarter
    await hill.asAgent(ann).play({ slot: 1, move: 'PASS' });
    await hill.clock.at('10:22');
    expect(await hill.asWorker().refreshSealedCount()).toBe(true);
    expect(await count()).toEqual({ day: 1, moves: 3, at: '2026-03-01T10:15:00.000000Z' });
    expect(await hill.asWorker().refreshSealedCount(), 'once a quarter').toBe(false);
  });

  test('does not change with the deposits of the quarter', async () => {
    const before = await count();
    const carl = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(carl).play({ slot: 1, move: 'PEACE' });
    await hill.clock.at('10:29:59.999999');

    expect(await hill.asWorker().refreshSealedCount()).toBe(false);
    expect(await count()).toEqual(before);
  });

  test('starts at 0 with the new day', async () => {
    await hill.clock.ringBell();

    expect(await count()).toMatchObject({ day: 2, moves: 0 });
  });

  test('of a hill on which the bell is ringing is not counted', async () => {
    await hill.clock.toMidnight();
    await hill.asWorker().refreshSealedCount();

    expect((await count())?.day).toBe(2);
  });
});
