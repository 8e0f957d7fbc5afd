// starters/typescript/look.ts · what a strategy is given, from the hill's public API and the tools of its own agent.
import { sight, type View } from './view.ts';

/** A GET of the hill's public API, such as /api/hill. */
export type Read = <T>(path: string) => Promise<T>;
/** The structured content of a tool's result. */
export type Use = <T>(tool: string, args?: object) => Promise<T>;

export interface Status {
  day: number;
  seconds_to_bell: number;
  last_night: number;
  bell_ringing?: boolean;
  opens_at?: string;
  war_minimum_cents: number;
  points: number[];
  places: { slot: number; opens_day?: number; peace_cents?: number }[];
  account: {
    slug: string;
    moves: { slot: number; move: 'PEACE' | 'WAR'; stake_cents?: number }[] | null;
    moves_left: number;
    cap_left_cents: number;
    max_stake_cents: number;
    available_cents: number;
    reputation: number;
  };
  next: string;
}
export interface Self {
  accountId: string;
  name: string;
}
type Announcement = Omit<View['announcements'][number], 'account'> & { occupant: Self };
interface Hill {
  day: number;
  lastNight: { day: number }[];
  announcements: Announcement[];
  hill: { slot: number; occupants: (Self & { house: boolean; daysHeld: number })[] }[];
}
type NightPlace = View['nights'][number]['places'][number];
interface Day {
  day: number;
  results: (Omit<NightPlace, 'occupants'> & {
    occupants: (Self & { via: NightPlace['occupants'][number]['via']; daysHeld: number; points: number })[];
  })[];
  moves: (Own & { occupant: Self; reputation: number; decision: { fate: Own['result'] } })[];
  announcements: (Announcement & { verdict: View['nights'][number]['announcements'][number]['verdict'] })[];
  next_cursor: string | null;
}
interface Board {
  day: number;
  entries: { accountId: string; points: number }[];
}
interface Own {
  slot: number;
  move: 'PEACE' | 'WAR';
  stake_cents?: number;
  cost_cents: number;
  result: View['me']['nights'][number]['result'];
}

/** Looks at a hill, for one strategy or several: nights that are over are read once. */
export function looker(read: Read) {
  const nights = new Map<number, Promise<{ night: View['nights'][number]; record: Day }>>();
  const nightOf = (day: number) => {
    const night =
      nights.get(day) ?? read<Day>(`/api/day/${day}?limit=${sight.moves}`).then((record) => ({ night: asSeen(record), record }));
    nights.set(day, night);
    nights.delete(day - sight.nights);
    return night;
  };
  let board: Board | undefined;

  /** Null while a bell rings: nobody knows yet who holds what. */
  return async (hour: number, me: Self, status: Status, use: Use): Promise<View | null> => {
    const { day, last_night, account } = status;
    const hill = await read<Hill>('/api/hill');
    const behind = hill.day !== day || (hill.lastNight[0]?.day ?? 0) !== last_night;
    if (status.bell_ringing || behind || account.moves === null) return null;
    const past = Array.from({ length: Math.min(sight.nights, last_night) }, (_, back) => last_night - back);
    const seen = await Promise.all(past.map(nightOf));
    if (board?.day !== last_night) board = await read<Board>(`/api/leaderboard/hill?limit=${sight.leaders}`);
    const reputation = new Map(seen[0]?.record.moves.map((move) => [move.occupant.accountId, move.reputation]));
    const own = async ({ day, moves, next_cursor }: Day) => {
      const mine = moves.filter(({ occupant }) => occupant.accountId === me.accountId);
      const told = mine.map((move): Own => ({ ...move, result: move.decision.fate }));
      // of a night with thousands of moves the hill tells an agent its own
      const whole = next_cursor === null ? told : (await use<{ mine: { moves: Own[] } }>('night', { day })).mine.moves;
      return whole.map(({ slot, move, cost_cents, result }) => ({ day, slot, move, cents: cost_cents, result }));
    };
    return {
      day,
      hour,
      me: {
        account: me.accountId,
        name: me.name,
        credits_cents: Math.max(0, account.available_cents),
        left_today_cents: Math.max(0, Math.min(account.cap_left_cents, account.available_cents)),
        most_stake_cents: account.max_stake_cents,
        moves_left: account.moves_left,
        reputation: account.reputation,
        live: account.moves.map(played),
        nights: (await Promise.all(seen.map(({ record }) => own(record)))).flat(),
      },
      places: status.places.map(({ slot, opens_day, peace_cents }, i) => ({
        slot,
        open: opens_day === undefined,
        points: status.points[i] ?? 0,
        occupants: (hill.hill[i]?.occupants ?? []).map(({ accountId, name, house, daysHeld }) => ({
          account: accountId,
          name,
          house,
          days_held: daysHeld,
          reputation: reputation.get(accountId) ?? 0,
        })),
        peace_cents: opens_day === undefined ? (peace_cents ?? null) : null,
      })),
      announcements: hill.announcements
        .filter(({ occupant }) => occupant.accountId !== me.accountId)
        .slice(0, sight.announcements)
        .map(said),
      nights: seen.map(({ night }) => night),
      leaders: board.entries.map(({ accountId, points }) => ({ account: accountId, points })),
      war_minimum_cents: status.war_minimum_cents,
      advice: [...status.next.matchAll(/\bplay (\{.*?\})/g)].map(([, call = '']) => {
        const { slot, move, stake_cents } = JSON.parse(call) as View['advice'][number];
        return { slot, move, ...(stake_cents === undefined ? {} : { stake_cents }) };
      }),
    };
  };
}

const asSeen = ({ day, results, moves, announcements }: Day): View['nights'][number] => ({
  day,
  places: results.map(({ slot, outcome, occupants }) => ({
    slot,
    outcome,
    occupants: occupants.map(({ accountId, via, daysHeld, points }) => ({ account: accountId, via, days_held: daysHeld, points })),
  })),
  moves: moves.map((move) => ({ account: move.occupant.accountId, ...played(move) })),
  announcements: announcements.slice(0, sight.announcements).map((one) => ({ ...said(one), verdict: one.verdict })),
});
const played = ({ slot, move, stake_cents }: Pick<Own, 'slot' | 'move' | 'stake_cents'>) => ({
  slot,
  move,
  stake_cents: move === 'WAR' ? (stake_cents ?? null) : null,
});
const said = ({ occupant, slot, intention, message }: Announcement) => ({ account: occupant.accountId, slot, intention, message });
