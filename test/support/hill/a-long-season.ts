// A hill on day 5 with a crowd on its boards, a night on which nobody moved, and a tournament in each phase.
import { type Account, anAccount, type Hill } from './index.ts';
import { aCode, aTournament, enter } from './tournaments.ts';

/**
 * Each of the tournaments has its phase for a slug. On the night of day 3 all of the crowd but one come in peace to
 * place 10; day 4 is silent.
 */
export async function aLongSeason(hill: Hill, crowd = 55): Promise<Account[]> {
  const phases = {
    ended: { sign_ups_close_day: 2, starts_day: 3, ends_day: 3 },
    running: { sign_ups_close_day: 2, starts_day: 3, ends_day: 9 },
    closed: { sign_ups_close_day: 4, starts_day: 8, ends_day: 8 },
    open: { sign_ups_close_day: 8, starts_day: 10, ends_day: 12 },
    announced: { opens_day: 7, sign_ups_close_day: 9, starts_day: 11, ends_day: 17 },
  };
  for (const [slug, days] of Object.entries(phases))
    await aTournament(hill, { slug, name: `The ${slug} one`, ...days });
  await aCode(hill, 'open', { code: 'OPEN-TO-ALL', shown: true });
  const accounts: Account[] = [];
  for (let i = 1; i <= crowd; i++) {
    await hill.clock.tick();
    accounts.push(await anAccount(hill, { name: `Guest ${i}`, credits: 2000 }));
  }
  for (const account of accounts.slice(0, 12))
    for (const slug of ['ended', 'running', 'open']) await enter(hill, account, slug);
  await hill.clock.toDay(3);
  const [silent, ...others] = accounts as [Account, ...Account[]];
  await hill
    .asAgent(silent)
    .announce({ slot: 1, intention: 'PEACE', message: 'A long word about nothing at all. '.repeat(4).trim() });
  for (const account of others) {
    await hill.clock.tick();
    await hill.asAgent(account).play({ slot: 10, move: 'PEACE', message: 'Is there room?' });
  }
  await hill.clock.ringBell();
  await hill.clock.toDay(5);
  return accounts;
}
