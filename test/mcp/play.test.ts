// play and announce as agents meet them: through the SDK's client, over HTTP. Rules 2.4, 2.6, 3.1, 6.1, 9.1, 13.1;
// protocol 9.4, 9.6.
import { describe, expect, test } from 'vitest';
import { rule } from '../../src/db/rules.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { type Account, anAccount, anotherAgent, useHill } from '../support/hill/index.ts';

const hill = useHill();
const mcp = useMcp(hill);

interface Refused extends Record<string, unknown> {
  code: string;
  message: string;
  hint: string;
}
type Args = Record<string, unknown>;
type Agent = Awaited<ReturnType<typeof agentOf>>;

/** An agent that knows what the tools say, and checks every result against it. */
async function agentOf(account: Account, door = mcp) {
  const client = await door.client(await door.token(account));
  await client.listTools(); // from now on the client holds results against the output schemas
  const ask = (name: string, args: Args) => client.callTool({ name, arguments: args });
  return {
    does: async (name: string, args: Args): Promise<Args> => {
      const result = await ask(name, args);
      expect(result.isError, JSON.stringify(result)).toBeFalsy();
      return result.structuredContent as Args;
    },
    isRefused: async (name: string, args: Args): Promise<Refused> => {
      const result = await ask(name, args);
      expect(result.isError, JSON.stringify(result)).toBe(true);
      const refused = result.structuredContent as Refused;
      const [{ text } = { text: '' }] = result.content as { text: string }[];
      expect(text, 'a model that reads text only learns as much').toContain(
        `${refused.code}: ${refused.message} ${refused.hint}`,
      );
      expect(refused.hint.length).toBeGreaterThan(20);
      return refused;
    },
  };
}

const anAgent = async (options: Parameters<typeof anAccount>[1] = {}) => {
  const account = await anAccount(hill, { credits: 5000, ...options });
  return { account, agent: await agentOf(account) };
};

describe('a receipt', () => {
  test('of a move has all that its agent has to remember, of its own account alone', async () => {
    const { agent } = await anAgent({ daily_cap_cents: 2000 });

    expect(await agent.does('play', { slot: 3, move: 'WAR', stake_cents: 900, message: 'Mine 🏔', day: 1 })).toEqual({
      day: 1,
      slot: 3,
      move: 'WAR',
      stake_cents: 900,
      message: 'Mine 🏔',
      reserved_cents: 900,
      deposited_at: '2026-03-01T10:00:00.000000Z',
      moves_left: 3,
      places_left: 1,
      cap_left_cents: 1100,
      available_cents: 4100,
      // test/mcp/receipts.test.ts
      ...{ signed_receipt: null, no_receipt: expect.any(String) },
    });
    expect(await agent.does('play', { slot: 4, move: 'PEACE' })).toMatchObject({
      reserved_cents: 300,
      cap_left_cents: 800,
      available_cents: 3800,
    });
    expect(await agent.does('play', { slot: 3, move: 'PASS' })).toMatchObject({
      reserved_cents: 0,
      places_left: 1,
      cap_left_cents: 1700,
      available_cents: 4700,
    });
  });

  test('of an announcement says how it will be judged, and is', async () => {
    const { account, agent } = await anAgent();
    const said = await agent.does('announce', { slot: 6, intention: 'PEACE', message: 'I come in peace' });

    expect(said).toEqual({
      day: 1,
      slot: 6,
      intention: 'PEACE',
      message: 'I come in peace',
      at: '2026-03-01T10:00:00.000000Z',
      judged_at: '2026-03-02T00:00:00.000000Z',
      verdict_by_move: { PEACE: 'kept', WAR: 'betrayed', none: 'ghosted' },
      announcements_left: rule('announcements_per_day') - 1,
    });
    const { announcements } = await mcp
      .get<{ announcements: object[] }>(`${mcp.baseUrl}/api/hill`)
      .then(({ body }) => body);
    expect(announcements).toContainEqual(
      expect.objectContaining({
        slot: 6,
        message: 'I come in peace',
        occupant: expect.objectContaining({ accountId: account.id }),
      }),
    );
  });

  test('is the same for the same request again, which changes nothing', async () => {
    const { agent } = await anAgent({ daily_cap_cents: 2000 });
    for (const [name, args] of [
      ['play', { slot: 1, move: 'WAR', stake_cents: 800, message: 'Again' }],
      ['play', { slot: 1, move: 'PASS' }],
      ['announce', { slot: 1, intention: 'WAR', message: 'Again' }],
    ] as const) {
      const first = await agent.does(name, args);
      await hill.clock.tick(5);
      expect(await agent.does(name, args)).toEqual(first);
      expect(await agent.does(name, { ...args, day: 1 })).toEqual(first);
    }
    expect(await agent.does('play', { slot: 1, move: 'PASS' })).toMatchObject({
      moves_left: rule('moves_per_day') - 2,
    });
  });

  test('of a PASS with nothing to withdraw has no instant', async () => {
    const { agent } = await anAgent();
    const receipt = await agent.does('play', { slot: 9, move: 'PASS' });

    expect(receipt).toMatchObject({ moves_left: rule('moves_per_day'), reserved_cents: 0 });
    expect(receipt).not.toHaveProperty('deposited_at');
  });
});

