// A scripted agent that is careless in every way, and goes on from each refusal by a rule that sees nothing but the
// fields of the error and the call that was refused: no other tool is asked, and nothing of the hill is known. Rules 3,
// 10; protocol 9.6.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { rule } from '../../src/db/rules.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { attemptOf, type Claim, succeeded, type Tokens } from '../support/doors/oauth.ts';
import { type Account, type AccountOptions, anAccount, refusal, topUp, useHill } from '../support/hill/index.ts';
import { aCode, aTournament, enter, redeem } from '../support/hill/tournaments.ts';

type Args = Record<string, unknown>;
interface Call {
  tool: string;
  args: Args;
}
interface Refused extends Record<string, unknown> {
  code: string;
  message: string;
  hint: string;
}
/** What it does next: waits, asks its human, or calls. */
type Step = { until: string } | { day: number } | { seconds: number } | { human: string } | Call;

const change = ({ tool, args }: Call, changes: Args): Call => ({
  tool,
  args: Object.fromEntries(Object.entries({ ...args, ...changes }).filter(([, value]) => value !== undefined)),
});
const cheaper = (call: Call): Call => change(call, { move: 'PEACE', stake_cents: undefined });

/** What its human answers when it asks for an address. */
const receiver = 'http://127.0.0.1:9/hook';

/** By code; a code that is not here leaves nothing to do but to stop. */
const rules: Record<string, (refused: Refused, call: Call) => Step[]> = {
  INVALID_ARGUMENT: ({ argument, message, maximum }, call) => {
    // what is allowed is a bound, a word in capitals, or the last number of the message; without any, better leave it
    // out
    const word = /\b[A-Z]{3,}\b/.exec(message)?.[0];
    const number = message.match(/\d+/g)?.at(-1);
    return [
      change(call, { [argument as string]: maximum ?? word ?? (number === undefined ? undefined : Number(number)) }),
    ];
  },
  HILL_NOT_OPEN: ({ opensAt }, call) => [{ until: opensAt as string }, change(call, { day: undefined })],
  BELL_RINGING: ({ retry_after_seconds }, call) => [{ seconds: retry_after_seconds as number }, call],
  DAY_PASSED: ({ day, receipt }, call) => (receipt ? [] : [change(call, { day })]),
  SLOT_CLOSED: (_, call) => [change(call, { slot: (call.args.slot as number) - 1 })],
  INVALID_STAKE: ({ minimum_stake_cents }, call) => [
    change(call, { stake_cents: call.args.move === 'WAR' ? minimum_stake_cents : undefined }),
  ],
  MESSAGE_TOO_LONG: ({ max_length }, call) => [
    change(call, { message: [...String(call.args.message)].slice(0, max_length as number).join('') }),
  ],
  NO_MOVES_LEFT: ({ next_day_at }, call) => [{ until: next_day_at as string }, change(call, { day: undefined })],
  TOO_MANY_PLACES: ({ contested }, call) => [
    { tool: call.tool, args: { slot: (contested as number[])[0], move: 'PASS' } },
    call,
  ],
  STAKE_OVER_MANDATE: ({ max_stake_cents }, call) => [change(call, { stake_cents: max_stake_cents })],
  OVER_DAILY_CAP: ({ daily_cap_cents, cost_cents }, call) =>
    (cost_cents as number) > (daily_cap_cents as number) ? [{ human: 'raise the cap' }, call] : [cheaper(call)],
  INSUFFICIENT_CREDITS: (_, call) => (call.args.move === 'WAR' ? [cheaper(call)] : [{ human: 'top up' }, call]),
  ANNOUNCE_CLOSED: ({ opens_at }, call) => [{ until: opens_at as string }, change(call, { day: undefined })],
  ALREADY_ANNOUNCED: ({ announcement }, call) => {
    const { slot, intention, message } = announcement as Args;
    return [{ tool: call.tool, args: change({ ...call, args: {} }, { slot, intention, message }).args }];
  },
  NO_ANNOUNCEMENTS_LEFT: ({ next_day_at }, call) => [
    { until: next_day_at as string },
    change(call, { day: undefined }),
  ],
  NAME_TAKEN: ({ suggestions }, call) => [change(call, { name: (suggestions as string[])[0] })],
  SLUG_TAKEN: ({ suggestions }, call) => [change(call, { slug: (suggestions as string[])[0] })],
  NO_SLUGS_LEFT: ({ former_slugs }, call) => [change(call, { slug: (former_slugs as string[])[0] })],
  INVALID_NIGHT: ({ path, message }, call) => {
    const [, list, index, field] = /^(\w+)\[(\d+)\](?:\.(\w+))?$/.exec(path as string) as string[];
    const entries = [...(call.args[list as string] as Args[])];
    const number = message.match(/\d+/g)?.at(-1);
    entries[Number(index)] = { ...entries[Number(index)], [field as string]: Number(number) };
    return [change(call, { [list as string]: entries })];
  },
  NOT_FOUND: ({ topics, tournaments }, call) => [
    change(call, topics ? { topic: (topics as string[])[0] } : { tournament: (tournaments as string[])[0] }),
  ],
  TOURNAMENT_NOT_OPEN: ({ opens_day }, call) => [{ day: opens_day as number }, call],
  ENTRANTS_ONLY: ({ tournament }, call) => [{ tool: 'subscribe', args: { tournament } }, call],
  UNKNOWN_CODE: (_, call) => [change(call, { code: undefined })],
  CODE_EXPIRED: (_, call) => [change(call, { code: undefined })],
  CODE_USED_UP: (_, call) => [change(call, { code: undefined })],
  CODE_REDEEMED: () => [],
  rate_limited: ({ retry_after_seconds }, call) => [{ seconds: retry_after_seconds as number }, call],
  ADDRESS_REFUSED: (_, call) => [{ human: 'say where events can be posted' }, change(call, { url: receiver })],
  ALREADY_SUBSCRIBED: () => [],
  TOO_MANY_SUBSCRIPTIONS: ({ subscriptions }, call) => [
    { tool: call.tool, args: { action: 'cancel', id: (subscriptions as { id: string }[])[0]?.id } },
    call,
  ],
  NO_REPORTS_LEFT: ({ next_day_at }, call) => [{ until: next_day_at as string }, call],
  DAY_NOT_RESOLVED: ({ days }, call) =>
    days === null ? [{ human: 'wait for a night' }] : [change(call, { day: (days as { last: number }).last })],
};

