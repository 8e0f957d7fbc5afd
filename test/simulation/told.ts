// What agents and the public are told, held against the model.
import { same } from './compare.ts';
import {
  bellAt,
  granted,
  type Member,
  type Model,
  type Moment,
  type Published,
  reputation,
  reserved,
  weeklyLeft,
} from './model.ts';
import { paidCents } from './money.ts';

export interface Said {
  readonly by: string;
  readonly slot: number;
  readonly intention: string;
  readonly message?: string | null;
}

const memberOf = (model: Model, agent: string): Member => model.members[model.agents[agent]?.of as string] as Member;

export type SaidIn = 'move' | 'announcement';
interface Spoken {
  readonly saidIn: SaidIn;
  readonly day: number | bigint;
  readonly member: string;
  readonly slot: number | bigint;
}
export const hiddenProfile = (member: string): string => `profile ${member}`;
export const hiddenWords = ({ saidIn, day, member, slot }: Spoken): string => `${saidIn} ${day} ${member} ${slot}`;
/** What everybody reads of it. */
const read = (model: Model, of: Spoken, message: string | null): string | null =>
  message === null || model.members[of.member]?.closed
    ? null
    : hiddenWords(of) in model.hidden
      ? '[hidden by staff]'
      : message;

/** What it is called today. */
export const nameOf = (model: Model, member: string): string =>
  model.names[member] ?? (isDrawn(member) ? `Account ${member}` : member);
/** Whoever signed in has a name that is drawn, until an agent comes: then it is named by the member. */
const isDrawn = (member: string): boolean => member.includes('.');
/** The last part of its address. Null where the hill has drawn it. */
export const slugOf = ({ identity }: Model, member: string): string | null =>
  !isDrawn(member) ? member : member in identity.named ? `account-${member.replace('.', '-')}` : null;
/** How an account is named to others; one that is closed has nothing left that tells who it was. */
export const shown = (model: Model, member: string): string =>
  model.members[member]?.closed ? 'closed' : hiddenProfile(member) in model.hidden ? 'hidden' : member;
export const known = (slug: string): string =>
  /^(closed|hidden)-/.exec(slug)?.[1] ?? slug.replace(/^account-(h\d+)-(\d+)$/, '$1.$2');
const names = (people: readonly { readonly slug: string }[]): string[] => people.map(({ slug }) => known(slug)).sort();

/** What was announced today, as all are told. */
export const saidToday = (model: Model, { today }: Moment): Said[] =>
  Object.entries(model.members).flatMap(([name, { announced }]) =>
    Object.entries(announced)
      .filter(([key]) => key.startsWith(`${today}.`))
      .map(([key, { intention, message }]) => {
        const slot = Number(key.split('.')[1]);
        const said = { saidIn: 'announcement', day: today, member: name, slot } as const;
        return { by: shown(model, name), slot, intention, message: read(model, said, message ?? null) };
      }),
  );
export const inOrder = (said: readonly Said[]): string[] =>
  said.map(({ by, slot, intention, message }) => JSON.stringify([known(by), slot, intention, message ?? null])).sort();

/** What happened on the last night, by place. */
const placesOf = (model: Model) =>
  model.told?.night.slots.map(({ slot, outcome, peace_count, war_count, burned_cents, occupants, evicted }) => ({
    ...{ slot, outcome, peace: peace_count, war: war_count, burned: Number(burned_cents) },
    occupants: occupants.map(({ account }) => shown(model, account)).sort(),
    evicted: evicted.map((account) => shown(model, account)).sort(),
  }));

export interface Whoami {
  readonly account: {
    readonly slug: string;
    readonly suspended: boolean;
    readonly reputation: number;
    readonly mandate: object;
    readonly credits: object;
  };
  readonly day: number;
}
function toldMandate(model: Model, today: number, member: Member) {
  const due = today > model.lastNight + 1;
  const left = Math.max(0, weeklyLeft(model, member) - (due ? 0 : reserved(member)));
  return {
    ...{ daily_cap_cents: member.dailyCap, max_stake_cents: member.maxStake },
    ...(member.weeklyCap === null ? {} : { weekly_cap_cents: member.weeklyCap, weekly_left_cents: left }),
    ...(today < member.pausedUntil
      ? { paused_until: new Date(bellAt(member.pausedUntil - 1)).toISOString().replace('Z', '000Z') }
      : {}),
  };
}

