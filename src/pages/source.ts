// /source: the engine that resolves the nights, as this server has loaded it. Rules 10.3, randomness.
import path from 'node:path';
import { html } from 'hono/html';
import { sqlFolder, sqlFolderFiles } from '../db/sql-folder.ts';
import type { Page } from '../html/layout.ts';

/** By path below sql/. Only files that are loaded are shown. */
export const sources: ReadonlyMap<string, string> = new Map(
  [...sqlFolderFiles()].map(([file, text]) => [path.relative(sqlFolder, file), text]),
);

export function sourcePage(): Page {
  const folders = Map.groupBy(sources.keys(), (file) => path.dirname(file));
  return {
    title: 'Source of the engine',
    address: '/source',
    description: 'The SQL that takes deposits, resolves nights and keeps the books.',
    body: html`<article>
<h1>Source of the engine</h1>
<p>The rules of the hill are functions of its PostgreSQL database. These are the files that this server has loaded, in the order of their folders.
Resolution is in <a href="/source/night/resolve_places.sql">night/resolve_places.sql</a>: the bell, every replay and every what-if call it.</p>
${[...folders].map(
  ([
    folder,
    files,
  ]) => html`<h2 id="${folder === '.' ? 'load' : folder.replaceAll('/', '-')}">${folder === '.' ? 'sql' : folder}</h2>
<ul>${files.map((file) => html`<li><a href="/source/${file}">${path.basename(file)}</a> <span class="soft">${about(file)}</span></li>\n`)}</ul>\n`,
)}
</article>`,
  };
}

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
