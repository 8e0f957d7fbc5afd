// The documents for people, as tests read them.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../../src/process/config.ts';

/** README, CONTRIBUTING and docs/, relative to the checkout. */
export const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...fs
    .readdirSync(path.join(checkout, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'docs/starters/README.md',
];

export const read = (file: string): string => fs.readFileSync(path.join(checkout, file), 'utf8');

/** The fenced blocks of one language. */
export const blocks = (file: string, language: string): string[] =>
  [...read(file).matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , text]) => text as string);

/** The cells of all rows of tables, heads included. */
export const rows = (file: string): string[][] =>
  read(file)
    .split('\n')
    .filter((line) => line.startsWith('| ') || line.startsWith('|`'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );

/** What stands in a text as code. */
export const code = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, found]) => found as string);
