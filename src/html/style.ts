// One style sheet for all pages, sent inside them: no outside assets. Light and dark, from 320 pixels up.
/** The background of all pages; a phone's browser uses it for its own frame. */
export const paper = { light: '#f6f4ec', dark: '#12160f' };
/** The colour of the hill, and of its icons. */
export const peak = '#2e6b45';

/** Each colour, on light and on dark. */
export const colours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  paper: [paper.light, paper.dark],
  card: ['#fffdf7', '#1a1f17'],
  ink: ['#20261f', '#e8e9df'],
  soft: ['#5c6458', '#a3ab9b'],
  line: ['#dcd8c8', '#2f372a'],
  link: ['#1f5f3a', '#8fcf9f'],
  peak: [peak, '#3f8a5b'],
  foot: ['#a9bf8f', '#26402c'],
  'on-hill': ['#ffffff', '#ffffff'],
  'on-foot': ['#16301d', '#dfeee0'],
  peace: ['#2a6a41', '#86cf9b'],
  war: ['#a8321f', '#f0907c'],
  burn: ['#9a5200', '#eaae5f'],
  vacant: ['#5c6458', '#9aa192'],
  house: ['#5b5f8c', '#b3b6e8'],
};

const root = (scheme: 0 | 1) =>
  Object.entries(colours)
    .map(([name, pair]) => `--${name}: ${pair[scheme]};`)
    .join(' ');

