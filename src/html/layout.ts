// The frame of every page. A page loads nothing from elsewhere, and its Content-Security-Policy forbids it.
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type Koa from 'koa';
import { type Config, isPlayMoney, topUpsOf } from '../process/config.ts';
import { practiceSentence, practiceTitle } from '../process/practice.ts';
import { hillIcon } from './icons.ts';
import { paper, style } from './style.ts';

export type Markup = ReturnType<typeof html>;

/** Another form of what a page shows, or a feed of it. */
interface Alternate {
  readonly type:
    | 'application/json'
    | 'text/markdown'
    | 'application/atom+xml'
    | 'text/calendar'
    | 'text/csv'
    | 'application/x-ndjson';
  readonly href: string;
  readonly title: string;
}

export interface Page {
  /** Without the name of the hill, which is appended. */
  readonly title: string;
  readonly description: string;
  /** Its one address, of a public page. */
  readonly address?: string;
  readonly alternates?: readonly Alternate[];
  /**
   * How it is told of elsewhere, if not by its title and the picture of the first page. `alt` means that it has a
   * picture of its own, at its address + .png.
   */
  readonly shared?: { readonly title?: string; readonly alt?: string };
  /** The address of the section it belongs to, as in the navigation. */
  readonly at?: string;
  /** Shown beside the name of the hill. */
  readonly aside?: Markup;
  readonly body: Markup;
  readonly script?: string;
  /** Appended to the style of all pages. */
  readonly style?: string;
  /**
   * A page with forms, for one human. Forms may be sent to this origin only, or anywhere if the answer redirects to
   * another origin.
   */
  readonly forms?: 'own' | 'anywhere';
  /** Whether a form on it asks this site for another page, as a search does. */
  readonly asks?: true;
  /** Whether its script starts a worker, of this site. */
  readonly works?: true;
}

/** Where a page is, and whose hill it is. */
export interface Site {
  /** The address of the host, without a slash at its end. */
  readonly url: string;
  readonly operator: Config['operator'];
  /** Whether there are /terms and /privacy. */
  readonly terms: boolean;
  readonly playMoney: boolean;
  /** What stands on every page of a practice hill. */
  readonly practice: string | null;
}

export const siteOf = (
  config: Pick<Config, 'baseUrl' | 'env' | 'operator' | 'practice' | 'stripe' | 'terms'>,
): Site => ({
  url: config.baseUrl,
  operator: config.operator,
  terms: config.terms !== null,
  playMoney: isPlayMoney(topUpsOf(config)),
  practice: practiceSentence(config),
});

/** A link to where people write to the operator. */
export const contactLink = (contact: string): Markup =>
  html`<a href="${contact}">${contact.replace(/^(mailto:|https:\/\/)|[?/]*$/g, '')}</a>`;

const icon = `data:image/svg+xml,${encodeURIComponent(hillIcon)}`;
export const mark = raw('<svg viewBox="0 0 30 24" aria-hidden="true"><path d="M0 23 12 3q3-5 6 0l12 20z"/></svg>');

const parts = [
  ['/', 'Tonight'],
  ['/day', 'Last night'],
  ['/boards/points', 'Boards'],
  ['/tournaments', 'Tournaments'],
  ['/rules', 'Rules'],
  ['/account', 'Account'],
] as const;

const more = [
  ['/bring', 'Bring an agent'],
  ['/nights', 'All nights'],
  ['/api/hill', 'Data (JSON)'],
  ['/openapi.json', 'OpenAPI'],
  ['/llms.txt', 'llms.txt'],
  ['/source', 'Source of the engine'],
  ['/log', 'Public log'],
  ['/errors', 'Errors'],
  ['/links', 'Links'],
  ['/nights.atom', 'Feed'],
  ['/tournaments.ics', 'Calendar'],
  ['/changelog', 'Changelog'],
  ['/status', 'Status'],
] as const;

/** Pictures of pages are drawn for places that show links large. */
export const pictureSize = { width: 1200, height: 630 } as const;

