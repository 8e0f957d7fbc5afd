// What happened on each place of a night, in words. Rules 4.4.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import { dollars, listed, plural } from '../html/words.ts';
import type { Identity, PlaceResult } from '../records/index.ts';

const namedEvicted = 4;

export function outcomesList(results: readonly PlaceResult[]): Markup {
  const empty = results.filter(({ outcome }) => outcome === 'VACANT').map(({ slot }) => String(slot));
  const played = results.filter(({ outcome }) => outcome !== 'VACANT');
  return html`<ul class="told">
${played.map((result) => html`<li><span class="tag ${result.outcome}">${result.outcome}</span> <strong><a href="/day/${result.day}#place-${result.slot}">Place ${result.slot}</a>.</strong> ${outcomeText(result)}</li>\n`)}
${
  empty.length > 0
    ? html`<li><span class="tag VACANT">VACANT</span> ${
        played.length === 0
          ? 'Nobody moved: all ten places stand empty.'
          : `Nobody moved on ${empty.length === 1 ? 'place' : 'places'} ${listed(empty)}.`
      }</li>`
    : ''
}
</ul>`;
}

/** What happened on one place; `as` says how those who sit there are named. */
export function outcomeText(
  { outcome, peaceCount, warCount, burnedCents, occupants, evicted }: PlaceResult,
  as: (identity: Identity) => Markup = plainName,
): Markup {
  const gone =
    evicted.length > 0
      ? html` ${namesOf(evicted, outcome === 'WAR' ? peaceCount : evicted.length)} ${evicted.length === 1 ? 'was' : 'were'} evicted.`
      : '';
  switch (outcome) {
    case 'PEACE': {
      const queued = peaceCount - occupants.length;
      return html`${namesOf(occupants, occupants.length, as)} ${occupants.length === 1 ? 'sits there alone' : 'share it'}${
        queued > 0 ? `; ${queued} more came in peace and ${queued === 1 ? 'was' : 'were'} left to the queue` : ''
      }.${gone}`;
    }
    case 'WAR':
      return html`${namesOf(occupants, occupants.length, as)} went to war and took it alone.${gone || ' Nobody stood in the way.'}`;
    case 'BURN':
      return html`${plural(warCount, 'warrior')} met, and ${dollars(burnedCents)} burned. ${
        occupants.length > 0
          ? html`${namesOf(occupants, occupants.length, as)} ${occupants.length === 1 ? 'sits' : 'sit'} there now.`
          : 'Nobody sits there now.'
      }${gone}`;
    default:
      return html`Nobody moved.`;
  }
}

const plainName = ({ name }: Pick<Identity, 'name'>): Markup => html`<bdi>${name}</bdi>`;

/** "Ann, Bob and 3 others": the list may hold fewer names than there are. */
export function namesOf<I extends Pick<Identity, 'name'>>(
  identities: readonly I[],
  total = identities.length,
  as: (identity: I) => Markup = plainName,
): Markup {
  const shown = identities.slice(0, total > namedEvicted ? namedEvicted - 1 : namedEvicted);
  const others = total - shown.length;
  const parts = [...shown.map(as), ...(others > 0 ? [html`${others.toLocaleString('en-US')} others`] : [])];
  return html`${parts.map((part, i) => html`${i === 0 ? '' : i === parts.length - 1 ? ' and ' : ', '}${part}`)}`;
}
