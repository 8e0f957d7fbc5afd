// The tool ask_the_bell: nights that nobody has played, resolved by the bell's own functions. Rules 9.1, 12.1.
import { beforeAll, describe, expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { succeeded } from '../support/doors/oauth.ts';
import { aLivelyNight, type Cast } from '../support/hill/a-lively-night.ts';
import { useHill } from '../support/hill/index.ts';
import type { Night, NightResult } from '../support/hill/night.ts';
import { randomNight } from '../support/naive/random-nights.ts';
import { seed } from '../support/random.ts';

const hill = useHill();
const mcp = useMcp(hill);

interface Answer {
  night?: Night;
  accounts?: { account: string; accountId?: string; name?: string; me?: boolean; newcomer?: boolean }[];
  result: NightResult;
  laws: Record<string, string>;
  decisions: {
    account: string;
    from_slot?: number;
    move?: string;
    seq?: number;
    fate: string;
    rule: string;
    tie_break: string;
    rival?: string;
    why: string;
  }[];
  rules: Record<string, string>;
}
interface Supposed {
  who: string;
  slot: number;
  move: 'PEACE' | 'WAR';
  stake_cents?: number;
  reputation?: number;
  since?: string;
  at?: string;
}

let cast: Cast;
let token: string;

beforeAll(async () => {
  cast = await aLivelyNight(hill);
  await hill.clock.at('10:00');
  token = await mcp.token(cast.cid);
});

const ask = (args: object) => mcp.call<Answer>(token, 'ask_the_bell', { ...args, full: true });
const suppose = (moves: Supposed[], more: object = {}) => ask({ moves, ...more });
const seats = ({ result }: Answer, slot: number) =>
  (result.slots[slot - 1]?.occupants ?? []).map(({ account, via }) => `${account} ${via}`);

describe('a night file', () => {
  test('of a night that was played comes to what was published', async () => {
    const [{ file, published } = { file: {}, published: {} }] = await hill.rows<{ file: object; published: object }>(
      `select engine.night_json(engine.stored_night(1)) as file,
              engine.resolution_json(engine.stored_night(1), engine.published_resolution(1)) as published`,
    );
    const answer = await ask({ night: JSON.stringify(file) });

    expect(answer.result).toEqual(published);
    expect(answer.night).toBeUndefined();
    expect(answer.decisions.filter(({ account }) => account === cast.cid.id)).toMatchObject([
      { from_slot: 1, fate: 'queued', rule: 'deposit_order', tie_break: 'deposit_time', rival: cast.bob.id },
      { from_slot: 1, fate: 'served', rule: 'queue_order', tie_break: 'seniority', rival: cast.eve.id },
    ]);
  });

  test('of any kind comes to what the public engine makes of it, with a reason for each move and each place', async () => {
    for (let place = 0; place < 25; place++) {
      const night = JSON.parse(
        // numbers that JavaScript has exactly: the protocol's JSON is read with it
        JSON.stringify(randomNight(seed + place), (_key, value: unknown) =>
          typeof value === 'bigint' ? Number.MAX_SAFE_INTEGER : value,
        ),
      ) as Night;
      if (night.moves.length > 200) continue;
      const answer = await ask({ night });
      const [{ result } = { result: {} }] = await hill.rows<{ result: object }>(
        'select engine.resolve_night($1::jsonb) as result',
        [JSON.stringify(night)],
      );

      expect(answer.result, `seed ${seed + place}`).toEqual(result);
      const own = ['kept', 'seated', 'evicted', 'burned', 'queued'];
      expect(
        answer.decisions
          .filter(({ fate }) => own.includes(fate))
          .map(({ seq }) => seq)
          .sort(),
      ).toEqual(night.moves.map(({ seq }) => seq).sort());
      for (const { slot } of [...night.moves, ...night.holders])
        expect(answer.laws[answer.result.slots[slot - 1]?.outcome as string], `place ${slot}`).toMatch(/Rules 4\.4\.$/);
      for (const { rule, why } of answer.decisions) {
        expect(answer.rules[rule]).toMatch(/Rules 4\./);
        expect(why).toMatch(/^\S.*\S$/);
      }
    }
  });

  const good = {
    day: 2,
    open_slots: [1, 2, 3],
    accounts: [{ account: 'a', reputation: 0.5, since: '2026-01-01T00:00:00Z' }],
    holders: [{ slot: 1, account: 'a', days_held: 1 }],
    moves: [{ seq: 1, account: 'a', slot: 1, move: 'PEACE', at: '2026-03-02T10:00:00Z' }],
  };
  const move = good.moves[0] as (typeof good.moves)[number];
  test.each<[string, string, RegExp, object]>([
    ['no day', 'day', /a whole number from 1/, { day: 0 }],
    ['no list of moves', 'moves', /a list/, { moves: 'none' }],
    ['a place that is not there', 'open_slots', /11 is not a place/, { open_slots: [11] }],
    [
      'a reputation above 1',
      'accounts[0].reputation',
      /from 0 to 1/,
      { accounts: [{ ...good.accounts[0], reputation: 1.5 }] },
    ],
    [
      'an age that is no instant',
      'accounts[0].since',
      /an instant/,
      { accounts: [{ ...good.accounts[0], since: 'yesterday' }] },
    ],
    ['days of less than none', 'holders[0].days_held', /from 0/, { holders: [{ ...good.holders[0], days_held: -1 }] }],
    ['a closed place', 'moves[0].slot', /not one of open_slots/, { moves: [{ ...move, slot: 4 }] }],
    [
      'a stake too small',
      'moves[1].stake_cents',
      /at least 800/,
      { moves: [move, { ...move, seq: 2, slot: 2, move: 'WAR', stake_cents: 799 }] },
    ],
    ['a stake with PEACE', 'moves[0]', /PEACE has no stake/, { moves: [{ ...move, stake_cents: 800 }] }],
    ['a move of no kind', 'moves[0].move', /PEACE or WAR/, { moves: [{ ...move, move: 'PASS' }] }],
    ['one number twice', 'moves', /seq 1 twice/, { moves: [move, { ...move, slot: 2 }] }],
    ['two moves on one place', 'moves', /twice on place 1/, { moves: [move, { ...move, seq: 2 }] }],
    ['a stranger', 'moves', /"b" is not in accounts/, { moves: [{ ...move, account: 'b' }] }],
    ['a rent beyond 64 bits', 'holders', /does not fit 64 bits/, { holders: [{ ...good.holders[0], days_held: 272 }] }],
  ])('with %s is refused, and the path is named: %s', async (_, path, message, change) => {
    const refused = await mcp.refusal(token, 'ask_the_bell', { night: { ...good, ...change } });
    expect(refused).toMatchObject({
      code: 'INVALID_NIGHT',
      path,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/^The whole night was refused/),
    });
  });

  test('may have 200 moves and no more', async () => {
    const night = (moves: number) => ({
      ...good,
      holders: [],
      accounts: Array.from({ length: moves }, (_, i) => ({
        account: `n${i}`,
        reputation: 0,
        since: '2026-01-01T00:00:00Z',
      })),
      moves: Array.from({ length: moves }, (_, i) => ({
        ...move,
        seq: i,
        account: `n${i}`,
        slot: 1 + (i % 3),
        ...(i % 50 === 0 ? { move: 'WAR', stake_cents: 800 } : {}),
      })),
    });
    expect((await ask({ night: night(200) })).result.charges).toHaveLength(200);
    expect(await mcp.refusal(token, 'ask_the_bell', { night: night(201) })).toMatchObject({
      code: 'INVALID_NIGHT',
      path: 'moves',
      message: 'moves: at most 200',
    });
    const listed = Array.from({ length: 201 }, (_, i) => ({ who: `n${i}`, slot: 1, move: 'PEACE' as const }));
    expect((await suppose(listed.slice(1), { holders_stay: false })).result.charges).toHaveLength(200);
    expect(await mcp.refusal(token, 'ask_the_bell', { moves: listed })).toMatchObject({
      code: 'INVALID_NIGHT',
      path: 'moves',
    });
  });
});