export function toldWhoami(model: Model, { today }: Moment, agent: string, told: Whoami): void {
  const member = memberOf(model, agent);
  const { slug, suspended, mandate, credits } = told.account;
  const [paid, gift, kept] = [paidCents(member), granted(member), reserved(member)];
  same(
    `${agent} asks who it is`,
    { day: told.day, slug: known(slug), suspended, mandate, credits, reputation: told.account.reputation },
    {
      ...{ day: today, slug: shown(model, model.agents[agent]?.of as string), suspended: member.suspended },
      mandate: toldMandate(model, today, member),
      credits: { granted_cents: gift, paid_cents: paid, reserved_cents: kept, available_cents: gift + paid - kept },
      reputation: reputation(member, model.lastNight + 1),
    },
  );
}

export interface AgentsNight {
  readonly day: number;
  /** Of SQL alone. */
  readonly bell_at?: string;
  readonly burned_cents: number;
  readonly places: readonly {
    readonly slot: number;
    readonly outcome: string;
    readonly peace_count: number;
    readonly war_count?: number;
    readonly burned_cents?: number;
    readonly occupants: readonly { readonly slug: string }[];
    readonly evicted?: readonly string[];
    readonly evicted_total?: number;
  }[];
  readonly mine: {
    readonly moves: readonly {
      slot: number;
      move: string;
      stake_cents?: number;
      message?: string;
      cost_cents: number;
    }[];
    readonly seats: readonly { slot: number; via: string; days_held: number; points: number }[];
    readonly points: number;
    readonly paid_cents: number;
    readonly granted_cents: number;
  };
}

/** The last night: what all are told of it, and what its own account is told beside. */
export function toldNight(
  model: Model,
  agent: string,
  { day, bell_at, burned_cents, places, mine }: AgentsNight,
): void {
  const whole = bell_at !== undefined; // a tool counts the evicted, and those at war only where they burned
  const { night, paid } = model.told as Published;
  const member = model.agents[agent]?.of as string;
  const seats = night.slots.flatMap(({ slot, occupants }) =>
    occupants
      .filter(({ account }) => account === member)
      .map(({ via, days_held, points }) => ({ slot, via, days_held: Number(days_held), points })),
  );
  same(
    `${agent} asks for the night`,
    {
      ...{ day, burned_cents, seats: mine.seats, points: mine.points },
      ...{ paid: mine.paid_cents, granted: mine.granted_cents },
      places: places.map(
        ({ slot, outcome, peace_count, war_count, burned_cents, occupants, evicted, evicted_total }) => ({
          ...{ slot, outcome, peace: peace_count, war: war_count, burned: burned_cents ?? 0 },
          occupants: names(occupants),
          evicted: whole ? (evicted ?? []).map(known).sort() : (evicted_total ?? 0),
        }),
      ),
      moves: mine.moves.map(({ slot, move, message, cost_cents }) => [slot, move, cost_cents, message ?? null]),
    },
    {
      ...{ day: night.day, burned_cents: burnedIn(model), seats },
      places: placesOf(model)?.map(({ war, evicted, ...place }) => ({
        ...place,
        war: whole || place.outcome === 'BURN' ? war : undefined,
        evicted: whole ? evicted : evicted.length,
      })),
      points: seats.reduce((sum, { points }) => sum + points, 0),
      ...{ paid: paid[member]?.paid ?? 0, granted: paid[member]?.granted ?? 0 },
      moves: movesOf(model)
        .filter(({ of }) => of === member)
        .map(({ slot, move, cost, message }) => [slot, move, cost, message]),
    },
  );
}

const burnedIn = ({ told }: Model): number =>
  told?.night.slots.reduce((sum, { burned_cents }) => sum + Number(burned_cents), 0) ?? 0;
