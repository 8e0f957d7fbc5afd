// A day is closed, signed and witnessed before its night is resolved, whatever stops in between. Rules 20.40 to 20.43.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { type Verifier, verifierKey } from '../../src/log/note.ts';
import { derivedSigner, signCheckpoint, witnessSigners } from '../../src/log/signing.ts';
import { openWitness } from '../../src/witness/index.ts';
import { keep } from '../../src/worker/known.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { playMany } from '../support/hill/doors.ts';
import { runHill } from '../support/hill/hill-process.ts';
import {
  type Account,
  anAccount,
  balanced,
  books,
  closeAccount,
  type Hill,
  refusal,
  useHill,
} from '../support/hill/index.ts';
import { refusalOf } from '../support/hill/refusal.ts';
import { secret } from '../support/hill/secret.ts';
import { aLog, aWorker } from '../support/hill/worker.ts';
import { signLog } from '../support/log/sign.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-closing-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Closed {
  readonly day: number;
  readonly promised: boolean;
  readonly may_ring: boolean;
}
const close = async (hill: Hill): Promise<Closed | null> =>
  (await hill.as('worker').query<{ closed: Closed | null }>('select api_worker.close_next_day() as closed')).rows[0]
    ?.closed ?? null;
const ring = (hill: Hill) => hill.as('worker').query('select api_worker.ring_next_bell()');
const lastNight = async (hill: Hill) => (await hill.asWorker().readClock()).last_night;
/** What no function does, and a clock of a machine does: it is an hour earlier. */
const stepBack = (hill: Hill) => hill.rows("update hill.settings set shown_at = shown_at - interval '1 hour'");
const logged = async (hill: Hill) =>
  (
    await hill.rows<{ entry: string }>(
      "select convert_from(entry, 'UTF8') as entry from hill.log_entries order by generation, index",
    )
  ).map(({ entry }) => entry);
const waiting = async (hill: Hill) =>
  (await hill.rows("select from hill.log_waiting where entry >= 'deposit' and entry < 'deposit!'")).length;

/** Whatever a clock says: nobody deposits or takes back, and nothing of the night is readable. */
async function expectSealed(hill: Hill, ann: Account, night = 1): Promise<void> {
  expect(await refusal(hill.asAgent(ann).play({ slot: 7, move: 'PEACE' }))).toMatchObject({ code: 'BELL_RINGING' });
  // the account may be held by the worker, for a moment
  const [answer] = await until('an answer to the deposit', async () => {
    const answers = await playMany(hill.as('web'), [{ token: ann.token, slot: 7, move: 'PEACE' }]);
    return answers.some((one) => 'busy' in one) ? undefined : answers;
  });
  expect(answer).toMatchObject({ refused: { state: 'ZHBEL' } });
  expect(await refusal(hill.asHuman(ann).withdrawMove(3))).toMatchObject({ code: 'BELL_RINGING' });
  expect(await refusal(closeAccount(hill, ann))).toMatchObject({ code: 'BELL_RINGING' });
  expect(await hill.asWorker().playHouse()).toBe(0);
  expect(await hill.rows('select from hill.sealed_moves where slot = 7 or ended is not null')).toEqual([]);
  expect(await hill.rows('select from hill.nights where day >= $1', [night])).toEqual([]);
  expect(await refusal(hill.asPublic().query('select api_public.day($1)', [night]))).toMatchObject({
    code: 'DAY_NOT_RESOLVED',
  });
}

