// A hill whose operator forges what its nights are resolved from, as a superuser with all keys: what is public of it
// holds in itself, and not with the nights before. Rules 20.50, 20.51.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownSources, prepareDatabase } from '../../src/db/migrate.ts';
import { verifyHill } from '../../src/verify/index.ts';
import { sha256 } from '../../src/verify/nights.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { archiveNight } from '../../src/worker/archives.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { type Account, anAccount, useHill } from '../support/hill/index.ts';
import { aTournament, enter } from '../support/hill/tournaments.ts';
import { useRelease } from '../support/log/release.ts';
import { signLog } from '../support/log/sign.ts';

const hill = useHill();
const withRelease = useRelease();
const web = useWebDoor(hill);

const sources = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-trojan-'));
afterAll(() => fs.rmSync(sources, { recursive: true, force: true }));
/** The same engine, where nothing was loaded. */
const honestHill = useHill();
let honest: string | undefined;

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
  const cup = await aTournament(hill, { opens_day: 1, sign_ups_close_day: 1, starts_day: 2, ends_day: 9 });
  const eve = await anAccount(hill, { name: 'Eve' });
  id.eve = eve.id;
  for (const account of [...cast, eve]) await enter(hill, account, cup);
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

  // Dan deposits after Bob, and says that he was there first.
  await hill.asAgent(eve).announce({ slot: 9, intention: 'PASS' }); // it never moves
  await play(bob, 9, 'PEACE');
  await hill.clock.at('12:00');
  await play(bob, 10, 'PEACE');
  await hill.clock.at('12:20');
  await signLog(hill);
  await hill.clock.at('20:00');
  await play(dan, 9, 'PEACE');
  await forge(async (client) => {
    // again and again until the hash shows that it came in another batch: sorted, it could stand in one with Bob's
    const { rows } = await client.query(
      `with before as materialized (
         select m.*, m.at - interval '10 hours 30 minutes' as forged, max(e.entry) as last
           from hill.sealed_moves m
          cross join (select l.entry from hill.log_entries l where l.entry like 'deposit 6 %'::bytea) e
          where m.account_id = $1 group by m.seq, m.account_id, m.day
       ), after as (
         select b.*, s.*
           from before b
          cross join generate_series(1, 500) n
          cross join lateral engine.seal(sha512(uuid_send(gen_random_uuid()) || int4send(n)), b.day, b.account_id, b.slot,
                       b.move::text, b.stake_cents, null, b.forged, null) s (nsalt, nends, nmsalt, nhash, ncommitment)
          where engine.deposit_entry(b.day, s.ncommitment) < b.last limit 1
       ), moved as (
         update hill.sealed_moves m set at = a.forged, salt = a.nsalt, ends = a.nends, commitment = a.ncommitment
           from after a where m.account_id = a.account_id and m.seq = a.seq
       )
       update hill.log_waiting w set entry = engine.deposit_entry(a.day, a.ncommitment)
         from after a where w.entry = engine.deposit_entry(a.day, a.commitment) returning 1`,
      [dan.id],
    );
    expect(rows).toHaveLength(1);
  });
  nights.instant = await night();

  // Somebody who is nobody moves, without a seat.
  await play(dan, 9, 'PEACE');
  await play(bob, 9, 'PEACE');
  id.nobody = '01a2231a-0000-7000-8000-000000000000';
  await forge((client) =>
    client.query(
      `with copy as (
         select s.*, m.day, m.slot, m.move, m.at, m.agent_id
           from hill.sealed_moves m
          cross join lateral engine.seal(engine.random_salts(), m.day, $2, m.slot, m.move::text, 0, null, m.at, null)
                     s (salt, ends, msalt, hash, commitment)
          where m.account_id = $1
       ), moved as (
         insert into hill.sealed_moves (day, account_id, agent_id, at, slot, move, cost_cents, salt, ends, commitment)
         select day, $2, agent_id, at, slot, move, 300, salt, ends, commitment from copy
       ), paid as (
         insert into hill.wallets (account_id, since, paid_cents) select $2, '2026-01-01', 300
       ), due as (
         insert into hill.reservations (account_id, day, cents, peace) select $2, day, 300, 1 from copy
       ), books as (
         update hill.ledger_accounts set balance_cents = balance_cents - 300 where code = (select min(l.code) from hill.ledger_accounts l)
       )
       insert into hill.log_waiting (at, entry) select at, engine.deposit_entry(day, commitment) from copy`,
      [bob.id, id.nobody],
    ),
  );
  nights.nobody = await night();

  // An engine that serves one account is loaded, and the log has its hash.
  const own = await hill.root.query<{ sha256: Buffer }>('select sha256 from hill.loaded_engine');
  honest = own.rows[0]?.sha256.toString('hex');
  fs.cpSync(ownSources.sql, sources, { recursive: true });
  const file = path.join(sources, 'night/resolve_places.sql');
  const text = fs.readFileSync(file, 'utf8');
  const [born] = await hill.rows<{ since: string }>(
    'select engine.iso(created_at) as since from hill.accounts where id = $1',
    [dan.id],
  );
  const trojan = text.replace('order by c.via, c.at,', `order by c.via, a.since <> '${born?.since}', c.at,`);
  expect(trojan).not.toBe(text);
  fs.writeFileSync(file, trojan);
  await prepareDatabase(hill.ownerUrl, { ...ownSources, sql: sources });
  await play(bob, 5, 'PEACE');
  await play(cid, 5, 'PEACE');
  await play(dan, 5, 'PEACE');
  nights.engine = await night();

  await forge(async (client) => {
    await client.query('update hill.leaderboard set points = points + 5 where account_id = $1', [dan.id]);
    await client.query('update hill.tournament_standings set kept = kept + 1 where account_id = $1', [eve.id]);
  });
  await hill.clock.at('00:20');
  await signLog(hill);
  await verifyHill({
    ...{ hill: servedAt(web.baseUrl), days: [], held: receiptsIn([]), seen: {} },
    withEngine: (source, use) => use(sha256(source) === honest ? honestHill.root : hill.root),
    withRelease,
    say: (holds, sentence) => void (holds || wrong.push(sentence)),
    note: (sentence) => void noted.push(sentence),
  });
});

