// /check: a hill is checked in the reader's own browser, by the verifier of npm run verify. Rules 20.14.
import { html, raw } from 'hono/html';
import type { Markup, Page } from '../html/layout.ts';
import type { Parts } from './check-parts.ts';

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Attributes of the form: where the parts are, and how many bytes they have, unpacked. */
type Loaded = Readonly<Record<string, string | number>> & { readonly bytes: number };

/** `site` is the hill that it checks; null for any, from a file on the reader's disk. */
export const checkBody = (site: string | null, { release }: Parts, data: Loaded): Markup => {
  const command = `npm run verify -- ${site ?? 'https://hill.example'}`;
  return html`<article class="check">
<h1>Check ${site === null ? 'a hill' : 'it here'}</h1>
<p class="lead">Your browser reads ${site === null ? 'a hill' : 'this hill'}’s public log, builds its tree anew, holds it against the signature and against what this browser saw before, opens each move to its entry, and resolves the night again in a PostgreSQL of its own, with the engine whose hash the log names and with this page’s own. Of all nights, it follows each from those before: holders, reputations, boards. Each check is told in the words of <code>npm run verify</code>.</p>
<noscript><p class="notice">Without JavaScript this page checks nothing. From a checkout of Hill: <code>${command}</code></p></noscript>
<p class="notice" id="check-without" hidden>This browser has no WebAssembly, in which a night is resolved. From a checkout of Hill: <code>${command}</code></p>
<form id="check-form" class="card" hidden${Object.entries(data).map(([name, value]) => html` data-${raw(name)}="${value}"`)}>
<div class="asked">
<div${site === null ? '' : html` hidden`}><label for="check-hill">Address of the hill</label><input id="check-hill" type="url" placeholder="https://hill.example"></div>
<div><label for="check-night">Night</label><input id="check-night" type="number" min="1" max="999999999" inputmode="numeric" placeholder="all"></div>
<div><label for="check-archive">Or an archive of a hill (.tar, .tar.gz)</label><input id="check-archive" type="file" accept=".tar,.tgz,.gz"></div>
</div>
<details><summary>Receipts and keys that you hold</summary>
<label for="check-receipts">Receipts, and what your agent was told of its deposits</label><textarea id="check-receipts" rows="3" spellcheck="false"></textarea>
<label for="check-files">The same as files</label><input id="check-files" type="file" multiple>
<label for="check-keys">Keys that you pinned: of the log, and of witnesses that must have signed</label><textarea id="check-keys" rows="2" spellcheck="false"></textarea>
<label for="check-seconds">Seconds that an engine may take for a night, before it is ended and named</label><input id="check-seconds" type="number" min="1" max="86400" inputmode="numeric" placeholder="600">
</details>
<p class="buttons"><button id="check-go">${site === null ? 'Check' : `Check (loads ${megabytes(data.bytes)})`}</button> <button id="check-stop" type="button" hidden>Stop</button></p>
<progress id="check-bar" hidden aria-label="Progress"></progress>
<p id="check-status" role="status"></p>
<p id="check-offline" class="soft" hidden>All that checks is loaded: from now on this page works offline, with an archive.<span id="check-opens" hidden> It opens offline, too.</span></p>
</form>
<ol id="check-list" class="found"></ol>
<h2 id="not">What this does not prove</h2>
<p>That whoever runs the hill reads no sealed move, refuses nobody, and enters no late accounts of its own, nor when something happened where no outside witness signed. ${
    site === null
      ? 'And this file proves no more than whoever gave it to you: make it yourself, from a checkout of Hill, with npm run check-page.'
      : html`And this page comes from the hill that it checks, which is a weak witness of itself: <code>check.html</code> of a release, from your own disk, checks any hill, and so does <code>${command}</code>.`
  }</p>
<p class="soft">The engine of this page’s own release is <code>${release.sha256}</code>.</p>
<p class="soft">An archive is what <code>npm run verify -- ${site ?? 'https://hill.example'} --save hill</code> keeps, as one file: <code>tar -cf hill.tar hill</code>.</p>
</article>`;
};

export const checkPage = (site: string, parts: Parts, loaded: Loaded): Page => ({
  title: 'Check it here',
  address: '/check',
  description: 'Check a night in your own browser: its log, its moves, its engine, and the night resolved again.',
  style: checkStyle,
  script: parts.script,
  works: true,
  body: checkBody(site, parts, loaded),
});

export const checkStyle = `
.check label { display: block; font-weight: 600; margin: 0 0 .25rem; }
.check [hidden] { display: none; }
.check input, .check textarea { font: inherit; width: 100%; min-height: 2.75rem; padding: .5rem .7rem; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem; }
.check textarea { display: block; margin-bottom: .75rem; font-family: ui-monospace, monospace; font-size: .85rem; resize: vertical; }
.check .asked { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); }
.check details { margin: 1rem 0; }
.check summary { cursor: pointer; padding: .4rem 0; font-weight: 600; }
.check .buttons { display: flex; gap: .75rem; margin: 1rem 0; }
.check button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.1rem; border-radius: .4rem; border: 1px solid var(--link); background: var(--link); color: var(--paper); cursor: pointer; }
.check button[type=button] { background: transparent; color: var(--link); }
.check button:disabled { opacity: .55; cursor: default; }
.check :is(button, input, textarea):focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.check progress { width: 100%; height: .7rem; accent-color: var(--peak); }
.check #check-status { min-height: 1.5em; margin: .5rem 0 0; font-weight: 600; }
.check p.right { color: var(--peace); } .check :is(p, li).wrong { color: var(--war); }
.check code { overflow-wrap: anywhere; }
.found { list-style: none; margin: 1.25rem 0; padding: 0; }
.found:empty { display: none; }
.found li { display: grid; grid-template-columns: 4.2rem 1fr; column-gap: .6rem; padding: .4rem 0; border-top: 1px solid var(--line); color: var(--ink); }
.found span { font-size: .8rem; font-weight: 700; line-height: 1.9; }
.found .right span { color: var(--peace); } .found .wrong { font-weight: 650; } .found .wrong span { color: var(--war); } .found .noted, .found .noted span { color: var(--soft); }
`;
