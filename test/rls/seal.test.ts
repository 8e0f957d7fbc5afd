// Sealed means sealed (rules 9.1): before its bell a move can be read by nobody but its own account. All that the
// public, another agent, another human, staff, the DBA and the owners of the API schemas can see is looked at before
// and after each thing that an account can do, and is the same.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { playMany } from '../support/hill/doors.ts';
import { type Account, anAccount, call, grant, refusal, useHill } from '../support/hill/index.ts';
import { mailTo } from '../support/hill/mail.ts';
import {
  type Curiosity,
  differences,
  lookAtAnswers,
  lookAtRows,
  type Onlooker,
  restless,
  type Seen,
} from '../support/hill/onlooker.ts';
import { aTournament, enter } from '../support/hill/tournaments.ts';

const hill = useHill();

// What nothing else on the hill says.
const mark = 'zugzwang';
const stake = 90_761;
const refusedStake = 87_652;
/** A number inside of a salt or a hash, which are drawn at random, is none of them. */
const marks = new RegExp(`${mark}|(?<![0-9a-f])(?:${stake}|${refusedStake})(?![0-9a-f])`);

let ann: Account;
let bob: Account;
let spy: Account;
let curiosity: Curiosity;
let onlookers: Onlooker[];

beforeAll(async () => {
  ann = await anAccount(hill, {
    name: 'Ann',
    credits: 100_000,
    granted: [500, 700],
    daily_cap_cents: 100_000_000,
    max_stake_cents: 99_000,
  });
  bob = await anAccount(hill, { name: 'Bob', credits: 100_000, daily_cap_cents: 100_000, max_stake_cents: 99_000 });
  spy = await anAccount(hill, { name: 'Spy', credits: 5000, granted: 300 });
  // a past to look at: a tournament with an entrant, nights, holders, boards, announcements
  await enter(hill, ann, await aTournament(hill, { opens_day: 1, sign_ups_close_day: 1, starts_day: 2, ends_day: 4 }));
  for (let night = 1; night <= 2; night++) {
    await hill.asAgent(ann).announce({ slot: 1, intention: 'PEACE', message: 'As always' });
    await hill.asAgent(ann).play({ slot: 1, move: 'PEACE' });
    await hill.asAgent(ann).play({ slot: 2, move: 'WAR', stake_cents: 900 });
    await hill.asAgent(spy).play({ slot: 2, move: 'PEACE' });
    await hill.clock.ringBell();
  }
  await hill.clock.at('10:00');
  await hill.asWorker().refreshSealedCount();
  await hill.asAgent(ann).announce({ slot: 3, intention: 'WAR' });
  await grant(hill, ann, 100);
  for (const account of [ann, spy]) await mailTo(hill, account, `${account.name.toLowerCase()}@mail.example`);
  // a tag and a subscription of its own, which tells it of nights and of nobody
  await call(hill.as('web'), 'api_agent.verify_badge', { token: spy.token });
  await call(hill.as('web'), 'api_agent.subscribe', {
    token: spy.token,
    id: randomUUID(),
    url: 'https://spy.example/hook',
    events: null,
    sealed_secret: 'c2VhbGVk',
  });
  // sessions of its own for each door
  const session = 'a session of the staff, thirty-two characters and more';
  await hill.rows(
    "insert into oauth.staff_sessions values (sha256(convert_to($1, 'UTF8')), 'Sam', now(), 'infinity', null)",
    [session],
  );

  curiosity = { accounts: [ann, spy], slots: [3, 1], days: [3, 2] };
  const own = {
    token: [`'${spy.token}'`],
    session: [`'${spy.session}'`],
    reason: ["'A reason to look'"],
    actor: [`row('${spy.id}', '${spy.agentId}', '{hill:read,hill:play}')::engine.agent_actor`],
  };
  const staff = { 'hill.staff_session': session };
  const asSpy = { 'hill.account_id': spy.id };
  onlookers = [
    { name: 'the public', role: 'hill_public' },
    { name: 'another agent', role: 'hill_agent', arguments: own },
    { name: 'another human', role: 'hill_human', arguments: own },
    {
      name: 'staff',
      role: 'hill_staff',
      settings: staff,
      arguments: { ...own, session: ["'another session, which nobody has opened yet'"] },
    },
    { name: 'the DBA', role: 'hill_dba' },
    { name: 'what answers the public', role: 'hill_api_public' },
    { name: 'what answers another agent', role: 'hill_api_agent', settings: asSpy, arguments: own },
    { name: 'what answers another human', role: 'hill_api_human', settings: asSpy, arguments: own },
    { name: 'what answers staff', role: 'hill_api_staff', settings: staff, arguments: own },
  ];
});

