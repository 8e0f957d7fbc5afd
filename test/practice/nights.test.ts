// A practice hill as an operator starts it: strangers let themselves in and play night after night, and the process is
// killed now and then. Nothing that was promised is lost. HILL_TEST_PRACTICE=100 plays so many nights.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { findCluster } from '../../src/embedded/index.ts';
import { checkout } from '../../src/process/config.ts';
import { useDatabase } from '../support/hill/database.ts';
import {
  aServer,
  hill as command,
  refusalOf,
  runHillForFile,
  usePreparedDataDirs,
} from '../support/hill/hill-process.ts';
import { balanced, books } from '../support/hill/index.ts';
import { randomFrom, seed } from '../support/random.ts';
import { until } from '../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several addresses
type Answer = any;

const nights = Number(process.env.HILL_TEST_PRACTICE ?? 3);
const daySeconds = 10;

const db = useDatabase();
const run = runHillForFile();
const aPreparedDir = usePreparedDataDirs();
let env: Record<string, string>;
let hill: string;
let server: ReturnType<typeof run>;
const start = async () => {
  server = run(['start'], env);
  await server.says('Hill is open');
};

beforeAll(async () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-practice-'));
  const { PORT, CONSOLE_PORT } = await aServer(aPreparedDir(dir));
  env = { HILL_DATA_DIR: dir, PORT, CONSOLE_PORT, HILL_ENV: 'practice', HILL_PRACTICE_DAY_SECONDS: String(daySeconds) };
  hill = `http://localhost:${PORT}`;
  await start();
});