/** What every document begins with. */
export const base = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; overflow-wrap: break-word; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
main, header, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.25rem; }
a { color: var(--link); text-underline-offset: .15em; }
a:hover { text-decoration-thickness: .12em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
h2 { font-size: 1.15rem; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; text-wrap: pretty; }
bdi, li { overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.whole { white-space: nowrap; }
`;

/** The hill and what is told about it: pages have it, and so has the view in a chat. */
export const drawing = `
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.notice { border: 1px solid var(--line); border-left: .3rem solid var(--burn); background: var(--card); border-radius: .4rem; padding: .75rem 1rem; margin: 0 0 1.25rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: .6rem; overflow: hidden; margin: 0 0 1.5rem; }
.figures div { flex: 1 1 8rem; background: var(--card); padding: .7rem 1rem; }
.figures dt { color: var(--soft); font-size: .85rem; }
.figures dd { margin: 0; font-size: 1.25rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.figures small { font-size: .85rem; font-weight: 400; }
section, p.card { margin: 0 0 1.75rem; }
.card > :last-child { margin-bottom: 0; }
.card > h2, .card > h3 { margin: 0 0 .5rem; }
.after { margin: .75rem 0 0; font-size: .92rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.15rem; }

.places { list-style: none; margin: 0; padding: 0; --step: clamp(.18rem, 1.1vw - .05rem, .5rem); border: 1px solid var(--line); border-radius: .6rem; overflow: hidden; background: var(--card); }
${Array.from({ length: 10 }, (_, i) => `.places > li:nth-child(${i + 1}) { --slot: ${i + 1}; }`).join('\n')}
.places > li { display: grid; grid-template-columns: calc(2.3rem + var(--slot) * var(--step)) minmax(0, 1fr); }
.places > li + li > .who { border-top: 1px solid var(--line); }
.step { display: flex; align-items: center; justify-content: flex-end; padding: .5rem .6rem .5rem .3rem; font-weight: 700; font-size: 1.25rem; font-variant-numeric: tabular-nums;
  color: var(--on-hill); background: color-mix(in oklab, var(--foot) calc((var(--slot) - 1) * 11%), var(--peak)); }
.places > li:nth-child(n + 6) .step { color: var(--on-foot); }
.who { padding: .55rem .9rem .6rem; min-height: 3.4rem; display: flex; flex-direction: column; justify-content: center; gap: .15rem; }
.seats { flex: 1; display: grid; gap: .3rem 1rem; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); align-items: baseline; }
.seats .name { display: block; }
.who .name { font-weight: 600; }
.who .meta { font-size: .85rem; color: var(--soft); white-space: nowrap; }
.message { margin: .15rem 0 0; font-size: .92rem; }
.row { display: flex; justify-content: space-between; gap: .75rem; align-items: baseline; }
@media (min-width: 40.01rem) { .row > .meta { min-width: 6rem; text-align: right; } }

.tag { font-size: .72rem; font-weight: 700; letter-spacing: .04em; text-transform: uppercase; white-space: nowrap; padding: .12em .45em; border-radius: .3em; background: color-mix(in oklab, currentColor 11%, transparent); }
.PEACE { color: var(--peace); } .WAR { color: var(--war); } .BURN { color: var(--burn); } .VACANT, .PASS { color: var(--vacant); } .house { color: var(--house); }
.kept { color: var(--peace); } .betrayed { color: var(--war); } .bluffed { color: var(--burn); } .ghosted { color: var(--vacant); }
.when { color: var(--soft); font-size: .85rem; white-space: nowrap; }
.told { list-style: none; margin: 0; padding: 0; }
.told li { padding: .45rem 0; border-top: 1px solid var(--line); }
.told li:first-child { border-top: 0; padding-top: 0; }
.told li:last-child { padding-bottom: 0; }
`;

export const style = `
:root { color-scheme: light dark; ${root(0)} }
@media (prefers-color-scheme: dark) { :root { ${root(1)} } }
${base}
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 1; padding: .4rem .8rem; background: var(--card); }

header { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: end; justify-content: space-between; padding-top: 1.5rem; padding-bottom: 1.25rem; }
header a.name { color: inherit; text-decoration: none; }
header h1, header .name { margin: 0; font-size: 2.1rem; font-weight: 750; letter-spacing: -.02em; line-height: 1.1; }
header .name svg { height: .72em; width: auto; margin-right: .35em; fill: var(--peak); }
header p { margin: .25rem 0 0; }
header nav.site { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; border-bottom: 1px solid var(--line); }
header nav.site a, .tabs a { padding: .45rem 0; color: var(--soft); text-decoration: none; border-bottom: .18rem solid transparent; margin-bottom: -1px; }
header nav.site a:hover, .tabs a:hover { color: var(--ink); }
header nav.site a[aria-current], .tabs a[aria-current] { color: var(--ink); border-color: var(--peak); font-weight: 600; }
header nav.site a[href='/account'] { margin-left: auto; }
.tabs { display: flex; flex-wrap: wrap; gap: .1rem 1.4rem; border-bottom: 1px solid var(--line); margin: 0 0 1rem; }
.pages { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1.25rem; }
.pages a { padding: .3rem .8rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); text-decoration: none; }
.pages a:hover { border-color: var(--link); }
main h1 { font-size: 1.7rem; margin: 0 0 .5rem; }
main h1 + .figures { margin-top: 1rem; }
hgroup p { margin: 0; }
.headline { font-size: 1.1rem; font-weight: 650; line-height: 1.35; }
.news p { margin: 0 0 .4rem; }
.news .headline { font-size: 1.4rem; line-height: 1.25; }
.news .headline a { color: inherit; text-decoration-color: var(--line); }
main > h2 { margin-top: 1.75rem; }
.lead { max-width: 48rem; margin-bottom: 1.25rem; }
.bell { text-align: right; font-variant-numeric: tabular-nums; }
.bell strong { display: block; font-size: 1.5rem; line-height: 1.2; }
/* On a phone the way around takes two lines: what is current is a field then, not a line below. */
@media (max-width: 40rem) {
  header p { font-size: .95rem; }
  .bell { text-align: left; }
  header nav.site { flex-basis: calc(100% + 1.2rem); gap: .1rem; margin: 0 -.6rem; padding-bottom: .4rem; }
  header nav.site a { padding: .3rem .6rem; border: 0; border-radius: .4rem; margin: 0; font-size: .95rem; }
  header nav.site a[aria-current] { background: color-mix(in oklab, var(--peak) 16%, transparent); }
  header nav.site a[href='/account'] { margin-left: 0; }
}
${drawing}
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1.5rem; }
@media (min-width: 60rem) { .columns { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); align-items: start; } }
.night { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); }
.night > li:has(details[open]) { grid-column: 1 / -1; }
.night h3 { margin: 0 0 .35rem; font-size: 1.05rem; display: flex; gap: .6rem; align-items: baseline; }
.verdict { white-space: nowrap; margin-right: .6rem; }
.night .earned { margin-left: auto; font-size: .85rem; font-weight: 400; color: var(--soft); }
.night > li > p:last-child { margin-bottom: 0; }
.night .quiet { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; align-content: start; padding-block: .55rem; }
.night .quiet > * { margin: 0; }
.night table { font-size: .95rem; }
main summary { width: fit-content; cursor: pointer; color: var(--link); padding: .25rem 0; }
/* The night at a glance: each place with its outcome, and the way to it. */
.strip { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: 1px; margin: 0 0 1.5rem; border: 1px solid var(--line); border-radius: .6rem; overflow: hidden; background: var(--line); }
.strip a { display: grid; justify-items: center; gap: .15rem; padding: .5rem .1rem .6rem; background: var(--card); color: inherit; font-weight: 650; text-decoration: none; }
.strip a:hover { background: var(--paper); }
.strip a:focus-visible { outline-offset: -3px; }
@media (min-width: 48rem) { .strip { grid-template-columns: repeat(10, minmax(0, 1fr)); } }
@media (max-width: 24rem) { .strip .tag { font-size: .62rem; letter-spacing: 0; padding: .12em .3em; } }
@media (min-width: 40.01rem) { .record td:first-child { white-space: nowrap; } .record td:last-child { width: 13rem; } .night table { table-layout: fixed; } .night th:nth-child(1) { width: 24%; } .night th:nth-child(2) { width: 8.5rem; } .night th:nth-child(3) { width: 5.5rem; } }
img.icon { vertical-align: -.22em; border-radius: .2em; }
.identity img.icon { vertical-align: -.1em; }
a.site { display: inline-block; min-width: 1.5rem; line-height: 1.5rem; text-decoration: none; }
.identity h1 { font-size: 1.9rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
figure { margin: 0; }
figcaption { font-size: .9rem; margin-top: .5rem; }
.plot { display: block; width: 100%; height: auto; overflow: visible; font: 12px system-ui, sans-serif; }
@media (max-width: 40rem) { .plot.desk { display: none; } }
@media (min-width: 40.01rem) { .plot.phone { display: none; } }
.plot text { fill: var(--soft); font-variant-numeric: tabular-nums; }
.board td:nth-child(2) { width: 100%; overflow-wrap: anywhere; }

.boards { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .6rem .35rem 0; vertical-align: baseline; border-top: 1px solid var(--line); }
tr:first-child th { border-top: 0; }
th { font-size: .8rem; font-weight: 600; color: var(--soft); }
td.number, th.number { text-align: right; padding-right: 0; white-space: nowrap; vertical-align: baseline; }
th.number { white-space: normal; }
.board:not(.many) th.number { white-space: nowrap; }
td.number + td.number, th.number + th.number { padding-left: 1rem; }
td.rank { color: var(--soft); width: 2rem; white-space: nowrap; }
/* On a phone a row is a small card, each cell under its column's name; of a move in a night, what was played and when stand on one line. */
@media (max-width: 40rem) {
  .board.many thead { position: absolute; left: -99rem; }
  .board.many tr { display: block; position: relative; padding: .5rem 0 .5rem 2.2rem; border-top: 1px solid var(--line); }
  .board.many td { display: block; border: 0; padding: 0; }
  .board.many td.rank { position: absolute; left: 0; }
  .board.many td.number { display: inline-block; padding: 0 1rem 0 0; font-size: .92rem; }
  .board.many td.number::before { content: attr(data-label) ' '; color: var(--soft); font-size: .85rem; }
  .wide thead { position: absolute; left: -99rem; }
  .wide tr { display: block; padding: .6rem 0; border-top: 1px solid var(--line); }
  .wide td { display: block; border: 0; padding: .1rem 0; }
  .wide td + td::before { content: attr(data-label) ': '; color: var(--soft); font-size: .85rem; }
  .wide td:first-child { font-weight: 650; }
  .pages a { padding: .25rem .6rem; }
  .seats .name { display: inline; }
  /* a night in few screens: the places follow at once */
  .strip { display: none; }
  .night { gap: .6rem; }
  .night > li { padding: .7rem .9rem; }
  .night > li > p { margin-bottom: .2rem; }
  .night .wide td:nth-child(-n + 3) { display: inline; }
  .night .wide td:nth-child(-n + 3)::after { content: ' '; }
  .night .wide td + td::before { content: none; }
}
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: .9em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }

