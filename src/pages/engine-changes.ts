// /source/{sha256}..{sha256}: what changed from one engine to another, as a page and as a unified diff. Rules 20.9.
import { setImmediate as others } from 'node:timers/promises';
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';
import { html } from 'hono/html';
import pLimit from 'p-limit';
import type { Markup, Page } from '../html/layout.ts';
import { plural } from '../html/words.ts';
import { equal, text } from '../log/bytes.ts';
import { filesIn } from '../log/tar.ts';

interface Change {
  readonly file: string;
  readonly how: 'added' | 'removed' | 'changed';
  readonly patch: StructuredPatch;
}

/** Anybody may ask for any two: one comparison at a time, so that others are served beside it. */
const turn = pLimit(1);

/** Of the files of two engines, by their paths. */
export const changesBetween = (from: Uint8Array, to: Uint8Array): Promise<Change[]> =>
  turn(async () => {
    const [before, after] = [filesIn(from), filesIn(to)];
    const changes: Change[] = [];
    for (const file of [...new Set([...before.keys(), ...after.keys()])].sort()) {
      const [old, now] = [before.get(file), after.get(file)];
      if (old && equal(old, now)) continue;
      const patch = structuredPatch(
        ...([old ? `a/${file}` : '/dev/null', now ? `b/${file}` : '/dev/null'] as const),
        ...([old ? text(old) : '', now ? text(now) : '', undefined, undefined, { context: 3 }] as const),
      );
      changes.push({ file, how: !old ? 'added' : !now ? 'removed' : 'changed', patch });
      await others();
    }
    return changes;
  });

/** As patch and git apply read it. */
export const unified = (changes: readonly Change[]): string =>
  changes.map(({ patch }) => formatPatch(patch, FILE_HEADERS_ONLY)).join('');

/** What a browser shows without trouble. The text has all of it. */
const mostLines = 5_000;

export function changesPage(from: string, to: string, changes: readonly Change[]): Page {
  const address = `/source/${from}..${to}`;
  let left = mostLines;
  const shown = changes.filter(({ patch }) => {
    left -= linesOf(patch).length;
    return left >= 0;
  });
  const idOf = (file: string) => file.replace(/[^a-z0-9]+/g, '-');
  return {
    title: 'What changed between two engines',
    address,
    description: `What changed from the engine ${from.slice(0, 12)} to the engine ${to.slice(0, 12)}, file by file.`,
    at: '/source',
    style: `.changes pre { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .75rem 1rem; }
.changes code { overflow-wrap: anywhere; } .changes ins { color: var(--peace); text-decoration: none; } .changes del { color: var(--war); text-decoration: none; }`,
    body: html`<article class="changes">
<h1>What changed between two engines</h1>
<p>From <a href="/source/${from}"><code>${from}</code></a> to <a href="/source/${to}"><code>${to}</code></a>:
${changes.length === 0 ? 'nothing. They are one.' : html`${plural(changes.length, 'file')}. All of it <a href="${address}.diff">as a unified diff</a>, for <code>patch</code>. <a href="/source#engines">All engines</a>`}</p>
<ul>${changes.map(
      (change) =>
        html`<li>${
          shown.includes(change) ? html`<a href="#${idOf(change.file)}">${change.file}</a>` : change.file
        } <span class="soft">${change.how}${counted(change.patch)}</span></li>\n`,
    )}</ul>
${
  shown.length === changes.length
    ? ''
    : html`<p class="notice">${shown.length === 0 ? 'None' : `The first ${plural(shown.length, 'file')}`} of these fit on a page. <a href="${address}.diff">The unified diff</a> has all.</p>`
}
${shown.map(({ file, how, patch }) => html`<h2 id="${idOf(file)}">${file} <span class="soft">${how}</span></h2>\n<pre>${coloured(patch)}</pre>\n`)}
</article>`,
  };
}

/** With a line where some were passed over. */
const linesOf = ({ hunks }: StructuredPatch): string[] =>
  hunks.flatMap(({ oldStart, newStart, lines }) => [`@@ line ${oldStart}, now ${newStart} @@`, ...lines]);

function counted(patch: StructuredPatch): string {
  const of = (sign: string) => linesOf(patch).filter((line) => line.startsWith(sign)).length;
  return `, ${plural(of('+'), 'line')} in, ${of('-')} out`;
}

/** Runs of lines that came or went, each in one element. */
function coloured(patch: StructuredPatch): Markup[] {
  const runs: [sign: string, lines: string[]][] = [];
  for (const line of linesOf(patch)) {
    const sign = line[0] ?? ' ';
    const run = runs.at(-1);
    if (run?.[0] === sign) run[1].push(line);
    else runs.push([sign, [line]]);
  }
  return runs.map(([sign, lines]) => {
    const told = `${lines.join('\n')}\n`;
    return sign === '+' ? html`<ins>${told}</ins>` : sign === '-' ? html`<del>${told}</del>` : html`${told}`;
  });
}