const hill = useHill({ founders: 1 });
const mcp = useMcp(hill);

/** Waits as the hill's clock goes, ringing the bells that come due on the way. */
const wait = async (instant: string): Promise<void> => {
  const read = () => hill.asWorker().readClock();
  for (let clock = await read(); clock.next_bell_at <= instant; clock = await read()) await hill.clock.ringBell();
  if ((await read()).now < instant) await hill.asWorker().setClock(instant);
  while ((await hill.asWorker().ringNextBell()) !== null);
};

/** Calls until a call is accepted; gives the codes on the way. */
async function persist(account: Account, first: Call, human: (wish: string) => Promise<unknown> = async () => {}) {
  const client = await mcp.client(await mcp.token(account));
  await client.listTools(); // from now on it holds every result, refusals too, against what the tool says
  const codes: string[] = [];
  const steps: Step[] = [first];
  for (let step = steps.shift(); step; step = steps.shift()) {
    if (codes.length > 12) throw new Error(`it does not get on: ${codes.join(', ')}`);
    if ('until' in step) await wait(step.until);
    else if ('day' in step) await hill.clock.toDay(step.day);
    else if ('seconds' in step) {
      while ((await hill.asWorker().ringNextBell()) !== null);
      await hill.clock.tick(step.seconds * 1000);
    } else if ('human' in step) await human(step.human);
    else {
      const result = await client.callTool({ name: step.tool, arguments: step.args }).catch(limited);
      if (!result.isError) continue;
      const refused = result.structuredContent as Refused;
      codes.push(refused.code);
      const mend = rules[refused.code];
      if (!mend) return { codes, stopped: refused };
      // what it had planned after the call that was refused comes after the call that is not
      steps.unshift(...mend(refused, step));
    }
  }
  return { codes, stopped: undefined };
}

