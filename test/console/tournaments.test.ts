// Staff make and edit tournaments and their codes in the console: with a reason, an entry in the audit log, and nothing
// moved that entrants relied on. Rules 8.5, 8.7.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { useConsole } from '../support/doors/console.ts';
import { type Account, anAccount, refusal, useHill } from '../support/hill/index.ts';
import { enter, redeem, tournament } from '../support/hill/tournaments.ts';

const hill = useHill({ day: 1 });
const staff = useConsole(hill);
const reason = 'decided at the meeting';
let cookie: string;
let ann: Account;
beforeAll(async () => {
  cookie = await staff.signIn('Sam');
  ann = await anAccount(hill, { name: 'Ann', credits: 20_000 });
});

const create = `mutation ($input: CreateTournamentInput!) {
  createTournament(input: $input) { tournament { slug name tagline sponsorName sponsorCents openQuestions opensDay signUpsCloseDay startsDay endsDay targetAgents recommendedDailyCapCents } }
}`;
const edit = `mutation ($input: EditTournamentInput!) {
  editTournament(input: $input) { tournament { slug name tagline sponsorName sponsorCents opensDay signUpsCloseDay startsDay endsDay targetAgents } }
}`;
const createCode = `mutation ($input: CreateTournamentCodeInput!) {
  createTournamentCode(input: $input) { creditOrder { tournamentCode { code cents uses used shown expiresAt tournament { slug } } } }
}`;
const revokeCode = `mutation ($input: RevokeTournamentCodeInput!) { revokeTournamentCode(input: $input) { tournamentCode { code revokedAt } } }`;

const restoreCode = `mutation ($input: RestoreTournamentCodeInput!) { restoreTournamentCode(input: $input) { tournamentCode { code revokedAt } } }`;

const cup = { slug: 'cup', name: 'Cup', opensDay: 2, signUpsCloseDay: 4, startsDay: 6, endsDay: 8, targetAgents: 10 };
const code = { slug: 'cup', code: 'welcome-2026', cents: 500, uses: 2, key: 'welcome', shown: true };
const all = [
  ['createTournament', create, { ...cup, slug: 'other' }],
  ['editTournament', edit, { slug: 'cup', name: 'Other' }],
  ['createTournamentCode', createCode, { ...code, key: 'another', code: null }],
  ['revokeTournamentCode', revokeCode, { code: 'welcome-2026' }],
] as const;

const state = () =>
  hill.rows(
    `select (select jsonb_agg(t order by t.id) from hill.tournaments t) as tournaments, (select jsonb_agg(c order by c.code) from hill.tournament_codes c) as codes,
            (select jsonb_agg(g order by g.id) from hill.audit_log g) as audit_log`,
  );
const lastEntry = async () =>
  (
    await hill.rows(
      'select staff_name, action, account_id, details, reason from hill.audit_log order by id desc limit 1',
    )
  )[0];
/** The refusal of a mutation, which has changed nothing. */
const refused = async (mutation: string, input: object, as = cookie) => {
  const before = await state();
  const { errors } = await staff.graphql(as, mutation, { input: { reason, ...input } });
  expect(await state()).toEqual(before);
  return errors?.[0];
};
const done = <T = Record<string, { tournament: Record<string, unknown>; tournamentCode: Record<string, unknown> }>>(
  mutation: string,
  input: object,
) => staff.data<T>(cookie, mutation, { input: { reason, ...input } });
const newCode = async (input: object) =>
  (
    await done<{ createTournamentCode: { creditOrder: { tournamentCode: { code: string } } } }>(createCode, {
      key: randomUUID(),
      ...input,
    })
  ).createTournamentCode.creditOrder.tournamentCode;

