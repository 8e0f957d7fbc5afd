// Real answers, as examples of the description.
import fs from 'node:fs';
import path from 'node:path';
import { linksOf } from '../../records/links.ts';

/** Real answers, recorded by test/rest/examples.test.ts. */
export const examplesFolder = path.join(import.meta.dirname, '..', 'examples');
/** The hill that they were recorded on. */
export const exampleUrl = 'https://hill.example';

export function example(name: string, baseUrl: string): { example?: unknown } {
  const plain = path.extname(name) !== '';
  const file = path.join(examplesFolder, plain ? name : `${name}.json`);
  if (!fs.existsSync(file)) return {};
  const text = fs.readFileSync(file, 'utf8').replaceAll(exampleUrl, baseUrl);
  if (plain) return { example: text };
  // recorded without the links that every record has
  const record = JSON.parse(text);
  const { _next, ...rest } = record;
  return { example: _next ? { ...rest, ...linksOf({ baseUrl, authUrl: baseUrl }).blocks(_next) } : record };
}