/** All that each of them sees: the rows that its role may read, and the answers of the functions that it may call. */
const looks = async (): Promise<Map<string, Seen>> => {
  const all = new Map<string, Seen>();
  for (const onlooker of onlookers) {
    // First the rows, in all their detail; calls that are undone leave their marks on those.
    all.set(`${onlooker.name}, rows`, await lookAtRows(hill, onlooker));
  }
  return all;
};

const answers = async (): Promise<Map<string, Seen>> => {
  const all = new Map<string, Seen>();
  for (const onlooker of onlookers.filter(({ role }) => !role.startsWith('hill_api')))
    all.set(`${onlooker.name}, answers`, await lookAtAnswers(hill, onlooker, curiosity));
  all.set('whoever reads mail', await mailed());
  return all;
};

/** A mail is a text in foreign hands, so even that to the account itself: what it would say now, and what waits. */
const mailed = async (): Promise<Seen> => {
  const seen: Seen = new Map();
  for (const { id, name } of [ann, spy])
    await hill.asOwnerOf('hill_api_worker', async (client) => {
      const { rows } = await client.query('select api_human.mail_content($1, 2) as content', [id]);
      seen.set(`the mail to ${name}`, JSON.stringify(rows));
    });
  return seen.set(
    'what waits to be mailed',
    JSON.stringify(await hill.rows('select m::text from hill.mails m order by 1')),
  );
};

const changes = (before: Map<string, Seen>, after: Map<string, Seen>) =>
  Object.fromEntries(
    [...after]
      .map(
        ([name, seen]) =>
          [
            name,
            Object.entries(differences(before.get(name) as Seen, seen)).filter(([about]) => !restless.test(about)),
          ] as const,
      )
      .filter(([, changed]) => changed.length > 0),
  );

describe('the looks themselves', () => {
  test('see much: tables, functions, and what is public of the account', async () => {
    const rows = await looks();
    const answered = await answers();

    expect(Object.fromEntries([...rows].map(([name, seen]) => [name, seen.size > 0]))).toEqual({
      'the public, rows': false,
      'another agent, rows': false,
      'another human, rows': false,
      'staff, rows': true,
      'the DBA, rows': true,
      'what answers the public, rows': true,
      'what answers another agent, rows': true,
      'what answers another human, rows': true,
      'what answers staff, rows': true,
    });
    for (const [name, seen] of rows) if (seen.size > 0) expect([...seen.values()].join('\n'), name).toContain(ann.id);
    for (const name of ['the public', 'staff', 'the DBA'])
      expect([...(answered.get(`${name}, answers`) as Seen).values()].join('\n'), name).toContain(ann.id);
    // most answers of the engine are answers, not refusals
    expect(
      [...(answered.get('the DBA, answers') as Seen).values()].filter((answer) => !answer.startsWith('{"code"')).length,
    ).toBeGreaterThan(100);
    expect(changes(answered, await answers()), 'and see the same when nothing happens').toEqual({});
  });

  test('would see a move that is not sealed: the announcement of it', async () => {
    const [rowsBefore, answersBefore] = [await looks(), await answers()];
    await hill.asAgent(ann).announce({ slot: 4, intention: 'PEACE', message: mark.toUpperCase() });

    const [rows, answered] = [changes(rowsBefore, await looks()), changes(answersBefore, await answers())];
    expect(JSON.stringify(rows['the DBA, rows'])).toContain(mark.toUpperCase());
    expect(JSON.stringify(answered['the public, answers'])).toContain(mark.toUpperCase());
  });

  test('would see that a row was locked for a moment, by its mark', async () => {
    const before = await looks();
    await hill.rows('begin; select 1 from hill.places where slot = 1 for no key update; commit');

    expect(Object.keys(changes(before, await looks()))).toContain('staff, rows');
  });
});

