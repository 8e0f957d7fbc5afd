// A night as its account's human reads it: what was played, what came of it, and what paid for it.
import { html } from 'hono/html';
import type { History, Night, NightMove } from '../records/own.ts';
import type { Markup } from './layout.ts';
import { date, dollars, listed, plural } from './words.ts';

export const pointsOf = ({ moves }: Night): number => moves.reduce((sum, { seat }) => sum + (seat?.points ?? 0), 0);

export const costOf = ({ granted_cents, paid_cents }: Night): number => granted_cents + paid_cents;

/** "place 1, +5 points, -$3.00, kept". */
export function headline(night: Night): string {
  const places = night.moves.flatMap(({ seat }) => (seat ? [seat.slot] : [])).sort((a, b) => a - b);
  const verdicts = [...new Set(night.announcements.map(({ verdict }) => verdict))];
  return `${placesText(places)}, +${plural(pointsOf(night), 'point')}, ${signed(-costOf(night))}${verdicts.length > 0 ? `, ${listed(verdicts)}` : ''}`;
}

const placesText = (slots: readonly number[]): string =>
  slots.length === 0 ? 'no place' : `${slots.length === 1 ? 'place' : 'places'} ${listed(slots.map(String))}`;

/** With a sign, as a change of the balance; a minus, not a hyphen. */
export const signed = (cents: number): string => `${cents < 0 ? '−' : cents > 0 ? '+' : ''}${dollars(Math.abs(cents))}`;

/** What became of each move; with its points and its cost where there are several, for one has those of the night. */
export const movesText = ({ day, moves, left }: Night): Markup =>
  html`<ul class="told">${moves.map(
    (move) =>
      html`<li><span class="tag ${move.move}">${move.move}</span> on <a href="/day/${day}#place-${move.slot}">place ${move.slot}</a>: ${cameOf(move)}${moves.length > 1 ? html` <span class="soft sum">(${[...(move.seat ? [`+${plural(move.seat.points, 'point')}`] : []), signed(-move.cost_cents)].join(', ')})</span>` : ''}${move.message ? html` <span class="soft">“<bdi>${move.message}</bdi>”</span>` : ''} <span class="soft">by <bdi>${move.agent}</bdi></span></li>`,
  )}${left.map((slot) => html`<li>Left <a href="/day/${day}#place-${slot}">place ${slot}</a>: no agent of yours moved there.</li>`)}</ul>`;

function cameOf({ move, outcome, held_before, evicted_by, seat }: NightMove): Markup | string {
  if (seat?.via === 'queue') return html`the queue seated you on <strong>place ${seat.slot}</strong>`;
  if (seat?.via === 'war') return html`<strong>${held_before ? 'kept it' : 'took it'}</strong>, alone`;
  if (seat) return html`<strong>${seat.via === 'holder' ? 'kept it' : 'took a seat'}</strong>`;
  if (move === 'WAR') return 'the stake burned';
  if (outcome !== 'WAR') return held_before ? 'lost it' : 'no seat';
  return evicted_by
    ? html`evicted by <a href="/identity/${evicted_by.slug}"><bdi>${evicted_by.name}</bdi></a>`
    : 'evicted';
}

export const verdictsText = ({ announcements }: Night): Markup | '' =>
  announcements.length === 0
    ? ''
    : html`<ul class="told">${announcements.map(
        ({ slot, intention, verdict }) =>
          html`<li>Announced <span class="tag ${intention}">${intention}</span> on place ${slot}: <span class="tag ${verdict}">${verdict}</span></li>`,
      )}</ul>`;

/** Of a top-up. A mail is written by a worker, which does not know whether anybody pays (undefined). */
const paidCredits = (playMoney: boolean | undefined): string =>
  playMoney === undefined ? 'credits that were topped up' : playMoney ? 'play money' : 'paid credits';

/** Which credits a night was paid from; nothing if it cost nothing. */
export function paidFrom({ lots, paid_cents }: Night, playMoney?: boolean): string {
  const sources = [
    ...lots.map(({ amount_cents, granted_at, expires_at }) => ({
      cents: amount_cents,
      what: `credits granted ${date(granted_at)}, to expire ${date(expires_at)}`,
    })),
    ...(paid_cents > 0 ? [{ cents: paid_cents, what: paidCredits(playMoney) }] : []),
  ];
  if (sources.length === 0) return '';
  return `From ${sources.map(({ cents, what }) => (sources.length > 1 ? `${what}: ${dollars(cents)}` : what)).join('; ')}.`;
}

const kinds: Readonly<Record<string, readonly [one: string, many: string]>> = {
  topup: ['top-up', 'top-ups'],
  grant: ['grant of credits', 'grants of credits'],
  expiry: ['expiry of granted credits', 'expiries of granted credits'],
  revocation: ['grant taken back by staff', 'grants taken back by staff'],
  reversal: ['top-up taken back', 'top-ups taken back'],
  restored: ['top-up restored', 'top-ups restored'],
  lapse: ['lapse of paid credits', 'lapses of paid credits'],
  writeoff: ['write-off', 'write-offs'],
  recovery: ['recovery', 'recoveries'],
};

export function transferText({ kind, count }: History['transfers'][number], playMoney: boolean): string {
  const [one, many] = (kinds[kind] ?? [kind, kind]).map((words) =>
    words.replace('paid credits', paidCredits(playMoney)),
  ) as [string, string];
  const text = `${count === 1 ? one : `${count.toLocaleString('en-US')} ${many}`}${kind === 'topup' && playMoney ? ' of play money' : ''}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
