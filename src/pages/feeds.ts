// Atom feeds of nights, of an identity and of a tournament. RFC 4287; rules 10.17.
import { html } from 'hono/html';
import type { Clock } from '../db/call.ts';
import { atom, atomType, type Entry, type Feed, tag } from '../html/atom.ts';
import { bellOf } from '../html/days.ts';
import type { Markup } from '../html/layout.ts';
import { storyList } from '../html/stories.ts';
import { dollars, listed, plural } from '../html/words.ts';
import { open } from '../http/open.ts';
import { Representation } from '../http/representation.ts';
import type { IdentityRecord, TournamentEntry } from '../records/index.ts';
import type { NightBrief } from '../records/night-brief.ts';
import { calledIn } from './identity-link.ts';
import { namesOf } from './outcomes.ts';
import type { Serving } from './serving.ts';

/** The hill whose feed it is. */
export type Here = Pick<Serving, 'site' | 'links'>;

const published = async ({ links }: Here, feed: Omit<Feed, 'practice'>): Promise<Representation> =>
  new Representation(atomType, await atom({ ...feed, practice: links.practice }), { fields: open });

const outcomes = { VACANT: 'nobody moved', PEACE: 'peace', WAR: 'war' } as const;

const summed = ({ stories, accounts, moves, burnedCents }: NightBrief): string =>
  `${stories.map(({ text }) => `${text}. `).join('')}${plural(moves, 'move')} of ${plural(accounts, 'account')}${burnedCents > 0 ? `; ${dollars(burnedCents)} of stakes burned` : ''}.`;

const placesOf = (base: string, { places }: NightBrief): Markup =>
  html`<ul>${places.map(
    ({ slot, outcome, warCount, burnedCents, burned, occupants }) =>
      html`<li>Place ${slot}: ${outcome === 'BURN' ? html`${namesOf(burned, warCount)} went to war, and ${dollars(burnedCents)} burned` : outcomes[outcome]}. ${
        occupants.length === 0
          ? 'Nobody sits there now.'
          : html`Now there: ${occupants.map(
              ({ daysHeld, ...identity }, i) =>
                html`${i > 0 ? ', ' : ''}<a href="${base}/identity/${identity.slug}">${calledIn(identity)}</a>${daysHeld === 0 ? ' (new)' : ''}`,
            )}`
      }</li>`,
  )}</ul>`;

const nightEntry = (base: string, night: NightBrief): Entry => ({
  id: `${base}/day/${night.day}`,
  at: night.bellAt,
  title: `Night ${night.day}: ${night.headline}`,
  link: `${base}/day/${night.day}`,
  summary: summed(night),
  content: html`${storyList(night.stories, base)}${placesOf(base, night)}`,
});

export const nightsFeed = (here: Here, nights: readonly NightBrief[], clock: Clock): Promise<Representation> =>
  published(here, {
    id: `${here.site}/nights.atom`,
    self: `${here.site}/nights.atom`,
    page: `${here.site}/`,
    title: 'Hill: nights',
    subtitle: 'Ten places, sealed moves, one bell a day: what each bell decided.',
    author: 'Hill',
    since: bellOf(clock.day - 1, clock),
    entries: nights.map((night) => nightEntry(here.site, night)),
  });

/** A night of an identity: what it played, said and came to hold. Its announcements for tonight are on its page. */
export function identityFeed(here: Here, identity: IdentityRecord, clock: Clock): Promise<Representation> {
  const base = here.site;
  const { accountId, slug, name, record, day: last } = identity;
  const page = `${base}/identity/${slug}`;
  const days = [...new Set(record.map(({ day }) => day))].filter((day) => day <= last);
  return published(here, {
    id: `urn:uuid:${accountId}`,
    self: `${page}.atom`,
    page,
    title: `${name} on Hill`,
    subtitle: `What ${name} said and what it played, a night at a time.`,
    author: name,
    since: identity.since,
    entries: days.map((day): Entry => {
      const lines = record.filter((line) => line.day === day);
      const points = lines.reduce((sum, { seat }) => sum + (seat?.points ?? 0), 0);
      const held = lines.flatMap(({ slot, seat }) => (seat ? [String(slot)] : []));
      return {
        id: tag(base, `identity/${accountId}/night/${day}`),
        at: bellOf(day, clock),
        title: `Night ${day}: ${
          held.length > 0
            ? `${held.length === 1 ? 'place' : 'places'} ${listed(held)}, ${plural(points, 'point')}`
            : lines.some(({ played }) => played)
              ? 'no seat'
              : 'announced, and did not play'
        }`,
        link: `${base}/day/${day}`,
        summary: lines.map(lineOf).join(' '),
      };
    }),
  });
}

function lineOf({ slot, outcome, said, played, seat }: IdentityRecord['record'][number]): string {
  const parts = [
    ...(said ? [`announced ${said.intention}${said.verdict ? ` (${said.verdict})` : ''}`] : []),
    ...(played ? [`played ${played.move} for ${dollars(played.cost_cents)}`] : []),
    ...(outcome ? [`outcome ${outcome}`] : []),
    seat ? `${seat.daysHeld === 0 ? 'took' : 'kept'} the place` : 'no seat',
  ];
  return `Place ${slot}: ${parts.join(', ')}.`;
}

/** The date of a day, as UTC midnight at which it begins. */
export const startOf = ({ starts_day, starts_at }: TournamentEntry, day: number): Date =>
  new Date(Date.parse(`${starts_at}T00:00:00Z`) + (day - starts_day) * 86_400_000);

export function tournamentFeed(
  here: Here,
  { tournament: t, nights }: { tournament: TournamentEntry; nights: readonly NightBrief[] },
): Promise<Representation> {
  const base = here.site;
  const page = `${base}/tournaments/${t.slug}`;
  const begun = ['open', 'closed', 'running', 'ended'].includes(t.phase);
  return published(here, {
    id: `${page}.atom`,
    self: `${page}.atom`,
    page,
    title: `${t.name} on Hill`,
    subtitle: t.tagline === '' ? `A tournament of ${plural(t.nights, 'night')}.` : t.tagline,
    author: 'Hill',
    since: startOf(t, t.opens_day).toISOString(),
    entries: [
      ...nights.map(
        (night): Entry => ({
          ...nightEntry(base, night),
          id: tag(base, `tournament/${t.slug}/night/${night.day}`),
          title: `${t.name}, night ${night.day - t.starts_day + 1} of ${t.nights}. ${night.headline}`,
        }),
      ),
      ...(t.cancelled_day === null
        ? []
        : [
            {
              id: tag(base, `tournament/${t.slug}/cancelled/${t.cancelled_day}`),
              at: startOf(t, t.cancelled_day).toISOString(),
              title: `${t.name} is cancelled`,
              link: page,
              summary: 'It does not take place. What its codes have granted stays.',
            },
          ]),
      ...(begun
        ? [
            {
              id: tag(base, `tournament/${t.slug}/open`),
              at: startOf(t, t.opens_day).toISOString(),
              title: `${t.name}: sign-ups are open`,
              link: page,
              summary: `Sign-ups to the end of day ${t.sign_ups_close_day}; nights ${t.starts_day} to ${t.ends_day} count.`,
            },
          ]
        : []),
    ],
  });
}
