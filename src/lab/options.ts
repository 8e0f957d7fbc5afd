// What `npm run lab` is asked for. Whoever asks wrongly is told what there is.
import { parseArgs } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { rule } from '../db/rules.ts';
import { StartError } from '../process/start-error.ts';

const options = {
  accounts: { type: 'string' },
  nights: { type: 'string' },
  seeds: { type: 'string' },
  strategies: { type: 'string' },
  workers: { type: 'string' },
  patience: { type: 'string' },
  out: { type: 'string' },
  'daily-cap': { type: 'string' },
  'max-stake': { type: 'string' },
  evolve: { type: 'string' },
  point: { type: 'string' },
  set: { type: 'string', multiple: true },
  sweep: { type: 'string' },
  tournament: { type: 'string' },
  against: { type: 'string' },
  days: { type: 'string' },
  as: { type: 'string' },
  account: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export const help = `npm run lab -- [options]

Strategies play many nights on the functions of the hill. Figures go to a folder: CSV, and report.html.

  --strategies a,b,c     names in src/strategies/ (all, if none is named), files such as ./mine.ts and
                         ./mine.py, or commands in quotes
  --accounts 30          accounts in each world, the strategies in turn
  --nights 60            nights of each world
  --seeds 10             worlds, each with other dice
  --workers <cores>      worlds at a time; the files are the same with any number
  --patience 60          seconds that a program has for each answer
  --out lab              the folder
  --daily-cap ${rule('default_daily_cap_cents')}       cents that each account may spend in a day, as its human has set it
  --max-stake ${rule('default_max_stake_cents')}       cents that it may stake on one WAR
  --evolve 10            accounts imitate who does better, each so many nights
  --point 100            what a point is worth in cents to who compares
  --set name=number      another number for a constant of sql/rules/constants.sql; again for others
  --sweep name=600..1200:100      a constant from, to, by steps
  --tournament folder    ranks the strategies in a folder: each against each, and all together
  --against https://hill.example --days 30..120 --as ./mine.ts
                         a backtest: real nights, checked against the hill's log (a hill or an archive of one), with
                         the moves of others as they were
  --account <id>         whose place the strategy takes in a backtest; without it, it comes as a newcomer

docs/laboratory.md has the rest.`;

interface Sweep {
  readonly name: string;
  readonly values: readonly number[];
}

export interface Asked {
  readonly accounts: number;
  readonly nights: number;
  readonly seeds: number;
  readonly strategies: readonly string[] | null;
  readonly workers: number | null;
  /** Seconds that a program has for an answer. */
  readonly patience: number;
  readonly out: string;
  readonly dailyCapCents: number;
  readonly maxStakeCents: number;
  readonly evolve: number;
  readonly pointCents: number;
  readonly set: Readonly<Record<string, number>>;
  readonly sweep: Sweep | null;
  readonly tournament: string | null;
  readonly backtest: Backtest | null;
}

export interface Backtest {
  readonly hill: string;
  readonly first: number;
  /** Null: to the last night. */
  readonly last: number | null;
  readonly strategy: string | null;
  readonly account: string | null;
}

/** Null for who asks for help. */
export function parseLab(args: readonly string[]): Asked | null {
  const values = read(args);
  if (values.help) return null;
  if ((values.days ?? values.as ?? values.account) !== undefined && values.against === undefined)
    throw wrong('--days, --as and --account are of a backtest', '--against https://hill.example says of which hill');
  return {
    accounts: whole('accounts', values.accounts, 30, 2, 100_000),
    nights: whole('nights', values.nights, 60, 1, 10_000),
    seeds: whole('seeds', values.seeds, 10, 1, 10_000),
    strategies: values.strategies?.split(',').filter((name) => name !== '') ?? null,
    workers: values.workers === undefined ? null : whole('workers', values.workers, 1, 1, 64),
    patience: whole('patience', values.patience, 60, 1, 86_400),
    out: values.out ?? 'lab',
    dailyCapCents: whole('daily-cap', values['daily-cap'], rule('default_daily_cap_cents'), 0, 100_000_000),
    maxStakeCents: whole('max-stake', values['max-stake'], rule('default_max_stake_cents'), 0, 100_000_000),
    evolve: whole('evolve', values.evolve, 0, 0, 10_000),
    pointCents: whole('point', values.point, 100, 1, 1_000_000),
    set: Object.fromEntries((values.set ?? []).map(setting)),
    sweep: values.sweep === undefined ? null : sweepOf(values.sweep),
    tournament: values.tournament ?? null,
    backtest: values.against === undefined ? null : backtestOf(values.against, values),
  };
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const given = /Unknown option '(--?[^']+)'/.exec((error as Error).message)?.[1];
    if (given === undefined) throw wrong((error as Error).message.split('. ')[0] as string, 'npm run lab -- --help');
    const near = Object.keys(options).sort((a, b) => distance(`--${a}`, given) - distance(`--${b}`, given))[0];
    throw wrong(`There is no option ${given}`, `did you mean --${near}? All: npm run lab -- --help`);
  }
}

const wrong = (what: string, hint: string) => new StartError(`${what}: ${hint}.`);

function whole(name: string, given: string | undefined, otherwise: number, least: number, most: number): number {
  const value = given === undefined ? otherwise : Number(given);
  if (given !== undefined && !/^\d+$/.test(given)) throw wrong(`--${name} is a whole number`, `such as ${otherwise}`);
  if (value < least || value > most) throw wrong(`--${name} is out of bounds`, `${least} to ${most}`);
  return value;
}

function setting(given: string): [string, number] {
  const [, name, value] = /^(\w+)=(\d+)$/.exec(given) ?? [];
  if (!name) throw wrong('--set takes a name and a whole number', 'such as --set war_minimum_cents=600');
  return [name, Number(value)];
}

function sweepOf(given: string): Sweep {
  const [, name, first, last, step] = /^(\w+)=(\d+)\.\.(\d+):([1-9]\d*)$/.exec(given) ?? [];
  const [from, to, by] = [Number(first), Number(last), Number(step)];
  if (!name || !(from <= to) || (to - from) / by > 100)
    throw wrong('--sweep takes a name, two bounds and a step', 'such as --sweep war_minimum_cents=600..1200:100');
  return { name, values: Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, n) => from + n * by) };
}

function backtestOf(hill: string, values: { days?: string; as?: string; account?: string }): Backtest {
  const [, first = '1', last] = /^(\d{1,6})\.\.(\d{1,6})?$/.exec(values.days ?? '1..') ?? [];
  if (values.days !== undefined && !/^\d{1,6}\.\.(\d{1,6})?$/.test(values.days))
    throw wrong('--days takes two days', 'such as --days 30..120');
  return {
    hill,
    first: Math.max(1, Number(first)),
    last: last === undefined ? null : Number(last),
    strategy: values.as ?? null,
    account: values.account ?? null,
  };
}
