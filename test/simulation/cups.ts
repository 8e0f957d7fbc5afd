// Tournaments and their codes: who is in, until when, and the standings by the nights that were published. Rules 8.
import type { Published } from './model.ts';

export interface Days {
  readonly opens: number;
  readonly closes: number;
  readonly starts: number;
  readonly ends: number;
}

export interface Cup {
  days: Days;
  cancelled?: boolean;
  /** When each member signed up. */
  readonly entries: Record<string, number>;
}

export interface Code {
  /** Of the order that made it. */
  readonly key?: string;
  readonly cup: string;
  readonly cents: number;
  readonly uses: number;
  readonly expiresAt: number;
  revoked: boolean;
  /** When each member redeemed it. */
  readonly by: Record<string, number>;
}

export interface Cups {
  readonly cups: Record<string, Cup>;
  readonly codes: Record<string, Code>;
}

export const noCups = (): Cups => ({ cups: {}, codes: {} });

/** Rules 8.2. */
export function phaseOf({ days, cancelled }: Cup, today: number, lastNight: number): string {
  const { opens, closes, starts, ends } = days;
  if (cancelled) return 'cancelled';
  if (today < opens) return 'announced';
  if (today <= closes) return 'open';
  if (today < starts) return 'closed';
  return lastNight < ends ? 'running' : 'ended';
}

export const inOrder = ({ opens, closes, starts, ends }: Days): boolean =>
  opens <= closes && closes < starts && starts <= ends;

interface Standing {
  readonly member: string;
  readonly tenths: number;
  readonly consumed: number;
  readonly reputation: number;
  readonly moved: boolean;
  readonly verdicts: Readonly<Record<string, number>>;
}

/** To 6 decimals, of the 30 nights up to and with `night`. Rules 4.3. */
function reputationAfter(nights: ReadonlyMap<number, Published>, member: string, night: number): number {
  const moves = [...nights.values()]
    .filter(({ night: { day } }) => day > night - 30 && day <= night)
    .flatMap(({ night: { charges } }) => charges.filter(({ account }) => account === member));
  const peace = moves.filter(({ move }) => move === 'PEACE').length;
  return moves.length === 0 ? 0 : Math.floor((2_000_000 * peace + moves.length) / (2 * moves.length)) / 1_000_000;
}

function standing(nights: ReadonlyMap<number, Published>, member: string, from: number, to: number): Standing {
  const its = [...nights.values()].filter(({ night: { day } }) => day >= from && day <= to);
  const seats = its.flatMap(({ night }) => night.slots.flatMap(({ occupants }) => occupants));
  const verdicts: Record<string, number> = {};
  for (const night of its)
    for (const [key, verdict] of Object.entries(night.verdicts))
      if (key.slice(0, key.lastIndexOf('.')) === member) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  return {
    ...{ member, verdicts, reputation: reputationAfter(nights, member, to) },
    tenths: seats.reduce((sum, { account, points }) => sum + (account === member ? Math.round(10 * points) : 0), 0),
    consumed: its.reduce((sum, { paid }) => sum + (paid[member]?.granted ?? 0) + (paid[member]?.paid ?? 0), 0),
    moved: its.some(({ paid }) => member in paid),
  };
}

/** The three boards of a tournament after a night, each from its first to its last. Rules 8.4. */
export function boardsOf(
  { days, entries }: Cup,
  night: number,
  nights: ReadonlyMap<number, Published>,
  since: (member: string) => string,
): Record<'points' | 'efficiency' | 'record', readonly unknown[]> {
  const all = Object.keys(entries).map((member) => standing(nights, member, days.starts, night));
  const ties = (a: Standing, b: Standing) =>
    b.reputation - a.reputation || (since(a.member) < since(b.member) ? -1 : 1);
  const of = ({ verdicts }: Standing, verdict: string) => verdicts[verdict] ?? 0;
  const points = all.filter(({ moved }) => moved).sort((a, b) => b.tenths - a.tenths || ties(a, b));
  const efficiency = points
    .filter(({ consumed }) => consumed >= 500)
    .sort((a, b) => b.tenths * a.consumed - a.tenths * b.consumed || ties(a, b));
  const record = all
    .filter(({ verdicts }) => Object.keys(verdicts).length > 0)
    .sort((a, b) => of(b, 'kept') - of(a, 'kept') || of(a, 'betrayed') - of(b, 'betrayed') || ties(a, b));
  return {
    points: points.map(({ member, tenths, reputation }) => ({ member, points: tenths / 10, reputation })),
    efficiency: efficiency.map(({ member, consumed }) => ({ member, consumed })),
    record: record.map((one) => ({
      member: one.member,
      verdicts: ['kept', 'betrayed', 'bluffed', 'ghosted'].map((verdict) => of(one, verdict)),
    })),
  };
}
