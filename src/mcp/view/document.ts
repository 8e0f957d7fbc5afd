// The view as one document: the same for everybody, without data, and asking nobody for anything. Protocol 9.11.
import fs from 'node:fs';
import { hashOf, mark } from '../../html/layout.ts';
import { base, colours, drawing } from '../../html/style.ts';

const script = fs.readFileSync(new URL('./script.js', import.meta.url), 'utf8').replaceAll(/^ +/gm, '');

// The host says which theme it has, which need not be the system's.
const style = `
:root { color-scheme: light dark; ${Object.entries(colours)
  .map(([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`)
  .join(' ')} }
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
${base}${drawing}
body { padding: 1rem; }
header, main { padding: 0; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; margin-bottom: 1rem; }
header div { flex: 1 1 15rem; }
h1 { margin: 0; font-size: 1.5rem; letter-spacing: -.02em; }
h1 svg { height: .72em; margin-right: .35em; fill: var(--peak); }
header p { margin: 0; }
button { padding: .4rem .9rem; font: inherit; color: var(--link); background: var(--card); border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; }
button:hover { border-color: var(--link); }
button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
section { margin-bottom: 1.25rem; }
main > :last-child { margin-bottom: 0; }
.card + .card { margin-top: .5rem; }
.figures { margin-bottom: 1.25rem; }
.figures dd { font-size: 1.1rem; }
.price { text-align: right; }
.own { font-weight: 600; }
.you { color: var(--link); }
.text { white-space: pre-wrap; }
`;

// Hosts forbid requests, too, by what resource.ts declares. This holds wherever the document is opened.
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export const viewDocument = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hill</title>
<style>${style}</style>
</head>
<body>
<header>
<div><h1>${mark}Hill</h1><p class="soft" id="when">Ten places, sealed moves, one bell a day.</p></div>
<button type="button" id="refresh" hidden>Refresh</button>
</header>
<main id="hill"><p class="soft">The hill is drawn here when the tool has answered.</p></main>
<p class="hidden" id="said" role="status"></p>
<script>${script}</script>
</body>
</html>
`;
