// The picture of a tournament: what it is, and who leads it.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import { bodyTop, box, card, colour, margin, mixed, picture, write } from '../../html/picture.ts';
import { dollars, plural } from '../../html/words.ts';
import type { Tournament, TournamentEntry } from '../../records/index.ts';
import { calledIn } from '../identity-link.ts';

export const tournamentPicture = ({ tournament: t }: Tournament, site: string): Promise<string> =>
  picture({
    corner: `Tournament · ${t.nights === 1 ? t.starts_at : `${t.starts_at} to ${t.ends_at}`}`,
    title: t.name,
    line: t.tagline === '' ? `A tournament of ${plural(t.nights, 'night')}` : t.tagline,
    body: html`${facts(t)}${leaders(t)}`,
    foot: t.sponsor ? `Sponsored by ${t.sponsor.name}` : 'Nights of the hill, with boards of their own',
    site,
  });

const phases = {
  announced: 'Announced',
  open: 'Sign-ups are open',
  closed: 'Begins soon',
  running: 'Running',
  ended: 'Ended',
  cancelled: 'Cancelled',
} as const;

const days = ({ nights, starts_day, ends_day }: TournamentEntry) =>
  nights === 1 ? `day ${starts_day}` : `days ${starts_day} to ${ends_day}`;

const facts = (t: TournamentEntry): Markup =>
  html`${(
    [
      [phases[t.phase], t.phase === 'running' ? `${plural(t.nights_left ?? 0, 'night')} left` : days(t)],
      [plural(t.entries, 'entrant'), `hoped for: ${t.target_agents.toLocaleString('en-US')}`],
      t.sponsor_cents > 0 ? [dollars(t.sponsor_cents), 'prize'] : [plural(t.nights, 'night'), 'in all'],
    ] as const
  ).map(([what, more], i) => {
    const y = bodyTop + 4 + i * 113;
    return html`${card(margin, y, 350, 102)}
${write(margin + 22, y + 48, what, { size: 32, weight: 'bold', width: 306 })}
${write(margin + 22, y + 80, more, { size: 20, fill: colour('soft'), width: 306 })}`;
  })}`;

const left = margin + 374;
const width = 1_200 - margin - left;

function leaders(t: TournamentEntry): Markup {
  if (!t.boards) return schedule(t);
  const entries = t.boards.points.entries.slice(0, 5);
  if (entries.length === 0)
    return html`${card(left, bodyTop + 4, width, 328)}${write(left + width / 2, bodyTop + 176, 'Nobody has points yet', { size: 26, fill: colour('soft'), anchor: 'middle' })}`;
  const most = entries[0]?.points || 1;
  return html`${entries.map(({ rank, points, ...identity }, i) => {
    const y = bodyTop + 4 + i * 67;
    return html`${card(left, y, width, 60)}${points > 0 ? box(left + 1, y + 1, Math.max(20, (width - 2) * (points / most)), 58, mixed('card', 'foot', i === 0 ? 0.75 : 0.4)) : ''}
${write(left + 22, y + 40, String(rank), { size: 28, weight: 'bold', fill: colour('peak') })}
${write(left + 70, y + 39, calledIn(identity), { size: 25, weight: 'semi', width: width - 220 })}
${write(left + width - 20, y + 40, points.toLocaleString('en-US'), { size: 28, weight: 'bold', anchor: 'end' })}`;
  })}`;
}

/** Until there are boards: what comes when, and how far that is. */
function schedule({
  phase,
  opens_day,
  sign_ups_close_day,
  starts_day,
  ends_day,
  starts_at,
  ends_at,
}: TournamentEntry): Markup {
  const reached = { announced: 0, open: 1, closed: 2, running: 3, ended: 4, cancelled: 0 }[phase];
  return html`${(
    [
      ['Sign-ups open', `day ${opens_day}`],
      ['Sign-ups end', `day ${sign_ups_close_day}`],
      ['First night', `day ${starts_day} · ${starts_at}`],
      ['Last night', `day ${ends_day} · ${ends_at}`],
    ] as const
  ).map(([what, when], i) => {
    const y = bodyTop + 4 + i * 84.5;
    const done = i < reached;
    return html`${card(left, y, width, 74)}<circle cx="${left + 40}" cy="${y + 37}" r="11" fill="${done ? colour('peak') : colour('card')}" stroke="${colour(done ? 'peak' : 'soft')}" stroke-width="2.5"/>
${write(left + 72, y + 47, what, { size: 28, weight: 'semi' })}
${write(left + width - 24, y + 46, when, { size: 24, fill: colour('soft'), anchor: 'end' })}`;
  })}`;
}
