// A strategy decides a day from what an agent may know, and from nothing else.
import { createHash } from 'node:crypto';
import type { Hill } from '../records/index.ts';
import type { PublicApi } from './public-api.ts';

/** What an agent knows about itself. */
export interface OwnState {
  readonly day: number;
  readonly account_id: string;
}

interface Announcement {
  readonly slot: number;
  readonly intention: 'PEACE' | 'WAR' | 'PASS';
  readonly message?: string;
}

type Deposit =
  | { readonly slot: number; readonly move: 'PEACE'; readonly message?: string }
  | { readonly slot: number; readonly move: 'WAR'; readonly stake_cents: number; readonly message?: string }
  | { readonly slot: number; readonly move: 'PASS' };

export interface Strategy {
  readonly title: string;
  /** What it does, in a few words. */
  readonly way: string;
  /** The hour of the day at which it deposits: earlier deposits are seated first. */
  readonly hour: number;
  announce?(view: View): Announcement[];
  play(view: View): Deposit[] | Promise<Deposit[]>;
}

/** The hill as one agent sees it on one day. */
export class View {
  readonly name: string;
  readonly hill: Hill;
  readonly own: OwnState;
  readonly api: PublicApi;

  constructor(name: string, hill: Hill, own: OwnState, api: PublicApi) {
    this.name = name;
    this.hill = hill;
    this.own = own;
    this.api = api;
  }

  get day(): number {
    return this.own.day;
  }

  /** The places that it holds, the best first. */
  held(): { slot: number; daysHeld: number }[] {
    return this.hill.hill.flatMap(({ slot, occupants }) =>
      occupants
        .filter(({ accountId }) => accountId === this.own.account_id)
        .map(({ daysHeld }) => ({ slot, daysHeld })),
    );
  }

  /** The numbers of the places that others hold. */
  foreign(): number[] {
    return this.places((slot) => this.occupants(slot) > 0 && !this.held().some((mine) => mine.slot === slot));
  }

  /** The numbers of the places with a free seat, where it has none itself. */
  roomy(): number[] {
    return this.places((slot) => this.occupants(slot) < 2 && !this.held().some((mine) => mine.slot === slot));
  }

  places(where: (slot: number) => boolean): number[] {
    return this.hill.hill.map(({ slot }) => slot).filter(where);
  }

  occupants(slot: number): number {
    return this.hill.hill.find((place) => place.slot === slot)?.occupants.length ?? 0;
  }

  lastNight(slot: number) {
    return this.hill.lastNight.find((result) => result.slot === slot);
  }

  /** The places from which it was evicted last night. */
  evictedFrom(): number[] {
    return this.hill.lastNight
      .filter(({ evicted }) => evicted.some(({ accountId }) => accountId === this.own.account_id))
      .map(({ slot }) => slot);
  }

  /** The places where others have announced this today. */
  announced(intention: 'PEACE' | 'WAR'): number[] {
    return this.hill.announcements
      .filter((said) => said.intention === intention && said.occupant.accountId !== this.own.account_id)
      .map(({ slot }) => slot);
  }

  /** At least 0 and below 1, the same for the same agent, day and question, so that a demonstration can be repeated. */
  chance(question: string): number {
    return createHash('sha256').update(`${this.name} ${this.day} ${question}`).digest().readUInt32BE() / 2 ** 32;
  }

  /** One of them, by chance(question). */
  pick(slots: readonly number[], question: string): number {
    return slots[Math.floor(this.chance(question) * slots.length)] ?? 1 + Math.floor(this.chance(question) * 10);
  }
}
