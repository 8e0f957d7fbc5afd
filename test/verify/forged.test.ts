// A hill whose operator forges what its nights are resolved from, as a superuser with all keys: what is public of it
// holds in itself, and not with the nights before. Rules 20.50, 20.51.
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { verifyHill } from '../../src/verify/index.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { archiveNight } from '../../src/worker/archives.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { useRelease } from '../support/log/release.ts';
import { signLog } from '../support/log/sign.ts';

const hill = useHill();
const withRelease = useRelease();
const web = useWebDoor(hill);

const wrong: string[] = [];
const noted: string[] = [];
const id: Record<string, string> = {};
/** Which night a forgery is in, in the order of the forgeries. */
const nights: Record<string, number> = {};

/** With what guards the hill's own nights out of the way. */
const forge = (use: (client: pg.PoolClient) => Promise<unknown>) =>
  hill.asRoot(async (client) => {
    await client.query("begin; set local session_replication_role = 'replica'");
    await use(client);
    await client.query('commit');
  });

async function play(account: Account, slot: number, move: string, stake_cents?: number): Promise<void> {
  await hill.clock.tick();
  await hill.asAgent(account).play({ slot, move, stake_cents });
}

/** Rings the bell of a day, with its night file. */
async function night(): Promise<number> {
  const day = await hill.clock.day();
  await hill.clock.ringBell();
  while (await archiveNight(hill.as('worker')));
  return day;
}

beforeAll(async () => {
  const cast: Account[] = [];
  for (const name of ['Ann', 'Bob', 'Cid', 'Dan']) {
    await hill.clock.tick();
    const account = await anAccount(hill, { name, credits: 90_000, daily_cap_cents: 20_000 });
    cast.push(account);
    id[name.toLowerCase()] = account.id;
  }
  const [ann, bob, cid, dan] = cast as [Account, Account, Account, Account];
  await signLog(hill);

  await play(ann, 1, 'PEACE');
  await play(bob, 2, 'PEACE');
  await play(cid, 3, 'WAR', 900);
  await night();

  // Dan sits where nobody sat, and Ann for longer than she did; the seats of the night before are as they were when
  // anybody looks.
  await play(dan, 3, 'PEACE');
  await play(ann, 1, 'PEACE');
  await forge(async (client) => {
    await client.query(
      `insert into hill.seats (day, slot, seat, account_id, agent_id, seq, days_held, via, points)
       select day, 3, 2, $1, agent_id, seq, 5, 'queue', 4 from hill.seats where slot = 3`,
      [dan.id],
    );
    await client.query('update hill.seats set days_held = 1 where slot = 1');
  });
  nights.holder = await night();
  await forge(async (client) => {
    await client.query('delete from hill.seats where day = 1 and slot = 3 and seat = 2');
    await client.query('update hill.seats set days_held = 0 where day = 1 and slot = 1');
  });

  // The one WAR of Cid is forgotten for a night.
  await play(cid, 4, 'PEACE');
  await play(bob, 4, 'PEACE');
  await forge((client) =>
    client.query('update hill.wallets set war_ring = 0, peace_ring = 1 where account_id = $1', [cid.id]),
  );
  nights.reputation = await night();
  await forge((client) =>
    client.query('update hill.wallets set war_ring = 16, peace_ring = 1 where account_id = $1', [cid.id]),
  );

  // Dan is older than he is.
  await play(dan, 5, 'PEACE');
  const since = (value: string) =>
    forge((client) =>
      client.query(
        `update hill.wallets w set since = ${value} from hill.accounts a where a.id = w.account_id and a.id = $1`,
        [dan.id],
      ),
    );
  await since("'2020-01-01'");
  nights.seniority = await night();
  await since('a.created_at');

  // Ann plays on a third place.
  const counted = (peace: number) =>
    hill.root.query('update hill.reservations set peace = $2 where account_id = $1', [ann.id, peace]);
  await play(ann, 6, 'PEACE');
  await play(ann, 7, 'PEACE');
  await counted(0);
  await play(ann, 8, 'PEACE');
  await counted(3);
  nights.third = await night();

  await play(bob, 9, 'PEACE');
  await night();
  await hill.clock.at('00:20');
  await signLog(hill);
  await verifyHill({
    ...{ hill: servedAt(web.baseUrl), days: [], held: receiptsIn([]), seen: {} },
    withEngine: (_source, use) => use(hill.root),
    withRelease,
    say: (holds, sentence) => void (holds || wrong.push(sentence)),
    note: (sentence) => void noted.push(sentence),
  });
});

/** What is said of a night that is not right. */
const said = (what: string) => wrong.filter((sentence) => sentence.startsWith(`Night ${nights[what]},`));

test('who held a place, and for how long, is named', () => {
  expect(said('holder')).toEqual([
    `Night 2, place 1, account ${id.ann}: days held should be 0, and is 1.`,
    `Night 2, place 3, account ${id.dan}: days held should be nothing, and is 5.`,
  ]);
});

test('a reputation is named', () => {
  expect(said('reputation')).toEqual([`Night 3, account ${id.cid}: reputation should be 0, and is 1.`]);
});

test('a seniority is named', () => {
  expect(said('seniority')).toEqual([
    expect.stringMatching(
      `^Night 4, account ${id.dan}: seniority should be 2026-.*Z, and is 2020-01-01T00:00:00.000000Z.$`,
    ),
  ]);
});

test('a third place of an account is named', () => {
  expect(said('third')).toEqual([`Night 5, account ${id.ann}: places that it moved on should be at most 2, and is 3.`]);
});

test('nothing else is called wrong', () => {
  expect(wrong).toEqual(Object.keys(nights).flatMap(said));
});

test('who is seen for the first time is listed', () => {
  expect(noted).toContain(
    `Night 2 has accounts for the first time, whose seniority is the word of the hill: ${id.dan}.`,
  );
});