describe('a list of moves', () => {
  test('is laid on the hill as it stands in public: holders, days held, reputations, ages', async () => {
    const answer = await suppose(
      [
        { who: 'me', slot: 3, move: 'PEACE' },
        { who: 'Ann', slot: 1, move: 'PEACE' },
        { who: cast.bob.id, slot: 1, move: 'WAR' },
        { who: 'Zed', slot: 1, move: 'PEACE' },
      ],
      { holders_stay: false },
    );

    expect(answer.accounts).toEqual([
      { account: 'Zed', newcomer: true },
      { account: 'ann', accountId: cast.ann.id, name: 'Ann' },
      { account: 'bob', accountId: cast.bob.id, name: 'Bob' },
      { account: 'cid', accountId: cast.cid.id, name: 'Cid', me: true },
    ]);
    expect(answer.night).toMatchObject({
      day: 2,
      open_slots: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      holders: [
        { slot: 1, account: 'ann', days_held: 0 },
        { slot: 1, account: 'bob', days_held: 0 },
        { slot: 2, account: 'dan', days_held: 0 },
        { slot: 3, account: 'cid', days_held: 0 },
        { slot: 3, account: 'eve', days_held: 0 },
      ],
      moves: [{ slot: 3 }, { slot: 1 }, { slot: 1, move: 'WAR', stake_cents: 800 }, { slot: 1 }],
    });
    // the same reputations and ages as the wallets have, which nobody but their account reads
    const known = await hill.rows<{ account: string; reputation: number; since: string; house: boolean }>(
      `select a.slug as account, engine.reputation_tonight(w.peace_ring, w.war_ring, w.ring_day, 1)::float8 as reputation, engine.iso(w.since) as since, a.house
         from hill.wallets w join hill.accounts a on a.id = w.account_id where a.slug in ('ann', 'bob', 'cid') order by 1`,
    );
    expect((answer.night as Night).accounts.filter(({ account }) => account !== 'Zed')).toEqual(known);
    expect(seats(answer, 1)).toEqual(['bob war']);
    expect(seats(answer, 3)).toEqual(['cid holder']);
    expect(answer.result.slots[0]?.evicted).toEqual(['Zed', 'ann']);
    expect((await ask({ night: answer.night as object })).result).toEqual(answer.result);
  });

  test('lets holders stay that it does not name, or leave if that is asked', async () => {
    const moves: Supposed[] = [
      { who: 'Zed', slot: 1, move: 'PEACE' },
      { who: 'Zed', slot: 2, move: 'PEACE' },
    ];
    const leaving = await suppose(moves, { holders_stay: false });
    expect([seats(leaving, 1), seats(leaving, 2), seats(leaving, 3)]).toEqual([['Zed peace'], ['Zed peace'], []]);
    expect(leaving.decisions.filter(({ fate }) => fate === 'left').map(({ account }) => account)).toEqual([
      'ann',
      'bob',
      'dan',
      'cid',
      'eve',
    ]);
    const staying = await suppose(moves);
    expect(await suppose(moves, { holders_stay: true })).toEqual(staying);
    expect([seats(staying, 1), seats(staying, 2), seats(staying, 3)]).toEqual([
      ['ann holder', 'bob holder'],
      ['dan holder', 'Zed peace'],
      ['cid holder', 'eve holder'],
    ]);
    expect(seats(await suppose([{ who: 'ann', slot: 1, move: 'WAR' }], { holders_stay: true }), 1)).toEqual([
      'ann war',
    ]);
  });

  test('takes deposits in its order, and lets each key be supposed otherwise', async () => {
    const three = (more: Partial<Supposed>[]): Supposed[] =>
      ['x', 'y', 'z'].map((who, i) => ({ who, slot: 5, move: 'PEACE' as const, ...more[i] }));
    const whoSits = async (more: Partial<Supposed>[]) => {
      const answer = await suppose(three(more));
      return [
        seats(answer, 5).join(),
        answer.decisions.find(({ account, fate }) => account === 'z' && (fate === 'queued' || fate === 'seated'))
          ?.tie_break,
      ];
    };
    const at = '2026-03-02T09:00:00Z';
    expect(await whoSits([])).toEqual(['x peace,y peace', 'deposit_time']);
    expect(await whoSits([{}, {}, { at: '2026-03-02T00:00:00Z' }])).toEqual(['z peace,x peace', 'deposit_time']);
    expect(await whoSits([{ at }, { at }, { at, reputation: 0.5 }])).toEqual(['z peace,x peace', 'reputation']);
    expect(await whoSits([{ at }, { at }, { at, since: '2020-01-01T00:00:00Z' }])).toEqual([
      'z peace,x peace',
      'seniority',
    ]);
    expect(await whoSits([{ at }, { at }, { at }])).toEqual(['x peace,y peace', 'sequence_number']);
    // a newcomer is younger than all
    expect(
      await whoSits([
        { at, who: 'x' },
        { at, who: 'y' },
        { at, who: 'z', since: '2026-03-02T23:59:59Z' },
      ]),
    ).toEqual(['z peace,x peace', 'seniority']);
  });

  test.each<[string, object, object]>([
    ['nobody', { who: '', slot: 1, move: 'PEACE' }, { code: 'INVALID_NIGHT', path: 'moves[0].who' }],
    [
      'a place that is not there',
      { who: 'me', slot: 11, move: 'PEACE' },
      { code: 'INVALID_NIGHT', path: 'moves[0].slot' },
    ],
    [
      'a small stake',
      { who: 'me', slot: 1, move: 'WAR', stake_cents: 100 },
      { code: 'INVALID_NIGHT', path: 'moves[0].stake_cents' },
    ],
    [
      'a reputation of more than all',
      { who: 'me', slot: 1, move: 'PEACE', reputation: 2 },
      { code: 'INVALID_NIGHT', path: 'moves[0].reputation' },
    ],
    [
      'an age of words',
      { who: 'me', slot: 1, move: 'PEACE', since: 'long ago' },
      { code: 'INVALID_NIGHT', path: 'moves[0].since' },
    ],
    [
      'an instant of words',
      { who: 'me', slot: 1, move: 'PEACE', at: 'soon' },
      { code: 'INVALID_NIGHT', path: 'moves[0].at' },
    ],
    ['a move of no kind', { who: 'me', slot: 1, move: 'DUCK' }, { code: 'INVALID_ARGUMENT', argument: 'moves.0.move' }],
  ])('with %s is refused where it lies', async (_, moved, refused) => {
    expect(await mcp.refusal(token, 'ask_the_bell', { moves: [moved] })).toMatchObject(refused);
  });

  test('or a night is given, one of the two', async () => {
    for (const args of [
      {},
      { moves: [], night: {} },
      { holders_stay: true },
      { night: '[]' },
      { night: '{' },
      { night: 5 },
    ])
      expect(await mcp.refusal(token, 'ask_the_bell', args)).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await suppose([], { holders_stay: false })).result.slots.every(({ outcome }) => outcome === 'VACANT')).toBe(
      true,
    );
  });
});

