// Nights in which every strategy plays, and others play at random. Each is given and gives what its schema says, and
// gives the same when it is asked again; a program in Python decides as its twin in TypeScript.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadStrategy } from '../../docs/starters/typescript/load.ts';
import { checkout } from '../../src/process/config.ts';
import { strategies } from '../../src/strategies/index.ts';
import { decision, header, type Strategy, type View, view } from '../../src/strategies/strategy.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aPopulation, views } from '../support/hill/a-demo-season.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { playADay } from '../support/hill/random-play.ts';
import { randomFrom, seed } from '../support/random.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const nights = 6;
const slots = Array.from({ length: 10 }, (_, i) => i + 1);
const hill = useHill();
const web = useWebDoor(hill, undefined, { HILL_LIMIT_READS: '1000000/60' });

/** What each was given, and gave. */
const played: { name: string; strategy: Strategy; given: View; gave: Awaited<ReturnType<Strategy['decide']>> }[] = [];

beforeAll(async () => {
  const random = randomFrom(seed);
  const parts = Object.entries(strategies).map(([name, strategy]) => ({ name, strategy }));
  const accounts = await aPopulation(hill, parts);
  const crowd: { account: Account; eagerness: number }[] = [];
  for (let n = 1; n <= 6; n++)
    crowd.push({ account: await anAccount(hill, { name: `Random ${n}`, credits: 100_000 }), eagerness: 0.8 });
  await hill.clock.ringBell();
  const { viewOf, anew } = views(hill, web.baseUrl);
  for (let night = 0; night < nights; night++) {
    await hill.asWorker().buildAllBoards();
    await playADay(hill, random, crowd, slots);
    const day = await hill.clock.day();
    for (const [i, { name, strategy }] of parts.entries()) {
      const account = accounts[i] as Account;
      const agent = hill.asAgent(account);
      for (const hour of strategy.hours) {
        anew();
        const given = await viewOf(account, name, hour);
        const gave = await strategy.decide(structuredClone(given));
        played.push({ name, strategy, given, gave });
        for (const said of gave.announcements ?? []) await agent.announce({ ...said, day }).catch(refused);
        for (const move of gave.moves ?? []) await agent.play({ ...move, day }).catch(refused);
      }
    }
    await hill.clock.ringBell();
  }
});

const refused = (error: { code?: string }) => {
  if (!error.code?.startsWith('ZH')) throw error;
};

test(`each is given and gives what its schema says, HILL_SEED=${seed}`, () => {
  for (const { title, way, hours } of Object.values(strategies)) {
    header.parse({ title, way, hours });
    expect(hours).toEqual([...hours].sort((a, b) => a - b));
  }
  for (const { given, gave } of played) {
    view.parse(given);
    decision.parse(gave);
  }
  const last = played.at(-1)?.given as View;
  expect(last.nights.map(({ day }) => day)).toEqual(Array.from({ length: last.day - 1 }, (_, i) => last.day - 1 - i));
  expect(last.nights[0]?.moves.length).toBeGreaterThan(20);
});

test('each plays, and decides the same when it is asked again', async () => {
  for (const name of Object.keys(strategies))
    expect([name, played.some((one) => one.name === name && (one.gave.moves ?? []).length > 0)]).toEqual([name, true]);
  for (const { strategy, given, gave } of played) expect(await strategy.decide(given)).toEqual(gave);
});

test.skipIf(!hasPython)('a program in Python decides as its twin in TypeScript', async () => {
  const starters = path.join(checkout, 'docs/starters');
  const twins = [
    await loadStrategy(path.join(starters, 'typescript/strategy.ts')),
    await loadStrategy(`python3 -SsB ${path.join(starters, 'python/strategy.py')}`),
  ] as const;
  onTestFinished(() => twins[1].end?.());
  const [here, there] = twins.map(({ title, way, hours }) => ({ title, way, hours }));
  expect(there).toEqual(here);
  const places = new Set<number | undefined>();
  for (const { given } of played) {
    const decided = await twins[0].decide(given);
    expect(await twins[1].decide(given)).toEqual(decided);
    places.add(decided.moves?.[0]?.slot);
  }
  expect(places.size).toBeGreaterThan(3);
});
