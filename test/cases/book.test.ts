// test/cases/book.test.ts · the book itself: numbers, the list of sentences, and its copy for other implementations.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nightLinesFile, readCaseBook, toNightLines } from '../support/naive/case-book.ts';

const book = readCaseBook();
const numbers = book.map((entry) => entry.number);

/** The numbers in the last column of the tables of sentences; "a to b" stands for all numbers between. */
function numbersInTables(): string[] {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const tables = readme.slice(readme.indexOf('## Every sentence'));
  const cells = [...tables.matchAll(/^\|.*\| ([^|]+) \|$/gm)].map((row) => row[1] ?? '');
  return cells.flatMap((cell) =>
    [...cell.matchAll(/([DR\d.]*\d)(?: to ([DR\d.]*\d))?/g)].flatMap(([, first = '', last = first]) => {
      const from = numbers.indexOf(first);
      const to = numbers.indexOf(last);
      if (from < 0 || to < from) throw new Error(`there is no case ${first} to ${last}`);
      return numbers.slice(from, to + 1);
    }),
  );
}

describe('the case book', () => {
  test('gives each number and each title once', () => {
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(new Set(book.map((entry) => entry.title)).size).toBe(numbers.length);
  });

  test('numbers each chapter upwards', () => {
    const places = book.map(({ number }) => ({
      chapter: number.slice(0, number.lastIndexOf('.')),
      place: Number(number.split('.').pop()),
    }));
    for (const [at, { chapter, place }] of places.entries()) {
      const before = places[at - 1];
      if (before?.chapter === chapter) expect(place).toBeGreaterThan(before.place);
    }
  });

  test('has every case beside a sentence, and every sentence beside a case', () => {
    expect([...new Set(numbersInTables())].sort()).toEqual([...numbers].sort());
  });

  test('is in step with nights.jsonl (node test/cases/write-nights.ts)', () => {
    expect(readFileSync(nightLinesFile, 'utf8')).toBe(toNightLines(book));
  });
});
