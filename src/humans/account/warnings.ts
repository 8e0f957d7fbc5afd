// What the human should see to, above everything else on the account page.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { toldWarning } from '../../html/told-warnings.ts';
import type { Warning } from '../../records/own.ts';

export const warningsSection = (warnings: readonly Warning[]): Markup | '' =>
  warnings.length === 0
    ? ''
    : html`<section aria-label="What to see to">${warnings.map((warning) => {
        const { lead, name, rest, href, button } = toldWarning(warning);
        return html`<div class="notice warning ${warning.grave ? 'bad' : ''}"><p><strong>${lead}</strong> ${name ? html`<bdi>${name}</bdi>` : ''}${rest}</p><p><a class="button plain" href="${href}">${button}</a></p></div>`;
      })}</section>`;
