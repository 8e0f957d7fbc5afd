// GET /api/hill. Rules 2.4, 2.7, 9.3, 10.4.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Hill as HillRecord } from '../../src/records/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { anAccount, useHill } from '../support/hill/index.ts';

const identityOf = (name: string) => expect.objectContaining({ name });

describe('before any night', () => {
  const hill = useHill();
  const web = useWebDoor(hill);

  test('there is no last night, and all else is told', async () => {
    const record = await web.read<HillRecord>('/api/hill');

    expect(record).toMatchObject({
      day: 1,
      beforeLaunch: false,
      opensAt: '2026-03-01T00:00:00.000000Z',
      nextBellAt: '2026-03-02T00:00:00.000000Z',
      openSlots: 10,
      nextSlotOpensDay: null,
      founders: { total: 0, left: 0, launchDay: 1, active: false },
      announcements: [],
      lastNight: [],
      burnedLastNightCents: 0,
      sealedTonight: 0,
    });
    expect(record.hill).toEqual(
      Array.from({ length: 10 }, (_, i) => ({ slot: i + 1, occupants: [], messages: [], messages_total: 0 })),
    );
  });

  test('announcements are public at once, without a verdict; moves are not', async () => {
    const ann = await anAccount(hill, { name: 'Ann', credits: 5000 });
    const before = await web.read<HillRecord>('/api/hill');
    await hill.asAgent(ann).play({ slot: 4, move: 'WAR', stake_cents: 1000, message: 'sealed words' });
    expect(await web.read<HillRecord>('/api/hill')).toEqual(before);

    await hill.asAgent(ann).announce({ slot: 4, intention: 'PEACE', message: 'I come in peace' });

    const { announcements } = await web.read<HillRecord>('/api/hill');
    expect(announcements).toEqual([
      {
        occupant: identityOf('Ann'),
        slot: 4,
        intention: 'PEACE',
        message: 'I come in peace',
        at: '2026-03-01T10:00:00.000000Z',
        verdict: null,
      },
    ]);
  });

  test('sealed moves are counted on the quarter hour', async () => {
    await hill.clock.at('10:15');
    await hill.asWorker().refreshSealedCount();
    expect(await web.read('/api/hill')).toMatchObject({ sealedTonight: 1 });
  });
});

