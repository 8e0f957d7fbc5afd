// /tournaments.ics: tournaments, their sign-ups and their bells for calendars. RFC 5545; rules 10.17.
import { plural } from '../html/words.ts';
import { open } from '../http/open.ts';
import { Representation } from '../http/representation.ts';
import { practiceTitle } from '../process/practice.ts';
import type { TournamentEntry, Tournaments } from '../records/index.ts';
import { type Here, startOf } from './feeds.ts';

/** Nights that are further away are listed when they come near. */
const nightsAhead = 366;
const nightsBack = 30;
const longestLine = 75;

const text = (value: string): string => value.replace(/[\\;,]/g, '\\$&').replace(/\r\n|[\r\n]/g, '\\n');
const instant = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '');
const dateOf = (at: Date): string => instant(at).slice(0, 8);

/** A line of at most 75 octets; what is longer goes on after a space on the next one. No character is cut in two. */
function folded(line: string): string {
  const lines = [''];
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > longestLine) {
      lines.push(' ');
      octets = 1;
    }
    lines[lines.length - 1] += character;
    octets += size;
  }
  return lines.join('\r\n');
}

function eventsOf(base: string, t: TournamentEntry, today: number): string[] {
  const page = `${base}/tournaments/${t.slug}`;
  const host = new URL(base).hostname;
  // The same each time, for readers that compare: a tournament's days stay once its sign-ups have opened.
  const stamp = instant(startOf(t, t.opens_day));
  const event = (uid: string, when: readonly string[], summary: string, description: string, url = page) => [
    'BEGIN:VEVENT',
    `UID:${uid}.${t.slug}@${host}`,
    `DTSTAMP:${stamp}`,
    ...when,
    `SUMMARY:${text(summary)}`,
    `DESCRIPTION:${text(description)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    ...(t.phase === 'cancelled' ? ['STATUS:CANCELLED'] : []),
    'END:VEVENT',
  ];
  const days = (from: number, to: number) => [
    `DTSTART;VALUE=DATE:${dateOf(startOf(t, from))}`,
    `DTEND;VALUE=DATE:${dateOf(startOf(t, to + 1))}`,
  ];
  const first = Math.max(t.starts_day, today - nightsBack);
  const last = Math.min(t.ends_day, today + nightsAhead);
  return [
    ...event(
      'sign-up',
      days(t.opens_day, t.sign_ups_close_day),
      `${t.name}: sign-ups`,
      `Sign-ups are open from day ${t.opens_day} to the end of day ${t.sign_ups_close_day}, UTC. ${page}`,
    ),
    ...event(
      'tournament',
      days(t.starts_day, t.ends_day),
      t.name,
      `${t.tagline === '' ? '' : `${t.tagline}\n`}${plural(t.nights, 'night')} on Hill, each decided by its bell at 00:00 UTC. ${page}`,
    ),
    ...Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i).flatMap((day) =>
      event(
        `night-${day}`,
        [`DTSTART:${instant(startOf(t, day + 1))}`],
        `${t.name}: bell of night ${day - t.starts_day + 1} of ${t.nights}`,
        `The bell of day ${day}.`,
        day < today ? `${base}/day/${day}` : page,
      ),
    ),
  ];
}

export function calendar({ site, links }: Here, { day, tournaments }: Tournaments): Representation {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hill//Tournaments//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${practiceTitle(links.practice)}Hill: tournaments`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    ...tournaments.flatMap((tournament) => eventsOf(site, tournament, day)),
    'END:VCALENDAR',
  ];
  return new Representation('text/calendar; charset=utf-8', `${lines.map(folded).join('\r\n')}\r\n`, { fields: open });
}
