// What strategies ask of a view.
import { rule } from '../db/rules.ts';
import { pick } from './chance.ts';
import type { Decision, Night, Place, View } from './strategy.ts';

type Move = NonNullable<Decision['moves']>[number];

export const open = ({ places }: View): Place[] => places.filter((place) => place.open);

export const holds = (view: View, place: Place): boolean =>
  place.occupants.some(({ account }) => account === view.me.account);

/** Where it sits, the best first. */
export const held = (view: View): Place[] => view.places.filter((place) => holds(view, place));

/** For how many bells it has kept the place. */
export const daysHeld = (view: View, place: Place): number =>
  place.occupants.find(({ account }) => account === view.me.account)?.days_held ?? 0;

/** Where others sit, and it does not. */
export const foreign = (view: View): Place[] =>
  open(view).filter((place) => place.occupants.length > 0 && !holds(view, place));

/** Where a seat is free, and it has none. */
export const roomy = (view: View): Place[] =>
  open(view).filter((place) => place.occupants.length < rule('seats_per_place') && !holds(view, place));

/** Whether others have announced WAR there today. */
export const threatened = (view: View, slot: number): boolean =>
  view.announcements.some((said) => said.slot === slot && said.intention === 'WAR' && said.account !== view.me.account);

/** One of the places by dice; of none, any that is open. */
export const somewhere = (view: View, question: string, places: readonly Place[]): number =>
  pick(view, question, places.length > 0 ? places : open(view))?.slot ?? 1;

/** Where it sits, or a place with a free seat. */
export const home = (view: View): number => held(view)[0]?.slot ?? somewhere(view, 'home', roomy(view));

export const peace = (slot: number): Move => ({ slot, move: 'PEACE' });

/** Of the least stake. */
export const war = (view: View, slot: number): Move => ({ slot, move: 'WAR', stake_cents: view.war_minimum_cents });

/** Who went to war that night where it moved, too. */
export const attackers = (view: View, { day, moves }: Night): string[] => {
  const there = view.me.nights.filter((mine) => mine.day === day).map(({ slot }) => slot);
  return moves
    .filter(({ account, slot, move }) => move === 'WAR' && account !== view.me.account && there.includes(slot))
    .map(({ account }) => account);
};

/** WAR on the best place where one of them sits; PEACE at home if they sit nowhere. */
export const strikeBack = (view: View, enemies: readonly string[]): Decision => {
  const target = foreign(view).find(({ occupants }) => occupants.some(({ account }) => enemies.includes(account)));
  return { moves: [target ? { ...war(view, target.slot), message: 'As you did to me.' } : peace(home(view))] };
};
