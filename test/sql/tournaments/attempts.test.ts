// What is typed as a code is kept for whoever helps, refused or not; bounded, for 30 days, and read by staff alone.
// Rules 8.5, 18.2.
import { beforeAll, describe, expect, test } from 'vitest';
import { call as callAsDoors } from '../../../src/db/call.ts';
import { forget } from '../../../src/worker/tasks.ts';
import { type Account, anAccount, refusal, useHill } from '../../support/hill/index.ts';
import { aCode, aTournament, enter, redeem } from '../../support/hill/tournaments.ts';

const hill = useHill();
let slug: string;
beforeAll(async () => {
  slug = await aTournament(hill, { sign_ups_close_day: 20, starts_day: 21, ends_day: 25 });
});

const kept = ({ id }: Account) =>
  hill
    .asStaff()
    .query<{ code: string; outcome: string; agent_id: string | null }>(
      'select code, outcome, agent_id from hill.code_attempts where account_id = $1 order by id',
      [id],
    );

describe('a try', () => {
  test('is kept with what came of it, whatever that was, by the agent or by the human', async () => {
    const ann = await anAccount(hill);
    const [open, over, spent, revoked] = [
      await aCode(hill, slug, { code: 'PRAGUE-2026' }),
      await aCode(hill, slug, { code: 'OVER-2026', expires_day: 1 }),
      await aCode(hill, slug, { code: 'SPENT-2026', uses: 1 }),
      await aCode(hill, slug, { code: 'REVOKED-2026' }),
    ];
    const cid = await anAccount(hill);
    await enter(hill, cid, slug);
    await redeem(hill, cid, spent);
    await hill.asStaff().call('api_staff.revoke_tournament_code', { code: revoked, reason: 'it leaked' });
    await hill.clock.toDay(2);

    await refusal(redeem(hill, ann, 'prag - 2026'));
    await refusal(redeem(hill, ann, open));
    await enter(hill, ann, slug);
    for (const code of [over, spent, revoked]) await refusal(redeem(hill, ann, code));
    await redeem(hill, ann, open);
    await expect(
      callAsDoors(hill.asPublic(), 'api_human.redeem_code', { session: ann.session, code: open }),
    ).rejects.toMatchObject({ code: 'CODE_REDEEMED' });

    const agent_id = ann.agentId;
    expect(await kept(ann)).toEqual([
      { code: 'PRAG-2026', outcome: 'UNKNOWN_CODE', agent_id },
      { code: 'PRAGUE-2026', outcome: 'ENTRANTS_ONLY', agent_id },
      { code: 'OVER-2026', outcome: 'CODE_EXPIRED', agent_id },
      { code: 'SPENT-2026', outcome: 'CODE_USED_UP', agent_id },
      { code: 'REVOKED-2026', outcome: 'CODE_EXPIRED', agent_id },
      { code: 'PRAGUE-2026', outcome: 'redeemed', agent_id },
      { code: 'PRAGUE-2026', outcome: 'CODE_REDEEMED', agent_id: null },
    ]);
  });

  test('of a code that there is not names the one that is most like it, and none where none is', async () => {
    const nearest = async (text: string) =>
      (await hill.asStaff().query('select api_staff.nearest_code($1) as code', [text]))[0]?.code;
    await aCode(hill, slug, { code: 'BERLIN-2026' });
    for (const typed of ['PRAG-2026', 'prague2026', 'PRAQUE-2026', 'PRAGUE-2O26'])
      expect(await nearest(typed), typed).toBe('PRAGUE-2026');
    for (const typed of ['P', '', 'SOMETHING-ELSE', '(%_\\']) expect(await nearest(typed), typed).toBe(null);
  });

  test('fills no table: ten an hour for an account, and of what is no code nothing', async () => {
    const eve = await anAccount(hill);
    for (const nothing of ['', ' ', 'x'.repeat(101), null]) await refusal(redeem(hill, eve, nothing));
    await Promise.all(Array.from({ length: 14 }, (_, n) => refusal(redeem(hill, eve, `${n}${'ß'.repeat(98)}`))));
    expect(await kept(eve)).toHaveLength(10);
    await expect(redeem(hill, eve, 'A\0B')).rejects.toMatchObject({ code: '22021' });
  });

  test('is read by staff and by the human it is of, and written by nobody for another', async () => {
    const [ann, bob] = [await anAccount(hill), await anAccount(hill)];
    for (const one of [ann, bob]) await refusal(redeem(hill, one, 'NO-SUCH-CODE'));
    for (const role of ['hill_api_agent', 'hill_api_human'] as const)
      await hill.asOwnerOf(role, async (client) => {
        await client.query("select set_config('hill.account_id', $1, true)", [ann.id]);
        await client.query('savepoint before');
        const read = client.query('select account_id from hill.code_attempts').then(
          ({ rows }) => rows,
          ({ code }) => code,
        );
        expect(await read).toEqual(role === 'hill_api_human' ? [{ account_id: ann.id }] : '42501');
        await client.query('rollback to before');
        const forBob = client.query("select engine.note_attempt($1, 'CODE', 'redeemed')", [bob.id]);
        expect((await refusal(forBob)).code).toBe('42501');
        await client.query('rollback to before');
      });
    for (const login of ['web', 'worker'] as const)
      expect((await refusal(hill.as(login).query('select from hill.code_attempts'))).code).toBe('42501');
  });

  test('is forgotten after 30 days', async () => {
    const dan = await anAccount(hill);
    await refusal(redeem(hill, dan, 'NO-SUCH-CODE'));
    const age = (interval: string) =>
      hill.root.query(
        `update hill.code_attempts set at = engine.now() - interval '${interval}' where account_id = $1`,
        [dan.id],
      );
    await age('719 hours');
    await forget(hill.as('worker'));
    expect(await kept(dan)).toHaveLength(1);
    await age('720 hours');
    await forget(hill.as('worker'), undefined, 1);
    expect(await kept(dan)).toEqual([]);
  });
});