/** Over a limit the answer as a whole is a refusal, of which a client tells its status and its text. */
function limited(error: unknown) {
  const { code, message } = error as { code?: number; message: string };
  if (code !== 429) throw error;
  return { isError: true, structuredContent: JSON.parse(/\{.*\}/s.exec(message)?.[0] as string).error.data as Refused };
}

const met = new Set<string>();
const account = (options: AccountOptions = {}) => anAccount(hill, { credits: 5000, ...options });

interface Case {
  what: string;
  options?: AccountOptions;
  before?: (account: Account) => Promise<unknown>;
  call: Call;
  codes: string[];
  human?: (account: Account, wish: string) => Promise<unknown>;
}
const play = (args: Args): Call => ({ tool: 'play', args });

const cases: Case[] = [
  {
    what: 'comes too early',
    call: play({ slot: 3, move: 'PEACE', day: 1 }),
    codes: ['HILL_NOT_OPEN'],
  },
  {
    what: 'gets everything wrong at once',
    options: { max_stake_cents: 900, daily_cap_cents: 899 },
    before: () => hill.rows('update hill.places set opens_day = 90 where slot = 10'),
    call: play({ place: 4, slot: 12, move: 'fight', stake_cents: 950.5, message: 'x'.repeat(200), day: 99 }),
    codes: [
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'DAY_PASSED',
      'SLOT_CLOSED',
      'MESSAGE_TOO_LONG',
    ],
  },
  {
    what: 'stakes too little, then more than it may',
    options: { max_stake_cents: 900 },
    call: play({ slot: 2, move: 'WAR', stake_cents: 5 }),
    codes: ['INVALID_STAKE'],
  },
  {
    what: 'stakes more than its mandate, its cap and its credits',
    options: { credits: 600, max_stake_cents: 1200, daily_cap_cents: 1200 },
    call: play({ slot: 2, move: 'WAR', stake_cents: 90_000 }),
    codes: ['STAKE_OVER_MANDATE', 'INSUFFICIENT_CREDITS'],
  },
  {
    what: 'would go over the cap',
    options: { daily_cap_cents: 1000 },
    before: (a) => hill.asAgent(a).play({ slot: 1, move: 'PEACE' }),
    call: play({ slot: 2, move: 'WAR', stake_cents: 800 }),
    codes: ['OVER_DAILY_CAP'],
  },
  {
    what: 'has a cap below any price',
    options: { daily_cap_cents: 100 },
    call: play({ slot: 2, move: 'PEACE' }),
    codes: ['OVER_DAILY_CAP'],
    human: (a) => hill.asHuman(a).setMandate(300, 1500),
  },
  {
    what: 'has nothing to pay with',
    options: { credits: 0 },
    call: play({ slot: 2, move: 'PEACE' }),
    codes: ['INSUFFICIENT_CREDITS'],
    human: (a) => topUp(hill, a, 2000),
  },
  {
    what: 'contests too many places',
    before: async (a) => {
      await hill.asAgent(a).play({ slot: 1, move: 'PEACE' });
      await hill.asAgent(a).play({ slot: 2, move: 'PEACE' });
    },
    call: play({ slot: 3, move: 'PEACE' }),
    codes: ['TOO_MANY_PLACES'],
  },
  {
    what: 'announces something else than it has announced',
    before: (a) => hill.asAgent(a).announce({ slot: 3, intention: 'WAR', message: 'Hello' }),
    call: { tool: 'announce', args: { slot: 3, intention: 'PEACE' } },
    codes: ['ALREADY_ANNOUNCED'],
  },
  {
    what: 'announces too often',
    before: async (a) => {
      await hill.asAgent(a).announce({ slot: 3, intention: 'WAR' });
      await hill.asAgent(a).announce({ slot: 4, intention: 'WAR' });
    },
    call: { tool: 'announce', args: { slot: 5, intention: 'WAR' } },
    codes: ['NO_ANNOUNCEMENTS_LEFT'],
  },
  {
    what: 'has used its moves, and comes back after the bell',
    before: async (a) => {
      for (const slot of [1, 1, 2, 2])
        await hill.asAgent(a).play({ slot, move: 'PEACE', message: String(Math.random()) });
    },
    call: play({ slot: 1, move: 'PEACE' }),
    codes: ['NO_MOVES_LEFT'],
  },
  {
    what: 'announces after hours',
    before: () => hill.clock.at('23:00'),
    call: { tool: 'announce', args: { slot: 5, intention: 'WAR' } },
    codes: ['ANNOUNCE_CLOSED'],
  },
  {
    what: 'deposits while the bell rings',
    before: () => hill.clock.toMidnight(),
    call: play({ slot: 1, move: 'PEACE' }),
    codes: ['BELL_RINGING'],
  },
  {
    what: 'repeats across midnight what was accepted before it',
    before: async (a) => {
      await hill.asAgent(a).play({ slot: 6, move: 'PEACE' });
      await hill.clock.ringBell();
      await hill.rows('update hill.places set opens_day = 1 where slot = 10');
    },
    call: play({ slot: 6, move: 'PEACE', day: 5 }),
    codes: ['DAY_PASSED'],
  },
  { what: 'asks for a night to come', call: { tool: 'night', args: { day: 70 } }, codes: ['DAY_NOT_RESOLVED'] },
  {
    what: 'asks for too much',
    call: { tool: 'night', args: { limit: 5000, cursor: 'next' } },
    codes: ['INVALID_ARGUMENT', 'INVALID_ARGUMENT'],
  },
  { what: 'asks for help on nothing', call: { tool: 'get_help', args: { topic: 'winning' } }, codes: ['NOT_FOUND'] },
  {
    what: 'asks the bell of an impossible night',
    call: { tool: 'ask_the_bell', args: { moves: [{ who: 'me', slot: 1, move: 'WAR', stake_cents: 100 }] } },
    codes: ['INVALID_NIGHT'],
  },
  {
    what: 'wants a name that looks like another’s',
    before: () => account({ name: 'Known To All' }),
    call: { tool: 'set_profile', args: { name: 'KNOWN T0 ALL' } },
    codes: ['NAME_TAKEN'],
  },
  {
    what: 'wants the slug of another',
    before: () => account({ name: 'Wanted' }),
    call: { tool: 'set_profile', args: { slug: 'wanted' } },
    codes: ['SLUG_TAKEN'],
  },
  {
    what: 'changes its name too often',
    before: async (a) => {
      const token = await mcp.token(a);
      for (const slug of ['restless-1', 'restless-2', 'restless-3', 'restless-4', 'restless-5', 'restless-6'])
        await mcp.callTool(token, 'set_profile', { slug });
    },
    call: { tool: 'set_profile', args: { slug: 'restless-9' } },
    codes: ['NO_SLUGS_LEFT'],
  },
  {
    what: 'signs up before it may',
    before: async () => {
      const today = await hill.clock.day();
      await aTournament(hill, {
        slug: 'early-cup',
        opens_day: today + 1,
        sign_ups_close_day: today + 2,
        starts_day: today + 4,
        ends_day: today + 5,
      });
    },
    call: { tool: 'subscribe', args: { tournament: 'early-cup' } },
    codes: ['TOURNAMENT_NOT_OPEN'],
  },
  {
    what: 'has a code for entrants, and is none',
    before: () => aCode(hill, 'early-cup', { code: 'EARLY-BIRD' }),
    call: { tool: 'fund', args: { code: 'EARLY-BIRD' } },
    codes: ['ENTRANTS_ONLY'],
  },
  {
    what: 'redeems twice',
    before: async (a) => {
      await enter(hill, a, 'early-cup');
      await redeem(hill, a, 'EARLY-BIRD');
    },
    call: { tool: 'fund', args: { code: 'EARLY-BIRD' } },
    codes: ['CODE_REDEEMED'],
  },
  {
    what: 'comes too late for a code',
    before: async (a) => {
      await aCode(hill, 'early-cup', { code: 'ONLY-ONE', uses: 1 });
      const first = await account();
      for (const one of [first, a]) await enter(hill, one, 'early-cup');
      await redeem(hill, first, 'ONLY-ONE');
    },
    call: { tool: 'fund', args: { code: 'ONLY-ONE' } },
    codes: ['CODE_USED_UP'],
  },
  {
    what: 'comes when a code has expired',
    before: async (a) => {
      const today = await hill.clock.day();
      await enter(hill, a, 'early-cup');
      await aCode(hill, 'early-cup', { code: 'ONLY-TODAY', expires_day: today + 1 });
      await hill.clock.toDay(today + 2);
    },
    call: { tool: 'fund', args: { code: 'ONLY-TODAY' } },
    codes: ['CODE_EXPIRED'],
  },
  {
    what: 'wants its events posted to where nothing may be posted',
    call: { tool: 'subscribe', args: { action: 'add', url: 'https://10.0.0.1/hook' } },
    codes: ['ADDRESS_REFUSED'],
    human: async () => {},
  },
  {
    what: 'subscribes twice',
    before: async (a) => mcp.call(await mcp.token(a), 'subscribe', { action: 'add', url: receiver }),
    call: { tool: 'subscribe', args: { action: 'add', url: receiver } },
    codes: ['ALREADY_SUBSCRIBED'],
  },
  {
    what: 'subscribes too often',
    before: async (a) => {
      const token = await mcp.token(a);
      for (let n = 0; n < 5; n++) await mcp.call(token, 'subscribe', { action: 'add', url: `${receiver}?n=${n}` });
    },
    call: { tool: 'subscribe', args: { action: 'add', url: receiver } },
    codes: ['TOO_MANY_SUBSCRIPTIONS'],
  },
  {
    what: 'guesses codes until it is stopped',
    before: async (a) => {
      for (let n = 0; n < rule('codes_per_hour'); n++) await refusal(redeem(hill, a, `GUESS-${n}`));
    },
    call: { tool: 'fund', args: { code: 'GUESS-AGAIN' } },
    codes: ['rate_limited', 'UNKNOWN_CODE'],
  },
  {
    what: 'comes when sign-ups are over, and stops',
    before: async () => hill.clock.toDay((await hill.clock.day()) + 3),
    call: { tool: 'subscribe', args: { tournament: 'early-cup' } },
    codes: ['TOURNAMENT_CLOSED'],
  },
  {
    what: 'reports too much',
    before: async (a) => {
      const token = await mcp.token(a);
      for (let n = 0; n < rule('reports_per_day'); n++)
        await mcp.call(token, 'report_missing_capability', { what: `Thing ${n}` });
    },
    call: { tool: 'report_missing_capability', args: { what: 'Another thing' } },
    codes: ['NO_REPORTS_LEFT'],
  },
  {
    what: 'is suspended, and stops',
    options: { suspended: true },
    call: play({ slot: 1, move: 'PEACE' }),
    codes: ['ACCOUNT_SUSPENDED'],
  },
  {
    what: 'has a disputed top-up, and stops',
    options: { barred: true },
    call: play({ slot: 1, move: 'PEACE' }),
    codes: ['PAYMENT_DISPUTED'],
  },
];

