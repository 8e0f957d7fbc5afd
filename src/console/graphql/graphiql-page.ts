// GraphiQL's page: a bar above it with the ways around, and the usual questions as ready tabs in it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type Router from '@koa/router';
import { html, raw } from 'hono/html';
import type Koa from 'koa';
import { nonceOf } from '../headers.ts';
import { type Question, questions } from '../questions.ts';
import { graphiqlPath, lookingParts, questionPath } from '../ways.ts';
import { graphqlPath } from './preset.ts';

/**
 * What a request for GraphiQL's page brings along: the variables of each question, and the question or action to open.
 */
export interface Asked {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly question: string | null;
}

const style = `
#hill-bar { --bar: #f6f3ec; --ink: #202821; --soft: #5a635b; --line: #d9d5c9; --link: #1f6138; --card: #fffef9; }
@media (prefers-color-scheme: dark) { #hill-bar { --bar: #12160f; --ink: #e8e9df; --soft: #a3a99b; --line: #2f372a; --link: #8fcf9f; --card: #1a1f17; } }
#hill-bar { box-sizing: border-box; height: 2.75rem; padding: 0 1rem; display: flex; gap: 1.25rem; align-items: center;
  font: 0.9375rem/1 system-ui, sans-serif; background: var(--bar); color: var(--ink); white-space: nowrap; border-bottom: 1px solid var(--line); }
#hill-bar a, #hill-bar summary { color: var(--link); cursor: pointer; }
#hill-bar nav { display: flex; gap: 1.1rem; }
#hill-bar nav a { color: var(--soft); text-decoration: none; }
#hill-bar .who { margin-left: auto; overflow: hidden; text-overflow: ellipsis; }
#hill-bar form { margin: 0; }
#hill-bar button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.35rem 0.7rem; cursor: pointer; }
#hill-bar details > :last-child { position: fixed; z-index: 10; top: 2.5rem; max-width: 34rem; max-height: 80vh; overflow: auto; margin: 0; padding: 0.75rem 1rem 0.75rem 2.5rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; box-shadow: 0 1rem 3rem #0004; white-space: normal; line-height: 1.35; }
#hill-bar li { padding: 0.25rem 0; }
#hill-bar li a { color: var(--ink); text-decoration: none; }
#hill-bar li a:hover, #hill-bar nav a:hover { text-decoration: underline; }
body { margin: 0; }
#graphiql { height: calc(100vh - 2.75rem); }
@media (max-width: 60rem) { #hill-bar { gap: 0.8rem; padding: 0 0.6rem; } #hill-bar b, #hill-bar .who, #hill-bar nav a + a { display: none; } #hill-bar form { margin-left: auto; } #hill-bar details > :last-child { left: 0.5rem; right: 0.5rem; } }
`;

const link = ({ name, words }: Question) => html`<li><a href="${questionPath(name)}">${words}</a></li>`;

const bar = (name: string) => html`<header id="hill-bar">
  <b>Hill · staff console</b>
  <nav aria-label="Console">${lookingParts.map(([path, part]) => html`<a href="${path}">${part}</a>`)}</nav>
  <details><summary>Questions</summary><ol>${questions.map(link)}</ol></details>
  <span class="who">${name}</span>
  <form method="post" action="/sign-out"><button>Sign out</button></form>
</header>`;

/** Other questions, or others ways to ask them, are put in anew; what staff wrote in tabs of their own stays. */
const edition = createHash('sha256').update(JSON.stringify(questions)).digest('hex').slice(0, 16);

/** This is no browser's code but for one function. */
interface Browser {
  readonly history: { replaceState(state: null, unused: '', url: string): void };
}

/**
 * Runs before GraphiQL, which reads its tabs from the browser's storage. Where that is closed, GraphiQL begins empty.
 */
function seed({
  edition,
  tabs,
  asked,
}: {
  edition: string;
  tabs: { id: string; query: string; variables: string }[];
  asked: { id: string; query: string; variables: string } | null;
}): void {
  try {
    const known = localStorage.getItem('hill:questions') === edition;
    if (known && !asked) return;
    const stored = JSON.parse(localStorage.getItem('graphiql:tabState') ?? 'null') as {
      tabs: typeof tabs;
      activeTabIndex: number;
    } | null;
    const own = (stored?.tabs ?? []).filter(
      ({ id, query }) => !id.startsWith('hill-') && query && !query.startsWith('# Welcome to GraphiQL'),
    );
    const ours = known ? (stored?.tabs ?? []).filter(({ id }) => id.startsWith('hill-')) : tabs;
    if (asked) {
      const at = ours.findIndex(({ id }) => id === asked.id);
      if (at < 0) ours.unshift(asked);
      else ours[at] = asked;
    }
    const active = asked ?? ours[0];
    if (!active) return;
    localStorage.setItem(
      'graphiql:tabState',
      JSON.stringify({ tabs: [...ours, ...own], activeTabIndex: ours.indexOf(active) }),
    );
    localStorage.setItem('graphiql:query', active.query);
    localStorage.setItem('graphiql:variables', active.variables);
    localStorage.setItem('hill:questions', edition);
    // once: after a reload the tab has what staff wrote into it
    if (asked) (globalThis as unknown as Browser).history.replaceState(null, '', '/graphiql');
  } catch {
    // GraphiQL has no storage either, then
  }
}