describe('making a tournament', () => {
  test('takes what it is, and leaves out what it need not say', async () => {
    expect(await done(create, { ...cup, slug: ' cup ' })).toEqual({
      createTournament: {
        tournament: {
          ...cup,
          ...{ tagline: '', sponsorName: null, sponsorCents: '0', openQuestions: [], recommendedDailyCapCents: '1000' },
        },
      },
    });
    expect(await lastEntry()).toMatchObject({
      ...{ staff_name: 'Sam', action: 'create_tournament', account_id: null, reason },
      details: { slug: 'cup', opens_day: 2, starts_day: 6, ends_day: 8 },
    });
    expect((await tournament(hill, 'cup')).tournament).toMatchObject({ phase: 'announced', nights: 3 });
  });

  test.each([
    [{ slug: 'No Slug' }, 'INVALID_ARGUMENT', 'slug'],
    [{ name: '' }, 'INVALID_ARGUMENT', 'name'],
    [{ tagline: 'x'.repeat(201) }, 'INVALID_ARGUMENT', 'tagline'],
    [{ targetAgents: 0 }, 'INVALID_ARGUMENT', 'target_agents'],
    [{ recommendedDailyCapCents: -1 }, 'INVALID_ARGUMENT', 'recommended_daily_cap_cents'],
    [{ sponsorCents: 100 }, 'INVALID_ARGUMENT', 'sponsor_name'],
    [{ sponsorName: 'A', sponsorUrl: 'javascript:alert(1)' }, 'INVALID_ARGUMENT', 'sponsor_url'],
    [{ sponsorName: 'A', sponsorCents: -1 }, 'INVALID_ARGUMENT', 'sponsor_cents'],
    [{ openQuestions: [''] }, 'INVALID_ARGUMENT', 'open_questions'],
    [{ signUpsCloseDay: 6 }, 'INVALID_ARGUMENT', 'opens_day'], // it closes before it starts
    [{ opensDay: 5 }, 'INVALID_ARGUMENT', 'opens_day'],
    [{ endsDay: 5 }, 'INVALID_ARGUMENT', 'opens_day'],
    [{ slug: 'cup' }, 'NOT_ALLOWED', 'slug'],
  ])('%j is refused', async (wrong, refusal, argument) => {
    expect(await refused(create, { ...cup, slug: 'another', ...wrong })).toMatchObject({
      extensions: { code: refusal, detail: { argument } },
    });
  });
});

describe('each of the four', () => {
  beforeAll(() => done(createCode, code));

  test('wants a reason and a session', async () => {
    for (const [name, mutation, input] of all) {
      for (const bad of ['', ' no '])
        expect([name, await refused(mutation, { ...input, reason: bad })]).toMatchObject([
          name,
          { extensions: { code: 'REASON_REQUIRED' } },
        ]);
      expect(await refused(mutation, input, ''), name).toMatchObject({ extensions: { code: 'INVALID_TOKEN' } });
    }
    expect(
      (await refusal(hill.asPublic().query("select api_staff.revoke_tournament_code('WELCOME-2026', 'curious')"))).code,
    ).toBe('42501');
  });

  test('says in its schema what it cannot do without, and what it can', async () => {
    const { __schema } = await staff.data<{
      __schema: { types: { name: string; inputFields?: { name: string; type: { kind: string } }[] }[] };
    }>(cookie, '{ __schema { types { name inputFields { name type { kind } } } } }');
    const required = (name: string) =>
      __schema.types
        .find((type) => type.name === `${name}Input`)
        ?.inputFields?.flatMap((field) => (field.type.kind === 'NON_NULL' ? [field.name] : []));
    const days = ['opensDay', 'signUpsCloseDay', 'startsDay', 'endsDay'];
    expect(required('CreateTournament')).toEqual(['slug', 'name', ...days, 'targetAgents', 'reason']);
    expect(required('EditTournament')).toEqual(['slug', 'reason']);
    expect(required('CreateTournamentCode')).toEqual(['slug', 'cents', 'uses', 'key', 'reason']);
    expect(required('RevokeTournamentCode')).toEqual(['code', 'reason']);
  });

  test('answers NOT_FOUND for what is not there', async () => {
    for (const [mutation, input] of [
      [edit, { slug: 'nothing' }],
      [createCode, { ...code, slug: 'nothing' }],
      [revokeCode, { code: 'NO-SUCH-CODE' }],
    ] as const)
      expect(await refused(mutation, input)).toMatchObject({ extensions: { code: 'NOT_FOUND' } });
  });
});

