// Lists of faults to be planted: mutations.txt, and those that the simulation has to find.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const checkout = path.resolve(import.meta.dirname, '../..');
export const lists = { tests: 'test/mutations/mutations.txt', simulation: 'test/simulation/planted.txt' } as const;

export interface Mutation {
  readonly number: number;
  readonly kind: string;
  readonly file: string;
  /** The test files that find it. */
  readonly tests: readonly string[];
  /** Why no test finds it, of one that is known to survive. */
  readonly survives: string | undefined;
  readonly text: string;
  readonly instead: string;
}

/**
 * A block for each: "kind · file · tests", then the text in lines that begin with "-", and what stands there instead in
 * lines with "+".
 */
export function mutations(list: string): Mutation[] {
  const blocks = fs.readFileSync(path.join(checkout, list), 'utf8').split(/\n{2,}/);
  return blocks
    .filter((block) => !block.startsWith('#'))
    .map((block, i) => {
      const [head = '', ...lines] = block.trimEnd().split('\n');
      const [kind = '', file = '', tests = ''] = head.split(' · ');
      const beginningWith = (sign: string) =>
        lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(2)] : [])).join('\n');
      const survives = /^none: (.*)/.exec(tests)?.[1];
      const named = survives === undefined ? tests.split(' ') : [];
      return {
        number: i + 1,
        kind,
        file,
        tests: named,
        survives,
        text: beginningWith('-'),
        instead: beginningWith('+'),
      };
    });
}

export const tracked = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: checkout, encoding: 'utf8' })
    .split('\n')
    .filter((name) => name !== '' && fs.existsSync(path.join(checkout, name)));

const times = (file: string, text: string): number =>
  fs.readFileSync(path.join(checkout, file), 'utf8').split(text).length - 1;

/** The file in which the text stands, once: the one that is named, or the only other one to which it has moved. */
export function placeOf({ file, text }: Mutation): { readonly file: string } | { readonly lost: string } {
  const here = fs.existsSync(path.join(checkout, file)) ? times(file, text) : 0;
  if (here === 1) return { file };
  if (here > 1) return { lost: `stands ${here} times in ${file}: name more of the text` };
  const others = tracked().filter((name) => /^(sql|src)\//.test(name) && times(name, text) > 0);
  const [other] = others;
  if (other !== undefined && others.length === 1 && times(other, text) === 1) return { file: other };
  return {
    lost: others.length === 0 ? 'stands nowhere any more' : `has left ${file}, and stands in ${others.join(', ')}`,
  };
}

/** For npm run lint: those whose text stands nowhere any more find nothing. */
export const lostFaults = (): string[] =>
  Object.values(lists).flatMap((list) =>
    mutations(list).flatMap((mutation) => {
      const place = placeOf(mutation);
      return 'lost' in place ? [`${list}: ${mutation.number}, ${mutation.kind}: its text ${place.lost}`] : [];
    }),
  );
