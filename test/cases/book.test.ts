// The book itself: numbers, and the list of rules.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chapterFiles, readCaseBook } from '../support/naive/case-book.ts';

const book = readCaseBook();
const numbers = book.map((entry) => entry.number);

/** The numbers in the last column of the tables of rules; "a to b" stands for all numbers between. */
function numbersInTables(): string[] {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const tables = readme.slice(readme.indexOf('## Every rule'));
  const cells = [...tables.matchAll(/^\|.*\| ([^|]+) \|$/gm)].map((row) => row[1] ?? '');
  return cells.flatMap((cell) =>
    [...cell.matchAll(/([A-Z]\.\d+)(?: to ([A-Z]\.\d+))?/g)].flatMap(([, first = '', last = first]) => {
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

  test('lists every chapter in the README', () => {
    const files = readdirSync(new URL('.', import.meta.url)).filter(
      (file) => file.endsWith('.md') && file !== 'README.md',
    );
    expect(chapterFiles().sort()).toEqual(files.sort());
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

  test('has every case beside a rule, and every rule beside a case', () => {
    expect([...new Set(numbersInTables())].sort()).toEqual([...numbers].sort());
  });
});