describe('without full', () => {
  const brief = (args: object) => mcp.call<Answer>(token, 'ask_the_bell', args);
  const decided = ({ account, fate, rule, why }: Answer['decisions'][number]) => ({ account, fate, rule, why });

  test('it tells what became of the moves that were listed, as in full', async () => {
    const moves: Supposed[] = [
      { who: 'me', slot: 1, move: 'PEACE' },
      { who: 'Zed', slot: 2, move: 'WAR' },
      { who: 'Yan', slot: 2, move: 'WAR', stake_cents: 1000 },
    ];
    const [short, full] = [await brief({ moves, holders_stay: true }), await suppose(moves, { holders_stay: true })];
    const listed = (account: string) => ['cid', 'Zed', 'Yan'].includes(account);

    expect(short.accounts).toEqual(full.accounts);
    expect(short.night).toBeUndefined();
    // Cid waits in the queue and is served on place 2, which burns; and holds place 3
    expect(short.result.slots).toEqual([
      { slot: 1, outcome: 'PEACE', occupants: full.result.slots[0]?.occupants },
      { slot: 2, outcome: 'BURN', burned_cents: 1800, occupants: full.result.slots[1]?.occupants },
      { slot: 3, outcome: 'PEACE', occupants: full.result.slots[2]?.occupants },
    ]);
    expect(seats(full, 2)).toContain('cid queue');
    expect(short.result.charges).toEqual(full.result.charges.filter(({ account }) => listed(account)));
    expect(short.decisions.map(decided)).toEqual(full.decisions.filter(({ account }) => listed(account)).map(decided));
    expect(short.laws).toEqual({ PEACE: full.laws.PEACE, BURN: full.laws.BURN });
    for (const { rule } of short.decisions) expect(short.rules[rule]).toBe(full.rules[rule]);
    expect(JSON.stringify(short).length * 2).toBeLessThan(JSON.stringify(full).length);
  });

  test('of a night file it tells every move', async () => {
    const { night } = await suppose([{ who: 'me', slot: 9, move: 'PEACE' }], { holders_stay: true });
    const [short, full] = [await brief({ night }), await ask({ night })];

    expect(short.decisions.map(decided)).toEqual(full.decisions.map(decided));
    expect(short.result.slots.map(({ slot }) => slot)).toEqual([1, 2, 3, 9]);
  });
});

