// What happened on each place of a night, in words. Rules 4.4.
import { html } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import { dollars, listed, plural } from '../html/words.ts';
import type { Identity, PlaceResult } from '../records/index.ts';
import { called, type Named } from './identity-link.ts';

const most = 4;

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

/** What happened on one place; `as` says how those whom it names are named. */
export function outcomeText(
  { outcome, peaceCount, burnedCents, warCount, occupants, burned, unseated, evicted, evictedTotal }: PlaceResult,
  as: (identity: Identity) => Markup = called,
): Markup {
  const named = (who: readonly Identity[], total?: number) => namesOf(who, total, as);
  const lost =
    unseated.length > 0
      ? html` ${named(unseated)} lost ${unseated.length === 1 ? 'the seat' : 'their seats'}${heldFor(unseated)}.`
      : '';
  const away = evictedTotal - unseated.length;
  const seatless = evicted.filter(({ accountId }) => !unseated.some((one) => one.accountId === accountId));
  const turned =
    away > 0 ? html` ${named(seatless, away)} came in peace and ${away === 1 ? 'was' : 'were'} turned away.` : '';
  switch (outcome) {
    case 'PEACE': {
      const queued = peaceCount - occupants.length;
      return html`${named(occupants)} ${occupants.length === 1 ? 'sits there alone' : 'share it'}${
        queued > 0 ? `; ${queued.toLocaleString('en-US')} more came in peace and found no seat there` : ''
      }.${lost}`;
    }
    case 'WAR':
      return html`${named(occupants)} went to war and ${occupants[0]?.via === 'holder' ? 'keeps' : 'takes'} it alone.${lost}${turned}`;
    case 'BURN': {
      const stay = occupants.filter(({ via }) => via === 'holder');
      const come = occupants.filter(({ via }) => via !== 'holder');
      return html`${named(burned, warCount)} ${warCount === 2 ? 'both ' : ''}went to war: ${dollars(burnedCents)} burned.${lost}${
        stay.length > 0 ? html` ${named(stay)} ${stay.length === 1 ? 'stays' : 'stay'}.` : ''
      }${
        come.length > 0
          ? html` ${named(come)} ${come.length === 1 ? 'takes a seat' : 'take the seats'} from the queue.`
          : ''
      }${occupants.length === 0 ? ' Nobody sits there now.' : ''}`;
    }
    default:
      return html`Nobody moved.`;
  }
}

/** How long those who lost a seat had held it, where that is one and more than a night. */
function heldFor(unseated: PlaceResult['unseated']): string {
  const [held = 0, ...others] = new Set(unseated.map(({ daysHeld }) => daysHeld));
  return held > 0 && others.length === 0 ? ` after ${plural(held + 1, 'night')}` : '';
}

/** "Ann, Bob and 3 others": the list may hold fewer names than there are. */
export function namesOf<I extends Named>(
  identities: readonly I[],
  total = identities.length,
  as: (identity: I) => Markup = called,
): Markup {
  const shown = identities.slice(0, total > most ? most - 1 : most);
  const others = total - shown.length;
  const parts = [...shown.map(as), ...(others > 0 ? [html`${plural(others, 'other')}`] : [])];
  return html`${parts.map((part, i) => html`${i === 0 ? '' : i === parts.length - 1 ? ' and ' : ', '}${part}`)}`;
}
