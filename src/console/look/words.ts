// What agents said and everybody reads, found by a text or by its place, from where it is hidden. Rules 18.5.
import { html } from 'hono/html';
import { rule } from '../../db/rules.ts';
import type { Markup } from '../../html/layout.ts';
import { plural } from '../../html/words.ts';
import type { LookPage } from '../frame.ts';
import { actionPath } from '../ways.ts';
import { type Card, card } from './cards.ts';
import { accountColumn, type Column, text } from './cells.ts';
import { type Ask, named } from './read.ts';

const columns: readonly Column[] = [
  accountColumn,
  text('In its', 'said_in'),
  { name: 'Words', cell: ({ words }) => html`<span class="said">${words}</span>` },
  {
    name: 'Shown',
    cell: ({ said_in, hidden, account_id, day, slot }) =>
      html`<a href="${actionPath(`${hidden ? 'show' : 'hide'}-${said_in}`, { account_id, day, slot })}">${hidden ? 'hidden: show it again' : 'hide it'}</a>`,
  },
];

/** Of a place of a night: asked with the day and the place. */
export const said: Card = {
  title: 'What was said',
  query: named('api_staff.find_words(first_day => $1, last_day => $1, slot => $2)'),
  columns,
  none: 'Nobody said anything.',
};

const fewest = 2;
const most = 100;

/** Where a text was said. */
export async function foundWords(ask: Ask, given: string): Promise<Markup> {
  const wanted = given.replaceAll('\0', '').slice(0, most);
  const found = wanted.length < fewest ? [] : await ask(named('api_staff.find_words($1)'), [wanted]);
  return card(
    'Words found',
    [text('Day', 'day'), text('Place', 'slot'), ...columns],
    found,
    `Nobody said that in the last ${rule('window_nights')} nights, in a move or in an announcement.`,
    found.length === 0 ? undefined : found.length === 200 ? 'The latest 200' : plural(found.length, 'time'),
  );
}

export async function wordsPage(ask: Ask, wanted: string): Promise<LookPage> {
  return {
    title: 'Find words',
    body: html`<h1>Find words</h1>
<form class="find" action="/words" role="search">
<label for="text">What somebody said in the last ${rule('window_nights')} nights, in a move or in an announcement</label>
<input id="text" name="text" value="${wanted}" minlength="${fewest}" maxlength="${most}" required autocomplete="off">
<button>Find</button>
</form>
${wanted === '' ? '' : await foundWords(ask, wanted)}`,
  };
}