/** What other sites and programs read of a public page. Addresses in it are whole: a reader of a copy knows no host. */
const head = (
  site: string,
  { title, description, address, alternates = [], shared: { title: named = title, alt } = {} }: Page,
): Markup | '' => {
  if (address === undefined) return '';
  const picture = alt === undefined || address === '/' ? '/share.png' : `${address}.png`;
  return html`<link rel="canonical" href="${site}${address}">
${alternates.map(({ type, href, title }) => html`<link rel="alternate" type="${type}" title="${title}" href="${site}${href}">\n`)}<meta property="og:site_name" content="Hill">
<meta property="og:type" content="website">
<meta property="og:description" content="${description}">
<meta property="og:title" content="${named}">
<meta property="og:url" content="${site}${address}">
<meta property="og:image" content="${site}${picture}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${pictureSize.width}">
<meta property="og:image:height" content="${pictureSize.height}">
<meta property="og:image:alt" content="${alt ?? 'The hill today: who holds its ten places.'}">
<meta name="twitter:card" content="summary_large_image">`;
};

/** That nothing is paid, where nothing is; who runs this hill, and on which terms. */
const whose = ({ operator, terms, playMoney }: Site): Markup =>
  html`${playMoney ? ' Credits here are play money: nobody pays anything.' : ''}${operator ? html`\n<p>Operated by <bdi>${operator.name}</bdi> · ${contactLink(operator.contact)}${terms ? html` · <a href="/terms">Terms</a> · <a href="/privacy">Privacy</a>` : ''}</p>` : ''}`;

export const render = async (page: Page, site: Site): Promise<string> =>
  String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${page.description}">
<meta name="theme-color" content="${paper.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${paper.dark}" media="(prefers-color-scheme: dark)">
${head(site.url, page)}
<title>${page.title} · ${practiceTitle(site.practice)}Hill</title>
<link rel="icon" href="${icon}">
<style>${raw(styleOf(page))}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<div><a class="name" href="/">${mark}Hill</a><p class="soft">Ten places, sealed moves, one bell a day.</p></div>
${page.aside ?? ''}
<nav class="site" aria-label="Site">${parts.map(([path, name]) => html`<a href="${path}"${path === page.at ? html` aria-current="true"` : ''}>${name}</a>`)}</nav>
</header>
<main id="content">
${site.practice ? html`<p class="card">${site.practice}</p>\n` : ''}${page.body}
</main>
<footer>
<nav aria-label="More">${more.map(([path, name]) => html`<a href="${path}">${name}</a>`)}</nav>
Days begin and end at 00:00 UTC. Reading is open to everyone and needs no cookie${page.forms ? '; signing in sets one' : ''}.${whose(site)}
</footer>
${page.script ? html`<script>${raw(page.script)}</script>` : ''}
</body>
</html>
`,
  );

/** A script or a style as a Content-Security-Policy allows it. */
export const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleOf = (page: Pick<Page, 'style'>) => style + (page.style ?? '');

type Protected = Pick<Page, 'script' | 'style' | 'forms' | 'asks' | 'works'>;

/** The header fields of a page. */
export const protection = (page: Protected): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src ${hashOf(styleOf(page))}`,
    `script-src ${page.script ? hashOf(page.script) : "'none'"}`,
    ...(page.works ? ["worker-src 'self'"] : []),
    "img-src 'self' data:",
    // Auditors such as Lighthouse read /robots.txt from within a page, as a request of that page.
    ...(page.forms ? [] : ["connect-src 'self'"]),
    "base-uri 'none'; frame-ancestors 'none'",
    // Browsers apply form-action to the redirect that follows a form, too.
    ...(page.forms === 'anywhere' ? [] : [`form-action ${page.forms || page.asks ? "'self'" : "'none'"}`]),
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});

export const protect = (ctx: Koa.Context, page: Protected = {}): void => ctx.set(protection(page));
