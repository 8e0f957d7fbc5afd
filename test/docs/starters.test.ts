// The bots of docs/starters play on a real hill as cron runs them: a process for each run, which finds what the last
// one kept. They need their human once.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';
import { blocks, read } from '../support/documents.ts';
import { attemptOf, type Claim, type OAuth, useOAuth } from '../support/doors/oauth.ts';
import { type Account, anAccount, balanced, books, call, topUp, useHill } from '../support/hill/index.ts';
import { aModel, type Line } from '../support/peers/model-server.ts';
import { until } from '../support/until.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython)
  console.warn(
    'Skipped: python3 is not installed: apt-get install python3 (Debian, Ubuntu), brew install python (macOS).',
  );

const inStarters = (file: string) => path.join(checkout, 'docs/starters', file);
const programs = {
  TypeScript: { command: [process.execPath, inStarters('typescript/bot.ts')], file: 'typescript' },
  // -S leaves out everything that was installed beside Python itself
  Python: { command: ['python3', '-SsB', inStarters('python/bot.py')], file: 'bot' },
  'a language model': { command: ['python3', '-SsB', inStarters('python/model_bot.py')], file: 'model_bot' },
} as const;
type Kind = keyof typeof programs;

interface Run {
  readonly child: ChildProcess;
  said(): string;
  readonly ended: Promise<{ code: number | null; said: string }>;
}

/** A bot in a home of its own, on the hill of a door. */
class Bot {
  readonly home = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-starter-'));
  readonly file: string;
  env: Record<string, string> = {};
  account = { id: '' } as Account;
  readonly kind: Kind;
  readonly email: string;
  /** Of its human. */
  readonly session: string;
  readonly #door: OAuth;

  constructor(kind: Kind, door: OAuth, email: string, session: string) {
    this.kind = kind;
    this.email = email;
    this.session = session;
    this.#door = door;
    this.file = path.join(
      this.home,
      '.hill',
      `${new URL(door.baseUrl).host.replace(':', '_')}-${programs[kind].file}.json`,
    );
  }

  begin(...args: string[]): Run {
    const [program, ...before] = programs[this.kind].command;
    const { PATH, NODE_COMPILE_CACHE = '' } = process.env;
    const child = spawn(program, [...before, this.#door.baseUrl, ...args], {
      env: { PATH, NODE_COMPILE_CACHE, HOME: this.home, ...this.env } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk;
      });
    const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, said: said.trim() })),
    );
    return { child, said: () => said, ended };
  }

  /** As cron runs it. */
  run = () => this.begin().ended;

  /** The run in which its human types the code. */
  async letIn(): Promise<{ code: number | null; said: string }> {
    const run = this.begin(this.email);
    const [, link, code] = await until('a link and a code', async () =>
      /Open (\S+), sign in as .*, and type the code (\d+)\./.exec(run.said()),
    );
    const attempt = attemptOf({ claim_attempt: { verification_uri: link } } as Claim);
    expect(await this.#door.approve(this.session, attempt, code as string)).toMatchObject({ outcome: 'approved' });
    return run.ended;
  }

  get kept(): { assertion: string; day?: number } {
    return JSON.parse(fs.readFileSync(this.file, 'utf8'));
  }
}

const hill = useHill();
const door = useOAuth(hill);
const bots: Bot[] = [];
afterAll(() => {
  for (const { home } of bots) fs.rmSync(home, { recursive: true });
});

/** Its human has signed in, and paid if there are cents. */
async function aBot(kind: Kind, email: string, cents = 0): Promise<Bot> {
  const bot = new Bot(kind, door, email, await door.human(email));
  bots.push(bot);
  const [human] = await hill.rows<{ account_id: string }>('select account_id from oauth.humans where email = $1', [
    email,
  ]);
  bot.account = { id: human?.account_id, session: bot.session } as Account;
  if (cents > 0) await topUp(hill, bot.account, cents);
  return bot;
}
const movesOf = async (bot: Bot) => (await hill.asHuman(bot.account).ownState()).moves;
const tomorrow = async (time: string) => hill.clock.toDay((await hill.clock.day()) + 1, time);