describe('step by step', () => {
  const hill = useHill();
  let ann: Account;
  let commitment: string;

  test('until it is closed a day that a clock takes back goes on; from then on it is over, and its bell waits for a signature', async () => {
    await signLog(hill);
    ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    expect(await close(hill)).toBeNull();
    await hill.clock.toMidnight();
    await expectSealed(hill, ann);
    await stepBack(hill);
    commitment = ((await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' })) as unknown as { commitment: string })
      .commitment;
    expect(await close(hill)).toBeNull();

    await hill.clock.toMidnight();
    // what is under way at midnight does not come in a batch of its own
    expect((await hill.as('worker').query('select api_worker.number_log() as batch')).rows).toEqual([{ batch: null }]);
    expect((await hill.as('worker').query('select api_worker.seconds_to_log() > 0 as later')).rows).toEqual([
      { later: null },
    ]);
    expect(await close(hill)).toEqual({ day: 1, promised: true, may_ring: false });
    expect(await logged(hill)).toContain(`deposit 1 ${commitment}`);
    expect(await waiting(hill)).toBe(0);
    await expectSealed(hill, ann);
    await stepBack(hill);
    expect(await hill.asWorker().readClock()).toMatchObject({
      day: 2,
      last_night: 0,
      now: '2026-03-02T00:00:00.000000Z',
    });
    await expectSealed(hill, ann);
    expect(await refusal(ring(hill))).toMatchObject({ code: 'NOT_SEALED', detail: { day: 1 } });
    await expectSealed(hill, ann);

    expect(await close(hill)).toEqual({ day: 1, promised: true, may_ring: false });
    expect(await hill.rows('select day, generation, size::int from hill.closed_days')).toEqual([
      { day: 1, generation: 1, size: 2 },
    ]);
  });

  test('signed, it rings, also by the clock that was set back; and what the log says of the night is behind the closing', async () => {
    expect(parseCheckpoint(await signLog(hill)).size).toBe(2);
    await expectSealed(hill, ann);
    expect(await close(hill)).toEqual({ day: 1, promised: true, may_ring: true });
    await ring(hill);
    expect(await hill.rows('select day, moves from hill.nights')).toEqual([{ day: 1, moves: 2 }]);
    expect(await hill.rows('select * from hill.sealed_nights')).toEqual([
      { day: 1, generation: 1, size: 2, witnesses: [] },
    ]);
    await hill.clock.at('00:15');
    await signLog(hill);
    expect((await logged(hill)).findIndex((entry) => entry.startsWith('night 1 '))).toBeGreaterThanOrEqual(2);
    expect(await hill.asAgent(ann).play({ slot: 7, move: 'PEACE' })).toMatchObject({ day: 2 });
    expect(await books(hill.root)).toEqual(balanced);
  });

  test('nobody changes what is closed and sealed, superusers included', async () => {
    for (const change of [
      'update hill.closed_days set size = 9',
      'delete from hill.sealed_nights',
      'truncate hill.unsealed_days',
    ])
      expect(await refusal(hill.root.query(change)), change).toMatchObject({ code: 'LOG_GUARD' });
  });

  test('a deposit that has begun is waited for, and is in the closing', async () => {
    await hill.asRoot(async (web) => {
      const late = await anAccount(hill, { credits: 5000 });
      await web.query('begin');
      const { rows } = await web.query<{ receipt: { commitment: string } }>(
        "select api_agent.play(token => $1, slot => 5, move => 'PEACE', stake_cents => null, message => null, day => null) as receipt",
        [late.token],
      );
      await hill.clock.toMidnight();
      const closing = close(hill);
      await until(
        'the closing waits',
        async () =>
          (await hill.rows("select from pg_locks where relation = 'hill.day_lock'::regclass and not granted")).length >
          0,
      );
      expect(await hill.rows('select from hill.closed_days where day = 2')).toEqual([]);
      await web.query('commit');
      expect(await closing).toEqual({ day: 2, promised: true, may_ring: false });
      expect(await logged(hill)).toContain(`deposit 2 ${rows[0]?.receipt.commitment}`);
    });
  });

  test('a log that began since covers the day if it names a head that does, and no other', async () => {
    const [closed] = await hill.rows<{ size: number }>('select size::int from hill.closed_days where day = 2');
    const sign = () =>
      hill.root.query(
        `insert into hill.log_checkpoints (generation, size, note, signed_at)
         select generation, size, 'signed', engine.now() from hill.log_heads order by generation desc, size desc limit 1`,
      );
    const begin = async (origin: string, size: number) => {
      await hill.root.query(
        "select trusted.begin_log($1, 'hill.example/log', $2, (select h.root from hill.log_heads h where h.generation = 1 and h.size = $2))",
        [origin, size],
      );
      await sign();
    };
    // as an earlier release began one: without what was not signed of the one before it
    await hill.root.query(`
      insert into hill.log_generations (generation, origin, keys, began_at) values (2, 'hill.example/log/2', '{}', engine.now());
      insert into hill.log_entries (generation, index, entry)
      select 2, 0, engine.log_entry('hill.example/log', h.size, h.root) from hill.log_heads h where h.generation = 1 and h.size = 2;
      insert into hill.log_heads (generation, size, root, at) select 2, 1, engine.log_root(2, 1), '-infinity'`);
    await sign();
    expect(await refusal(ring(hill))).toMatchObject({ code: 'NOT_SEALED' });
    await begin('hill.example/log/3', closed?.size ?? 0);
    await ring(hill);
    expect(await hill.rows('select day, generation, size::int from hill.sealed_nights where day = 2')).toEqual([
      { day: 2, generation: 3, size: 1 },
    ]);
  });
});

describe('a day of many pieces', () => {
  const hill = useHill();

  test('a large day is numbered in pieces, while nobody deposits; the batch of before is gone on with first, and the last piece closes the day', async () => {
    await signLog(hill);
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.clock.at('23:00');
    await hill.root.query(
      'create or replace function engine.log_piece() returns integer language sql immutable parallel safe return 2',
    );
    const wait = (...entries: string[]) =>
      hill.root.query(
        "insert into hill.log_waiting (at, entry) select engine.now(), convert_to('deposit 1 ' || e, 'UTF8') from unnest($1::text[]) e",
        [entries],
      );
    const number = async () => (await hill.as('worker').query('select api_worker.number_log() as batch')).rows[0].batch;
    while ((await number()) !== null); // what was there before
    await wait('bb', 'cc', 'ff', 'ee');
    await hill.clock.at('23:15');
    expect(await number()).toMatchObject({ whole: false }); // and its worker ends
    await wait('aa', 'dd', '99');
    const before = (await logged(hill)).length;
    await hill.clock.toMidnight();
    expect(await number()).toBeNull();
    let pieces = 0;
    let closed = await close(hill);
    for (; closed && 'more' in closed; closed = await close(hill)) {
      pieces += 1;
      expect(closed).toEqual({ day: 1, more: true });
      expect(await hill.rows('select from hill.closed_days where day = 1')).toEqual([]);
      await expectSealed(hill, ann);
    }
    expect(pieces).toBeGreaterThan(1);
    expect(closed).toMatchObject({ day: 1, may_ring: false });
    const rest = (await logged(hill))
      .slice(before)
      .filter((entry) => entry.startsWith('deposit 1 ') && entry.length < 13);
    expect(rest).toEqual(['ee', 'ff', '99', 'aa', 'dd'].map((entry) => `deposit 1 ${entry}`));
    expect(
      await hill.rows(
        'select from hill.closed_days c join hill.log_heads h using (generation, size) where c.day = 1 and h.whole',
      ),
    ).toHaveLength(1);
    await signLog(hill);
    await ring(hill);
  });
});

describe('what nothing was promised of', () => {
  const hill = useHill();

  test('waits for nobody: a month of empty nights rings at once, though nobody can sign', async () => {
    await signLog(hill);
    await hill.rows("update hill.settings set founders_total = 30, shown_at = shown_at + interval '30 days'");
    const worker = await aWorker(hill);
    expect(await lastNight(hill)).toBe(30);
    expect(worker.everything()).not.toContain('cannot be signed');
    expect(await hill.rows('select from hill.sealed_nights where generation is null')).toEqual([]);
  });

  test('tells of no closing, also where it happens to be signed', async () => {
    await hill.clock.toMidnight();
    expect(await close(hill)).toEqual({ day: 31, promised: false, may_ring: false });
    await signLog(hill);
    await ring(hill);
    expect(await lastNight(hill)).toBe(31);
    expect(await hill.rows('select from hill.sealed_nights')).toEqual([]);
  });
});

describe('where no log has begun', () => {
  const hill = useHill();

  test('the bell waits for none', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.clock.toMidnight();
    expect(await close(hill)).toEqual({ day: 1, promised: false, may_ring: true });
    await stepBack(hill);
    await expectSealed(hill, ann);
    await ring(hill);
    expect(await hill.rows('select day, generation, size from hill.closed_days')).toEqual([
      { day: 1, generation: null, size: null },
    ]);
    expect(await hill.rows('select from hill.sealed_nights')).toEqual([]);
  });

  test('nor for one that begins between the closing and the bell', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.clock.toMidnight();
    expect(await close(hill)).toEqual({ day: 2, promised: false, may_ring: true });
    await signLog(hill);
    await ring(hill);
    expect(await lastNight(hill)).toBe(2);
    expect(await hill.rows('select from hill.sealed_nights')).toEqual([]);
  });
});

