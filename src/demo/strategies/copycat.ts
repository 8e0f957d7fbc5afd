// demo/strategies/copycat.ts · repeats the leader's last night.
import type { Strategy } from '../strategy.ts';

export const copycat: Strategy = {
  title: 'Copycat',
  way: 'does what the leader of the board did last night',
  hour: 11,
  async play(view) {
    const { entries } = await view.api.leaderboard();
    const leader = entries.find(({ accountId }) => accountId !== view.own.account_id);
    const { moves } = await view.api.day(view.day - 1);
    const seen = moves.filter(({ occupant }) => occupant.accountId === leader?.accountId).slice(0, 1);
    if (seen.length === 0) return [{ slot: view.pick(view.roomy(), 'slot'), move: 'PEACE' }];
    return seen.map(({ slot, move }) => (move === 'WAR' ? { slot, move, stake_cents: 800 } : { slot, move }));
  },
};