article { max-width: 48rem; }
@media (min-width: 64rem) { article:has(.contents) { position: relative; } .contents { position: absolute; left: calc(100% + 3rem); top: 5rem; width: 17rem; } }
.contents ul { list-style: none; margin: 0; padding: 0; columns: 9rem; }
.contents li { padding: .15rem 0; break-inside: avoid; }
article h2 { margin-top: 2rem; padding-top: .25rem; font-size: 1.3rem; }
article ul { padding-left: 1.2rem; }
article td { vertical-align: top; }
:target { background: color-mix(in oklab, var(--burn) 14%, var(--card)); scroll-margin-top: 1rem; }

footer { margin-top: 1.5rem; padding-bottom: 2rem; color: var(--soft); font-size: .92rem; }
footer nav { display: flex; flex-wrap: wrap; gap: .05rem 1.1rem; margin-bottom: .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
footer nav a, h2 a { padding-block: .15rem; }
.stories { margin: .2rem 0 .9rem; max-width: 48rem; }
.stories li { border-top: 0; padding: .25rem 0; line-height: 1.4; }
.stories a { white-space: nowrap; font-size: .9em; }
/* On paper nothing can be opened, so it is. */
@media print {
  nav, .skip, .search { display: none !important; }
  .step { print-color-adjust: exact; }
  .card, tr { break-inside: avoid; }
  .card:has(details) { break-inside: auto; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; }
  .night { display: block; }
  .night > li { margin-bottom: .75rem; }
  .night summary { list-style: none; color: inherit; font-weight: 600; }
}
`;