describe('the bots with a strategy', () => {
  const kinds = (['TypeScript', 'Python'] as const).filter((kind) => kind === 'TypeScript' || hasPython);
  let pair: Bot[];
  /** They come at the same time, as cron's bots do. */
  const both = (check: (bot: Bot) => Promise<void>) => Promise.all(pair.map(check));
  beforeAll(async () => {
    // the best place is full
    for (const name of ['Ann', 'Bob'])
      await hill.asAgent(await anAccount(hill, { name, credits: 5000 })).play({ slot: 1, move: 'PEACE' });
    await tomorrow('00:17');
    pair = await Promise.all(kinds.map((kind) => aBot(kind, `${kind.toLowerCase()}@example.com`)));
  });

  test('say to cron that their human has not let them in', () =>
    both(async (bot) => {
      expect(await bot.run()).toEqual({
        code: 1,
        said: 'The hill does not know this bot. Run it at a terminal, to let it in.',
      });
    }));

  test('are let in by their human, and say where credits come from', () =>
    both(async (bot) => {
      const { code, said } = await bot.letIn();
      const last =
        /The credits do not cover the move\. .*http:\/\/127\.0\.0\.1:\d+\/account\S* \(INSUFFICIENT_CREDITS\)$/;
      expect([code, said.split('\n').at(-1)]).toEqual([1, expect.stringMatching(last)]);
      expect([fs.statSync(bot.file).mode & 0o777, fs.statSync(path.dirname(bot.file)).mode & 0o777]).toEqual([
        0o600, 0o700,
      ]);
    }));

  test('say what the mandate forbids', () =>
    both(async (bot) => {
      await topUp(hill, bot.account, 90_000);
      await hill.asHuman(bot.account).setMandate(100, 1500);
      expect(await bot.run()).toEqual({
        code: 1,
        said: expect.stringMatching(/daily cap\. .*\/account\S* \(OVER_DAILY_CAP\)$/),
      });
      await hill.asHuman(bot.account).setMandate(1000, 1500);
    }));

  test('play one move on a good place with a free seat', () =>
    both(async (bot) => {
      const { code, said } = await bot.run();
      const [move, ...more] = await movesOf(bot);
      expect(move).toMatchObject({
        slot: expect.toSatisfy((slot: number) => slot >= 2 && slot <= 4),
        move: 'PEACE',
        reserved_cents: 300,
      });
      expect(more).toEqual([]);
      const day = await hill.clock.day();
      expect({ code, said }).toEqual({
        code: 0,
        said: `Day ${day}: PEACE on place ${move?.slot} for 300 cents, sealed until the bell.`,
      });
    }));

  test('do not play again on that day, not even if their human has taken the move back', () =>
    both(async (bot) => {
      const [move] = await movesOf(bot);
      await hill.asHuman(bot.account).withdrawMove(move?.slot as number);
      expect(await bot.run()).toEqual({ code: 0, said: expect.stringContaining('has played already') });
      expect(await movesOf(bot)).toEqual([]);
    }));

  test('lose nothing to a run that died before it kept the next assertion', async () => {
    await tomorrow('00:10'); // within the 24 hours
    await both(async (bot) => {
      expect((await door.exchange(bot.kept.assertion)).status).toBe(200); // what that run got, and did not keep
      fs.writeFileSync(`${bot.file}.new`, '{"asser', { mode: 0o600 });
      expect(await bot.run()).toMatchObject({ code: 0, said: expect.stringContaining('PEACE') });
    });
  });

  test('stay where they sit, and wait for a bell that rings', async () => {
    const before = await Promise.all(pair.map(movesOf));
    await hill.clock.at('23:00');
    await hill.clock.toMidnight();
    const asked = () => door.logged.filter((line) => line.includes('status: ok')).length;
    const already = asked();
    const runs = pair.map((bot) => bot.begin());
    await until('they have met the bell, and ask again', async () => asked() >= already + 2 * pair.length);
    await hill.clock.ringBell();

    for (const [at, bot] of pair.entries()) {
      const slot = before[at]?.[0]?.slot;
      expect(await runs[at]?.ended).toEqual({
        code: 0,
        said: expect.stringContaining(`PEACE on place ${slot} for 300 cents`),
      });
      expect(await movesOf(bot)).toEqual([expect.objectContaining({ slot })]);
    }
  });

  test('leave the run that is under way alone, and take over from one that was killed', () =>
    both(async ({ kind }) => {
      const bot = await aBot(kind, `two-${kind.toLowerCase()}@example.com`);
      const first = bot.begin(bot.email);
      await until('it waits for the code', async () => first.said().includes('type the code'));
      expect(await bot.run()).toEqual({ code: 1, said: 'Another run of this bot is under way.' });
      first.child.kill('SIGKILL');
      await first.ended;
      expect((await bot.run()).said).toContain('does not know this bot');
    }));

  test('say that their human has cut them off, and can be let in again', () =>
    both(async (bot) => {
      const [agent] = await hill.rows<{ id: string }>('select id from hill.agents where account_id = $1', [
        bot.account.id,
      ]);
      expect(await call(hill.as('web'), 'api_human.cut_agent', { session: bot.session, agent_id: agent?.id })).toBe(
        true,
      );
      const lost = /does not know this bot any more: you cut it off at http.*\/account, or .* Run it at a terminal/;
      expect(await bot.run()).toEqual({ code: 1, said: expect.stringMatching(lost) });
      expect(await bot.letIn()).toMatchObject({ code: 0, said: expect.stringContaining('has played already') });
    }));

  const days = Number(process.env.HILL_TEST_BOT_DAYS ?? 1);

  test(`live for ${days} days from cron, play on each, and never need their human again`, {
    timeout: (3 + days) * 60_000,
  }, async () => {
    const raider = await anAccount(hill, { name: 'Raider', credits: 90_000 });
    await hill.clock.at('18:17');
    await both(async (bot) => expect(await bot.run()).toMatchObject({ code: 0 }));
    const began = await hill.clock.day();

    for (let day = began + 1; day <= began + days; day++)
      for (const time of ['00:17', '06:17', '12:17', '18:17']) {
        await hill.clock.toDay(day, time);
        if (time === '06:17' && day % 5 === 0)
          await hill.asAgent(raider).play({ slot: 2, move: 'WAR', stake_cents: 800 });
        const said = time === '00:17' ? /^Day \d+: PEACE on place \d+ for \d+ cents/ : /has played already/;
        await both(async (bot) => {
          expect({ day, time, ...(await bot.run()) }).toEqual({
            day,
            time,
            code: 0,
            said: expect.stringMatching(said),
          });
        });
      }

    await hill.clock.ringBell();
    const played = `select count(*)::integer as moves, count(distinct day)::integer as nights from hill.moves where account_id = $1 and day > $2`;
    for (const { account } of pair)
      expect(await hill.rows(played, [account.id, began])).toEqual([{ moves: days, nights: days }]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('play by the strategies of docs/strategies.md, at their hour', async () => {
    await hill.clock.at('00:10');
    const strategies = { TypeScript: 'early.ts', Python: 'early.py' };
    const [typescript, python] = ['ts', 'python'].map(
      (language) => blocks('docs/strategies.md', language)[0] as string,
    );
    const run = (bot: Bot) => {
      const file = path.join(bot.home, strategies[bot.kind as keyof typeof strategies]);
      fs.writeFileSync(file, bot.kind === 'Python' ? (python as string) : (typescript as string));
      return bot.begin('--strategy', bot.kind === 'Python' ? `python3 ${file}` : file).ended;
    };
    const day = await hill.clock.day();
    await both(async (bot) =>
      expect(await run(bot)).toEqual({ code: 0, said: `Day ${day}: the strategy decides at 6:00 UTC.` }),
    );
    await hill.clock.at('06:17');
    const [free] = await hill.rows<{ slot: number }>(
      `select min(p.slot)::int as slot from hill.places p
        where (select count(*) from hill.seats s where s.slot = p.slot and s.day = $1) < 2`,
      [day - 1],
    );
    await both(async (bot) => {
      expect(await run(bot)).toMatchObject({ code: 0, said: expect.stringContaining('sealed until the bell') });
      expect(await movesOf(bot)).toMatchObject([{ slot: free?.slot, move: 'PEACE' }]);
    });
  });

  test('leave places where most find no seat, and then go by what they found themselves', async () => {
    const crowd: Account[] = [];
    for (let n = 0; n < 18; n++) crowd.push(await anAccount(hill, { credits: 5000 }));
    const raider = await anAccount(hill, { name: 'Another raider', credits: 5000 });
    const closed = (from: number) =>
      hill.rows('update hill.places set opens_day = case when slot >= $1 then 9999 else 1 end', [from]);
    const began = (await hill.clock.day()) + 1;
    /** On every second night six come to each of the best places, and four find no seat. On the others it is free. */
    const atFive = async (night: number) => {
      await hill.clock.toDay(began + night, '00:05');
      if (night % 2 === 0) return;
      for (const [i, one] of crowd.entries()) await hill.asAgent(one).play({ slot: 1 + (i % 3), move: 'PEACE' });
    };
    const late = await Promise.all(kinds.map((kind) => aBot(kind, `late-${kind.toLowerCase()}@example.com`, 90_000)));
    const say = (what: RegExp, run: (bot: Bot) => Run['ended'] = (bot) => bot.run()) =>
      Promise.all(
        late.map(async (bot) => expect(await run(bot)).toEqual({ code: 0, said: expect.stringMatching(what) })),
      );
    await closed(5);
    for (let night = 0; night <= 7; night++) await atFive(night);
    await hill.clock.at('00:17');
    await say(/PEACE on place 4 /, (bot) => bot.letIn());

    await atFive(8);
    await hill.clock.at('00:16');
    await say(/PEACE on place 4 /);
    await hill.asAgent(raider).play({ slot: 4, move: 'WAR', stake_cents: 800 });
    await atFive(9);
    await hill.clock.at('00:15');
    await closed(4);
    await say(/PEACE on place [123] /); // they have found every seat that they tried for
    await atFive(10);
    await hill.clock.at('00:14');
    await say(/plays nothing now/); // the crowd was there before them
    await atFive(11);
    await hill.clock.at('00:13');
    await say(/plays nothing now/);
    for (const { account } of late)
      expect(
        await hill.rows('select slot::int, points::float8 from hill.seats where account_id = $1', [account.id]),
      ).toEqual([{ slot: 4, points: 3.5 }]);
    await closed(11);
  });
});

const filesOf = (folder: string) =>
  fs
    .readdirSync(inStarters(folder))
    .filter((file) => /\.(ts|py)$/.test(file) && file !== 'view.ts') // made from a schema
    .map((file) => inStarters(`${folder}/${file}`));

test('each file has less than 170 lines, and asks for nothing that is not there', () => {
  for (const file of ['typescript', 'python'].flatMap(filesOf))
    expect(fs.readFileSync(file, 'utf8').split('\n').length).toBeLessThanOrEqual(170);
  const [here, there] = ['package.json', 'docs/starters/typescript/package.json'].map((file) => JSON.parse(read(file)));
  expect(here.dependencies).toMatchObject(there.dependencies);
  expect(here.scripts.bot).toMatch(/ docs\/starters\/typescript\/bot\.ts$/);
});

test.skipIf(!hasPython)('Python 3.9 can read those in Python', () => {
  const parse = 'import ast, sys; [ast.parse(open(file).read(), feature_version=(3, 9)) for file in sys.argv[1:]]';
  expect(spawnSync('python3', ['-c', parse, ...filesOf('python')], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

interface Chat {
  messages: { role: string; content: string }[];
  tools: { function: { name: string } }[];
}

describe.skipIf(!hasPython)('the bot of a language model', () => {
  let bot: Bot;
  let day = 0;
  beforeAll(async () => {
    bot = await aBot('a language model', 'model@example.com', 20_000);
    bot.env = { MODEL_URL: 'http://127.0.0.1:9/v1/chat/completions', MODEL: 'a-model', MODEL_KEY: 'its-key' };
  });
  let minute = 30;
  beforeEach(async () => {
    await tomorrow(`00:${minute--}`); // each within 24 hours of the last
    day = await hill.clock.day();
  });
  const thinks = async (endpoint: '/v1/chat/completions' | '/v1/messages', ...script: Line[]) => {
    const model = await aModel(script);
    bot.env.MODEL_URL = model.url + endpoint;
    return model;
  };
  const peace = (slot: number): Line => [{ tool: 'play', args: { slot, move: 'PEACE', day } }];

  test('plays what a model decides that is asked for chat completions', async () => {
    const model = await thinks(
      '/v1/chat/completions',
      [{ tool: 'status', args: {} }],
      peace(7),
      'Place 7,\nit is\u001b[31m cheap.',
    );
    expect(await bot.letIn()).toMatchObject({
      code: 0,
      said: expect.stringMatching(
        `Day ${day}: PEACE on place 7 for 300 cents, sealed until the bell. The model says: Place 7, it is \\[31m cheap\\.$`,
      ),
    });
    expect(model.asked.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer its-key'));
    const [first, second] = model.asked.map(({ body }) => body as unknown as Chat);
    expect(first).toMatchObject({ model: 'a-model', messages: [{ role: 'system' }, { role: 'user' }] });
    expect(first?.tools.map((tool) => tool.function.name).sort()).toEqual([
      'ask_the_bell',
      'explore_and_debrief',
      'get_help',
      'night',
      'play',
      'status',
    ]);
    expect(second?.messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'call-1-0',
      content: expect.stringContaining(`Day ${day}.`),
    });
    expect(await bot.run()).toMatchObject({ code: 0, said: expect.stringContaining('has played already') });
  });

  test("and one that is asked as Anthropic's are, with two calls in one answer", async () => {
    const model = await thinks(
      '/v1/messages',
      [
        { tool: 'status', args: {} },
        { tool: 'get_help', args: {} },
      ],
      peace(8),
      'Place 8.',
    );
    expect(await bot.run()).toEqual({
      code: 0,
      said: `Day ${day}: PEACE on place 8 for 300 cents, sealed until the bell. The model says: Place 8.`,
    });
    expect(model.asked[0]).toMatchObject({
      headers: { 'x-api-key': 'its-key', 'anthropic-version': '2023-06-01' },
      body: { model: 'a-model', system: expect.stringContaining('Hill'), max_tokens: expect.any(Number) },
    });
    const [, second] = model.asked.map(({ body }) => body as unknown as Chat);
    expect(second?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call-1-0' },
        { type: 'tool_result', tool_use_id: 'call-1-1' },
      ],
    });
  });

  test('does nothing that it may not, and tells the model of each mistake', async () => {
    const model = await thinks(
      '/v1/chat/completions',
      [{ tool: 'announce', args: { slot: 1, intention: 'WAR' } }],
      [{ tool: 'play', args: '{"slot": 3, "mo' }],
      [{ tool: 'play', args: '[3]' }],
      [{ tool: 'play', args: { slot: 3, move: 'WAR', stake_cents: 1501 } }],
      'I play nothing today.',
    );
    expect(await bot.run()).toEqual({
      code: 1,
      said: expect.stringMatching(/The stake is over .*\/account\S* \(STAKE_OVER_MANDATE\)$/),
    });
    const told = model.asked.slice(1).map(({ body }) => (body as unknown as Chat).messages.at(-1)?.content);
    expect(told).toEqual([
      expect.stringContaining('There is no tool of that name here'),
      expect.stringContaining('not JSON'),
      expect.stringContaining('not a JSON object'),
      expect.stringContaining('STAKE_OVER_MANDATE'),
    ]);
    expect(await movesOf(bot)).toEqual([]);
    expect(await hill.rows('select from hill.announcements where account_id = $1', [bot.account.id])).toEqual([]);
  });

  test('lets a model play nothing, and is done for the day', async () => {
    await thinks('/v1/messages', 'Nothing is worth its price.');
    expect(await bot.run()).toEqual({
      code: 0,
      said: `Day ${day}: no move, sealed until the bell. The model says: Nothing is worth its price.`,
    });
    expect(bot.kept.day).toBe(day);
  });

  test('stops a model that comes to no end', async () => {
    const model = await thinks('/v1/chat/completions', [{ tool: 'status', args: {} }]);
    expect(await bot.run()).toEqual({
      code: 1,
      said: `Day ${day}: the model has not played in 12 answers. The next run tries again.`,
    });
    expect([model.asked.length, bot.kept.day]).toEqual([12, day - 1]);
  });
});
