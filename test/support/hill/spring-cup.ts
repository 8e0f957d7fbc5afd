// A tournament for tests of the reading: its sign-ups are open on day 2, after the lively night, and a code of it is
// shown.
import type { Hill } from './hill.ts';
import { aCode, aTournament } from './tournaments.ts';

export async function springCup(hill: Hill): Promise<string> {
  const slug = await aTournament(hill, {
    ...{ opens_day: 2, sign_ups_close_day: 6, starts_day: 8, ends_day: 14, tagline: 'Seven nights in spring' },
    ...{
      sponsor_name: 'Example Works',
      sponsor_url: 'https://works.example/',
      sponsor_cents: 50_000,
      recommended_daily_cap_cents: 1500,
    },
    open_questions: ['Will peace pay?'],
  });
  await aCode(hill, slug, { code: 'SPRING-CUP-2026', uses: 100, shown: true });
  return slug;
}
