// What the human should see to, above everything else on the account page: a sentence each, with the way to mend it.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { clockTime, date, dollars, listed, plural } from '../../html/words.ts';
import type { Warning } from '../records.ts';

type Told = readonly [text: Markup | string, href: string, button: string];

export const warningsSection = (warnings: readonly Warning[]): Markup | '' =>
  warnings.length === 0
    ? ''
    : html`<section aria-label="What to see to">${warnings.map((warning) => {
        const [text, href, button] = told(warning);
        return html`<div class="notice warning ${warning.grave ? 'bad' : ''}"><p>${text}</p><p><a class="button plain" href="${href}">${button}</a></p></div>`;
      })}</section>`;

function told(warning: Warning): Told {
  switch (warning.code) {
    case 'NO_AGENT':
      return [
        html`<strong>Nobody plays for you</strong>${warning.since ? ` since ${date(warning.since)}` : ''}: no agent of this account can deposit a move.`,
        '/bring',
        'Bring an agent',
      ];
    case 'CREDITS_LOW':
      return [
        html`<strong>${dollars(warning.available_cents)} ${warning.available_cents === 0 ? 'is left' : 'left'} to spend.</strong> The cheapest move costs ${dollars(warning.needed_cents)}.`,
        '#fuel',
        'Add credits',
      ];
    case 'SEAT_LOST':
      return [
        html`<strong>You lost your seat on ${places(warning.slots)}</strong> in the night of day ${warning.day}.`,
        `/day/${warning.day}`,
        'See what happened',
      ];
    case 'AGENT_SILENT':
      return [
        html`<strong>Your agent is silent.</strong> ${warning.since ? `Its last move or announcement was on ${date(warning.since)}.` : 'It has not moved or announced anything in 30 nights.'}`,
        '#agents',
        'See your agents',
      ];
    case 'CREDITS_EXPIRE':
      return [
        html`<strong>${dollars(warning.cents)} of granted credits expire</strong> from ${date(warning.at)} ${clockTime(warning.at)} on, unless they are spent before.`,
        '#credits',
        'See your credits',
      ];
    case 'CREDITS_SHORT':
      return [
        html`<strong>Your credits last ${warning.nights < 1 ? 'less than a night' : `about ${plural(warning.nights, 'night')}`}</strong> at the pace of the last seven.`,
        '#fuel',
        'Add credits',
      ];
    case 'NEW_AGENT':
      return [
        html`<strong>A new agent plays for you:</strong> <bdi>${warning.name}</bdi>, let in on ${date(warning.at)} ${clockTime(warning.at)}. If that was not you, cut it off.`,
        '#agents',
        'See your agents',
      ];
    case 'RENT_DOUBLES':
      return [
        html`<strong>Staying on place ${warning.slot} costs ${dollars(warning.cents)} tonight</strong> and grows with each night.${warning.day ? ` On day ${warning.day} it will be more than twice that.` : ''}`,
        '/rules#what-a-holder-pays-to-stay',
        'How rent grows',
      ];
  }
}

const places = (slots: readonly number[]): string =>
  `${slots.length === 1 ? 'place' : 'places'} ${listed(slots.map(String))}`;
