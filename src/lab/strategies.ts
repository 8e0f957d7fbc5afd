// Finds strategies: those of the project by their names, others by the paths of their files.
import fs from 'node:fs';
import path from 'node:path';
import { distance } from 'fastest-levenshtein';
import * as starter from '../../docs/starters/typescript/load.ts';
import { checkout } from '../process/config.ts';
import { messageOf, StartError } from '../process/start-error.ts';
import { type Decision, decision, type Strategy, type View } from '../strategies/strategy.ts';
import { type BoardlessView, frozen } from './sight.ts';

const own = path.join(checkout, 'src', 'strategies');

/** What is loaded as a strategy, and the name under which it plays. */
export interface Player {
  readonly name: string;
  /** A file, or a command. */
  readonly what: string;
}

const playerOf = (file: string): Player => ({
  name: starter.isModule(file) ? path.parse(file).name : path.basename(file),
  what: path.resolve(file),
});

/** Modules that lie in a folder and are of no program that strategies share, and programs. */
export const playersIn = (folder: string): Player[] => {
  if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory()) throw new StartError(`${folder} is no folder.`);
  return fs
    .readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).isFile())
    .filter((file) => (starter.isModule(file) ? /^export default\b/m.test(textOf(file)) : starter.isProgram(file)))
    .map(playerOf);
};

const textOf = (file: string): string => fs.readFileSync(file, 'utf8');

export function findPlayer(given: string): Player {
  if (fs.existsSync(given) && /[/.]/.test(given)) {
    if (starter.isModule(given) || starter.isProgram(given)) return playerOf(given);
    throw new StartError(
      `${given} cannot be started: make it executable (chmod +x), or give the command that runs it, such as "ruby ${given}".`,
    );
  }
  if (given.includes(' ')) return { name: given, what: given };
  if (/[/.]/.test(given)) throw new StartError(`There is no file ${given}.`);
  const known = playersIn(own);
  const player = known.find(({ name }) => name === given);
  if (player) return player;
  const near = known.map(({ name }) => name).sort((a, b) => distance(a, given) - distance(b, given))[0];
  throw new StartError(
    `There is no strategy ${given}. Did you mean ${near}? All: ${known.map(({ name }) => name).join(', ')}. A file of yours goes by its path, such as ./mine.ts.`,
  );
}

/** A strategy that is ready to decide. */
export interface Ready extends Strategy {
  readonly name: string;
  /** Whether it looks at what the tool status advises, which costs a query for each of its accounts. */
  readonly advised: boolean;
  /** It will not be asked again. */
  end?(): Promise<void>;
}

/** It has so many seconds for each answer, if it is a program. Whoever loads it ends it. */
export async function loadStrategy({ name, what }: Player, patience: number): Promise<Ready> {
  const strategy = await starter.loadStrategy(what, patience).catch((cause) => {
    throw new StartError(`${name} cannot be loaded: ${messageOf(cause)}`, { cause });
  });
  const { title, way, hours } = strategy;
  return {
    ...{ name, title, way, hours, advised: !fs.existsSync(what) || textOf(what).includes('advice') },
    decide: (view) => strategy.decide(view),
    end: async () => strategy.end?.(),
  };
}

/** Loads all of them, or none: what is wrong with one is told when the others have ended. */
export async function loadAll(players: readonly Player[], patience: number): Promise<Ready[]> {
  const tried = await Promise.allSettled(players.map((player) => loadStrategy(player, patience)));
  const loaded = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = tried.find((one) => one.status === 'rejected');
  if (!failed) return loaded;
  await endAll(loaded);
  throw failed.reason;
}

export const endAll = (strategies: Iterable<Ready>): Promise<unknown> =>
  Promise.all([...strategies].map((strategy) => strategy.end?.()));

/** They have read the board before, and get it at once. */
const readers = new WeakSet<Ready>();

/** What a strategy does, if it has the form of a decision. Who reads the board for the first time is asked again. */
export async function decided(
  strategy: Ready,
  seen: BoardlessView,
  leaders: () => Promise<View['leaders']>,
): Promise<Decision> {
  const again = async () => asked(strategy, { ...seen, leaders: frozen(await leaders()) });
  if (readers.has(strategy)) return again();
  const board = { read: false };
  const view = {
    get leaders(): View['leaders'] {
      board.read = true;
      throw new Error('the board is made now');
    },
    ...seen,
  };
  const decision = await asked(strategy, view).catch((error) => {
    if (!board.read) throw error;
  });
  if (decision && !board.read) return decision;
  readers.add(strategy);
  return again();
}

async function asked(strategy: Ready, view: View): Promise<Decision> {
  const when = `Day ${view.day}, ${view.hour}:00 UTC`;
  const found = await answer(strategy, view).then(
    (gave) => decision.safeParse(gave),
    (cause) => {
      throw new StartError(`${when}: ${strategy.name} fails: ${placeOf(cause)}`, { cause });
    },
  );
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw new StartError(
    `${when}: ${strategy.name} decided what is no decision: ${issue?.path.join('.')}: ${issue?.message} See docs/strategies.md.`,
  );
}

const answer = async (strategy: Ready, view: View) => strategy.decide(view);

/** What was thrown and, if it comes from the code of a module, where. */
const placeOf = (thrown: unknown): string => {
  const place = /^ +at .*$/m.exec((thrown as Error)?.stack ?? '')?.[0].trim() ?? '';
  return `${messageOf(thrown)}${/load\.ts:/.test(place) ? '' : ` (${place})`}`;
};