describe('after a night', () => {
  const hill = useHill({ day: 1 });
  const web = useWebDoor(hill);
  let cast: Cast;
  let record: HillRecord;
  beforeAll(async () => {
    cast = await aLivelyNight(hill);
    await hill.root.query(
      "update hill.accounts set url = 'https://ann.example/', verified = true, badge = true, icon = true where id = $1",
      [cast.ann.id],
    );
    await hill.root.query('insert into hill.identity_counters values ($1, 7, 3, 2)', [cast.ann.id]);
    record = await web.read<HillRecord>('/api/hill');
  });

  test('the ten places are there in order, and their last night', () => {
    expect(record.hill.map(({ slot }) => slot)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(record.lastNight.map(({ slot }) => slot)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('occupants are told with agent, model, days held and counters', () => {
    expect(record.hill[0]?.occupants).toEqual([
      {
        accountId: cast.ann.id,
        name: 'Ann',
        url: 'https://ann.example/',
        verified: true,
        slug: 'ann',
        badge: true,
        icon: true,
        house: false,
        agentId: cast.ann.agentId,
        model: 'a model',
        daysHeld: 0,
        counters: { views: 7, clicks: 3, agents: 2 },
      },
      expect.objectContaining({ name: 'Bob', url: null, counters: { views: 0, clicks: 0, agents: 0 } }),
    ]);
  });

  test('the last night tells outcome, counts, burned stakes, who sits and who was evicted', () => {
    const [one, two, three, four] = record.lastNight;
    expect(one).toEqual({
      day: 1,
      slot: 1,
      outcome: 'PEACE',
      peaceCount: 3,
      warCount: 0,
      burnedCents: 0,
      occupants: ['Ann', 'Bob'].map((name) => expect.objectContaining({ name, via: 'peace', daysHeld: 0, points: 5 })),
      burned: [],
      unseated: [],
      evicted: [],
      evictedTotal: 0,
    });
    expect(two).toMatchObject({ evictedTotal: 1 });
    expect(two).toMatchObject({
      outcome: 'WAR',
      peaceCount: 1,
      warCount: 1,
      occupants: [identityOf('Dan')],
      evicted: [identityOf('Eve')],
    });
    expect(three).toMatchObject({
      outcome: 'BURN',
      warCount: 2,
      burnedCents: 1800,
      burned: [identityOf('Fay'), identityOf('Gus')],
      occupants: [identityOf('Cid'), identityOf('Eve')],
      evicted: [],
    });
    expect(four).toMatchObject({ outcome: 'VACANT', occupants: [], evicted: [] });
    expect(record).toMatchObject({ day: 2, burnedLastNightCents: 1800 });
  });

  test('what was said with the moves stands on its place', () => {
    expect(record.hill[0]?.messages).toEqual([
      { occupant: identityOf('Ann'), move: 'PEACE', text: 'Good night', day: 1 },
    ]);
    expect(record.hill[1]?.messages).toEqual([{ occupant: identityOf('Dan'), move: 'WAR', text: 'Mine', day: 1 }]);
  });

  test('what was said is counted where it is cut, and all of it is with the moves of the night', async () => {
    expect(record.hill.map(({ messages_total }) => messages_total)).toEqual(
      record.hill.map(({ messages }) => messages.length),
    );
    await hill.root.query(
      'create or replace function engine.page_length() returns integer language sql immutable parallel safe return 0',
    );
    const { rows } = await hill.asPublic().query<{ cut: HillRecord }>('select api_public.hill() as cut');
    expect(
      rows[0]?.cut.hill.slice(0, 2).map(({ messages, messages_total }) => [messages.length, messages_total]),
    ).toEqual([
      [0, 1],
      [0, 1],
    ]);
    await hill.root.query(
      'create or replace function engine.page_length() returns integer language sql immutable parallel safe return 100',
    );
  });

  test('an announcement of yesterday is not one of today', () => {
    expect(record.announcements).toEqual([]);
  });

  test('between midnight and publication the last published night stays, and the day goes on', async () => {
    await hill.clock.at('12:00');
    await hill.asAgent(cast.ann).play({ slot: 1, move: 'PEACE' });
    await hill.clock.at('12:15');
    await hill.asWorker().refreshSealedCount();
    const sealed = await web.read<HillRecord>('/api/hill');
    expect(sealed.sealedTonight).toBe(1);
    await hill.clock.toMidnight();

    const between = await web.read<HillRecord>('/api/hill');

    expect(between).toMatchObject({
      day: 3,
      nextBellAt: '2026-03-04T00:00:00.000000Z',
      sealedTonight: 0,
      burnedLastNightCents: 1800,
    });
    expect(between.hill).toEqual(sealed.hill);
    expect(between.lastNight).toEqual(sealed.lastNight);

    await hill.clock.ringBell();
    const after = await web.read<HillRecord>('/api/hill');
    expect(after.hill[0]?.occupants).toEqual([expect.objectContaining({ name: 'Ann', daysHeld: 1 })]);
    expect(after.lastNight[0]).toMatchObject({ day: 2, outcome: 'PEACE' });
  });
});

describe('before launch', () => {
  const hill = useHill({ day: 3, founders: 4 });
  const web = useWebDoor(hill);

  test('the opening and the founders’ nights that are left are told; bells count, not days', async () => {
    const opening = { beforeLaunch: true, opensAt: '2026-03-05T00:00:00.000000Z' };
    expect(await web.read('/api/hill')).toMatchObject({
      ...opening,
      founders: { total: 4, left: 4, launchDay: 5, active: true },
    });
    await hill.clock.toDay(3);
    expect(await web.read('/api/hill')).toMatchObject({
      ...opening,
      founders: { total: 4, left: 2, launchDay: 5, active: true },
    });
    await hill.clock.toDay(5, '00:00');
    expect(await web.read('/api/hill')).toMatchObject({
      beforeLaunch: false,
      founders: { total: 4, left: 0, launchDay: 5, active: false },
    });
  });

  test('places that are not open yet are counted', async () => {
    await hill.root.query('update hill.places set opens_day = case slot when 9 then 7 when 10 then 12 else 1 end');
    expect(await web.read('/api/hill')).toMatchObject({ openSlots: 8, nextSlotOpensDay: 7 });
    expect(await web.read('/api/rules')).toMatchObject({ hill: { open_slots_tonight: 8, next_slot_opens_on_day: 7 } });
  });
});

describe('before day one', () => {
  const hill = useHill({ day: 0 });
  const web = useWebDoor(hill);

  test('it is day 0, and the hill answers', async () => {
    expect(await web.read('/api/hill')).toMatchObject({
      day: 0,
      beforeLaunch: true,
      nextBellAt: '2026-03-02T00:00:00.000000Z',
      lastNight: [],
    });
    expect(await web.read('/api/status')).toMatchObject({
      day: 0,
      nextBellAt: '2026-03-02T00:00:00.000000Z',
      lastNight: null,
    });
  });
});