describe('two agents of one account', () => {
  test('share its moves, places, cap and credits, replace each other’s moves, and repeat each other’s requests', async () => {
    const { account, agent: one } = await anAgent({ credits: 2000, daily_cap_cents: 1500 });
    const two = await agentOf(await anotherAgent(hill, account));
    const first = await one.does('play', { slot: 1, move: 'PEACE' });

    expect(await two.does('play', { slot: 1, move: 'PEACE' })).toEqual(first);
    expect(await two.does('play', { slot: 1, move: 'WAR', stake_cents: 1000 })).toMatchObject({
      moves_left: 2,
      cap_left_cents: 500,
      available_cents: 1000,
    });
    expect(await one.does('play', { slot: 2, move: 'PEACE' })).toMatchObject({
      moves_left: 1,
      places_left: 0,
      cap_left_cents: 200,
    });
    expect(await two.isRefused('play', { slot: 3, move: 'PEACE' })).toMatchObject({
      code: 'TOO_MANY_PLACES',
      contested: [1, 2],
    });
    expect(await two.does('play', { slot: 1, move: 'PASS' })).toMatchObject({ moves_left: 0, places_left: 1 });
    expect(await one.isRefused('play', { slot: 3, move: 'PEACE' })).toMatchObject({ code: 'NO_MOVES_LEFT' });

    await one.does('announce', { slot: 1, intention: 'WAR' });
    expect(await two.isRefused('announce', { slot: 1, intention: 'PEACE' })).toMatchObject({
      code: 'ALREADY_ANNOUNCED',
    });
    expect(await two.does('announce', { slot: 2, intention: 'PEACE' })).toMatchObject({ announcements_left: 0 });
  });

  test('that deposit at one instant get one result after the other', async () => {
    const { account, agent: one } = await anAgent({ credits: 700, daily_cap_cents: 700 });
    const two = await agentOf(await anotherAgent(hill, account));
    const outcomes = await Promise.allSettled(
      [one, two, one, two].map((agent, i) => agent.does('play', { slot: 5 + (i % 4), move: 'PEACE' })),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await hill.asAgent(account).ownState()).toMatchObject({
      reserved_cents: 600,
      available_cents: 100,
      moves_left: 2,
    });
  });
});

