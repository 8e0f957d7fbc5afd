// A season that nobody forged, with all that changes an account or a night's words between its bells: nothing of it is
// called wrong. Rules 20.50.
import { expect, test } from 'vitest';
import { verifyHill } from '../../src/verify/index.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { makeRecorder } from '../season/recorder.ts';
import { begin, playDay, type Season, sealedCount } from '../season/season.ts';
import { useMcp } from '../support/doors/mcp.ts';
import { closeAccount, useHill } from '../support/hill/index.ts';
import { usePayments } from '../support/hill/payments.ts';
import { useRelease } from '../support/log/release.ts';
import { signLog } from '../support/log/sign.ts';
import { randomFrom } from '../support/random.ts';

const hill = useHill();
const withRelease = useRelease();
const mcp = useMcp(hill, 'one host', { HILL_LIMIT_READS: '1000000/60', HILL_LIMIT_CALLS: '1000000/60' });
const payments = usePayments(hill);
/** Enough for tournaments to end, and for holders to be closed, suspended and renamed. */
const days = Number(process.env.HILL_TEST_FOLLOWED_DAYS ?? 7);

test('each of its nights follows, and each of its boards', async () => {
  const recorder = makeRecorder();
  const random = randomFrom(Number(process.env.HILL_SEED ?? 3));
  const season: Season = { hill, mcp, payments, recorder, random, cast: [], tokens: new Map() };
  await signLog(hill);
  await begin(season);
  for (let day = 1; day <= days; day++) {
    await playDay(season, day);
    await sealedCount(hill);
    if (day > 4) {
      const [first] = await hill.rows<{ account_id: string }>(
        'select account_id from hill.seats order by day desc, slot',
      );
      const account = season.cast.find(({ id }) => id === first?.account_id);
      if (account && day === 5) await closeAccount(hill, account);
      else if (account)
        await hill.asStaff().call('api_staff.hide_profile', { account_id: account.id, hidden: true, reason: 'Rude' });
    }
    await hill.clock.ringBell();
  }
  await hill.clock.at('00:20');
  await signLog(hill);

  const wrong: string[] = [];
  const held: string[] = [];
  await verifyHill({
    ...{ hill: servedAt(mcp.baseUrl), days: [], held: receiptsIn([]), seen: {} },
    withEngine: (_source, use) => use(hill.root),
    withRelease,
    say: (holds, sentence) => void (holds ? held : wrong).push(sentence),
    note: () => {},
  });
  expect(wrong).toEqual([]);
  expect(held.filter((sentence) => sentence.includes('follows from those before'))).toHaveLength(days);
  expect(held.filter((sentence) => sentence.startsWith('The boards of the tournament'))).not.toEqual([]);
});