describe('what the account does', () => {
  const deposits: [string, () => Promise<unknown>][] = [
    ['a deposit', () => hill.asAgent(ann).play({ slot: 3, move: 'PEACE', message: mark })],
    [
      'a replacement, with a stake',
      () => hill.asAgent(ann).play({ slot: 3, move: 'WAR', stake_cents: stake, message: `${mark} again` }),
    ],
    [
      'a second place, together with what is refused',
      () => {
        const calls = [
          { move: 'PEACE', message: mark },
          { move: 'WAR', stake_cents: refusedStake },
          { move: 'PEACE', message: mark.repeat(20) },
        ];
        return Promise.all(calls.map((each) => playMany(hill.as('web'), [{ ...each, token: ann.token, slot: 1 }])));
      },
    ],
    [
      'what is repeated, refused, or only a look at itself',
      async () => {
        const { play, ownState } = hill.asAgent(ann);
        const own = (name: string, args: object) => call(hill.asPublic(), name, { token: ann.token, ...args });
        await play({ slot: 1, move: 'PEACE', message: mark });
        await refusal(play({ slot: 1, move: 'WAR', stake_cents: 99_001, message: mark })); // over the mandate
        await refusal(play({ slot: 1, move: 'WAR', stake_cents: refusedStake, message: mark })); // over the credits
        await refusal(play({ slot: 1, move: 'PEACE', message: mark.repeat(20) }));
        await ownState();
        await own('api_agent.fund', { amount_cents: 2000 });
        await own('api_agent.set_profile', { name: 'Ann' });
        await refusal(own('api_agent.set_profile', { name: mark, slug: 'bob' }));
      },
    ],
    ["its human's withdrawal", () => hill.asHuman(ann).withdrawMove(1)],
    [
      'a PASS, and one that changes nothing',
      async () => {
        await hill.asAgent(ann).play({ slot: 3, move: 'PASS' });
        await hill.asAgent(ann).play({ slot: 7, move: 'PASS' });
      },
    ],
  ];
  let answersBefore: Map<string, Seen>;

  test.each(deposits)('%s changes nothing that anybody else can see', async (_, act) => {
    answersBefore ??= await answers();
    const rowsBefore = await looks();
    await act();

    const [rows, answered] = [await looks(), await answers()];
    expect(changes(rowsBefore, rows)).toEqual({});
    expect(changes(answersBefore, answered)).toEqual({});
    for (const seen of [...rows.values(), ...answered.values()])
      for (const answer of seen.values()) expect(answer).not.toMatch(marks);
  });

  test('is counted for the public on the quarter hour, and then as a number of the whole hill', async () => {
    await hill.asAgent(bob).play({ slot: 3, move: 'WAR', stake_cents: stake, message: mark });
    await hill.clock.at('10:15');
    const before = await answers();
    await hill.asWorker().refreshSealedCount();

    const changed = changes(before, await answers());
    // staff are told what the public is told
    expect(Object.keys(changed).sort()).toEqual(['staff, answers', 'the public, answers']);
    expect(JSON.stringify(changed)).not.toMatch(marks);
  });

  test('is public when the bell has rung', async () => {
    const before = await answers();
    await hill.clock.ringBell();

    expect(JSON.stringify(changes(before, await answers())['the public, answers'])).toMatch(mark);
  });
});