describe('a code', () => {
  test('is what staff chose, in capitals, to the bell of the last day unless told otherwise; or one by chance', async () => {
    const { codes } = (await state())[0] as { codes: { code: string; expires_at: string }[] };
    expect(codes).toMatchObject([
      { code: 'WELCOME-2026', cents: 500, uses: 2, used: 0, shown: true, expires_at: '2026-03-09T00:00:00+00:00' },
    ]);
    expect(await newCode({ slug: 'cup', cents: 100, uses: 1, expiresDay: 2 })).toMatchObject({
      shown: false,
      expiresAt: expect.stringMatching(/^2026-03-03T00:00:00/),
      tournament: { slug: 'cup' },
    });
    expect(await lastEntry()).toMatchObject({
      action: 'create_tournament_code',
      details: { tournament: 'cup', cents: 100, uses: 1 },
      reason,
    });
  });

  test.each([
    [{ code: 'SHORT' }, 'INVALID_ARGUMENT'],
    [{ code: 'with space' }, 'INVALID_ARGUMENT'],
    [{ code: 'WELCOME-2026' }, 'NOT_ALLOWED'],
    [{ cents: 0 }, 'INVALID_AMOUNT'],
    [{ cents: 100_001 }, 'INVALID_AMOUNT'],
    [{ uses: 0 }, 'INVALID_ARGUMENT'],
    [{ expiresDay: 0 }, 'NOT_ALLOWED'],
    [{ expiresDay: -1 }, 'INVALID_ARGUMENT'],
    [{ expiresDay: 2_147_483_647 }, 'INVALID_ARGUMENT'],
  ])('%j is refused', async (wrong, refusal) => {
    expect(await refused(createCode, { ...code, key: 'another', code: 'another-code', ...wrong })).toMatchObject({
      extensions: { code: refusal },
    });
  });

  test('is revoked, and restored until it expires', async () => {
    const { code: made } = await newCode({ slug: 'cup', cents: 100, uses: 1 });
    const first = await done(revokeCode, { code: made.toLowerCase() });
    expect(first.revokeTournamentCode?.tournamentCode.revokedAt).toMatch(/^2026-03-01T10:00:00/);
    await hill.clock.tick();
    expect(await done(revokeCode, { code: made })).toEqual(first);
    expect(await lastEntry()).toMatchObject({
      action: 'revoke_tournament_code',
      details: { code: made, used: 0, uses: 1 },
    });

    const [{ id: revoked } = {}] = await hill.rows<{ id: string }>('select max(id) as id from hill.audit_log');
    expect(await done(restoreCode, { code: made })).toEqual({
      restoreTournamentCode: { tournamentCode: { code: made, revokedAt: null } },
    });
    expect(await lastEntry()).toMatchObject({
      action: 'restore_tournament_code',
      details: { code: made, reverses: Number(revoked) },
    });
    expect(await refused(restoreCode, { code: made })).toMatchObject({ extensions: { code: 'NOT_ALLOWED' } });
  });
});