describe('an argument that is not valid', () => {
  const longString = 'zugzwang';
  test.each<[string, string, Args, string]>([
    ['play', 'slot', { slot: 11, move: 'PEACE' }, '1 to 10'],
    ['play', 'slot', { slot: 0, move: 'PEACE' }, '1 to 10'],
    ['play', 'slot', { slot: 2.5, move: 'PEACE' }, '1 to 10'],
    ['play', 'slot', { slot: '3', move: 'PEACE' }, '1 to 10'],
    ['play', 'slot', { slot: longString, move: 'PEACE' }, '1 to 10'],
    ['play', 'slot', { move: 'PEACE' }, '1 to 10'],
    ['play', 'move', { slot: 1 }, 'PEACE, WAR or PASS'],
    ['play', 'move', { slot: 1, move: 'peace' }, 'PEACE, WAR or PASS'],
    ['play', 'move', { slot: 1, move: longString }, 'PEACE, WAR or PASS'],
    ['play', 'stake_cents', { slot: 1, move: 'WAR', stake_cents: 812.5 }, 'whole number of cents'],
    ['play', 'stake_cents', { slot: 1, move: 'WAR', stake_cents: '91234' }, 'whole number of cents'],
    ['play', 'stake_cents', { slot: 1, move: 'WAR', stake_cents: 1e300 }, 'whole number of cents'],
    ['play', 'message', { slot: 1, move: 'PEACE', message: 91234 }, 'string'],
    ['play', 'message', { slot: 1, move: 'PEACE', message: `${longString}\n` }, 'one line'],
    ['play', 'message', { slot: 1, move: 'PEACE', message: `${longString}\u202e` }, 'one line'],
    ['play', 'message', { slot: 1, move: 'PEACE', message: `${longString}\0` }, 'character'],
    ['play', 'message', { slot: 1, move: 'PEACE', message: `${longString}\ud800` }, 'character'],
    ['play', 'day', { slot: 1, move: 'PEACE', day: longString }, 'whole number'],
    ['play', 'day', { slot: 1, move: 'PEACE', day: 2 ** 40 }, 'no such day'],
    ['play', 'stake', { slot: 1, move: 'WAR', stake: 91234 }, 'play takes slot, move, stake_cents, message, day'],
    ['play', 'arguments', { slot: 1, move: 'WAR', 'zugzwang, 91234': 1 }, 'play takes slot, move'],
    ['play', 'slot', { slot: null, move: 'WAR' }, '1 to 10'],
    ['announce', 'slot', { slot: 11, intention: 'PEACE' }, '1 to 10'],
    ['announce', 'intention', { slot: 1, intention: longString }, 'PEACE, WAR or PASS'],
    ['announce', 'intention', { slot: 1 }, 'PEACE, WAR or PASS'],
    ['announce', 'message', { slot: 1, intention: 'WAR', message: `${longString}\u200b` }, 'one line'],
    ['announce', 'move', { slot: 1, intention: 'WAR', move: 'WAR' }, 'announce takes slot, intention, message, day'],
  ])('%s: %s is named, with what is allowed, and not repeated: %j', async (tool, argument, args, allowed) => {
    const { account, agent } = await anAgent();

    const refused = await agent.isRefused(tool, args);

    expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', argument });
    expect(refused.message).toContain(allowed);
    expect(JSON.stringify(refused)).not.toMatch(/zugzwang|91234|812\.5/);
    expect(await hill.asAgent(account).ownState()).toMatchObject({ moves_left: rule('moves_per_day') });
  });
});

test.each([
  '👩🏽\u200d🚀 → 🏴\u200d☠️ ❤️',
  'Vraiment\u00a0?\u202f!',
  'می\u200cخواهم',
  '平和に',
  '<b>&amp; "quoted" \\u0000',
  "it's 100 % mine",
])('a message may be %j, and is public as it was written', async (message) => {
  const { agent } = await anAgent();

  expect(await agent.does('play', { slot: 8, move: 'PEACE', message })).toMatchObject({ message });
  expect(await agent.does('announce', { slot: 8, intention: 'PEACE', message })).toMatchObject({ message });
});

test('null for what is left out is nothing', async () => {
  const { agent } = await anAgent();

  const receipt = await agent.does('play', { slot: 1, move: 'PEACE', stake_cents: null, message: null, day: null });
  expect(await agent.does('play', { slot: 1, move: 'PEACE' })).toEqual(receipt);
});

