// What was found, on one screen, or as JSON.

import { subjects } from './check.ts';
import type { Found } from './index.ts';

/** 0: healthy. 1: something is wrong. */
export const statusOf = (found: readonly Found[]): 0 | 1 => (found.some(({ state }) => state === 'FAIL') ? 1 : 0);

export const inJson = (found: readonly Found[], about: object): string =>
  JSON.stringify({ healthy: statusOf(found) === 0, ...about, checks: found }, null, 2);

const colours: Readonly<Record<string, number>> = { ok: 32, warn: 33, FAIL: 31 };
const widest = Math.max(...subjects.map((subject) => subject.length));

/** A line of a subject for what is well, one for each that is not, and two for what was not looked at. */
export function onScreen(found: readonly Found[], title: string, coloured: boolean): string {
  const paint = (word: string) => {
    const padded = word.padEnd(4);
    return coloured && colours[word] ? `\x1b[${colours[word]}m${padded}\x1b[0m` : padded;
  };
  const line = (word: string, subject: string, says: string) => `${paint(word)}  ${subject.padEnd(widest)}  ${says}`;
  const lines = subjects.flatMap((subject) => {
    const own = found.filter((one) => one.subject === subject);
    const well = own.flatMap(({ state, says }) => (state === 'ok' && says !== '' ? [says] : []));
    return [
      ...(well.length > 0 ? [line('ok', subject, well.join('; '))] : []),
      ...own
        .filter(({ state }) => state === 'warn' || state === 'FAIL')
        .flatMap(({ state, says, code, type }) => [
          line(state, subject, `${says}  [${code}]`),
          `${' '.repeat(widest + 8)}type: ${type}`,
        ]),
    ];
  });
  return [
    title,
    '',
    ...lines,
    ...ofAll('Not looked at', found, 'unseen'),
    ...ofAll('Does not apply', found, 'none'),
    '',
    verdict(found),
  ].join('\n');
}

function ofAll(title: string, found: readonly Found[], state: 'unseen' | 'none'): string[] {
  const some = found.filter((one) => one.state === state);
  if (some.length === 0) return [];
  // a subject of which nothing was looked at stands for its checks
  const whole = (subject: string) => found.every((one) => one.subject !== subject || one.state === state);
  const byReason = Map.groupBy(some, ({ says }) => says);
  const named = (all: readonly Found[]) =>
    [...new Set(all.map(({ subject, code }) => (whole(subject) ? subject : code)))].join(', ');
  const said =
    state === 'none' ? named(some) : [...byReason].map(([says, all]) => `${named(all)} (${says})`).join('; ');
  return ['', `${title}: ${said}.`];
}

function verdict(found: readonly Found[]): string {
  const count = (state: Found['state']) => found.filter((one) => one.state === state).length;
  const [failed, warned, well] = [count('FAIL'), count('warn'), count('ok')];
  const parts = [`${well} well`, `${warned} to look at`, `${failed} wrong`, `${count('unseen')} not looked at`];
  return `${failed === 0 ? 'Healthy' : 'Not healthy'}: ${parts.join(', ')}.`;
}
