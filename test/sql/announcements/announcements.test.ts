// What accounts say in public that they will do, and the verdict of the bell. Rules 6.1, 6.3.
import { describe, expect, test } from 'vitest';
import { commitmentToAnnouncement, messageHashOf } from '../../../src/log/commitment.ts';
import { type Account, anAccount, anotherAgent, call, refusal, useHill } from '../../support/hill/index.ts';

describe('an announcement', () => {
  const hill = useHill();

  test('is public at once, with its place, its message and no verdict', async () => {
    const ann = await anAccount(hill);

    const receipt = await hill.asAgent(ann).announce({ slot: 3, intention: 'WAR', message: 'Leave' });

    expect(receipt).toEqual({
      day: 1,
      slot: 3,
      intention: 'WAR',
      message: 'Leave',
      at: '2026-03-01T10:00:00.000000Z',
      announcements_left: 1,
      judged_at: '2026-03-02T00:00:00.000000Z',
      verdict_by_move: { PEACE: 'bluffed', WAR: 'kept', none: 'ghosted' },
    });
    const { rows } = await hill.asPublic().query('select api_public.hill() as hill');
    expect(rows[0].hill.announcements).toMatchObject([{ slot: 3, intention: 'WAR', message: 'Leave', verdict: null }]);
  });

  test('needs no credits and no move, and reserves nothing', async () => {
    const ann = await anAccount(hill);
    await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE' });

    expect(await hill.asAgent(ann).ownState()).toMatchObject({
      moves: [],
      reserved_cents: 0,
      moves_left: 4,
      places_left: 2,
    });
  });

  test('repeated gives the same answer, from whichever agent; changed it is refused, and the one that stands is given', async () => {
    const ann = await anAccount(hill);
    const bob = await anotherAgent(hill, ann);
    const first = await hill.asAgent(ann).announce({ slot: 3, intention: 'WAR', message: 'Leave' });
    await hill.clock.tick();

    expect(await hill.asAgent(bob).announce({ slot: 3, intention: 'WAR', message: 'Leave', day: 1 })).toEqual(first);
    const { announcements_left: _, ...stands } = first;
    for (const other of [
      { intention: 'PEACE', message: 'Leave' },
      { intention: 'WAR', message: 'Stay' },
      { intention: 'WAR' },
    ])
      expect(await refusal(hill.asAgent(bob).announce({ slot: 3, ...other }))).toMatchObject({
        code: 'ALREADY_ANNOUNCED',
        detail: { announcement: stands },
      });
  });

  test('may be made for two places a day, by all agents of the account together', async () => {
    const ann = await anAccount(hill);
    const bob = await anotherAgent(hill, ann);
    await hill.asAgent(ann).announce({ slot: 1, intention: 'PASS' });

    expect(await hill.asAgent(bob).announce({ slot: 2, intention: 'PASS' })).toMatchObject({ announcements_left: 0 });
    expect(await refusal(hill.asAgent(ann).announce({ slot: 3, intention: 'PASS' }))).toMatchObject({
      code: 'NO_ANNOUNCEMENTS_LEFT',
      detail: { announcements_per_day: 2 },
    });
    expect(await hill.asAgent(ann).announce({ slot: 2, intention: 'PASS' })).toMatchObject({ announcements_left: 0 });
  });

  test.each([
    ['place', { slot: 0, intention: 'WAR' }],
    ['place', { slot: null, intention: 'WAR' }],
    ['intention', { slot: 1, intention: 'TRUCE' }],
    ['intention', { slot: 1, intention: null }],
  ])('needs a %s that there is', async (_, args) => {
    expect((await refusal(hill.asAgent(await anAccount(hill)).announce(args))).code).toBe('INVALID_ARGUMENT');
  });

  test('has a message of 140 characters at most', async () => {
    const ann = await anAccount(hill);

    expect(
      (await refusal(hill.asAgent(ann).announce({ slot: 1, intention: 'WAR', message: 'ß'.repeat(141) }))).code,
    ).toBe('MESSAGE_TOO_LONG');
    expect(await hill.asAgent(ann).announce({ slot: 1, intention: 'WAR', message: 'ß'.repeat(140) })).toMatchObject({
      slot: 1,
    });
  });

  test('can be made until 21:59:59.999999, and not from 22:00 to the bell', async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    await hill.clock.at('21:59:59.999999');
    const first = await hill.asAgent(ann).announce({ slot: 1, intention: 'WAR' });
    await hill.clock.at('22:00');

    const closed = { code: 'ANNOUNCE_CLOSED', detail: { opens_at: '2026-03-02T00:00:00.000000Z' } };
    expect(await refusal(hill.asAgent(bob).announce({ slot: 1, intention: 'WAR' }))).toMatchObject(closed);
    expect(await refusal(hill.asAgent(ann).announce({ slot: 2, intention: 'WAR' }))).toMatchObject(closed);
    expect(await hill.asAgent(ann).announce({ slot: 1, intention: 'WAR' }), 'a repeat is no announcement').toEqual(
      first,
    );
    expect(
      await refusal(hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE' })),
      'the hour comes first',
    ).toMatchObject(closed);
    await hill.clock.at('23:59:59.999999');
    expect(await refusal(hill.asAgent(bob).announce({ slot: 1, intention: 'WAR' }))).toMatchObject(closed);
  });

  test('can be made again from midnight on, for the new day, before the bell has rung', async () => {
    const bob = await anAccount(hill);
    await hill.clock.toMidnight();

    expect(await hill.asAgent(bob).announce({ slot: 1, intention: 'WAR' })).toMatchObject({
      day: 2,
      announcements_left: 1,
    });
    await hill.clock.ringBell();
    expect(await hill.rows('select day, verdict from hill.announcements where account_id = $1', [bob.id])).toEqual([
      { day: 2, verdict: null },
    ]);
  });

  test('for another day is refused, with its receipt if that day took the same one', async () => {
    const ann = await anAccount(hill);
    const { announcements_left: _, ...promised } = await hill
      .asAgent(ann)
      .announce({ slot: 5, intention: 'PEACE', message: 'Hi', day: 2 });
    await hill.clock.ringBell();

    const say = async (args: object) => {
      const { code, detail } = await refusal(
        hill.asAgent(ann).announce({ slot: 5, intention: 'PEACE', message: 'Hi', day: 2, ...args }),
      );
      return { code, detail };
    };
    expect(await say({})).toEqual({ code: 'DAY_PASSED', detail: { day: 3, receipt: promised } });
    for (const other of [{ day: 1 }, { day: 4 }, { slot: 6 }, { intention: 'WAR' }, { message: 'Ho' }])
      expect(await say(other)).toEqual({ code: 'DAY_PASSED', detail: { day: 3 } });
  });
});

