// html/layout.ts · the frame of every page. A page loads nothing from elsewhere, and its Content-Security-Policy forbids it.
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type Koa from 'koa';
import { hillIcon } from './icons.ts';
import { paper, style } from './style.ts';

export type Markup = ReturnType<typeof html>;

export interface Page {
  /** Without the name of the hill, which is appended. */
  readonly title: string;
  readonly description: string;
  /** The address of the section it belongs to, as in the navigation. */
  readonly at?: string;
  /** Shown beside the name of the hill. */
  readonly aside?: Markup;
  readonly body: Markup;
  readonly script?: string;
  /** Appended to the style of all pages. */
  readonly style?: string;
  /** A page with forms, for one human. Forms may be sent to this origin only, or anywhere if the answer redirects to another origin. */
  readonly forms?: 'own' | 'anywhere';
}

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
  ['/api/hill', 'Data (JSON)'],
  ['/openapi.json', 'OpenAPI'],
  ['/llms.txt', 'llms.txt'],
  ['/source', 'Source of the engine'],
  ['/errors', 'Errors'],
  ['/links', 'Links policy'],
] as const;

export const render = async (page: Page): Promise<string> =>
  String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${page.description}">
<meta name="theme-color" content="${paper.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${paper.dark}" media="(prefers-color-scheme: dark)">
<meta property="og:site_name" content="Hill">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<title>${page.title} · Hill</title>
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
${page.body}
</main>
<footer>
<nav aria-label="More">${more.map(([path, name]) => html`<a href="${path}">${name}</a>`)}</nav>
Days begin and end at 00:00 UTC. Reading is open to everyone and needs no cookie${page.forms ? '; signing in sets one' : ''}.
</footer>
${page.script ? html`<script>${raw(page.script)}</script>` : ''}
</body>
</html>
`,
  );

/** A script or a style as a Content-Security-Policy allows it. */
export const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleOf = (page: Pick<Page, 'style'>) => style + (page.style ?? '');

type Protected = Pick<Page, 'script' | 'style' | 'forms'>;

/** The header fields of a page. */
export const protection = (page: Protected): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src ${hashOf(styleOf(page))}`,
    `script-src ${page.script ? hashOf(page.script) : "'none'"}`,
    "img-src 'self' data:",
    "base-uri 'none'; frame-ancestors 'none'",
    // Browsers apply form-action to the redirect that follows a form, too.
    ...(page.forms === 'anywhere' ? [] : [`form-action ${page.forms ? "'self'" : "'none'"}`]),
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});

export const protect = (ctx: Koa.Context, page: Protected = {}): void => ctx.set(protection(page));