describe('editing', () => {
  test('while it is announced: everything, to days that are still to come', async () => {
    expect(await refused(edit, { slug: 'cup', opensDay: 0 })).toMatchObject({
      extensions: { code: 'INVALID_ARGUMENT' },
    });
    await done(edit, {
      slug: 'cup',
      newSlug: 'great-cup',
      opensDay: 1,
      endsDay: 9,
      sponsorName: 'Works',
      sponsorCents: 1000,
    });
    expect(await lastEntry()).toMatchObject({
      action: 'edit_tournament',
      details: {
        tournament: 'cup',
        is: { slug: 'great-cup', opens_day: 1, ends_day: 9, sponsor_cents: 1000 },
        was: { slug: 'cup', opens_day: 2, ends_day: 8, sponsor_cents: 0 },
      },
    });
    const { tournaments } = await staff.data<{ tournaments: unknown }>(
      cookie,
      '{ tournaments { nodes { slug tournamentCodes { totalCount } } } }',
    );
    expect(tournaments).toEqual({ nodes: [{ slug: 'great-cup', tournamentCodes: { totalCount: 3 } }] });
  });

  test('while sign-ups are open: words, target, a later or earlier close, a prize that rises; not its nights', async () => {
    await enter(hill, ann, 'great-cup');
    for (const wrong of [
      { opensDay: 2 },
      { startsDay: 7 },
      { endsDay: 8 },
      { newSlug: 'cup' },
      { sponsorCents: 999 },
      { sponsorName: '', sponsorCents: 0 },
    ])
      expect([wrong, await refused(edit, { slug: 'great-cup', ...wrong })]).toMatchObject([
        wrong,
        { extensions: { code: 'NOT_ALLOWED' } },
      ]);
    expect(
      await done(edit, {
        slug: 'great-cup',
        signUpsCloseDay: 5,
        sponsorCents: 2000,
        name: 'The Great Cup',
        targetAgents: 30,
      }),
    ).toMatchObject({
      editTournament: {
        tournament: { name: 'The Great Cup', signUpsCloseDay: 5, sponsorCents: '2000', targetAgents: 30, endsDay: 9 },
      },
    });
    await hill.clock.toDay(3);
    expect(await refused(edit, { slug: 'great-cup', signUpsCloseDay: 2 })).toMatchObject({
      extensions: { code: 'NOT_ALLOWED', detail: { today: 3 } },
    });
    await done(edit, { slug: 'great-cup', signUpsCloseDay: 3 });
  });

  test('once they are closed: words alone, and a prize that rises until it has ended', async () => {
    await hill.clock.toDay(4);
    expect((await tournament(hill, 'great-cup')).tournament.phase).toBe('closed');
    expect(await refused(edit, { slug: 'great-cup', signUpsCloseDay: 5 })).toMatchObject({
      extensions: { code: 'NOT_ALLOWED' },
    });
    await hill.clock.toDay(6);
    for (const wrong of [{ signUpsCloseDay: 4 }, { endsDay: 20 }])
      expect(await refused(edit, { slug: 'great-cup', ...wrong })).toMatchObject({
        extensions: { code: 'NOT_ALLOWED', detail: { phase: 'running' } },
      });
    await done(edit, { slug: 'great-cup', sponsorCents: 3000, tagline: 'It runs' });
    await hill.clock.toDay(10);
    expect((await tournament(hill, 'great-cup')).tournament.phase).toBe('ended');
    expect(await refused(edit, { slug: 'great-cup', sponsorCents: 4000 })).toMatchObject({
      extensions: { code: 'NOT_ALLOWED', detail: { phase: 'ended' } },
    });
    await done(edit, { slug: 'great-cup', tagline: 'It was good' });
  });

  test('waits for whoever signs up at that moment, and those who sign up wait for it', async () => {
    await done(create, { ...cup, slug: 'next-cup', opensDay: 10, signUpsCloseDay: 11, startsDay: 12, endsDay: 13 });
    const signing = await hill.root.connect();
    await signing.query('begin');
    await signing.query('select api_agent.sign_up($1, $2)', [ann.token, 'next-cup']);
    const editing = done(edit, { slug: 'next-cup', signUpsCloseDay: 10 });
    const waiting =
      "select 1 as waiting from pg_stat_activity where wait_event = 'transactionid' and datname = current_database()";
    await expect.poll(() => hill.rows(waiting)).toHaveLength(1);
    await signing.query('commit');
    signing.release();
    await editing;
    expect((await tournament(hill, 'next-cup')).tournament.entries).toBe(1);

    const editor = await hill.root.connect();
    await editor.query('begin');
    await editor.query('select engine.lock_tournaments(false)');
    await editor.query(
      "update hill.tournaments set opens_day = 10, sign_ups_close_day = 11, starts_day = 12 where slug = 'next-cup'",
    );
    const bob = await anAccount(hill);
    const entering = enter(hill, bob, 'next-cup');
    await expect.poll(() => hill.rows(waiting)).toHaveLength(1);
    await editor.query('commit');
    editor.release();
    expect((await entering).tournament).toMatchObject({ i_am_in: true, entries: 2, sign_ups_close_day: 11 });
  });
});