describe('the verdict (rules 6.3)', () => {
  const hill = useHill();
  const accounts = new Map<string, Account>();
  const table = [
    ['PEACE', 'PEACE', 'kept'],
    ['PEACE', 'WAR', 'betrayed'],
    ['PEACE', 'nothing', 'ghosted'],
    ['WAR', 'PEACE', 'bluffed'],
    ['WAR', 'WAR', 'kept'],
    ['WAR', 'nothing', 'ghosted'],
    ['PASS', 'PEACE', 'bluffed'],
    ['PASS', 'WAR', 'betrayed'],
    ['PASS', 'nothing', 'kept'],
  ] as const;

  test('of every announcement is null before the bell', async () => {
    for (const [intention, played] of table) {
      const account = await anAccount(hill, { credits: 5000, daily_cap_cents: 5000 });
      accounts.set(`${intention} ${played}`, account);
      await hill.asAgent(account).announce({ slot: 3, intention });
      if (played !== 'nothing')
        await hill.asAgent(account).play({ slot: 3, move: played, ...(played === 'WAR' ? { stake_cents: 800 } : {}) });
      // elsewhere it may do what it likes
      await hill.asAgent(account).play({ slot: 4, move: 'PEACE' });
    }

    expect(await hill.rows('select count(*) from hill.announcements where verdict is null')).toEqual([
      { count: table.length },
    ]);
    await hill.clock.ringBell();
  });

  test.each(table)('announced %s, played %s: %s', async (intention, played, verdict) => {
    const id = accounts.get(`${intention} ${played}`)?.id;

    expect(await hill.rows('select verdict from hill.announcements where account_id = $1', [id])).toEqual([
      { verdict },
    ]);
  });

  test('is of the move that was live at the bell, whatever was replaced or withdrawn before', async () => {
    const [ann, bob] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
    for (const who of [ann, bob]) {
      await hill.asAgent(who).announce({ slot: 3, intention: 'PEACE' });
      await hill.asAgent(who).play({ slot: 3, move: 'PEACE' });
    }
    await hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: 800 });
    await hill.asAgent(bob).play({ slot: 3, move: 'PASS' });
    await hill.clock.ringBell();

    expect(
      await hill.rows('select account_id, verdict from hill.announcements where day = 2 order by account_id'),
    ).toEqual([
      { account_id: ann.id, verdict: 'betrayed' },
      { account_id: bob.id, verdict: 'ghosted' },
    ]);
  });

  test('of a past day stays as it is', async () => {
    const before = await hill.rows('select * from hill.announcements order by day, account_id');
    await hill.clock.ringBell();

    expect(await hill.rows('select * from hill.announcements order by day, account_id')).toEqual(before);
  });

  test('does not depend on the announcement: announcing changes no outcome', async () => {
    const play = async (announce: boolean) => {
      const [ann, bob] = [await anAccount(hill, { credits: 5000 }), await anAccount(hill, { credits: 5000 })];
      if (announce) await hill.asAgent(ann).announce({ slot: 7, intention: 'PEACE' });
      await hill.asAgent(bob).play({ slot: 7, move: 'PEACE' });
      await hill.asAgent(ann).play({ slot: 7, move: 'WAR', stake_cents: 900 });
      const { day } = await hill.clock.ringBell();
      return hill.rows(
        'select slot, outcome, peace_count, war_count, burned_cents from hill.place_results where day = $1 order by slot',
        [day],
      );
    };

    expect(await play(true)).toEqual(await play(false));
  });
});