describe('an agent that', () => {
  // one after the other: they share the clock
  for (const { what, options, before, call, codes, human } of cases)
    test(`${what}: ${[...new Set(codes)].join(', ')}`, async () => {
      const ann = await account(options);
      await before?.(ann);
      const now = await hill.clock.day();
      if (call.args.day === 5) call.args.day = now - 1;

      const { codes: found, stopped } = await persist(
        ann,
        call,
        (wish) => human?.(ann, wish) ?? Promise.reject(new Error(`it asks to ${wish}`)),
      );

      expect(found).toEqual(codes);
      expect(stopped?.code).toBe(rules[codes.at(-1) as string] ? undefined : codes.at(-1));
      for (const code of found) met.add(code);
    });
});

describe('credentials', () => {
  interface Problem {
    code: string;
    hint: string;
    claim?: { begin: { href: string; body: Args }; poll: { href: string; form: Record<string, string> } };
  }

  test('that are not enough: INSUFFICIENT_SCOPE says how to be claimed, and that is enough', async () => {
    const registration = await mcp.register('Unclaimed');
    const { access_token } = succeeded(await mcp.exchange(registration.identity_assertion));
    const args = { slot: 8, intention: 'PEACE' };
    const refused = await mcp.callTool(access_token, 'announce', args);
    expect(refused.status).toBe(403);
    const { code, claim } = (refused.message.error as { data: unknown }).data as Problem;
    expect(code).toBe('INSUFFICIENT_SCOPE');

    // the addresses and the names of the fields are those of the error; the values are its own and its human's
    const own = { claim_token: registration.claim_token, email: 'human@example.com' } as Record<string, string>;
    const { begin, poll } = claim as NonNullable<Problem['claim']>;
    const filled = (form: Args) =>
      Object.fromEntries(Object.entries(form).map(([name, value]) => [name, own[name] ?? String(value)]));
    const json = { 'Content-Type': 'application/json' };
    const begun: Claim = (await (
      await fetch(begin.href, { method: 'POST', headers: json, body: JSON.stringify(filled(begin.body)) })
    ).json()) as Claim;
    await mcp.approve(await mcp.human('human@example.com'), attemptOf(begun), begun.claim_attempt.user_code);
    const tokens: Tokens = (await (
      await fetch(poll.href, { method: 'POST', body: new URLSearchParams(filled(poll.form)) })
    ).json()) as Tokens;

    expect(await mcp.call(tokens.access_token, 'announce', args)).toMatchObject(args);
  });

  test('that have ended: INVALID_TOKEN says to renew them', async () => {
    const registration = await mcp.register('Sleeper');
    const { access_token } = succeeded(await mcp.exchange(registration.identity_assertion));
    await mcp.call(access_token, 'status');
    await hill.clock.tick(16 * 60_000);

    const refused = await mcp.callTool(access_token, 'status');
    expect(refused.status).toBe(401);
    expect(refused.message.error?.data).toMatchObject({
      code: 'INVALID_TOKEN',
      hint: expect.stringContaining('Renew it the way you got it'),
    });
    const renewed = succeeded(await mcp.exchange(registration.identity_assertion));
    await mcp.call(renewed.access_token, 'status');
  });
});

