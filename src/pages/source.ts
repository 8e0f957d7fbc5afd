// /source: the engine that resolves the nights, as this server has loaded it, and those before it. Rules 10.3,
// randomness; 20.9.
import path from 'node:path';
import { html } from 'hono/html';
import { sqlFolder, sqlFolderFiles } from '../db/sql-folder.ts';
import type { Markup, Page } from '../html/layout.ts';
import { plural } from '../html/words.ts';
import type { Engines } from '../records/index.ts';

/** By path below sql/. Only files that are loaded are shown. */
export const sources: ReadonlyMap<string, string> = new Map(
  [...sqlFolderFiles()].map(([file, text]) => [path.relative(sqlFolder, file), text]),
);

export function sourcePage(engines: Engines): Page {
  const folders = Map.groupBy(sources.keys(), (file) => path.dirname(file));
  return {
    title: 'Source of the engine',
    address: '/source',
    description: 'The SQL that takes deposits, resolves nights and keeps the books, and what changed in it.',
    alternates: [{ type: 'application/json', href: '/api/engines', title: 'Engines as data' }],
    style:
      '.engines td, .engines option { overflow-wrap: anywhere; } .engines select { width: 100%; } .engines label { display: block; margin: 0 0 .5rem; } .engines .wide { margin: 0 0 1rem; }',
    asks: true,
    body: html`<article>
<h1>Source of the engine</h1>
<p>The rules of the hill are functions of its PostgreSQL database. These are the files that this server has loaded, in the order of their folders.
Resolution is in <a href="/source/night/resolve_places.sql">night/resolve_places.sql</a>: the bell, every replay and every what-if call it.</p>
<p><a href="#engines">Engines of this hill, and what changed from one to the next</a></p>
${[...folders].map(
  ([
    folder,
    files,
  ]) => html`<h2 id="${folder === '.' ? 'load' : folder.replaceAll('/', '-')}">${folder === '.' ? 'sql' : folder}</h2>
<ul>${files.map((file) => html`<li><a href="/source/${file}">${path.basename(file)}</a> <span class="soft">${about(file)}</span></li>\n`)}</ul>\n`,
)}
${enginesTold(engines)}
</article>`,
  };
}

const short = (sha256: string): string => sha256.slice(0, 12);

function enginesTold({ running, engines }: Engines): Markup {
  const [last] = engines;
  const isNew = running !== null && running !== last?.sha256;
  const resolved = ({ firstNight, lastNight, nights }: (typeof engines)[number]) =>
    nights === 1 ? `${firstNight}` : `${firstNight} to ${lastNight}, ${plural(nights, 'night')}`;
  const all = [...(isNew ? [running] : []), ...engines.map(({ sha256 }) => sha256)];
  return html`<section class="engines"><h2 id="engines">Engines of this hill</h2>
<p>An engine is known by the SHA-256 of its sources, a tar file. <a href="/log">The public log</a> has the hash of each engine that resolved a night, and which nights; the file is kept for good.</p>
${
  running === null
    ? ''
    : html`<p>This hill runs <a href="/source/${running}"><code>${running}</code></a>${isNew ? `, which has resolved no night${last ? ' since it was loaded' : ' yet'}` : ''}. <code>npm run verify</code> and <a href="/check">/check</a> say that of a release.</p>`
}
${
  engines.length === 0
    ? ''
    : html`<div class="wide"><table><thead><tr><th scope="col">Engine</th><th scope="col">Nights</th><th scope="col">What changed</th></tr></thead><tbody>
${engines.map((engine, n) => {
  const before = engines[n + 1]?.sha256;
  return html`<tr><td><a href="/source/${engine.sha256}"><code>${engine.sha256}</code></a></td><td data-label="Nights">${resolved(engine)}</td><td data-label="What changed">${
    before
      ? html`<a href="/source/${before}..${engine.sha256}">since <code>${short(before)}</code></a>`
      : html`<span class="soft">the first one</span>`
  }</td></tr>\n`;
})}</tbody></table></div>`
}
${all.length < 2 ? '' : comparing(all)}</section>`;
}

/** The latest is compared with the one before it, unless somebody chooses. */
const comparing = (all: readonly string[]): Markup => {
  const options = (chosen: number) =>
    all.map(
      (sha256, n) => html`<option value="${sha256}"${n === chosen ? html` selected` : ''}>${short(sha256)}</option>`,
    );
  return html`<form class="card" action="/source"><h3>Compare two</h3>
<label>From <select name="from">${options(1)}</select></label>
<label>To <select name="to">${options(0)}</select></label>
<button>Show what changed</button></form>`;
};

/** The purpose of a file, from the comment at its head (one or more lines). */
function about(file: string): string {
  const lines = (sources.get(file) ?? '').split('\n');
  const end = lines.findIndex((line) => !/^-- \S/.test(line));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.slice(3))
    .join(' ')
    .replace(/^\S+ · /, '');
}