/** As a program reads /llms.txt: the requests of its numbered lines, each with what earlier answers gave. */
async function followed(send: (request: Step) => Promise<Answer>): Promise<Record<string, string>> {
  const known: Record<string, string> = { client_name: 'A stranger' };
  const learn = (answer: Answer) => {
    for (const [name, value] of Object.entries(answer))
      if (typeof value === 'object' && value !== null) learn(value);
      else known[name] = String(value);
  };
  const text = await (await fetch(`${hill}/llms.txt`)).text();
  const steps = [...text.matchAll(/^\d\. POST (\S+) (json|form) (\S.*?)(?: \(|$)/gm)];
  expect(steps.length).toBe(4);
  for (const [, url = '', kind = '', body = ''] of steps) {
    const filled = body.replace(/<(\w+)>/g, (_, name: string) => known[name] ?? `<${name}>`);
    for (let tries = 0; tries < 10; tries++) {
      const answer = await send({ url, kind, body: filled });
      learn(answer);
      if (answer.error === undefined) break;
      expect(answer.error).toBe('authorization_pending');
      await sleep(Number(known.interval) * 1_000);
    }
  }
  return known;
}

interface Step {
  readonly url: string;
  readonly kind: string;
  readonly body: string;
}

const json = (text: string): Answer => (text.startsWith('{') ? JSON.parse(text) : {});
const types: Record<string, string> = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

const byFetch = async ({ url, kind, body }: Step): Promise<Answer> =>
  json(await (await fetch(url, { method: 'POST', headers: { 'Content-Type': types[kind] ?? '' }, body })).text());

const byCurl = async ({ url, kind, body }: Step): Promise<Answer> => {
  const { stdout, status } = spawnSync('curl', ['-sS', '-H', `Content-Type: ${types[kind]}`, '-d', body, url], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return json(stdout);
};

const asTool = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

const sealed = /sealed until the bell/;

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('Skipped: curl is not installed: apt-get install curl (Debian, Ubuntu).');

test.skipIf(!hasCurl)('a stranger with curl comes from the base address to a sealed move within a minute', async () => {
  const began = performance.now();
  const { access_token } = await followed(byCurl);
  const headers = [
    `Authorization: Bearer ${access_token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
  ];
  const { stdout } = spawnSync(
    'curl',
    ['-sS', ...headers.flatMap((one) => ['-H', one]), '-d', asTool('play', { slot: 1, move: 'PEACE' }), `${hill}/mcp`],
    { encoding: 'utf8' },
  );
  expect(json(stdout).result.content[0].text).toMatch(sealed);
  expect(performance.now() - began).toBeLessThan(60_000);
});

const inStarters = (file: string) => path.join(checkout, 'docs/starters', file);
const hasPython = spawnSync('python3', ['--version']).status === 0;

test.each([
  ['TypeScript', [process.execPath, inStarters('typescript/bot.ts')], true],
  ['Python', ['python3', '-SsB', inStarters('python/bot.py')], hasPython],
] as const)(
  'the starter in %s is told the address alone, and deposits within a minute',
  async (_, [program, ...args], there) => {
    if (!there) return console.warn('Skipped: python3 is not installed.');
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-practice-home-'));
    onTestFinished(() => fs.rmSync(home, { recursive: true }));
    const { PATH } = process.env;
    const began = performance.now();
    const { stdout, stderr } = spawnSync(program, [...args, hill], {
      env: { PATH, HOME: home } as NodeJS.ProcessEnv,
      encoding: 'utf8',
    });
    expect(stderr + stdout).toMatch(sealed);
    expect(performance.now() - began).toBeLessThan(60_000);
  },
);

test('a real hill does not start on its database, nor practice on that of a real hill', async () => {
  const { HILL_ENV: _, HILL_PRACTICE_DAY_SECONDS: __, ...plain } = env;
  const ports = await aServer();
  const url = (findCluster(env.HILL_DATA_DIR as string) as { url(name: string): string }).url('hill');
  const other = { ...plain, ...ports, DATABASE_URL: url, HILL_CLOCK: 'simulated', LOG_LEVEL: 'error' };
  expect(await refusalOf(['start'], other)).toContain('this database is of a practice hill');
  expect(await refusalOf(['migrate'], other)).toContain('of a practice hill');
  for (const command of ['start', 'migrate'])
    expect(await refusalOf([command], { ...env, ...ports, DATABASE_URL: db.ownerUrl, LOG_LEVEL: 'error' })).toContain(
      'of a hill that is not for practice',
    );
});

test(`agents play ${nights} nights beside kills (HILL_SEED=${seed})`, async () => {
  const random = randomFrom(seed);
  const promised: { slug: string; day: number; slot: number; move: string }[] = [];
  const agents = [];
  for (let n = 0; n < 4; n++) agents.push(new Agent((await followed(byFetch)) as Tokens));
  const dayNow = async () => (await until('the hill', () => read('/api/hill'))).day as number;
  const first = await dayNow();
  let over = false;
  const playing = agents.map(async (agent) => {
    while (!over) {
      const deposit = await agent.playOnce(random.below(10) + 1, random.chance(0.3));
      if (deposit) promised.push(deposit);
      await sleep(200);
    }
  });
  for (let killed = 0; (await dayNow()) < first + nights; ) {
    await sleep(random.below(2 * daySeconds * 1_000));
    if (killed < nights / 2) {
      server.child.kill('SIGKILL');
      await server.ended;
      await start();
      killed += 1;
    }
  }
  over = true;
  await Promise.all(playing);

  const last = (await read('/api/hill')).day - 1;
  await until('the last night', async () => (await read('/api/status')).boards_day >= last);
  const played = new Map<number, Set<string>>();
  for (let day = first; day <= last; day++) {
    const { moves } = await read(`/api/day/${day}?limit=500`);
    played.set(day, new Set(moves.map((m: Answer) => `${m.occupant.slug} ${m.slot} ${m.move}`)));
  }
  const due = promised.filter(({ day }) => day <= last);
  expect(due.filter(({ slug, day, slot, move }) => !played.get(day)?.has(`${slug} ${slot} ${move}`))).toEqual([]);
  expect(due.length).toBeGreaterThanOrEqual(nights);
  const root = new pg.Client((findCluster(env.HILL_DATA_DIR as string) as { url(name: string): string }).url('hill'));
  await root.connect();
  onTestFinished(() => root.end());
  expect(await until('the books', () => books(root))).toEqual(balanced);
  expect((await root.query('select count(*) = max(day) as whole from hill.nights')).rows).toEqual([{ whole: true }]);
  const { code, output } = await command(
    ['verify', hill, '--seen', path.join(env.HILL_DATA_DIR as string, 'seen.json')],
    {
      NO_COLOR: '1',
      HILL_DATA_DIR: env.HILL_DATA_DIR as string,
    },
  );
  expect([code, output]).toEqual([0, expect.stringContaining('All of it holds.')]);
  console.log(`practice: HILL_SEED=${seed}, ${last - first + 1} nights, ${due.length} deposits, 0 lost`);
});

const read = async (address: string): Promise<Answer> => {
  const answer = await fetch(hill + address).catch(() => undefined);
  return answer?.status === 200 ? answer.json() : undefined;
};

type Tokens = Record<'access_token' | 'identity_assertion', string>;

class Agent {
  #tokens: Tokens;
  #slug: string | undefined;
  #last = 0;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** What it deposits today, if it has not yet and the hill answers. */
  async playOnce(slot: number, war: boolean) {
    this.#slug ??= (await this.#use('whoami'))?.account.slug;
    const day = (await this.#use('status'))?.day;
    if (this.#slug === undefined || !(day > this.#last)) return undefined;
    const move = war ? { move: 'WAR', stake_cents: 800 } : { move: 'PEACE' };
    const receipt = await this.#use('play', { slot, day, ...move });
    if (receipt?.reserved_cents === undefined) return undefined;
    this.#last = day;
    return { slug: this.#slug, day: receipt.day as number, slot, move: move.move };
  }

  /** Undefined if the hill was killed, or something else of these worlds kept it from answering. */
  async #use(name: string, args: object = {}): Promise<Answer> {
    try {
      const answer = await fetch(`${hill}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${this.#tokens.access_token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: asTool(name, args),
      });
      if (answer.status === 401) {
        const form = `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=${this.#tokens.identity_assertion}`;
        const next = await byFetch({ url: `${hill}/oauth/token`, kind: 'form', body: form });
        if (next.access_token) this.#tokens = next;
        return undefined;
      }
      return answer.status === 200 ? json(await answer.text()).result?.structuredContent : undefined;
    } catch {
      return undefined;
    }
  }
}
