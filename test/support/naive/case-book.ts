// Reads the chapters of the case book (test/cases/*.md) into cases with a full night and result.
import { readFileSync } from 'node:fs';
import { type NightResult, parseExactly, stringifyExactly } from '../hill/night.ts';
import { parseBlock } from './case-notation.ts';

const FOLDER = new URL('../../cases/', import.meta.url);

/** `result` is null for a night that is refused. A refused night may have any shape. */
export type Case = { number: string; title: string; covers: string; night: unknown; result: NightResult | null };

export function readCaseBook(): Case[] {
  const cases: Case[] = [];
  for (const file of chapterFiles()) {
    const chapter = readFileSync(new URL(file, FOLDER), 'utf8');
    for (const section of chapter.split(/^### /m).slice(1)) {
      const title = section.slice(0, section.indexOf('\n'));
      try {
        cases.push(parseCase(section, cases));
      } catch (error) {
        throw new Error(`${file}: ${title}: ${(error as Error).message}`);
      }
    }
  }
  return cases;
}

/** The book for other implementations, and as npm run resolve reads it. */
export function nightLines(): string {
  return readCaseBook()
    .map(
      ({ number, title, night, result }) =>
        `${stringifyExactly({ name: `${number} ${title}`, night, ...(result ? { result } : { error: 'INVALID_NIGHT' }) })}\n`,
    )
    .join('');
}

/** In the order in which the README lists them: a case may build on one of an earlier chapter. */
export function chapterFiles(): string[] {
  const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
  return [...readme.slice(0, readme.indexOf('\n## ')).matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file = '']) => file);
}

function parseCase(section: string, before: Case[]): Case {
  const heading = /^([A-Z]\.\d+) (.+)\n/.exec(section);
  const block = /^```(night|fault)(?: (\S+))?\n(.*?)^```$/ms.exec(section);
  const covers = section.match(/^> .+$/gm);
  if (!heading || !block || !covers) throw new Error('a case has a number, a title, a rule and a block');

  const [, number = '', title = ''] = heading;
  const [, kind, base, text = ''] = block;
  const head = { number, title, covers: covers.map((line) => line.slice(2)).join(' ') };
  if (kind === 'night') return { ...head, ...parseBlock(text) };

  const sound = before.find((earlier) => earlier.number === base);
  if (!sound) throw new Error(`there is no case ${base} before it`);
  return { ...head, night: spoil(sound.night, text), result: null };
}

/** A copy of a sound night with the faults of a block: lines "path = JSON" and "without path". */
function spoil(sound: unknown, text: string): unknown {
  const root = { night: parseExactly(stringifyExactly(sound)) };
  for (const line of text.trim().split('\n')) {
    const found = /^(?:(without) )?([\w.[\]]+)(?: = (.+))?$/.exec(line);
    if (!found) throw new Error(`no fault is written like this: ${line}`);
    const [, without, path = '', value] = found;
    const keys = path.match(/\w+/g) ?? [];
    const last = keys.pop() ?? '';
    let target: Record<string, unknown> = root;
    for (const key of keys) target = target[key] as Record<string, unknown>;
    if (without) delete target[last];
    else target[last] = parseExactly(value ?? '');
  }
  return root.night;
}
