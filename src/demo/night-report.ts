// A night as lines of a terminal, from public data.
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { dollars } from '../html/words.ts';
import type { Day, Leaderboard, PlaceResult } from '../records/index.ts';
import type { PublicApi } from './public-api.ts';

export async function nightReport(api: PublicApi, night: number): Promise<string> {
  const day = await api.day(night);
  const now = await api.hill();
  const seats = now.lastNight[0]?.day === night ? now.hill : [];
  const held = (slot: number, accountId: string) => {
    const days =
      seats.find((place) => place.slot === slot)?.occupants.find((occupant) => occupant.accountId === accountId)
        ?.daysHeld ?? 0;
    return days > 0 ? ` (${days + 1} nights)` : '';
  };
  return [
    '',
    headline(day),
    ...day.results.map((place) => placeLine(place, held)),
    ...[said(day), top(await boardOf(api, night))].filter((line) => line !== ''),
  ].join('\n');
}

/** Boards are built just after the night. */
async function boardOf(api: PublicApi, night: number): Promise<Leaderboard> {
  for (let patience = 20; ; patience--) {
    const board = await api.leaderboard();
    if (board.day >= night || patience === 0) return board;
    await sleep(50);
  }
}

const colours = { VACANT: 'dim', PEACE: 'green', WAR: 'red', BURN: 'yellow' } as const;

const headline = ({ day, moves_total, moves, burnedCents }: Day): string => {
  const accounts = new Set(moves.map(({ occupant }) => occupant.accountId)).size;
  return (
    styleText('bold', `Night ${day}`) +
    styleText('dim', `  ${moves_total} moves by ${accounts} accounts, ${dollars(burnedCents)} burned`)
  );
};

function placeLine(
  { slot, outcome, peaceCount, warCount, occupants, burned, unseated, evictedTotal, burnedCents }: PlaceResult,
  held: (slot: number, id: string) => string,
): string {
  const counts = [peaceCount && `${peaceCount} peace`, warCount && `${warCount} war`].filter(Boolean).join(', ');
  const sits = occupants.map(
    ({ accountId, name, house }) => (house ? styleText('dim', name) : name) + styleText('dim', held(slot, accountId)),
  );
  const names = (who: readonly { readonly name: string }[]) => who.map(({ name }) => name).join(', ');
  const away = evictedTotal - unseated.length;
  const result = [
    sits.join(', ') || styleText('dim', 'nobody'),
    burnedCents > 0 && styleText('yellow', `burned ${dollars(burnedCents)}: ${names(burned)}`),
    unseated.length > 0 && styleText('dim', `out: ${names(unseated)}`),
    away > 0 && styleText('dim', `turned away: ${away}`),
  ];
  return `${String(slot).padStart(4)}  ${styleText(colours[outcome], outcome.padEnd(6))}  ${counts.padEnd(15)}  ${result.filter(Boolean).join('  ')}`;
}

const verdicts = ['kept', 'betrayed', 'bluffed', 'ghosted'] as const;

function said({ announcements }: Day): string {
  const words = verdicts.flatMap((verdict) => {
    const names = announcements
      .filter((said) => said.verdict === verdict && !said.occupant.house)
      .map(({ occupant }) => occupant.name);
    return names.length > 0
      ? [`${names.length} ${verdict}${verdict === 'kept' ? '' : ` (${[...new Set(names)].join(', ')})`}`]
      : [];
  });
  return words.length > 0 ? `      ${styleText('dim', 'said:')} ${words.join(', ')}` : '';
}

function top({ entries }: Leaderboard): string {
  const five = entries
    .slice(0, 5)
    .map(({ rank, name, points }) => `${rank} ${name} ${styleText('bold', String(points))}`);
  return five.length > 0 ? `      ${styleText('dim', 'top 5:')} ${five.join('   ')}` : '';
}