/**
 * The hill's own address and its witness: each holds whoever asks for as long as it is told to, and looks at the hill
 * meanwhile.
 */
function useGates(hill: Hill) {
  const web = useWebDoor(hill);
  const [signer] = witnessSigners(secret, 'witness.example') as [Verifier & ReturnType<typeof witnessSigners>[number]];
  const gates = {
    address: '',
    witness: '',
    verifier: verifierKey(signer),
    asked: async () => {},
    offered: async () => {},
    /** What went wrong while it looked. */
    wrong: [] as unknown[],
    settings: (name: string) => ({
      BASE_URL: gates.address,
      HILL_CHECKPOINT: path.join(folder, name, 'checkpoint'),
      HILL_WITNESSES: `witness w ${gates.verifier} ${gates.witness}`,
    }),
  };
  const servers: http.Server[] = [];
  beforeAll(async () => {
    const [port, witnessPort] = [await freePort(), await freePort()];
    gates.address = `http://127.0.0.1:${port}`;
    gates.witness = `http://127.0.0.1:${witnessPort}`;
    const look = (looked: () => Promise<void>) => looked().catch((error) => void gates.wrong.push(error));
    const address = http.createServer(async (req, res) => {
      await look(gates.asked);
      const answer = await web.get(req.url as string).catch(() => null);
      if (!answer) return void res.destroy(); // the hill has gone
      res.writeHead(answer.status, { 'Hill-Log': answer.headers.get('Hill-Log') ?? '' }).end(await answer.text());
    });
    const log = derivedSigner(secret, `127.0.0.1:${port}/log`, 'ed25519');
    const { handler, close } = openWitness(
      { logs: [verifierKey(log)], signers: [signer], file: path.join(folder, `${port}.sqlite`) },
      aLog().log,
    );
    const witness = http.createServer(async (req, res) => {
      if (req.method === 'POST') await look(gates.offered);
      handler(req, res);
    });
    servers.push(address, witness);
    for (const [server, at] of [
      [address, port],
      [witness, witnessPort],
    ] as const)
      await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
    return () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      close();
    };
  });
  beforeEach(() => {
    Object.assign(gates, { asked: async () => {}, offered: async () => {} });
    gates.wrong.length = 0;
  });
  return { gates, web };
}

