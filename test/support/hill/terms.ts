// Terms that an operator publishes, as npm run migrate does.
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { keepTerms } from '../../../src/db/kept-settings.ts';
import type { Hill } from './hill.ts';

export const operator = { name: 'Hill & Co.', contact: 'mailto:office@hill.example' } as const;

/** A file with a text, as HILL_TERMS names one. */
export function textFile(text: string | Uint8Array): string {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'hill-terms-')), 'text.md');
  writeFileSync(file, text);
  return file;
}

const texts = { terms: '# Terms\n\nCredits are **prepaid**.\n', privacy: '# Privacy\n\nWe keep what you do here.\n' };

/** Publishes a version; its id, from 1 on. */
export async function publish(
  hill: Pick<Hill, 'ownerUrl' | 'rows'>,
  { version, name = operator.name, ...given }: { version: string; name?: string; terms?: string; privacy?: string },
): Promise<number> {
  const { terms, privacy } = { ...texts, ...given };
  const file = (text: string) => (text.startsWith('https:') ? text : textFile(text));
  await keepTerms(
    { operator: { ...operator, name }, terms: { version, terms: file(terms), privacy: file(privacy) } },
    hill.ownerUrl,
  );
  const [row] = await hill.rows<{ id: number }>('select max(id) as id from hill.terms');
  return row?.id as number;
}