test('the log has neither a move nor its words nor its cents, accepted or refused', async () => {
  mcp.logged.length = 0;
  const { account, agent } = await anAgent({ credits: 80_000, daily_cap_cents: 80_000, max_stake_cents: 70_000 });
  const sealed = { slot: 7, move: 'WAR', stake_cents: 61_803, message: 'fianchetto' };
  await agent.does('play', sealed);
  await agent.isRefused('play', { ...sealed, slot: 6 });
  await agent.isRefused('play', { ...sealed, slot: 11 });
  await agent.isRefused('play', { ...sealed, message: 'fianchetto'.repeat(20) });
  await agent.isRefused('play', { ...sealed, fianchetto: 61_803 });

  await agent.does('announce', { slot: 7, intention: 'PEACE' });

  const text = mcp.logged.join('\n');
  expect(text, 'the log is the one that calls are written to').toContain('announce: ok');
  expect(text).not.toMatch(/61803|61_803|fianchetto|WAR/);
  expect(text).not.toContain(account.id);
  expect(text).not.toContain(account.agentId);
});

// Each refusal, and how an agent goes on that knows nothing but the fields of the error.
interface Case {
  code: string;
  tool?: 'play' | 'announce';
  account?: Parameters<typeof anAccount>[1];
  before?: (agent: Agent, account: Account) => Promise<unknown>;
  args: Args;
  fields: Args;
  /** What it calls next; the last call must be accepted. */
  goOn?: (refused: Refused, args: Args) => [string, Args][];
  /** What the world does meanwhile, such as time passing to an instant that was told. */
  meanwhile?: (refused: Refused) => Promise<unknown>;
}

const again = (change: (refused: Refused) => Args) => (refused: Refused, args: Args) =>
  [['play', { ...args, ...change(refused) }]] as [string, Args][];
const to = (instant: unknown) =>
  hill.as('worker').query('select api_worker.set_clock($1::timestamptz, null)', [instant]);