/** With the deposit, and what the house has announced. */
const closedSize = async (hill: Hill) => (await hill.rows('select size::int from hill.closed_days'))[0]?.size;
const begun = (hill: Hill) =>
  until('a log', async () => (await hill.rows('select from hill.log_checkpoints')).length > 0);
const checkpointOf = (hill: Hill, day: number) =>
  hill.rows('select from trusted.closing_checkpoint($1)', [day]).then((rows) => rows.length === 1);

describe('a worker at midnight', () => {
  const hill = useHill();
  const { gates, web } = useGates(hill);
  let ann: Account;

  test('closes, signs, asks witnesses and rings, in that order; at no point is a result readable before its closing is stored, or a deposit accepted', async () => {
    ann = await anAccount(hill, { credits: 50_000, daily_cap_cents: 5000 });
    const worker = await aWorker(hill, undefined, gates.settings('one'));
    await begun(hill);
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    const steps: string[] = [];
    // The worker's errands sign as well, at the same time: whoever comes waits for the one look.
    const once = (look: () => Promise<void>) => {
      let looking: Promise<void> | undefined;
      return async () => {
        if ((await hill.rows('select from hill.closed_days')).length === 0) return;
        looking ??= look();
        await looking;
      };
    };
    gates.asked = once(async () => {
      steps.push((await checkpointOf(hill, 1)) ? 'signed' : 'closed');
      await expectSealed(hill, ann);
      await stepBack(hill);
      await expectSealed(hill, ann);
    });
    gates.offered = once(async () => {
      steps.push('offered');
      expect(await checkpointOf(hill, 1)).toBe(true);
      // in the two seconds that a witness has
      expect(await refusal(hill.asAgent(ann).play({ slot: 7, move: 'PEACE' }))).toMatchObject({ code: 'BELL_RINGING' });
      expect(await lastNight(hill)).toBe(0);
      // and readers are shown what is signed
      expect(parseCheckpoint(await (await web.get('/log/checkpoint')).text()).size).toBe(await closedSize(hill));
    });
    await hill.clock.toMidnight();
    await until('the bell', async () => (await lastNight(hill)) === 1);
    expect(gates.wrong).toEqual([]);
    expect(steps).toEqual(['closed', 'offered']);
    expect(worker.said.filter(({ level, msg }) => level >= 40 && !msg.includes('the log failed'))).toEqual([]);
    const size = await closedSize(hill);
    expect(await hill.rows('select day, generation, size::int, witnesses from hill.sealed_nights')).toEqual([
      { day: 1, generation: 1, size, witnesses: [gates.verifier] },
    ]);
    expect(await web.read('/api/day/1')).toMatchObject({
      closed: {
        at: '2026-03-02T00:00:00.000000Z',
        size,
        witnesses: [{ name: 'witness.example', key: gates.verifier }],
      },
      unsealed: null,
    });
    const page = await (await web.get('/day/1')).text();
    expect(page).toMatch(
      /The day was <a href="\/log\/closing\/1">closed<\/a> at <time [^>]*>\d\d:\d\d:\d\d<\/time> according to 1 witness, and resolved after that\./,
    );
    expect(page).not.toContain('UNSEALED');
    expect(parseCheckpoint(await (await web.get('/log/closing/1')).text()).size).toBe(size);
    for (const none of [2, 0, 'x', '1e3']) expect((await web.get(`/log/closing/${none}`)).status).toBe(404);
    expect(await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' })).toMatchObject({ day: 2 });
  });

  test('a witness that never answers, and a slow address, cost it two seconds at most', async () => {
    await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });
    await aWorker(hill, undefined, gates.settings('two'));
    await sleep(500); // it has looked
    gates.asked = () => sleep(700);
    gates.offered = () => sleep(30_000);
    const began = performance.now();
    await hill.clock.toMidnight();
    await until('the bell', async () => (await lastNight(hill)) === 2);
    const seconds = (performance.now() - began) / 1_000;
    expect(seconds).toBeGreaterThan(1.5);
    expect(seconds).toBeLessThan(10); // not the thirty seconds of the witness
    expect(await hill.rows('select witnesses from hill.sealed_nights where day = 2')).toEqual([{ witnesses: [] }]);
    expect(await (await web.get('/day/2')).text()).toContain("by the hill's own word (no outside clock)");
  });

  test('with another one beside it: one closing, one night', async () => {
    const workers = [
      await aWorker(hill, undefined, gates.settings('two')),
      await aWorker(hill, undefined, gates.settings('two')),
    ];
    await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });
    await hill.clock.toMidnight();
    await until('the bell', async () => (await lastNight(hill)) === 3);
    await Promise.all(workers.map(({ stop }) => stop()));
    expect(workers.flatMap(({ said }) => said).filter(({ msg }) => msg.startsWith('night 3 is resolved'))).toHaveLength(
      1,
    );
    expect(await hill.rows('select count(*)::int from hill.closed_days where day = 3')).toEqual([{ count: 1 }]);
    expect(await hill.rows('select count(*)::int from hill.sealed_nights where day = 3')).toEqual([{ count: 1 }]);
    expect(await hill.rows('select * from engine.check_log(1)')).toEqual([]);
    expect(await books(hill.root)).toEqual(balanced);
  });

  test.each([
    ['when it has closed the day', 'asked', false],
    ['when it has signed and asks a witness', 'offered', true],
  ] as const)('killed %s: another one goes on from there', async (_, step, signed) => {
    const day = (await lastNight(hill)) + 1;
    await hill.asAgent(ann).play({ slot: 4, move: 'PEACE' });
    const settings = (name: string) => ({
      ...{
        WORKER_DATABASE_URL: hill.url('worker'),
        HILL_CLOCK: 'simulated',
        HILL_LOG: 'pretty',
        HILL_SIGNING_SECRET: secret,
      },
      ...gates.settings(name),
    });
    const first = runHill(['worker'], settings('two'));
    await first.says('the worker is waiting');
    await sleep(1_000); // it has signed what it found
    let reached = false;
    gates[step] = async () => {
      if (!(await hill.rows('select from hill.closed_days where day = $1', [day])).length) return;
      reached = true;
      await sleep(20_000);
    };
    await hill.clock.toMidnight();
    await until('it is there', async () => reached);
    await first.stop('SIGKILL');
    gates[step] = async () => {};
    expect(await checkpointOf(hill, day)).toBe(signed);
    await stepBack(hill);
    expect(await refusal(hill.asAgent(ann).play({ slot: 7, move: 'PEACE' }))).toMatchObject({ code: 'BELL_RINGING' });
    expect(await lastNight(hill)).toBe(day - 1);

    const second = runHill(['worker'], settings('two'));
    await second.says(`night ${day} is resolved`);
    await second.stop();
    expect(await hill.rows('select count(*)::int from hill.sealed_nights where day = $1', [day])).toEqual([
      { count: 1 },
    ]);
    expect(await books(hill.root)).toEqual(balanced);
  });
});

