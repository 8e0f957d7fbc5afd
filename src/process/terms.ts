// The texts that HILL_TERMS and HILL_PRIVACY name, as the hill publishes them. Rules 5.10.
import fs from 'node:fs';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/** One of the two. */
interface Text {
  readonly text: string | null;
  readonly url: string | null;
}

export interface Published {
  readonly operator: string;
  readonly version: string;
  readonly terms: Text;
  readonly privacy: Text;
}

/** They are shown whole, and a page is kept in memory. */
const mostBytes = 262_144;

/** What the settings have to publish; null if that is nothing. Throws a StartError for a file that is no text. */
export function readTerms({ operator, terms }: Pick<Config, 'operator' | 'terms'>): Published | null {
  return operator && terms
    ? {
        operator: operator.name,
        version: terms.version,
        terms: read('HILL_TERMS', terms.terms),
        privacy: read('HILL_PRIVACY', terms.privacy),
      }
    : null;
}

function read(setting: string, where: string): Text {
  if (where.startsWith('https:')) return { text: null, url: where };
  try {
    const bytes = fs.readFileSync(where);
    // byte for byte: whoever has the file can hash it
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (bytes.length <= mostBytes && text.trim() !== '' && !text.includes('\0')) return { text, url: null };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new StartError(`${setting}: cannot read ${where} (${code}).`);
  }
  throw new StartError(`${setting}: ${where} must be a text in UTF-8 of at most ${mostBytes} bytes.`);
}