describe('in the log', () => {
  const hill = useHill();
  const waiting = () =>
    hill.rows<{ at: string; entry: string }>(
      "select engine.iso(at) as at, convert_from(entry, 'UTF8') as entry from hill.log_waiting where entry like 'announcement %' order by entry",
    );
  interface Shown {
    occupant: { accountId: string };
    slot: number;
    intention: string;
    message: string | null;
    at: string;
    opening: { salt: string; message_hash: string | null; message_salt: string | null };
  }
  const shown = async () => {
    const { rows } = await hill
      .asPublic()
      .query<{ said: { announcements: Shown[] } }>('select api_public.announcements(proofs => true) as said');
    return (rows[0] as (typeof rows)[number]).said.announcements;
  };

  test('each is committed to in its own transaction, a retry with no other, and opens at once for who asks', async () => {
    const ann = await anAccount(hill);
    await hill.asAgent(ann).announce({ slot: 3, intention: 'WAR', message: 'Leave, ß' });
    await hill.clock.tick();
    await hill.asAgent(ann).announce({ slot: 3, intention: 'WAR', message: 'Leave, ß' });
    await hill.asAgent(ann).announce({ slot: 4, intention: 'PASS' });

    const openings = await shown();
    const entries = openings.map(({ occupant, opening, ...said }) => {
      if (said.message) expect(messageHashOf(opening.message_salt as string, said.message)).toBe(opening.message_hash);
      else expect(opening).toMatchObject({ message_hash: null, message_salt: null });
      return {
        at: said.at,
        entry: `announcement 1 ${commitmentToAnnouncement({ day: 1, account_id: occupant.accountId, ...said, ...opening })}`,
      };
    });
    expect(entries).toHaveLength(2);
    expect(await waiting()).toEqual(entries.sort((a, b) => (a.entry < b.entry ? -1 : 1)));
    expect(openings.map(({ opening }) => opening.salt.length)).toEqual([32, 32]);
    expect(new Set(openings.map(({ opening }) => opening.salt)).size).toBe(2);
  });

  test('one that is refused leaves nothing there', async () => {
    const before = await waiting();
    const ben = await anAccount(hill);
    await refusal(hill.asAgent(ben).announce({ slot: 1, intention: 'WAR', message: 'x'.repeat(141) }));
    expect(await waiting()).toEqual(before);
  });

  test('those of the house are there, too', async () => {
    const before = (await waiting()).length;
    await hill.asWorker().playHouse();
    const made = await hill.rows(
      'select from hill.announcements n join hill.accounts a on a.id = n.account_id where a.house',
    );
    expect(made.length).toBeGreaterThan(0);
    expect((await waiting()).length).toBe(before + made.length);
  });

  test('one from before the log had them has no opening, and the rest of it is as it was', async () => {
    await hill.root.query(
      'update hill.announcements set salt = null, message_salt = null, message_hash = null, commitment = null where slot = 3',
    );
    const [old] = (await shown()).filter(({ slot, message }) => slot === 3 && message !== null);
    expect(Object.keys(old as object).sort()).toEqual(['at', 'intention', 'message', 'occupant', 'slot', 'verdict']);
  });

  test('those who announce may have nothing else wait there than an announcement', async () => {
    for (const role of ['hill_api_agent', 'hill_api_worker']) {
      const wait = (entry: string) =>
        hill.asOwnerOf(role, (client) =>
          client.query("insert into hill.log_waiting values (now(), convert_to($1, 'UTF8'))", [entry]),
        );
      await wait('announcement 9 00');
      expect((await refusal(wait('night 9 00'))).code).toBe('42501');
    }
  });
});