describe('the log of the database', () => {
  test('says nothing of a move, accepted or refused', async () => {
    const [{ folder } = { folder: '' }] = await hill.rows<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    );
    const log = path.join(path.dirname(folder), 'postgres.log');
    await hill.clock.at('11:00');
    const [word, cents] = ['fingerspitzengefühl', 76_543];
    const bob = await anAccount(hill, { credits: 80_000, daily_cap_cents: 100_000, max_stake_cents: 90_000 });
    const say = (args: object) =>
      hill.asAgent(bob).play({ slot: 6, move: 'WAR', stake_cents: cents, message: word, ...args });
    await say({});
    const refusals = [
      await refusal(say({ slot: 11 })),
      await refusal(say({ move: `${word} ${cents}` })),
      await refusal(say({ day: 1 })),
      await refusal(say({ stake_cents: 765 })),
      await refusal(say({ message: word.repeat(20) })),
      await refusal(say({ stake_cents: 97_654 })),
      await refusal(say({ slot: 7 })), // together over the daily cap
      await refusal(
        hill
          .asAgent(await anAccount(hill, { credits: 2000, daily_cap_cents: 100_000, max_stake_cents: 90_000 }))
          .play({ slot: 6, move: 'WAR', stake_cents: cents, message: word }),
      ),
      await refusal(hill.asAgent({ ...bob, token: word }).play({ slot: 6, move: 'WAR', stake_cents: cents })),
      // broken by force: a policy, and a statement that is cancelled
      await refusal(
        hill.asOwnerOf('hill_api_agent', async (client) => {
          await client.query("select set_config('hill.account_id', $1, true), set_config('hill.agent_id', $2, true)", [
            bob.id,
            bob.agentId,
          ]);
          await client.query(
            "insert into hill.sealed_moves (day, account_id, agent_id, at, slot, move, stake_cents, cost_cents, message) values (1, $1, $2, now(), 6, 'WAR', $3, -1, $4)",
            [bob.id, bob.agentId, cents, word],
          );
        }),
      ),
      await refusal(
        hill.asRoot(async (client) => {
          await client.query('set statement_timeout = 20');
          await client.query("select api_agent.play($1, 6, 'WAR', $2, $3), pg_sleep(5)", [bob.token, cents + 1, word]);
        }),
      ),
      await refusal(
        hill.asRoot(async (client) => {
          await client.query('set statement_timeout = 20');
          await client.query(
            "select api_agent.play_many(array[$1, $1], '{6, 7}', '{WAR, WAR}', array[$2, $2]::bigint[], array[$3, $3], '{null, null}'), pg_sleep(5)",
            [bob.token, cents + 1, word],
          );
        }),
      ),
    ];

    expect(refusals.map(({ code }) => code)).toEqual([
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'DAY_PASSED',
      'INVALID_STAKE',
      'MESSAGE_TOO_LONG',
      'STAKE_OVER_MANDATE',
      'OVER_DAILY_CAP',
      'INSUFFICIENT_CREDITS',
      'INVALID_TOKEN',
      '42501',
      '57014',
      '57014',
    ]);
    const text = fs.readFileSync(log, 'utf8');
    expect(text, 'the log is the one that they were written to').toContain(
      'canceling statement due to statement timeout',
    );
    // refusals are returned: a line would tell when a move was tried
    expect(text).not.toContain("The day's moves would go over the mandate's daily cap");
    expect(text).not.toMatch(/fingerspitzengefühl|(?<![0-9a-f])(?:76543|76544|97654)(?![0-9a-f])/);
    for (const { message, hint } of refusals)
      expect(`${message} ${hint}`).not.toMatch(/fingerspitzengefühl|(?<![0-9a-f])(?:76543|76544|97654)(?![0-9a-f])/);
    expect(text).not.toContain(bob.id);
    expect(text).not.toContain(bob.token);
    expect(text).not.toMatch(marks);
  });
});
