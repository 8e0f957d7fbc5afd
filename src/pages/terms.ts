// The operator's terms and privacy notice, which people accept. Rules 5.10.
import { html } from 'hono/html';
import type { Page } from '../html/layout.ts';
import { date } from '../html/words.ts';
import { prosePage } from './prose.ts';

interface Text {
  /** Markdown; null of a text that is at an address of its own. */
  readonly text: string | null;
  readonly url: string | null;
  readonly sha256: string;
}

/** See api_public.terms. */
export interface Terms {
  readonly operator: string;
  readonly version: string;
  readonly since: string;
  readonly terms: Text;
  readonly privacy: Text;
}

export const noTerms = { title: 'No terms here', what: 'The operator of this hill has published none.' };

const titles = { terms: 'Terms', privacy: 'Privacy' } as const;

export function termsPage(kind: keyof typeof titles, text: string, found: Terms): Page {
  const { operator, version, since } = found;
  const title = titles[kind];
  return prosePage(/^\uFEFF?# /.test(text) ? text.replace(/^\uFEFF/, '') : `# ${title}\n\n${text}`, {
    title,
    address: `/${kind}`,
    description: `${title} of ${operator}, version ${version}.`,
    after: html`<p class="soft">Of <bdi>${operator}</bdi>, version ${version}, in force since ${date(since)}. SHA-256 of the Markdown: <code>${found[kind].sha256}</code></p>
`,
  });
}