/**
 * Runs before GraphiQL. What it stores of a mutation, in tabs and in its history, has no variables: when it is opened
 * again, nothing is filled in.
 */
function disarm(): void {
  const lists: Record<string, string> = {
    'graphiql:tabState': 'tabs',
    'graphiql:queries': 'queries',
    'graphiql:favorites': 'favorites',
  };
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (this: Storage, key: string, value: string) {
    const list = lists[key];
    const changes = (query: unknown) => typeof query === 'string' && /\bmutation\b/.test(query);
    let kept = value;
    if (list) {
      const state = JSON.parse(value) as Record<string, { query?: string; variables?: string | null }[]>;
      for (const one of state[list] ?? []) if (changes(one.query)) one.variables = null;
      kept = JSON.stringify(state);
    } else if (key === 'graphiql:variables' && changes(this.getItem('graphiql:query'))) kept = '';
    set.call(this, key, kept);
  };
}

const tabOf = ({ name, operation, query }: Question, variables: Asked['variables']) => ({
  id: `hill-${name}`,
  title: operation,
  query,
  variables: JSON.stringify(variables[name], null, 2),
  headers: null,
  operationName: operation,
  response: null,
});

function seedScript({ variables, question }: Asked): string {
  const tabs = questions.map((one) => tabOf(one, variables));
  const asked = questions.find(({ name }) => name === question);
  const seeds = { edition, tabs, asked: asked ? tabOf(asked, variables) : null };
  return `(${seed.toString()})(${JSON.stringify(seeds).replaceAll('<', '\\u003c')})`;
}

const gzip = promisify(zlib.gzip);
const require = createRequire(import.meta.url);
const packaged = require.resolve('@graphql-yoga/graphiql/package.json');
const { version } = JSON.parse(readFileSync(packaged, 'utf8')) as { version: string };
/** The version is in the address, so that a browser may keep the files. */
const filesPath = `${graphiqlPath}/${version}`;
const files: Readonly<Record<string, readonly [file: string, type: string]>> = {
  'graphiql.js': ['yoga-graphiql.umd.js', 'text/javascript'],
  'graphiql.css': ['graphiql.css', 'text/css'],
  'editor.js': ['monacoeditorwork/editor.worker.bundle.js', 'text/javascript'],
  'json.js': ['monacoeditorwork/json.worker.bundle.js', 'text/javascript'],
  'graphql.js': ['monacoeditorwork/graphql.worker..bundle.js', 'text/javascript'],
};

/** Called before the package's script, which looks for its workers there. */
function workers(at: string): void {
  const of: Record<string, string> = { editorWorkerService: 'editor.js', json: 'json.js', graphql: 'graphql.js' };
  Object.assign(globalThis, {
    MonacoEnvironment: { globalAPI: false, getWorkerUrl: (_: string, label: string) => `${at}/${of[label]}` },
  });
}

/** What the package's script adds to the page, and the page's address. */
interface Packaged {
  readonly document: { getElementById(id: string): object };
  readonly YogaGraphiQL: { renderYogaGraphiQL(root: object, settings: object): void };
}

function begin(at: string): void {
  const { document, YogaGraphiQL } = globalThis as unknown as Packaged;
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('graphiql'), {
    title: 'Graph<em>i</em>QL',
    logo: ' ', // else that of the package
    fetcher: async (body: object) =>
      (
        await fetch(at, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
      ).json(),
    isHeadersEditorEnabled: false,
    shouldPersistHeaders: false,
    initialQuery: undefined, // the tabs', and not one more beside them
    onEditQuery: () => {}, // else it would write each query into the address, and so into the browser's history
  });
}

export function graphiqlPage(ctx: Koa.Context, asked: Asked, staffName: string): void {
  // The Content-Security-Policy runs only scripts with this request's nonce.
  const nonce = nonceOf(ctx);
  const script = (text: string) => html`<script nonce="${nonce}">${raw(text)}</script>`;
  ctx.type = 'html';
  ctx.body = String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Questions · Hill, staff console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${filesPath}/graphiql.css">
<style>${raw(style)}</style>
</head>
<body>
${bar(staffName)}
<main id="graphiql"></main>
${script(`(${disarm.toString()})()`)}
${script(seedScript(asked))}
${script(`(${workers.toString()})('${filesPath}')`)}
<script nonce="${nonce}" src="${filesPath}/graphiql.js"></script>
${script(`(${begin.toString()})('${graphqlPath}')`)}
</body>
</html>`);
}

/** The files of the package that the page asks for. */
export function graphiqlFiles(router: Router): void {
  for (const [name, [file, type]] of Object.entries(files))
    router.get(`${filesPath}/${name}`, async (ctx) => {
      ctx.set({ 'Cache-Control': 'private, max-age=31536000', 'Content-Encoding': 'gzip' });
      ctx.type = type;
      ctx.body = await gzip(await readFile(path.join(path.dirname(packaged), 'dist', file)));
    });
}
