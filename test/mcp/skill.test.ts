// The skill for agents: found as the draft says, every call in it works, and every rule of thumb holds on a real hill.
// Protocol 7.8.
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useMcp } from '../support/doors/mcp.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';

interface Entry {
  name: string;
  type: string;
  description: string;
  url: string;
  digest: string;
}

const hill = useHill();
const mcp = useMcp(hill, 'two hosts');
const index = '/.well-known/agent-skills/index.json';
let entry: Entry;
let skill: string;

beforeAll(async () => {
  const { $schema, skills } = (await (await fetch(mcp.baseUrl + index)).json()) as { $schema: string; skills: Entry[] };
  expect($schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
  expect(skills).toHaveLength(1);
  entry = skills[0] as Entry;
  skill = await (await fetch(new URL(entry.url, mcp.baseUrl + index))).text();
});

describe('as files', () => {
  test('the index has what the draft asks, and the digest of the bytes', async () => {
    expect(entry).toMatchObject({ name: 'hill', type: 'skill-md', url: '/.well-known/agent-skills/hill/SKILL.md' });
    const answer = await fetch(mcp.baseUrl + entry.url);
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(entry.digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
    expect((await fetch(`${mcp.baseUrl}/.well-known/agent-skills/other/SKILL.md`)).status).toBe(404);
  });

  test('SKILL.md begins with the name of its folder and the description of the index, and is short', () => {
    const [, name, description] = /^---\nname: (\S+)\ndescription: (".+")\n---\n\n# /.exec(skill) ?? [];
    expect(name).toBe(entry.url.split('/').at(-2));
    expect(JSON.parse(description as string)).toBe(entry.description); // a JSON string is one of YAML, too
    expect(entry.description.length).toBeLessThanOrEqual(1024);
    expect(skill.length / 4).toBeLessThan(2_000); // tokens, about
  });
});

/** The calls of a section, in its order. */
const calls = (section: string) => {
  const text = skill.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/^```json\n(.+)\n```$/gm)].map(([, call]) => call as string);
};