/** All moves of the last night. What was withdrawn or replaced is not among them. */
const movesOf = (model: Model, of: Published | null | undefined = model.told) =>
  (of?.night.charges ?? [])
    .map(({ account, slot, move, cents }) => ({
      ...{ of: account, slot, move, cost: Number(cents) },
      message: read(
        model,
        { saidIn: 'move', day: of?.night.day ?? 0, member: account, slot },
        of?.messages[`${account}.${slot}`] ?? null,
      ),
    }))
    .sort((a, b) => a.slot - b.slot);

export interface PublicHill {
  readonly day: number;
  readonly announcements: readonly (Omit<Said, 'by'> & { readonly occupant: { readonly slug: string } })[];
  readonly hill: readonly {
    readonly slot: number;
    readonly occupants: readonly { readonly slug: string; readonly name: string; readonly daysHeld: number }[];
    readonly messages: readonly { readonly occupant: { readonly slug: string }; move: string; text: string }[];
  }[];
  readonly lastNight: readonly {
    readonly slot: number;
    readonly outcome: string;
    readonly peaceCount: number;
    readonly warCount: number;
    readonly burnedCents: number;
    readonly occupants: readonly { readonly slug: string }[];
    readonly evicted: readonly { readonly slug: string }[];
  }[];
  readonly burnedLastNightCents: number;
}

export function toldHill(model: Model, moment: Moment, told: PublicHill): void {
  const { day, announcements, hill, lastNight, burnedLastNightCents } = told;
  same(
    'the public asks for the hill',
    {
      ...{ day, burnedLastNightCents },
      announcements: inOrder(announcements.map((one) => ({ ...one, by: one.occupant.slug }))),
      held: hill.map(({ occupants }) =>
        occupants
          .map(({ slug, name, daysHeld }) => `${known(slug)} ${/^(closed|hidden)-/.test(slug) ? '' : name} ${daysHeld}`)
          .sort(),
      ),
      messages: hill.flatMap(({ slot, messages }) =>
        messages.map(({ occupant, move, text }) => JSON.stringify([known(occupant.slug), slot, move, text])).sort(),
      ),
      lastNight: lastNight.map(({ slot, outcome, peaceCount, warCount, burnedCents, occupants, evicted }) => ({
        ...{ slot, outcome, peace: peaceCount, war: warCount, burned: burnedCents },
        ...{ occupants: names(occupants), evicted: names(evicted) },
      })),
    },
    {
      ...{ day: moment.today, burnedLastNightCents: burnedIn(model) },
      announcements: inOrder(saidToday(model, moment)),
      held: hill.map(({ slot }) =>
        Object.entries(model.holders[slot] ?? {})
          .map(([name, days]) => {
            const called = shown(model, name);
            return `${called} ${called === name ? nameOf(model, name) : ''} ${days}`;
          })
          .sort(),
      ),
      messages: hill.flatMap(({ slot }) =>
        movesOf(model)
          .filter((one) => one.slot === slot && one.message !== null)
          .map(({ of, move, message }) => JSON.stringify([shown(model, of), slot, move, message]))
          .sort(),
      ),
      lastNight: placesOf(model) ?? lastNight.map(({ slot }) => nobodyOn(slot)),
    },
  );
}
const nobodyOn = (slot: number) => ({
  ...{ slot, outcome: 'VACANT', peace: 0, war: 0, burned: 0, occupants: [], evicted: [] },
});

export interface PublicNight {
  readonly moves: readonly {
    readonly occupant: { readonly slug: string };
    readonly slot: number;
    readonly move: string;
    readonly cost_cents: number;
    readonly message: string | null;
  }[];
}

/** All moves of a night that is over are public, and none that was withdrawn or replaced. */
export function toldMoves(model: Model, published: Published, { moves }: PublicNight): void {
  const text = (of: string, ...rest: unknown[]) => JSON.stringify([of, ...rest]);
  same(
    `the public asks for the moves of night ${published.night.day}`,
    moves
      .map(({ occupant, slot, move, cost_cents, message }) =>
        text(known(occupant.slug), slot, move, cost_cents, message),
      )
      .sort(),
    movesOf(model, published)
      .map(({ of, slot, move, cost, message }) => text(shown(model, of), slot, move, cost, message))
      .sort(),
  );
}
