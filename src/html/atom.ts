// Atom: RFC 4287.
import { html, raw } from 'hono/html';
import { practiceTitle } from '../process/practice.ts';
import type { Markup } from './layout.ts';

export interface Entry {
  /** Never another one for the same thing, whatever it is called by then. */
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly link: string;
  readonly summary: string;
  readonly content?: Markup;
}

export interface Feed {
  readonly id: string;
  readonly self: string;
  readonly page: string;
  readonly title: string;
  readonly subtitle: string;
  /** What stands on everything of a practice hill. */
  readonly practice: string | null;
  readonly author: string;
  /** Where it has no entries. */
  readonly since: string;
  readonly entries: readonly Entry[];
}

/** XML has no form for other characters. */
const unfit = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** RFC 4151: a name for what has no page of its own. */
export const tag = (base: string, what: string): string => `tag:${new URL(base).hostname},2026:${what}`;

export const atomType = 'application/atom+xml; charset=utf-8';

export async function atom(feed: Feed): Promise<string> {
  const { id, self, page, title, subtitle, practice, author, since, entries } = feed;
  const newest = entries.reduce((latest, { at }) => (at > latest ? at : latest), entries[0]?.at ?? since);
  const written = await Promise.all(
    entries.map(
      async (entry) => html`<entry>
<id>${entry.id}</id>
<title>${entry.title}</title>
<link rel="alternate" type="text/html" href="${entry.link}"/>
<published>${entry.at}</published>
<updated>${entry.at}</updated>
<summary>${entry.summary}</summary>
${entry.content ? html`<content type="html">${String(await entry.content)}</content>\n` : ''}</entry>
`,
    ),
  );
  const text = String(
    await html`${raw('<?xml version="1.0" encoding="utf-8"?>')}
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${id}</id>
<title>${practiceTitle(practice)}${title}</title>
<subtitle>${subtitle}${practice ? ` ${practice}` : ''}</subtitle>
<updated>${newest}</updated>
<author><name>${author}</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${page}"/>
<generator>Hill</generator>
${written}</feed>
`,
  );
  return text.replace(unfit, '');
}