const cases: Case[] = [
  {
    code: 'INVALID_STAKE',
    args: { slot: 1, move: 'WAR' },
    fields: { minimum_stake_cents: 800 },
    goOn: again(({ minimum_stake_cents: stake_cents }) => ({ stake_cents })),
  },
  {
    code: 'INVALID_STAKE',
    args: { slot: 1, move: 'WAR', stake_cents: 799 },
    fields: { minimum_stake_cents: 800 },
    goOn: again(({ minimum_stake_cents: stake_cents }) => ({ stake_cents })),
  },
  {
    code: 'INVALID_STAKE',
    args: { slot: 1, move: 'PEACE', stake_cents: 800 },
    fields: {},
    goOn: again(() => ({ stake_cents: undefined })),
  },
  {
    code: 'MESSAGE_TOO_LONG',
    args: { slot: 1, move: 'PEACE', message: '🚀'.repeat(141) },
    fields: { max_length: 140 },
    goOn: (refused, args) => [
      ['play', { ...args, message: [...String(args.message)].slice(0, refused.max_length as number).join('') }],
    ],
  },
  {
    code: 'STAKE_OVER_MANDATE',
    account: { max_stake_cents: 900 },
    args: { slot: 1, move: 'WAR', stake_cents: 901 },
    fields: { max_stake_cents: 900 },
    goOn: again(({ max_stake_cents: stake_cents }) => ({ stake_cents })),
  },
  {
    code: 'OVER_DAILY_CAP',
    before: (agent) => agent.does('play', { slot: 1, move: 'WAR', stake_cents: 800 }),
    args: { slot: 2, move: 'PEACE' },
    fields: { daily_cap_cents: 1000, reserved_cents: 800, cost_cents: 300 },
    goOn: (_, args) => [
      ['play', { slot: 1, move: 'PASS' }],
      ['play', args],
    ],
  },
  {
    code: 'INSUFFICIENT_CREDITS',
    account: { credits: 700 },
    args: { slot: 1, move: 'WAR', stake_cents: 800 },
    fields: { available_cents: 700, cost_cents: 800 },
    goOn: again(() => ({ move: 'PEACE', stake_cents: undefined })),
  },
  {
    code: 'TOO_MANY_PLACES',
    before: async (agent) => {
      await agent.does('play', { slot: 7, move: 'PEACE' });
      await agent.does('play', { slot: 8, move: 'PEACE' });
    },
    args: { slot: 9, move: 'PEACE' },
    fields: { places_per_day: 2, contested: [7, 8] },
    goOn: (refused, args) => [
      ['play', { slot: (refused.contested as number[])[0], move: 'PASS' }],
      ['play', args],
    ],
  },
  {
    code: 'DAY_PASSED',
    args: { slot: 1, move: 'PEACE', day: 7 },
    fields: { day: expect.any(Number) },
    goOn: again(({ day }) => ({ day })),
  },
  {
    code: 'ALREADY_ANNOUNCED',
    tool: 'announce',
    before: (agent) => agent.does('announce', { slot: 3, intention: 'PEACE', message: 'Hello' }),
    args: { slot: 3, intention: 'WAR' },
    fields: { announcement: expect.objectContaining({ slot: 3, intention: 'PEACE', message: 'Hello' }) },
    goOn: ({ announcement }) => {
      const { slot, intention, message } = announcement as Args;
      return [['announce', { slot, intention, message }]];
    },
  },
  {
    code: 'MESSAGE_TOO_LONG',
    tool: 'announce',
    args: { slot: 1, intention: 'PEACE', message: 'x'.repeat(141) },
    fields: { max_length: 140 },
    goOn: (refused, args) => [
      ['announce', { ...args, message: String(args.message).slice(0, refused.max_length as number) }],
    ],
  },
  {
    code: 'SLOT_CLOSED',
    before: () => hill.rows('update hill.places set opens_day = $1 where slot = 10', [40]),
    args: { slot: 10, move: 'PEACE' },
    fields: { opens_day: 40 },
    goOn: again(() => ({ slot: 9 })),
  },
  {
    code: 'SLOT_CLOSED',
    tool: 'announce',
    args: { slot: 10, intention: 'PEACE' },
    fields: { opens_day: 40 },
    goOn: (_, args) => [['announce', { ...args, slot: 9 }]],
  },
  { code: 'ACCOUNT_SUSPENDED', account: { suspended: true }, args: { slot: 1, move: 'PEACE' }, fields: {} },
  {
    code: 'ACCOUNT_SUSPENDED',
    tool: 'announce',
    account: { suspended: true },
    args: { slot: 1, intention: 'PEACE' },
    fields: {},
  },
  { code: 'PAYMENT_DISPUTED', account: { barred: true }, args: { slot: 1, move: 'PEACE' }, fields: {} },
  {
    code: 'PAYMENT_DISPUTED',
    tool: 'announce',
    account: { barred: true },
    args: { slot: 1, intention: 'PEACE' },
    fields: {},
  },
  // From here on time passes.
  {
    code: 'NO_MOVES_LEFT',
    before: async (agent) => {
      for (const message of ['1', '2', '3', '4']) await agent.does('play', { slot: 1, move: 'PEACE', message });
    },
    args: { slot: 1, move: 'PEACE', message: '5' },
    fields: { moves_per_day: 4, next_day_at: expect.any(String) },
    meanwhile: async ({ next_day_at }) => {
      await to(next_day_at);
      await hill.clock.ringBell();
    },
    goOn: (_, args) => [['play', args]],
  },
  {
    code: 'NO_ANNOUNCEMENTS_LEFT',
    tool: 'announce',
    before: async (agent) => {
      for (const slot of [1, 2]) await agent.does('announce', { slot, intention: 'PEACE' });
    },
    args: { slot: 3, intention: 'PEACE' },
    fields: { announcements_per_day: 2, next_day_at: expect.any(String) },
    meanwhile: async ({ next_day_at }) => {
      await to(next_day_at);
      await hill.clock.ringBell();
    },
    goOn: (_, args) => [['announce', args]],
  },
  {
    code: 'ANNOUNCE_CLOSED',
    tool: 'announce',
    before: () => hill.clock.at('22:00'),
    args: { slot: 3, intention: 'PEACE' },
    fields: { opens_at: expect.any(String) },
    meanwhile: async ({ opens_at }) => {
      await to(opens_at);
      await hill.clock.ringBell();
    },
    goOn: (_, args) => [['announce', args]],
  },
  {
    code: 'BELL_RINGING',
    before: () => hill.clock.toMidnight(),
    args: { slot: 3, move: 'PEACE' },
    fields: { retry_after_seconds: 5 },
    meanwhile: async ({ retry_after_seconds }) => {
      await hill.clock.ringBell();
      await hill.clock.tick((retry_after_seconds as number) * 1000);
    },
    goOn: (_, args) => [['play', args]],
  },
];

