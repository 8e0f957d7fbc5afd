// What strategies see: the public hill, made once a night for all, and of each account its own part.
import { type Night, sight, type View } from '../strategies/strategy.ts';

type Own = Omit<View['me'], 'nights'>;
type OwnNight = View['me']['nights'][number];
type Place = View['places'][number];
type Announcement = View['announcements'][number];

/** See lab.night. */
export interface NightRecord {
  readonly day: number;
  readonly places: readonly (Night['places'][number] & { readonly burned_cents: number })[];
  readonly moves: readonly PlayedMove[];
  readonly announcements: Night['announcements'];
}

interface PlayedMove {
  readonly account: string;
  readonly slot: number;
  readonly move: 'PEACE' | 'WAR';
  readonly stake_cents: number | null;
  /** What it was charged. */
  readonly cents: number;
  /** At how many bells it had kept the place; null for a challenger. */
  readonly days_held: number | null;
  readonly result: OwnNight['result'];
}

/** See lab.places. */
export type PlacesRecord = readonly Omit<Place, 'peace_cents'>[];

/** A view without the board, which is made when a strategy reads it. */
export type BoardlessView = Omit<View, 'leaders'>;

export interface Prices {
  readonly rents_cents: number[];
  readonly war_minimum_cents: number;
}

/** What is asked once of a world: it holds for all its nights. */
export const pricesOf = `
  select (select jsonb_agg(engine.move_cents('PEACE', 0, d) order by d) from generate_series(0, 60) d) as rents_cents,
         engine.war_minimum_cents() as war_minimum_cents`;

export class Sight {
  readonly #prices: Prices;
  #nights: Night[] = [];
  #places: Place[] = [];
  readonly #own = new Map<string, OwnNight[]>();

  constructor(prices: Prices) {
    this.#prices = frozen(prices);
  }

  /** After a bell; null before the first one. */
  take(night: NightRecord | null, places: PlacesRecord): void {
    const [peace_cents = 0] = this.#prices.rents_cents;
    this.#places = frozen(places.map((place) => ({ ...place, peace_cents: place.open ? peace_cents : null })));
    if (!night) return;
    const seen: Night = {
      day: night.day,
      places: night.places.map(({ slot, outcome, occupants }) => ({ slot, outcome, occupants })),
      moves: night.moves
        .slice(0, sight.moves)
        .map(({ account, slot, move, stake_cents }) => ({ account, slot, move, stake_cents })),
      announcements: night.announcements.slice(0, sight.announcements),
    };
    this.#nights = Object.freeze([frozen(seen), ...this.#nights].slice(0, sight.nights)) as Night[];
    for (const { account, slot, move, cents, result } of night.moves) {
      const before = this.#own.get(account)?.filter(({ day }) => day > night.day - sight.nights) ?? [];
      this.#own.set(account, [{ day: night.day, slot, move, cents, result }, ...before]);
    }
  }

  /** What is seen of the nights so far, to go on from in two ways. */
  copy(): Sight {
    const copy = new Sight(this.#prices);
    copy.#nights = this.#nights;
    copy.#places = this.#places;
    for (const [account, nights] of this.#own) copy.#own.set(account, nights);
    return copy;
  }

  /** Says which places are open today, where the hill that is seen does not know. */
  open(slots: readonly number[]): void {
    const [peace_cents = 0] = this.#prices.rents_cents;
    this.#places = this.#places.map((place) => {
      const open = slots.includes(place.slot);
      return { ...place, open, peace_cents: open ? peace_cents : null };
    });
  }

  view(
    day: number,
    hour: number,
    me: Own,
    announcements: readonly Announcement[],
    advice: View['advice'],
  ): BoardlessView {
    const first = day - sight.nights;
    return {
      day,
      hour,
      me: { ...frozen(me), nights: this.#own.get(me.account)?.filter((night) => night.day >= first) ?? [] },
      places: this.#places.map((place) => this.#asSeenBy(me.account, place)),
      announcements: frozen(announcements).filter(({ account }) => account !== me.account),
      nights: this.#nights,
      war_minimum_cents: this.#prices.war_minimum_cents,
      advice,
    };
  }

  #asSeenBy(account: string, place: Place): Place {
    const held = place.occupants.find((occupant) => occupant.account === account)?.days_held;
    return held === undefined ? place : { ...place, peace_cents: this.#prices.rents_cents[held] ?? null };
  }
}

/** Views share it: who would change it changes what others see. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}
