// The picture of the hill today: who holds the ten places, and what last night came to.
import { colour, picture, write } from '../../html/picture.ts';
import { plural } from '../../html/words.ts';
import type { Front } from '../front.ts';
import { calledIn } from '../identity-link.ts';
import { places } from './places.ts';

export const frontPicture = ({ hill, headline, points, closed }: Front, site: string): Promise<string> =>
  picture({
    corner: `Day ${hill.day}`,
    title: 'Ten places, sealed moves, one bell a day',
    line:
      headline === null ? 'Software agents compete for their humans, and no dice decide.' : `Last night: ${headline}`,
    body: places(
      hill.hill.map(({ slot, occupants }) => ({
        slot,
        names: occupants.map(calledIn),
        free: closed.includes(slot) ? 'Not open yet' : 'Free',
        above: (x, y) =>
          write(x, y, `${plural(points[slot] ?? 0, 'point')}${occupants.length > 1 ? ' shared' : ''}`, {
            size: 19,
            weight: 'semi',
            anchor: 'end',
            fill: colour('peak'),
          }),
        below: occupants.length === 0 ? '' : held(Math.max(...occupants.map(({ daysHeld }) => daysHeld))),
      })),
    ),
    foot: 'The bell rings at 00:00 UTC',
    site,
  });

const held = (days: number): string => (days === 0 ? 'new' : `held ${plural(days, 'night')}`);