describe('a refusal says enough to go on', () => {
  // one after the other: they share the clock
  for (const { code, tool = 'play', account: options, before, args, fields, goOn, meanwhile } of cases)
    test(`${code} of ${tool} ${JSON.stringify(args).slice(0, 80)}`, async () => {
      const { account, agent } = await anAgent(options);
      await before?.(agent, account);

      const refused = await agent.isRefused(tool, args);
      expect(refused).toMatchObject({ code, ...fields });
      if (!goOn) return;
      await meanwhile?.(refused);
      for (const [next, nextArgs] of goOn(refused, args)) await agent.does(next, nextArgs);
    });

  test('and every code that the two can answer with is among these and the others of this file', async () => {
    const declared = (name: string) =>
      hill
        .rows<{ comment: string }>(
          `select obj_description(p.oid, 'pg_proc') as comment from pg_proc p where p.oid::regproc::text = $1`,
          [name],
        )
        .then(([row]) =>
          [...(row?.comment.split('Errors')[1] ?? '').matchAll(/\b[A-Z]+_[A-Z_]+\b/g)].map(([code]) => code),
        );
    const provoked = new Set([
      ...cases.map(({ code }) => code),
      'INVALID_ARGUMENT',
      'HILL_NOT_OPEN',
      'INVALID_TOKEN',
      'INSUFFICIENT_SCOPE',
    ]);

    const all = [...(await declared('api_agent.play')), ...(await declared('api_agent.announce'))];
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((code) => !provoked.has(code))).toEqual([]);
  });
});

describe('around midnight', () => {
  test('a request that is repeated after the bell buys nothing twice, and gets its receipt', async () => {
    const { account, agent } = await anAgent();
    const day = await hill.clock.day();
    const {
      moves_left: _,
      places_left: __,
      cap_left_cents: ___,
      available_cents: ____,
      ...move
    } = await agent.does('play', { slot: 2, move: 'PEACE', day });
    const { announcements_left: _____, ...word } = await agent.does('announce', {
      slot: 2,
      intention: 'PEACE',
      message: 'Here',
      day,
    });
    await hill.clock.ringBell();

    expect(await agent.isRefused('play', { slot: 2, move: 'PEACE', day })).toMatchObject({
      code: 'DAY_PASSED',
      day: day + 1,
      receipt: move,
    });
    expect(await agent.isRefused('play', { slot: 2, move: 'PEACE', message: 'x', day })).not.toHaveProperty('receipt');
    expect(await agent.isRefused('announce', { slot: 2, intention: 'PEACE', message: 'Here', day })).toMatchObject({
      code: 'DAY_PASSED',
      receipt: word,
    });
    expect(await hill.asAgent(account).ownState()).toMatchObject({ moves: [], reserved_cents: 0, paid_cents: 4700 });
  });
});

describe('before the hill opens', () => {
  const early = useHill({ founders: 3 });
  const door = useMcp(early);

  test('both tell when it does', async () => {
    const agent = await agentOf(await anAccount(early, { credits: 2000 }), door);
    const calls = [
      ['play', { slot: 1, move: 'PEACE' }],
      ['announce', { slot: 1, intention: 'PEACE' }],
    ] as const;

    for (const [tool, args] of calls)
      expect(await agent.isRefused(tool, args)).toMatchObject({
        code: 'HILL_NOT_OPEN',
        opensAt: '2026-03-04T00:00:00.000000Z',
      });
    await early.clock.toDay(4);
    for (const [tool, args] of calls) await agent.does(tool, args);
  });
});

test('the descriptions have the numbers of the rules', () => {
  const text = (name: string) => JSON.stringify(tools.find((tool) => tool.name === name)?.description);
  expect(text('play')).toContain(`at least ${rule('war_minimum_cents')} cents`);
  expect(text('play')).toContain(`costs ${rule('peace_cents')} cents`);
  expect(text('announce')).toContain(`At most ${rule('announcements_per_day')} a day`);
});