describe('what it knows', () => {
  test('is nothing sealed, not even of whoever asks', async () => {
    const question = { moves: [{ who: 'ann', slot: 1, move: 'PEACE' }], holders_stay: true };
    const look = async () => JSON.stringify((await mcp.callTool(token, 'ask_the_bell', question)).message.result);
    const before = await look();
    await hill.asAgent(cast.ann).play({ slot: 1, move: 'WAR', stake_cents: 900 });
    await hill.asAgent(cast.cid).play({ slot: 3, move: 'WAR', stake_cents: 800, message: 'zugzwang' });

    expect(await look()).toBe(before);
  });

  test('is written nowhere: it runs in a transaction that may only read, and what is refused is not in the log', async () => {
    await hill.asRoot(async (client) => {
      await client.query('begin read only');
      const { rows } = await client.query<{ answer: Answer }>(
        `select api_agent.ask_the_bell($1, null, '[{"who": "me", "slot": 1, "move": "WAR"}]') as answer`,
        [cast.cid.token],
      );
      expect(rows[0]?.answer.result.slots[0]?.outcome).toBe('WAR');
      await client.query('select api_agent.explore($1), api_agent.debrief($1)', [cast.cid.token]);
      await client.query('rollback');
    });
    mcp.logged.length = 0;
    await mcp.refusal(token, 'ask_the_bell', {
      night: {
        day: 1,
        open_slots: [],
        accounts: [
          { account: 'fianchetto', reputation: 0, since: '2026-01-01T00:00:00Z' },
          { account: 'fianchetto', reputation: 0, since: '2026-01-01T00:00:00Z' },
        ],
        holders: [],
        moves: [],
      },
    });
    expect(mcp.logged.join('\n')).not.toContain('fianchetto');
  });

  test('may be asked before a human has claimed the agent: then me is a newcomer', async () => {
    const { access_token } = succeeded(await mcp.exchange((await mcp.register('Newcomer')).identity_assertion));
    const answer = await mcp.call<Answer>(access_token, 'ask_the_bell', {
      moves: [{ who: 'me', slot: 4, move: 'PEACE' }],
      full: true,
    });

    expect(answer.accounts).toEqual([{ account: 'me', newcomer: true }]);
    expect(seats(answer, 4)).toEqual(['me peace']);
  });

  test('of tonight is nothing while the bell rings; of a night file it is all', async () => {
    await hill.clock.toMidnight();
    expect(await mcp.refusal(token, 'ask_the_bell', { moves: [] })).toMatchObject({
      code: 'BELL_RINGING',
      retry_after_seconds: 5,
    });
    expect((await ask({ night: { day: 1, open_slots: [1], accounts: [], holders: [], moves: [] } })).result.day).toBe(
      1,
    );
    await hill.clock.ringBell();
  });

  test('is read by the SDK’s client, against the schema that the tool gives', async () => {
    const client = await mcp.client(token);
    await client.listTools();
    const { isError, content } = await client.callTool({
      name: 'ask_the_bell',
      arguments: {
        moves: [
          { who: 'me', slot: 1, move: 'WAR' },
          { who: 'Zed', slot: 1, move: 'WAR' },
          { who: 'Yan', slot: 2, move: 'PEACE' },
        ],
        holders_stay: true,
      },
    });
    expect(isError).toBeFalsy();
    const [{ text } = { text: '' }] = content as { text: string }[];
    expect(text).toMatch(/^1 BURN: /);
    expect(text).toContain('Taken for newcomers, for no account has that slug: Yan, Zed.');
    // it holds place 3, and stays like every holder
    expect(text).toMatch(/play {"slot":3,"move":"PEACE","day":3} costs \d+ cents\.$/);
    expect(text).not.toMatch(/undefined|null|NaN|\[object/);
  });
});
