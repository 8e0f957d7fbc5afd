// Finds strategies: those of the project by their names, others by the paths of their files.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { distance } from 'fastest-levenshtein';
import { checkout } from '../process/config.ts';
import { messageOf, StartError } from '../process/start-error.ts';
import { type Decision, decision, type Strategy, type View } from '../strategies/strategy.ts';

const own = path.join(checkout, 'src', 'strategies');

/** A strategy as the laboratory has it: by the name of its file. */
export interface Player {
  readonly name: string;
  readonly file: string;
}

const nameOf = (file: string): string => path.basename(file).replace(/\.(ts|mts|js|mjs)$/, '');

/** Files that lie in a folder and are of no program that strategies share. */
export const playersIn = (folder: string): Player[] => {
  if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory()) throw new StartError(`${folder} is no folder.`);
  return fs
    .readdirSync(folder)
    .filter((file) => /\.(ts|mts|js|mjs)$/.test(file) && /^export default\b/m.test(textOf(path.join(folder, file))))
    .sort()
    .map((file) => ({ name: nameOf(file), file: path.resolve(folder, file) }));
};

const textOf = (file: string): string => fs.readFileSync(file, 'utf8');

export function findPlayer(given: string): Player {
  if (/[/\\]|\.\w+$/.test(given)) {
    if (!fs.existsSync(given)) throw new StartError(`There is no file ${given}.`);
    return { name: nameOf(given), file: path.resolve(given) };
  }
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
}

export async function loadStrategy({ name, file }: Player): Promise<Ready> {
  const { default: strategy } = (await import(pathToFileURL(file).href).catch((cause) => {
    throw new StartError(`${file} cannot be loaded: ${messageOf(cause)}`, { cause });
  })) as { default?: Partial<Strategy> };
  const { title, way, hours, decide } = strategy ?? {};
  if (!title || !way || !decide || !hours?.length || !hours.every(isHour))
    throw new StartError(
      `${file} is no strategy: its default export has title, way, hours (0 to 23) and decide(view). See docs/laboratory.md.`,
    );
  return { name, title, way, hours, decide: decide.bind(strategy), advised: /\badvice\b/.test(textOf(file)) };
}

const isHour = (hour: number): boolean => Number.isInteger(hour) && hour >= 0 && hour < 24;

/** What a strategy does, if it has the form of a decision. */
export async function decided(strategy: Ready, view: View): Promise<Decision> {
  const found = decision.safeParse(await strategy.decide(view));
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw new StartError(
    `The strategy ${strategy.name} decided what is no decision: ${issue?.path.join('.')}: ${issue?.message}`,
  );
}
