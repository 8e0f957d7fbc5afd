// Keeps what Hill answered, so that the same season played on other code can be compared with it, text for text.
import fs from 'node:fs';
import path from 'node:path';

/** A random or real-time value, and the word that stands for it, with a number where there are several. */
const passing: readonly (readonly [RegExp, string])[] = [
  [/(?<=\bclosed-)[0-9a-f]{16}\b/g, 'closed'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'jwt'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'uuid'],
  [/\b[0-9a-f]{64}\b|\b[0-9a-f]{40}\b|\b[0-9a-f]{32}\b/g, 'hex'],
  [/(?<![\w+/-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Z])[\w+/-]{22,}={0,2}(?![\w+/-])/g, 'random'],
  // of thousands of draws a few have no digit
  [/(?<![\w+/-])(?=[\w-]*[A-Z])[\w-]{43}(?![\w+/=-])/g, 'random'],
  [/(?<![\w+/-])(?:[\w+/-]{22}==|[\w+/-]{43,}=)(?![\w+/=-])/g, 'random'],
];
/** Some of these look like a word and stay as they are: with numbers, all that follow would change. */
const unnumbered = 'random';

export interface Recorder {
  /** From now on, a value that differs from run to run is kept as `word`. */
  name(value: string, word: string): void;
  /** `family` is the file that the answer goes to. */
  keep(family: string, question: string, answer: string): void;
  /** The files by family: one text each. */
  files(): Map<string, string>;
  write(folder: string): void;
}

export function makeRecorder(): Recorder {
  const named = new Map<string, string>();
  const drawn = new Map<string, string>();
  const counted = new Map<string, number>();
  const kept = new Map<string, string[]>();
  const wordOf = (value: string, kind: string): string => {
    const known = drawn.get(value);
    if (known) return known;
    const number = (counted.get(kind) ?? 0) + 1;
    const word = kind === unnumbered ? `<${kind}>` : `<${kind} ${number}>`;
    counted.set(kind, number);
    drawn.set(value, word);
    return word;
  };
  const masked = (text: string): string => {
    let result = text;
    // a code of digits also stands inside of longer numbers, such as coordinates
    for (const [value, word] of named)
      result = result.replaceAll(/^\d+$/.test(value) ? new RegExp(`(?<![\\d.])${value}(?!\\d)`, 'g') : value, word);
    for (const [pattern, kind] of passing) result = result.replace(pattern, (value) => wordOf(value, kind));
    return steady(result);
  };
  const recorder: Recorder = {
    name: (value, word) => void named.set(value, word),
    keep(family, question, answer) {
      const answers = kept.get(family) ?? [];
      answers.push(`=== ${masked(question)}\n${masked(readable(answer))}\n`);
      kept.set(family, answers);
    },
    files: () =>
      new Map([...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([family, answers]) => [family, answers.join('\n')])),
    write(folder) {
      fs.mkdirSync(folder, { recursive: true });
      for (const [family, text] of recorder.files()) fs.writeFileSync(path.join(folder, `${family}.txt`), text);
    },
  };
  return recorder;
}

// a date alone is that of its midnight
const begun = Date.now() - 2 * 86_400_000;
const isReal = (instant: number) => instant >= begun;

/** Instants of the real clock, which is later than the hill's; and what follows from values that are drawn. */
function steady(text: string): string {
  return text
    .replace(/\b127\.0\.0\.1:\d+/g, 'hill.example') // where a line is folded in the middle of an address
    .replace(/("(?:\w+_)?seq\\?":\s*)\d+/g, '$1"<seq>"') // with gaps of random width
    .replace(/(account:\w+\.)\d+/g, '$1<seq>') // in a cursor
    .replace(/("(?:views|agents|clicks)\\?":\s*)\d+/g, '$1"<count>"') // counted now and then
    .replace(/\b(swatch|held) h\d\b/g, '$1 h<colour>') // by the account's id
    .replace(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00(?::00)?| UTC)?)?/g, (found) =>
      isReal(Date.parse(found.slice(0, 10))) ? '<real time>' : found,
    )
    .replace(/\b1[789]\d{8}\b/g, (found) => (isReal(1_000 * Number(found)) ? '<real seconds>' : found));
}

/** JSON on lines of its own, in its own order of fields; any other text as it is. */
function readable(answer: string): string {
  if (!/^\s*[[{]/.test(answer)) return answer;
  try {
    const value: unknown = JSON.parse(answer);
    return JSON.stringify(value) === answer.trim() || answer.includes('\n')
      ? lines(value)
      : `not as JSON.stringify would have it:\n${answer}`;
  } catch {
    return answer; // lines of JSON
  }
}

function lines(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || line.length + indent.length <= 160) return line;
  const inner = `${indent} `;
  const items = Array.isArray(value)
    ? value.map((item) => lines(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${lines(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}