describe('announcements in estimates', () => {
  const hill = useHill();

  test('of two WARs on a place leave to a PEACE there what that move alone would get', async () => {
    const [ann, bob, cid, dan, eve] = await Promise.all(
      Array.from({ length: 5 }, () => anAccount(hill, { credits: 50_000 })),
    );
    const day = await hill.clock.day();
    await hill.asAgent(ann as Account).play({ slot: 9, move: 'PEACE' });
    await hill.asAgent(ann as Account).play({ slot: 10, move: 'PEACE' });
    await hill.asAgent(bob as Account).play({ slot: 9, move: 'PEACE' });
    await hill.clock.ringBell();
    for (const [who, slot, intention] of [
      [cid, 9, 'PEACE'],
      [dan, 10, 'WAR'],
      [eve, 10, 'WAR'],
    ] as const)
      await hill.asAgent(who as Account).announce({ slot, intention });
    await call<void>(hill.as('worker'), 'api_worker.keep_prospects');

    // Moving on place 9, too, Ann would turn Cid away, who would share the burned place with her.
    const { places } = await call<{ places: { slot: number; peace_points: number }[] }>(
      hill.as('web'),
      'api_agent.status',
      { token: (ann as Account).token },
    );
    const [{ alone } = {}] = await hill.rows<{ alone: number }>('select engine.points(10, 1)::float8 as alone');
    expect(places.find(({ slot }) => slot === 10)?.peace_points, `day ${day}`).toBe(alone);
  });

  test('the first page asks as often what day it is, however much was announced', async () => {
    const asked = () =>
      hill.asRoot(async (client) => {
        await client.query("begin; set local track_functions = 'all'");
        await client.query('select api_public.front(10)');
        const { rows } = await client.query<{ calls: number }>(
          "select pg_stat_get_xact_function_calls('engine.today()'::regprocedure)::int as calls",
        );
        await client.query('rollback');
        return rows[0]?.calls as number;
      });
    const before = await asked();
    expect(before).toBeGreaterThan(0);
    for (let n = 0; n < 20; n++)
      await hill.asAgent(await anAccount(hill)).announce({ slot: 1 + (n % 10), intention: 'PASS' });
    expect(await asked()).toBe(before);
  });
});