/** What is said, of these nights or boards, that is not right. */
const said = (...beginnings: string[]) =>
  wrong.filter((sentence) => beginnings.some((beginning) => sentence.startsWith(beginning)));

const forgeries: [string, () => [string[], unknown[]]][] = [
  [
    'who held a place, and for how long',
    () => [
      [`Night ${nights.holder}, `],
      [
        `Night 2, place 1, account ${id.ann}: days held should be 0, and is 1.`,
        `Night 2, place 3, account ${id.dan}: days held should be nothing, and is 5.`,
      ],
    ],
  ],
  [
    'a reputation',
    () => [[`Night ${nights.reputation}, `], [`Night 3, account ${id.cid}: reputation should be 0, and is 1.`]],
  ],
  [
    'a seniority',
    () => [
      [`Night ${nights.seniority}, `],
      [
        expect.stringMatching(
          `^Night 4, account ${id.dan}: seniority should be 2026-.*Z, and is 2020-01-01T00:00:00.000000Z.$`,
        ),
      ],
    ],
  ],
  [
    'a third place of an account',
    () => [
      [`Night ${nights.third}, `],
      [`Night 5, account ${id.ann}: places that it moved on should be at most 2, and is 3.`],
    ],
  ],
  [
    'a deposit that is older than it was',
    () => [
      [`Of night ${nights.instant}, `],
      [
        expect.stringMatching(
          `^Of night 6, the PEACE of ${id.dan} on place 9 says that it was deposited at 2026-.*T09:30:00.*Z, and came into the log behind what was at 2026-.*T12:00:00.*Z.$`,
        ),
      ],
    ],
  ],
  [
    'a move of an account that does not exist',
    () => [
      [`Of night ${nights.nobody}, `, `The hill shows 2 moves of night ${nights.nobody}, `],
      [
        `Of night 7, the PEACE of ${id.nobody} on place 9 is not opened.`,
        'The hill shows 2 moves of night 7, and its night file has 3.',
      ],
    ],
  ],
  [
    'an engine that serves one account',
    () => [
      [`Night ${nights.engine} `],
      [
        `Night 8 comes to something else by this release than by the engine that the log names: place 5, seat 1: account should be ${id.bob}, and is ${id.dan}; place 5, seat 2: account should be ${id.cid}, and is ${id.bob}.`,
      ],
    ],
  ],
  [
    'points on the boards',
    () => [
      ['The last board '],
      [
        expect.stringMatching(
          `^The last board hill, after night 8: rank \\d should be ${id.dan} with points 19, reputation 1, and is ${id.dan} with points 24, reputation 1.$`,
        ),
        expect.stringMatching(
          `^The last board hill, after night 8: rank \\d should be ${id.nobody} .*, and is nobody.$`,
        ),
        expect.stringMatching(`^The last board efficiency, after night 8: rank \\d should be `),
      ],
    ],
  ],
  [
    'a standing of a tournament',
    () => [
      ['The boards of the tournament '],
      [
        `The boards of the tournament spring-cup, after night 8: rank 1 by record should be ${id.eve} with announced 1, betrayed 0, bluffed 0, ghosted 0, kept 1, and is ${id.eve} with announced 2, betrayed 0, bluffed 0, ghosted 0, kept 2.`,
      ],
    ],
  ],
];

test.each(forgeries)('%s is named', (_, forgery) => {
  const [beginnings, sentences] = forgery();
  expect(said(...beginnings)).toEqual(sentences);
});

test('nothing else is called wrong', () => {
  const named = forgeries.flatMap(([, forgery]) => said(...forgery()[0]));
  expect(wrong.filter((sentence) => !named.includes(sentence))).toEqual([]);
});

test('who is seen for the first time is listed', () => {
  expect(noted).toContain(
    `Night 2 has accounts for the first time, whose seniority is the word of the hill: ${id.dan}.`,
  );
});