test('every call succeeds, as it stands and in its order, and says of itself what is true', async () => {
  const ann = await anAccount(hill, { name: 'Ann', credits: 5000, daily_cap_cents: 5000 });
  const token = await mcp.token(ann);
  const known: Record<string, unknown> = {};
  const told: string[] = [];
  const run = async (section: string) => {
    for (const call of calls(section)) {
      const { name, arguments: args } = JSON.parse(
        call.replace(/<(\w+)>/g, (_, field) => JSON.stringify(known[field])),
      );
      Object.assign(known, await mcp.call(token, name, args));
      told.push(name);
    }
  };
  const live = () =>
    hill.rows('select slot, move from hill.sealed_moves where account_id = $1 and ended is null order by slot', [
      ann.id,
    ]);

  await run('Play tonight');
  expect(await live()).toEqual([{ slot: 3, move: 'PEACE' }]);
  await run('When a call is refused');
  await hill.clock.ringBell();
  await run('The morning after');

  expect(told).toEqual([
    ...['whoami', 'status', 'explore_and_debrief', 'ask_the_bell', 'play', 'play', 'play', 'announce'],
    ...['get_help', 'night', 'explore_and_debrief', 'leaderboard'],
  ]);
  expect(told).toHaveLength(skill.match(/^```json$/gm)?.length as number);
});

describe('the rules of thumb', () => {
  const names = ['Ann', 'Bob', 'Cid', 'Dan', 'Eve', 'Fay'] as const;
  const cast = {} as Record<(typeof names)[number], Account>;
  beforeAll(async () => {
    for (const name of names)
      cast[name] = await anAccount(hill, { credits: 20_000, daily_cap_cents: 20_000, max_stake_cents: 5000 });
  });
  type Move = readonly [who: (typeof names)[number], slot: number, move: string, stake_cents?: number];
  type Mine = { moves: { slot: number; cost_cents: number; result: string }[] };
  /** Who sits where after a night of these moves. */
  const night = async (...moves: Move[]) => {
    for (const [who, slot, move, stake_cents] of moves) {
      await hill.clock.tick();
      await hill.asAgent(cast[who]).play({ slot, move, stake_cents });
    }
    await hill.clock.ringBell();
    const seats = await hill.rows<{ slot: number; account_id: string }>(
      'select slot, account_id from hill.seats where day = (select max(day) from hill.nights) order by slot, seat',
    );
    const nameOf = (id: string) => names.find((name) => cast[name].id === id);
    return Object.fromEntries(
      [...new Set(seats.map(({ slot }) => slot))].map((slot) => [
        slot,
        seats.flatMap((seat) => (seat.slot === slot ? [nameOf(seat.account_id)] : [])),
      ]),
    );
  };
  const fared = async (who: (typeof names)[number]) => {
    const { mine } = await mcp.call<{ mine: Mine }>(await mcp.token(cast[who]), 'night');
    return mine.moves.map(({ cost_cents, result }) => `${result} for ${cost_cents}`);
  };
  const reputation = async (who: (typeof names)[number]) =>
    (await mcp.call<{ account: { reputation: number } }>(await mcp.token(cast[who]), 'whoami')).account.reputation;

  test('of seats, wars and rent', async () => {
    // PEACE seats as many as there are seats; one WAR takes a place alone.
    expect(
      await night(
        ['Ann', 5, 'PEACE'],
        ['Bob', 5, 'PEACE'],
        ['Cid', 6, 'PEACE'],
        ['Eve', 7, 'PEACE'],
        ['Dan', 7, 'WAR', 800],
      ),
    ).toEqual({ 5: ['Ann', 'Bob'], 6: ['Cid'], 7: ['Dan'] });
    expect(await fared('Eve')).toEqual(['evicted for 300']);
    expect(await fared('Dan')).toEqual(['seated for 800']);

    // Holders sit first, and who comes third pays for nothing; a holder without a move leaves; WAR takes a place from
    // its holder.
    expect(
      await night(
        ['Cid', 5, 'PEACE'],
        ['Ann', 5, 'PEACE'],
        ['Bob', 5, 'PEACE'],
        ['Dan', 7, 'PEACE'],
        ['Eve', 7, 'WAR', 800],
      ),
    ).toEqual({ 5: ['Ann', 'Bob'], 7: ['Eve'] });
    expect(await fared('Cid')).toEqual(['queued for 300']);
    expect(await fared('Ann')).toEqual(['kept for 300']);

    // Stakes burn, whatever their size; who came in peace sits, and then who was left over elsewhere. Rent has grown.
    expect(
      await night(
        ...([
          ['Bob', 5, 'PEACE'],
          ['Cid', 5, 'PEACE'],
          ['Fay', 5, 'PEACE'],
          ['Eve', 7, 'PEACE'],
          ['Ann', 7, 'WAR', 800],
          ['Dan', 7, 'WAR', 5000],
        ] as const),
      ),
    ).toEqual({ 5: ['Bob', 'Cid'], 7: ['Eve', 'Fay'] });
    expect(await fared('Ann')).toEqual(['burned for 800']);
    expect(await fared('Dan')).toEqual(['burned for 5000']);
    expect(await fared('Bob')).toEqual(['kept for 345']);

    expect(await reputation('Bob')).toBe(1);
    expect(await reputation('Ann')).toBeLessThan(1);
  });

  test('of moves and places: all agents of an account share them, a repeat is free, PASS is counted', async () => {
    const token = await mcp.token(cast.Fay);
    const left = async (slot: number, move: string) => {
      const { moves_left } = await mcp.call<{ moves_left: number }>(token, 'play', { slot, move });
      return moves_left;
    };
    expect(await left(1, 'PEACE')).toBe(3);
    expect(await left(1, 'PEACE')).toBe(3);
    expect(await left(2, 'PEACE')).toBe(2);
    expect(await mcp.refusal(token, 'play', { slot: 3, move: 'PEACE' })).toMatchObject({ code: 'TOO_MANY_PLACES' });
    expect(await left(2, 'PASS')).toBe(1);
    expect(await left(3, 'PEACE')).toBe(0);
    expect(await mcp.refusal(token, 'play', { slot: 3, move: 'PASS' })).toMatchObject({ code: 'NO_MOVES_LEFT' });
  });
});