test('every code that the tools can answer with is among these, or in the test of its tool', async () => {
  const comments = new Map(
    (
      await hill.rows<{ name: string; comment: string }>(
        `select p.pronamespace::regnamespace || '.' || p.proname as name, obj_description(p.oid, 'pg_proc') as comment
           from pg_proc p where p.pronamespace = 'api_agent'::regnamespace`,
      )
    ).map(({ name, comment }) => [name, comment?.split('Errors')[1] ?? '']),
  );
  const told = (name: string) =>
    [...(comments.get(name) ?? '').matchAll(/\b(?:[A-Z]+(?:_[A-Z]+)+|rate_limited)\b/g)].map(([code]) => code);
  const registry = (await hill.rows<{ code: string }>('select code from engine.errors()')).map(({ code }) => code);
  const codes = new Set(
    tools.flatMap(({ name }) => told(`api_agent.${name}`)).filter((code) => registry.includes(code)),
  );
  const others = fs
    .readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.test.ts') && file !== path.basename(import.meta.filename))
    .map((file) => fs.readFileSync(path.join(import.meta.dirname, file), 'utf8'))
    .join();

  expect(codes.size).toBeGreaterThan(20);
  expect([...codes].filter((code) => !met.has(code) && !others.includes(`'${code}'`))).toEqual([]);
});