test('staff see who signed up and who redeemed what', async () => {
  await redeem(hill, ann, (await newCode({ slug: 'next-cup', cents: 300, uses: 5 })).code);
  const seen = await staff.data(
    cookie,
    '{ tournamentEntries(last: 1) { nodes { account { name } tournament { slug } } } tournamentRedemptions { nodes { account { name } lot { cents remainingCents } } } }',
  );
  expect(seen).toMatchObject({
    tournamentRedemptions: { nodes: [{ account: { name: 'Ann' }, lot: { cents: '300', remainingCents: '300' } }] },
  });
});

describe('cancelling', () => {
  const cancel = `mutation ($input: CancelTournamentInput!) { cancelTournament(input: $input) { tournament { slug cancelledOn } } }`;
  const lost = { slug: 'lost-cup' };
  const phase = async () => (await tournament(hill, 'lost-cup')).tournament.phase;

  test('before the first night nobody enters any more, and codes are redeemed no more; then again, until that day', async () => {
    const day = (await tournament(hill, 'next-cup')).day;
    const [bob, cid] = [await anAccount(hill), await anAccount(hill)];
    await done(create, { ...cup, ...lost, opensDay: day, signUpsCloseDay: day, startsDay: day + 1, endsDay: day + 2 });
    const { code: given } = await newCode({ ...lost, cents: 300, uses: 5, shown: true });
    await enter(hill, bob, 'lost-cup');

    for (const was_cancelled of [false, true]) {
      expect(await done(cancel, lost)).toEqual({ cancelTournament: { tournament: { ...lost, cancelledOn: day } } });
      expect(await lastEntry()).toMatchObject({
        ...{ action: 'cancel_tournament', reason },
        details: { ...lost, cancelled: true, was_cancelled, reverses: expect.any(Number) },
      });
    }
    expect((await tournament(hill, 'lost-cup', bob)).tournament).toMatchObject({
      ...{
        phase: 'cancelled',
        i_am_in: true,
        code: null,
        days_to_sign_up: 0,
        how_to_read: expect.stringMatching(/^It was cancelled/),
      },
    });
    expect(await refusal(enter(hill, cid, 'lost-cup'))).toMatchObject({
      ...{ code: 'TOURNAMENT_CLOSED', message: 'The tournament was cancelled.' },
    });
    expect((await refusal(redeem(hill, bob, given))).code).toBe('CODE_EXPIRED');
    expect(await refused(createCode, { ...lost, cents: 300, uses: 5, key: randomUUID() })).toMatchObject({
      extensions: { code: 'NOT_ALLOWED' },
    });

    await done(cancel, { ...lost, cancelled: false });
    expect((await lastEntry())?.details).toMatchObject({ cancelled: false, reverses: expect.any(Number) });
    expect(await phase()).toBe('open');
    await redeem(hill, bob, given);
    await hill.clock.toDay(day + 1);
    expect(await phase()).toBe('running');
    expect(await refused(cancel, lost)).toMatchObject({ extensions: { code: 'NOT_ALLOWED' } });
  });
});
