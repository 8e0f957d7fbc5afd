// The boards computed anew from all that was ever published, in exact arithmetic: nothing incremental, no ring, no
// window that is kept. Rules 4.3, 5, 7.1.
import type { Hill } from '../hill/hill.ts';

export interface Played {
  readonly accounts: { id: string; since: string; house: boolean }[];
  readonly seats: { day: number; slot: number; account: string }[];
  readonly moves: { day: number; account: string; move: 'PEACE' | 'WAR' }[];
  readonly payments: { day: number; account: string; granted: number; paid: number }[];
}

export interface Boards {
  readonly leaderboard: { rank: number; account: string; points: number; reputation: number }[];
  readonly wall: { rank: number; account: string; spent_cents: number }[];
  readonly efficiency: {
    rank: number;
    account: string;
    points: number;
    consumed_cents: number;
    points_per_dollar: number;
    nights: number;
  }[];
}

/** All that was published, by the superuser's eyes. */
export async function everythingPlayed(hill: Hill): Promise<Played> {
  return {
    accounts: await hill.rows(
      'select a.id, engine.iso(w.since) as since, a.house from hill.accounts a join hill.wallets w on w.account_id = a.id',
    ),
    seats: await hill.rows('select day, slot, account_id as account from hill.seats'),
    moves: await hill.rows('select day, account_id as account, move from hill.moves where ended is null'),
    payments: await hill.rows(
      'select day, account_id as account, granted_cents as granted, paid_cents as paid from hill.settlements',
    ),
  };
}

const window = 30;

/** Share of PEACE among the live moves of the 30 nights up to and with `last`, to 6 decimals; 0 for none. */
export function reputation(played: Played, account: string, last: number): number {
  const moves = played.moves.filter((move) => move.account === account && move.day > last - window && move.day <= last);
  const peace = moves.filter(({ move }) => move === 'PEACE').length;
  // half a millionth up, in whole numbers
  return moves.length === 0 ? 0 : Math.floor((2_000_000 * peace + moves.length) / (2 * moves.length)) / 1_000_000;
}

/** The boards as they stand after the bell of night `last`. */
export function naiveBoards(played: Played, last: number): Boards {
  const inWindow = ({ day }: { day: number }) => day > last - window && day <= last;
  const sharers = new Map<string, number>();
  for (const { day, slot } of played.seats) sharers.set(`${day} ${slot}`, (sharers.get(`${day} ${slot}`) ?? 0) + 1);
  const figures = new Map(
    played.accounts.map(({ id, since, house }) => {
      const sat = played.seats.filter((seat) => seat.account === id && inWindow(seat));
      const twice = sat.reduce(
        (sum, { day, slot }) => sum + (2 * (11 - slot)) / (sharers.get(`${day} ${slot}`) ?? 1),
        0,
      );
      const paid = played.payments.filter((payment) => payment.account === id && inWindow(payment));
      return [
        id,
        {
          account: id,
          since,
          house,
          twice,
          nights: new Set(sat.map(({ day }) => day)).size,
          moved: played.moves.some((move) => move.account === id && inWindow(move)),
          reputation: reputation(played, id, last),
          spent: paid.reduce((sum, payment) => sum + payment.paid, 0),
          consumed: paid.reduce((sum, payment) => sum + payment.paid + payment.granted, 0),
        },
      ] as const;
    }),
  );
  type Figures = NonNullable<ReturnType<typeof figures.get>>;
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  /** Ties on any board: reputation, seniority, account. */
  const ties = (a: Figures, b: Figures) =>
    b.reputation - a.reputation || text(a.since, b.since) || text(a.account, b.account);
  const guests = [...figures.values()].filter(({ house }) => !house);

  const leaders = guests.filter(({ moved }) => moved).sort((a, b) => b.twice - a.twice || ties(a, b));
  const sponsors = guests.filter(({ spent }) => spent > 0).sort((a, b) => b.spent - a.spent || ties(a, b));
  const thrifty = leaders
    .slice(0, 100)
    .filter(({ consumed }) => consumed >= 500)
    .sort((a, b) => Number(BigInt(b.twice) * BigInt(a.consumed) - BigInt(a.twice) * BigInt(b.consumed)) || ties(a, b));
  return {
    leaderboard: leaders.map(({ account, twice, reputation }, i) => ({
      rank: i + 1,
      account,
      points: twice / 2,
      reputation,
    })),
    wall: sponsors.slice(0, 5).map(({ account, spent }, i) => ({ rank: i + 1, account, spent_cents: spent })),
    efficiency: thrifty.map(({ account, twice, consumed, nights }, i) => ({
      rank: i + 1,
      account,
      points: twice / 2,
      consumed_cents: consumed,
      // to 4 decimals, half up: points per 100 cents
      points_per_dollar: Number((BigInt(twice) * 1_000_000n + BigInt(consumed)) / (2n * BigInt(consumed))) / 10_000,
      nights,
    })),
  };
}

/** The same as the hill has built them. */
export async function hillBoards(hill: Hill): Promise<Boards> {
  return {
    leaderboard: await hill.rows(
      'select rank, account_id as account, points::float, reputation::float from hill.leaderboard where day = engine.board_day() order by rank',
    ),
    wall: await hill.rows('select rank, account_id as account, spent_cents from engine.wall() order by rank'),
    efficiency: await hill.rows(
      'select rank, account_id as account, points::float, consumed_cents, points_per_dollar::float, nights from engine.efficiency() order by rank',
    ),
  };
}
