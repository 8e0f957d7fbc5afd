// A run: which worlds are played, and where their figures go.
import os from 'node:os';
import path from 'node:path';
import { type Progress, progressOn } from '../backup/progress.ts';
import { StartError } from '../process/start-error.ts';
import { playWorlds, type Task } from './crew.ts';
import { Gathering } from './gather.ts';
import type { Asked } from './options.ts';
import { nightsOn } from './progress.ts';
import { endAll, findPlayer, loadAll, type Player, playersIn } from './strategies.ts';
import { openTables } from './tables.ts';
import { type Laboratory, type Overrides, openLaboratory } from './template.ts';
import { allPairs } from './tournament.ts';
import type { World } from './world.ts';

/** Worlds that differ in their seeds alone. */
interface Plan {
  readonly label: string;
  readonly players: readonly string[];
  readonly overrides: Overrides;
}

/** A player that was loaded once, and what it said of itself. */
interface Known extends Player {
  readonly way: string;
}

export interface Played {
  readonly players: readonly Known[];
  readonly gathering: Gathering;
  readonly plans: readonly Plan[];
  readonly nights: number;
  readonly seconds: number;
}

/** In turn, so that each strategy has as many accounts as another, give or take one. */
const inTurn = (names: readonly string[], accounts: number): string[] =>
  Array.from({ length: accounts }, (_, n) => names[n % names.length] as string);

function plansOf(asked: Asked, names: readonly string[]): Plan[] {
  const { accounts, set, sweep, tournament } = asked;
  const mixed = { players: inTurn(names, accounts), overrides: set };
  if (tournament !== null)
    return [
      { label: 'all together', ...mixed },
      ...allPairs(names).map(([a, b]) => ({
        label: `${a} and ${b}`,
        players: inTurn([a, b], accounts),
        overrides: set,
      })),
    ];
  if (sweep === null) return [{ label: '', ...mixed }];
  return sweep.values.map((value) => ({
    ...mixed,
    label: `${sweep.name}=${value}`,
    overrides: { ...set, [sweep.name]: value },
  }));
}

export async function playersOf({ strategies, tournament, patience }: Asked, own: string): Promise<Known[]> {
  const players = tournament !== null ? playersIn(tournament) : (strategies?.map(findPlayer) ?? playersIn(own));
  if (players.length === 0) throw new StartError('There is no strategy to play.');
  for (const [n, { name }] of players.entries())
    if (players.findIndex((other) => other.name === name) < n)
      throw new StartError(`Two strategies are named ${name}.`);
  const loaded = await loadAll(players, patience); // what is wrong with one is said before anything is played
  await endAll(loaded);
  return players.map((player, n) => ({ ...player, way: loaded[n]?.way ?? '' }));
}

export async function play(asked: Asked, players: readonly Known[]): Promise<Played> {
  const progress = progressOn();
  progress.show('Making a hill to copy …');
  const began = performance.now();
  const plans = plansOf(
    asked,
    players.map(({ name }) => name),
  );
  const laboratory = await openLaboratory();
  try {
    const gathering = await playPlans(laboratory, asked, players, plans, progress);
    const nights = plans.length * asked.seeds * asked.nights;
    return { players, gathering, plans, nights, seconds: (performance.now() - began) / 1_000 };
  } finally {
    progress.clear();
    await laboratory.stop();
  }
}

async function playPlans(
  laboratory: Laboratory,
  asked: Asked,
  players: readonly Player[],
  plans: readonly Plan[],
  progress: Progress,
): Promise<Gathering> {
  const { nights, seeds, dailyCapCents, maxStakeCents, evolve, pointCents } = asked;
  const tasks: Task[] = [];
  for (const { label, players: names, overrides } of plans) {
    const template = await laboratory.template(overrides);
    for (let seed = 1; seed <= seeds; seed++) {
      const world: World = { label, seed, nights, players: names, dailyCapCents, maxStakeCents, evolve, pointCents };
      tasks.push({ world, template });
    }
  }
  const gathering = new Gathering();
  const tables = openTables(path.resolve(asked.out));
  try {
    await playWorlds(
      tasks,
      { url: laboratory.url('postgres'), players, patience: asked.patience },
      asked.workers ?? os.availableParallelism(),
      nightsOn(progress, tasks.length * nights),
      (figures) => {
        tables.add(figures);
        gathering.add(figures);
      },
      progress.stopping,
    );
  } finally {
    tables.end();
  }
  return gathering;
}
