// starters/typescript/strategy.ts · decides what the bot beside it plays. Change it. What it is given and gives: view.ts.
import { createHash } from 'node:crypto';
import type { Strategy, View } from './view.ts';

type Place = View['places'][number];
const dearest = 100; // cents for a point. The mandate of its human limits what the bot may spend; this limits what it wants to

export default {
  title: 'Careful',
  way: 'stays while a point is worth its price, and otherwise goes to one of the three cheapest free seats',
  hours: [0],
  decide(view) {
    const price = (place: Place) => (place.peace_cents ?? Infinity) / expected(view, place); // of a point
    const seats = view.places.filter((place) => place.open && others(view, place) < 2);
    const good = seats.filter((place) => price(place) <= dearest).sort((a, b) => price(a) - price(b));
    const free = good.filter((place) => !holds(view, place)).slice(0, 3);
    // by chance, since whoever copied this strategy compares the same prices
    const wanted = [...good.filter((place) => holds(view, place)), ...free.slice(Math.floor(chance(view) * free.length))];
    const paid = wanted.find(({ peace_cents }) => (peace_cents ?? 0) <= view.me.left_today_cents) ?? wanted[0];
    return { moves: paid ? [{ slot: paid.slot, move: 'PEACE' }] : [] };
  },
} satisfies Strategy;

const others = ({ me }: View, { occupants }: Place) => occupants.filter(({ account }) => account !== me.account).length;
const holds = (view: View, place: Place) => place.occupants.length > others(view, place);

/** At least 0 and below 1, the same for an account and day. */
const chance = ({ me, day }: View) => createHash('sha256').update(`${me.account} ${day}`).digest().readUInt32BE() / 2 ** 32;

/** The points that PEACE brings on a place on average, as the last seven nights went: the rent is paid in any case. */
function expected(view: View, place: Place): number {
  const { slot, points } = place;
  const week = view.nights.slice(0, 7).map(({ places, moves }) => ({
    ...places[slot - 1],
    came: moves.filter((one) => one.slot === slot && one.move === 'PEACE').length,
  }));
  const calm = week.filter(({ outcome, came }) => outcome !== 'WAR' && came > 0);
  const seats = calm.flatMap(({ occupants = [] }) => occupants.map(({ via }) => via));
  const share = (1 + calm.length) / (others(view, place) + 1 + seats.length); // of the points: one more night is as it looks now
  // A holder keeps the seat. Who comes anew may find none, and waits in the queue: so others did there, and this bot anywhere. That counts ten times: it
  // comes at its own hour, and the earliest find seats.
  const came = calm.reduce((all, night) => all + night.came, 0) - seats.filter((via) => via === 'holder').length;
  const theirs = (1 + seats.filter((via) => via === 'peace').length) / (1 + came);
  const tried = view.me.nights.filter(({ day, result }) => day > view.day - 8 && (result === 'seated' || result === 'queued'));
  const found = tried.filter(({ result }) => result === 'seated').length;
  const seat = holds(view, place) ? 1 : (theirs + 10 * found) / (1 + 10 * tried.length);
  const wars = week.filter(({ outcome }) => outcome === 'WAR').length;
  return points * share * seat * (1 - wars / 7.1); // of seven nights one WAR took all on so many
}