describe('a hill whose address does not answer', () => {
  const hill = useHill();
  const { gates, web } = useGates(hill);
  let ann: Account;
  const reason = 'The proxy in front of the hill is broken, and its maker was called.';
  const allow = (day: number, why: string | null = reason) =>
    refusal(hill.asStaff().call('api_staff.let_bell_ring', { day, reason: why }));
  /** Neither the address nor a file nor a witness can say what was signed. */
  const nowhere = async () => ({
    ...gates.settings(randomUUID()),
    BASE_URL: `http://127.0.0.1:${await freePort()}`,
    HILL_WITNESSES: '',
  });

  test('waits with its bell, and says why; staff may let it ring sooner than it does by itself, with a reason', async () => {
    ann = await anAccount(hill, { credits: 5000 });
    const before = await aWorker(hill, undefined, gates.settings('well'));
    await begun(hill);
    await before.stop();
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    expect(await allow(1)).toMatchObject({ code: 'NOT_ALLOWED', detail: { from: '2026-03-02T00:00:00.000000Z' } });

    const worker = await aWorker(hill, undefined, await nowhere());
    await hill.clock.toMidnight();
    const said = await until('it says so', async () =>
      worker.said.find(({ msg }) => msg.includes('The bell of day 1 waits')),
    );
    expect(said?.level).toBeGreaterThanOrEqual(40);
    expect(said?.msg).toContain('The file of the last checkpoint (HILL_CHECKPOINT) is not there.');
    expect(said?.msg).toMatch(/127\.0\.0\.1:\d+\/log\/last\/checkpoint does not answer \(ECONNREFUSED\)/);
    await expectSealed(hill, ann);

    expect(await allow(1, ' ')).toMatchObject({ code: 'REASON_REQUIRED' });
    expect(await allow(2)).toMatchObject({ code: 'NOT_ALLOWED', detail: { day: 1 } });
    await hill.asStaff('Sam').call('api_staff.let_bell_ring', { day: 1, reason: ` ${reason} ` });
    await until('the bell', async () => (await lastNight(hill)) === 1);
    expect(
      await hill.rows("select staff_name, action, details, reason from hill.audit_log where action = 'let_bell_ring'"),
    ).toEqual([{ staff_name: 'Sam', action: 'let_bell_ring', details: { day: 1 }, reason }]);
    expect(await hill.rows('select day, reason from hill.unsealed_days')).toEqual([{ day: 1, reason }]);
    expect(await hill.rows('select from hill.sealed_nights')).toEqual([]);
    expect(await hill.rows('select day, moves from hill.nights')).toEqual([{ day: 1, moves: 1 }]);
  });

  test('of that night all say that it is unsealed, and why', async () => {
    expect(await web.read('/api/day/1')).toMatchObject({
      closed: null,
      unsealed: reason,
      headline: expect.stringMatching(/^UNSEALED: .+$/),
    });
    expect(await web.read('/api/days')).toMatchObject({ days: [{ day: 1, closed: null, unsealed: reason }] });
    const page = await (await web.get('/day/1')).text();
    expect(page).toContain('<strong>UNSEALED.</strong>');
    expect(page).toContain(reason);
    for (const place of ['/', '/nights.atom', '/day/1'])
      expect(await (await web.get(place)).text(), place).toContain('UNSEALED: ');
    const { rows } = await hill
      .as('web')
      .query<{ debrief: { night: { unsealed: string } } }>('select api_agent.debrief($1, 1, null) as debrief', [
        ann.token,
      ]);
    expect(rows[0]?.debrief.night.unsealed).toBe(reason);
    expect((await web.get('/log/closing/1')).status).toBe(404);
  });

  test('the next bell waits again; and rings sealed, whatever staff have said, once the address answers', async () => {
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await hill.clock.toMidnight();
    expect(await close(hill)).toEqual({ day: 2, promised: true, may_ring: false });
    // two of the staff at once: both have looked when one of them writes
    const both = await hill.asRoot(async (root) => {
      await root.query('begin; lock table hill.unsealed_days in share mode');
      const letItRing = () => hill.asStaff().call('api_staff.let_bell_ring', { day: 2, reason });
      const asked = Promise.allSettled([letItRing(), letItRing()]);
      await until('both wait', async () => {
        const waiting = await hill.rows(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'let_bell_ring'",
        );
        return waiting.length === 2;
      });
      await root.query('commit');
      return asked;
    });
    const refused = both.flatMap((answer) => (answer.status === 'rejected' ? [refusalOf(answer.reason)] : []));
    expect(refused).toMatchObject([{ code: 'NOT_ALLOWED' }]);
    await aWorker(hill, undefined, gates.settings('well'));
    await until('the bell', async () => (await lastNight(hill)) === 2);
    expect(await web.read('/api/day/2')).toMatchObject({ closed: { witnesses: [{}] }, unsealed: null });
  });

  test('what nobody lets ring rings by itself before two minutes are over, and says why; the next one is sealed again', async () => {
    const day = (await lastNight(hill)) + 1;
    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    const worker = await aWorker(hill, undefined, await nowhere());
    await hill.clock.toMidnight();
    await until('it waits', async () => worker.said.some(({ msg }) => msg.includes(`The bell of day ${day} waits`)));
    // the worker's login alone makes no bell ring sooner, whatever it says
    expect(await refusal(hill.as('worker').query("select api_worker.ring_next_bell('because')"))).toMatchObject({
      code: 'NOT_SEALED',
    });
    await sleep(3_000); // another try
    expect(await lastNight(hill)).toBe(day - 1);
    await hill.rows(
      'begin; set local session_replication_role = replica; ' +
        "update hill.closed_days set closed_real_at = closed_real_at - interval '85 seconds'; commit",
    );
    await until('the bell', async () => (await lastNight(hill)) === day);
    expect(
      await until('it says so', async () => worker.said.find(({ msg }) => msg.includes('UNSEALED: '))),
    ).toMatchObject({ level: 50 });
    const why = 'nothing outside the database could say what had been signed before.';
    expect(await web.read(`/api/day/${day}`)).toMatchObject({ closed: null, unsealed: why });
    await worker.stop();

    await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
    await aWorker(hill, undefined, gates.settings('well'));
    await hill.clock.toMidnight();
    await until('the bell', async () => (await lastNight(hill)) === day + 1);
    expect(await web.read(`/api/day/${day + 1}`)).toMatchObject({ closed: {}, unsealed: null });
  });
});

