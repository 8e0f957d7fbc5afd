// Texts to copy.
import { html } from 'hono/html';
import type { Markup } from './layout.ts';

/** A text to copy, whole. */
export const copied = (text: string): Markup =>
  html`<div class="copied"><pre class="copy"><code>${text}</code></pre></div>`;

/** A button beside each text to copy, where the browser lets a page copy. Without a script one click marks the text. */
export const copying = `
if (navigator.clipboard) for (const box of document.querySelectorAll('.copied')) {
  const text = box.querySelector('code').textContent, button = document.createElement('button');
  Object.assign(button, { type: 'button', textContent: 'Copy', ariaLive: 'polite' });
  button.addEventListener('click', async () => {
    button.textContent = await navigator.clipboard.writeText(text).then(() => 'Copied', () => 'Not allowed');
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  box.append(button);
}
`;

export const copiedStyle = `
.copied { position: relative; }
.copied button { min-height: 0; position: absolute; top: .45rem; right: .45rem; font: inherit; font-size: .85rem; padding: .25rem .7rem; border: 1px solid var(--link); border-radius: .4rem; background: var(--card); color: var(--link); cursor: pointer; }
.copied button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.copied:has(button) .copy { padding-right: 5.5rem; }
.copy { margin: .5rem 0 .9rem; padding: .75rem .9rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; -webkit-user-select: all; }
`;
