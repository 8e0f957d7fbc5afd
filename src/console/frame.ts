// The frame of every page but GraphiQL's: the site's style, the console's ways around, no script.
import { html, raw } from 'hono/html';
import type Koa from 'koa';
import { hashOf, type Markup, mark } from '../html/layout.ts';
import { style as siteStyle } from '../html/style.ts';
import { staffOf } from './staff.ts';
import { graphiqlPath, lookingParts } from './ways.ts';

const parts = [...lookingParts, [graphiqlPath, 'Questions']] as const;

const style = `${siteStyle}
form { margin: 0; }
label { display: block; font-weight: 600; font-size: .92rem; }
input { font: inherit; width: 100%; min-height: 2.5rem; padding: .35rem .6rem; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem; }
button { font: inherit; font-weight: 600; min-height: 2.5rem; padding: .35rem 1rem; border-radius: .4rem; border: 1px solid var(--link); background: var(--link); color: var(--paper); cursor: pointer; }
textarea, select { font: inherit; width: 100%; padding: .35rem .6rem; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem; }
select { min-height: 2.5rem; }
input[type=checkbox] { width: auto; min-height: 0; vertical-align: middle; }
.act { max-width: 40rem; } .act label { margin: 1rem 0 .25rem; } .act p label { display: inline; } .act label .soft { font-weight: 400; } .act button { margin-top: 1.25rem; }
a.button.inline { display: inline-block; }
button.plain { background: transparent; color: var(--soft); border-color: var(--line); font-weight: 400; }
.enter { max-width: 26rem; margin: 0 auto; }
.enter label { margin: 1rem 0 .25rem; } .enter form button { margin-top: 1.25rem; }
a.button { display: block; font-weight: 600; padding: .55rem 1rem; border-radius: .4rem; text-align: center; text-decoration: none; background: var(--link); color: var(--paper); }
button:focus-visible, a.button:focus-visible, input:focus-visible, textarea:focus-visible, select:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.find { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .5rem; max-width: 40rem; margin-bottom: 1.5rem; }
.find label { grid-column: span 2; }
.fields { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(10rem, 100%), 1fr)); align-items: end; margin-bottom: 1.25rem; }
.who-looks { display: flex; gap: .8rem; align-items: center; }
.good { color: var(--peace); } .bad { color: var(--war); }
.figures dd.bad, .figures dd.good { font-weight: 700; }
.scroll { overflow-x: auto; margin: 0 -1.15rem; padding: 0 1.15rem; }
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
.scroll table { font-size: .95rem; }
.scroll td { overflow-wrap: break-word; min-width: 4.5rem; }
.scroll td.number { min-width: 0; }
@media (max-width: 40rem) { .scroll .wide td:empty { display: none; } .scroll .wide td.number { text-align: left; } .scroll .wide td + td { padding-left: 0; } }
.figures .when { font-size: 1.05rem; color: inherit; white-space: normal; }
.scroll td + td, .scroll th + th { padding-left: .6rem; }
.card h2 { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; }
.card h2 a, .card h2 span { font-size: .92rem; font-weight: 400; }
.two { display: grid; gap: 0 1.5rem; }
.two > * { min-width: 0; }
@media (min-width: 60rem) { .two { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; } }
.questions { margin: 0; padding-left: 1.4rem; columns: 20rem; column-gap: 2.5rem; }
.questions li { padding: .12rem 0; break-inside: avoid; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.2rem; margin: .5rem 0 0; padding: 0; list-style: none; font-size: .9rem; color: var(--soft); }
.key i { display: inline-block; width: .8em; height: .8em; border-radius: .15em; margin-right: .4em; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.2rem; margin: 0; }
main > .facts { margin-bottom: 1rem; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.ways { margin: 0 0 .5rem; padding-left: 1.2rem; columns: 14rem; column-gap: 2rem; }
.places a { display: inline-block; min-width: 1.75rem; min-height: 1.75rem; text-align: center; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
.said { white-space: pre-line; }
`;

interface Framed {
  readonly title: string;
  readonly head?: Markup;
  readonly body: Markup;
  readonly status?: number;
}

export interface LookPage extends Framed {
  readonly at?: (typeof parts)[number][0];
}

/** A page for whoever is signed in. */
export const show = (ctx: Koa.Context, page: LookPage): Promise<void> =>
  frame(
    ctx,
    page,
    html`<div class="who-looks"><span>${staffOf(ctx).name}</span><form method="post" action="/sign-out"><button class="plain">Sign out</button></form></div>
<nav class="site" aria-label="Console">${parts.map(([path, name]) => html`<a href="${path}"${path === page.at ? html` aria-current="true"` : ''}>${name}</a>`)}</nav>`,
    "Instants are in UTC. Balances are settled: what tonight's moves reserve is sealed.",
  );

/** `ways` stand in the header. */
export async function frame(ctx: Koa.Context, page: Framed, ways: Markup | '' = '', foot = ''): Promise<void> {
  // Stricter than for GraphiQL: these pages run no script and load nothing.
  ctx.set(
    'Content-Security-Policy',
    `default-src 'none'; style-src ${hashOf(style)}; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  );
  ctx.status = page.status ?? 200;
  ctx.type = 'html';
  ctx.body = String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Hill, staff console</title>
${page.head ?? ''}<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<div><a class="name" href="/">${mark}Hill</a><p class="soft">Staff console</p></div>
${ways}
</header>
<main id="content">
${page.body}
</main>
${foot === '' ? '' : html`<footer>${foot}</footer>`}
</body>
</html>
`,
  );
}