describe('a bell that staff let ring', () => {
  const hill = useHill();
  const { gates, web } = useGates(hill);
  const allow = (day: number) =>
    hill.asStaff().call('api_staff.let_bell_ring', { day, reason: 'The proxy in front of the hill is broken.' });

  test('waits until its day is closed: what was deposited is in the log before its night', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    const worker = await aWorker(hill, undefined, gates.settings('staff'));
    await begun(hill);
    await worker.stop();
    const { commitment } = (await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' })) as unknown as {
      commitment: string;
    };
    await hill.clock.toMidnight();
    await allow(1);
    expect(await refusal(ring(hill))).toMatchObject({ code: 'NOT_SEALED' });
    await close(hill);
    await ring(hill);
    expect(await lastNight(hill)).toBe(1);
    expect(await logged(hill)).toContain(`deposit 1 ${commitment}`);
  });

  test('says nothing of it where nobody had deposited', async () => {
    await hill.clock.toMidnight();
    await allow(2);
    await close(hill);
    await ring(hill);
    expect(await web.read('/api/day/2')).toMatchObject({ closed: null, unsealed: null });
  });
});

describe('a hill that has lost the last of its log', () => {
  const hill = useHill();
  const { gates, web } = useGates(hill);

  test('rings the bell that it missed, sealed: the log that begins has all that was deposited, and says what came before it', async () => {
    const ann = await anAccount(hill, { credits: 5000 });
    const before = await aWorker(hill, undefined, gates.settings('lost'));
    await begun(hill);
    await before.stop();
    const { commitment } = (await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' })) as unknown as {
      commitment: string;
    };
    // what the machine signed after the backup
    const origin = `${new URL(gates.address).host}/log`;
    const { rows } = await hill.as('worker').query<{ id: string }>('select api_worker.database_identity() as id');
    const lost = signCheckpoint(
      { origin, size: 50, root: Buffer.alloc(32, 5) },
      [derivedSigner(secret, origin, 'ed25519')],
      0,
    );
    await keep(gates.settings('lost').HILL_CHECKPOINT, parseCheckpoint(lost), rows[0]?.id ?? '');

    await hill.clock.toMidnight();
    await aWorker(hill, undefined, gates.settings('lost'));
    await until('the bell', async () => (await lastNight(hill)) === 1);
    expect(await hill.rows('select generation from hill.sealed_nights')).toEqual([{ generation: 2 }]);
    const second = await hill.rows<{ entry: string }>(
      "select convert_from(entry, 'UTF8') as entry from hill.log_entries where generation = 2 order by index",
    );
    expect(second[0]?.entry).toBe(`log ${origin} 50 ${'05'.repeat(32)}`);
    expect(second.map(({ entry }) => entry)).toContain(`deposit 1 ${commitment}`);
    expect(await web.read('/api/day/1')).toMatchObject({ closed: { origin: `${origin}/2` }, unsealed: null });
    await hill.clock.at('00:15');
    await until(
      'the night is signed',
      async () =>
        (
          await hill.rows(
            "select from hill.log_checkpoints c join hill.log_entries e using (generation) where e.index < c.size and e.entry >= 'night 1 ' and e.entry < 'night 1!'",
          )
        ).length > 0,
    );
    expect(
      (await hill.rows<{ name: string; wrong: string }>('select name, wrong from engine.check_seal(1)')).filter(
        ({ wrong }) => Number(wrong) > 0,
      ),
    ).toEqual([]);
  });
});
