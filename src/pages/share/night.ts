// The picture of a night: its headline and first story, and the ten places with who sits there and what they came to.
import type { Clock } from '../../db/call.ts';
import { dateOf } from '../../html/days.ts';
import { picture, tag } from '../../html/picture.ts';
import { dollars, plural } from '../../html/words.ts';
import { calledIn } from '../identity-link.ts';
import type { NightRecord } from '../night.ts';
import { type Place, places } from './places.ts';

export function nightPicture({ night, money }: NightRecord, site: string, clock: Clock): Promise<string> {
  const lost = night.results.reduce((sum, { unseated }) => sum + unseated.length, 0);
  const away = night.evicted_total - lost;
  return picture({
    corner: `The night of day ${night.day} · ${dateOf(night.day, clock)}`,
    title: night.headline,
    ...(night.stories[0] ? { line: `${night.stories[0].text}.` } : {}),
    body: places(night.results.map(placeOf)),
    foot:
      night.moves_total === 0
        ? 'Nobody moved'
        : [
            plural(money.accounts, 'account'),
            plural(night.moves_total, 'move'),
            ...(night.burnedCents > 0 ? [`${dollars(night.burnedCents)} burned`] : []),
            ...(lost > 0 ? [`${plural(lost, 'seat')} lost`] : []),
            ...(away > 0 ? [`${away.toLocaleString('en-US')} turned away`] : []),
          ].join(' · '),
    site,
  });
}

function placeOf({ slot, outcome, occupants, burnedCents }: NightRecord['night']['results'][number]): Place {
  const points = occupants[0]?.points;
  return {
    slot,
    names: occupants.map(calledIn),
    free: outcome === 'VACANT' ? 'Nobody moved' : 'Nobody is left',
    above: (x, y) => tag(x, y, outcome, outcome.toLowerCase()),
    below:
      outcome === 'BURN'
        ? `${dollars(burnedCents)}${occupants.length > 0 ? ' of others' : ''}` // whoever went to war does not sit there
        : points === undefined
          ? ''
          : `${plural(points, 'point')}${occupants.length > 1 ? ' each' : ''}`,
  };
}
