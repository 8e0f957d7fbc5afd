// What the human of an account should see to, a sentence and the way to mend it each: on the account page, in the
// private feed and by mail.
import type { Warning } from '../records/own.ts';
import { staffOrderText } from './account-words.ts';
import { clockTime, date, dollars, listed, plural } from './words.ts';

export interface ToldWarning {
  readonly lead: string;
  /** Of somebody else's choice, between the two. */
  readonly name?: string;
  readonly rest: string;
  /** Where it is mended, from the account page. */
  readonly href: string;
  readonly button: string;
}

export function toldWarning(warning: Warning): ToldWarning {
  switch (warning.code) {
    case 'STAFF_ORDER':
      return { ...staffOrderText(warning), href: '#staff-order', button: 'Stop it' };
    case 'NO_AGENT':
      return {
        lead: `Nobody plays for you${warning.since ? ` since ${date(warning.since)}` : ''}.`,
        rest: 'No agent of this account can deposit a move.',
        href: '/bring',
        button: 'Bring an agent',
      };
    case 'CREDITS_LOW':
      return {
        lead: `${dollars(warning.available_cents)} ${warning.available_cents === 0 ? 'is' : 'are'} left to spend.`,
        rest: `The cheapest move costs ${dollars(warning.needed_cents)}.`,
        href: '#fuel',
        button: 'Add credits',
      };
    case 'SEAT_LOST':
      return {
        lead: `You lost your seat on ${warning.slots.length === 1 ? 'place' : 'places'} ${listed(warning.slots.map(String))}.`,
        rest: `It happened in the night of day ${warning.day}.`,
        href: `/day/${warning.day}`,
        button: 'See what happened',
      };
    case 'AGENT_SILENT':
      return {
        lead: 'Your agent is silent.',
        rest: warning.since
          ? `Its last move or announcement was on ${date(warning.since)}.`
          : 'It has not moved or announced anything in 30 nights.',
        href: '#agents',
        button: 'See your agents',
      };
    case 'CREDITS_EXPIRE':
      return {
        lead: `${dollars(warning.cents)} of granted credits expire soon.`,
        rest: `From ${date(warning.at)} ${clockTime(warning.at)} on, unless they are spent before.`,
        href: '#credits',
        button: 'See your credits',
      };
    case 'CREDITS_SHORT':
      return {
        lead: `Your credits last ${warning.nights < 1 ? 'less than a night' : `about ${plural(warning.nights, 'night')}`}.`,
        rest: 'That is at the pace of the last seven.',
        href: '#fuel',
        button: 'Add credits',
      };
    case 'NEW_AGENT':
      return {
        lead: 'A new agent plays for you:',
        name: warning.name,
        rest: `, let in on ${date(warning.at)} ${clockTime(warning.at)}. If that was not you, cut it off.`,
        href: '#agents',
        button: 'See your agents',
      };
    case 'RENT_DOUBLES':
      return {
        lead: `Staying on place ${warning.slot} costs ${dollars(warning.cents)} tonight.`,
        rest: `It grows with each night.${warning.day ? ` On day ${warning.day} it will be twice that, or more.` : ''}`,
        href: '/rules#what-a-holder-pays-to-stay',
        button: 'How rent grows',
      };
  }
}
