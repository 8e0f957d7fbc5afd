// What a night means beside those before it, as the database tells it, with links to what it rests on. Rules 10.20.
import { html } from 'hono/html';
import type { Story } from '../records/index.ts';
import type { Markup } from './layout.ts';

/** Of a long rivalry the latest nights are linked. */
const nightsShown = 4;

/** `base` is the site's address where the text is read elsewhere. */
export const storyList = (stories: readonly Story[], base = ''): Markup | '' =>
  stories.length === 0
    ? ''
    : html`<ul class="told stories">${stories.map(
        ({ text, nights }) =>
          html`<li><bdi>${text}.</bdi> <span class="soft">${nights
            .slice(-nightsShown)
            .map(
              ({ day, slot }, i) => html`${i > 0 ? ', ' : ''}<a href="${base}/day/${day}#place-${slot}">day ${day}</a>`,
            )}</span></li>`,
      )}</ul>`;
