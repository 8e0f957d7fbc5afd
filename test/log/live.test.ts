// The log of a hill that plays: what its worker signs and its doors serve, judged by Go over HTTP. Rules 20.8 to 20.12.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCheckpoint } from '../../src/log/checkpoint.ts';
import { commitmentToAnnouncement } from '../../src/log/commitment.ts';
import { type Verifier, verifierKey } from '../../src/log/note.ts';
import { openProof } from '../../src/log/proof.ts';
import { derivedSigner, signCheckpoint, witnessSigners } from '../../src/log/signing.ts';
import { receipts } from '../../src/mcp/receipts.ts';
import { parseConfig } from '../../src/process/config.ts';
import type { Announcements, Day } from '../../src/records/index.ts';
import { type Verification, verifyHill } from '../../src/verify/index.ts';
import type { KnownLogs } from '../../src/verify/known-logs.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { openWitness } from '../../src/witness/index.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { type Account, anAccount, type Receipt, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { aLog, aWorker } from '../support/hill/worker.ts';
import { commitmentTo, endingOf, entryOf } from '../support/log/commitment.ts';
import { buildLiveOracle, buildOracle, missingForGo } from '../support/log/oracle.ts';
import { useRelease } from '../support/log/release.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const withRelease = useRelease();
const web = useWebDoor(hill);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-log-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const key = (type: 'ed25519' | 'mldsa44' = 'ed25519') =>
  derivedSigner(secret, `${new URL(web.baseUrl).host}/log`, type);
// The house announces when a worker comes to it, early or late: here entries are counted.
beforeAll(async () => {
  await hill.root.query('select engine.found_house()');
  await hill.root.query('update hill.accounts set suspended_at = engine.now() where house');
});
/** Of the hill, as if its address were another server's: without its header fields, and with a bit flipped. */
let throughLiar = '';
let lieAbout = /^$/;
const liar = http.createServer(async (req, res) => {
  const answer = await fetch(web.baseUrl + (req.url as string));
  const body = Buffer.from(await answer.arrayBuffer());
  // of a checkpoint in its root: Go does not know the second signature
  const at = Math.min(body.length >> 1, 40);
  if (lieAbout.test(req.url as string)) body.writeUInt8(body.readUInt8(at) ^ 1, at);
  res.writeHead(answer.status).end(body);
});
beforeAll(async () => {
  const port = await freePort();
  await new Promise<void>((resolve) => liar.listen(port, '127.0.0.1', resolve));
  throughLiar = `http://127.0.0.1:${port}`;
});
afterAll(() => liar.close());

const signers = witnessSigners(secret, 'witness.example');
let atWitness = '';
beforeAll(async () => {
  const witness = openWitness(
    { logs: [verifierKey(key())], signers, file: path.join(folder, 'witness.sqlite') },
    aLog().log,
  );
  const server = http.createServer(witness.handler);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  atWitness = `http://127.0.0.1:${port}`;
  return () => {
    server.close();
    witness.close();
  };
});

const signedWith = (entries: number) =>
  until(`a checkpoint of ${entries} entries`, async () => {
    const answer = await web.get('/log/checkpoint');
    if (answer.status !== 200) return null;
    const note = await answer.text();
    return openCheckpoint(note, key()).size >= entries && note;
  });

test('before anything is signed there is nothing, and Hill says so itself', async () => {
  const answer = await web.get('/log/checkpoint');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('Hill-Log')).toBe('none');
  expect((await web.get('/log/tile/0/000.p/1')).headers.get('Hill-Log')).toBeNull();
  expect(await web.read('/api/log')).toMatchObject({ simulated: true, logs: [] });
  expect(await (await web.get('/log')).text()).toContain('Nothing has been signed yet.');
});

test('a 404 that Hill did not write tells nothing, and nothing is signed', async () => {
  const worker = await aWorker(hill, undefined, { BASE_URL: throughLiar, HILL_CHECKPOINT: path.join(folder, 'none') });
  await until('it was asked', async () =>
    worker.said.some(({ msg }) => msg.includes('answers with 404, which does not tell')),
  );
  expect(await hill.rows('select from hill.log_generations')).toEqual([]);
});

const settings = () => ({
  BASE_URL: web.baseUrl,
  HILL_CHECKPOINT: path.join(folder, 'checkpoint'),
  HILL_WITNESSES: `witness w ${verifierKey(signers[0] as Verifier)} ${atWitness}`,
});

let nights: string[] = [];
let first = '';
let second = '';
const nightFiles = (nights: number) =>
  until(`${nights} night files`, async () => {
    const { days } = await web.read<{ days: { day: number; archives: { form: string; sha256: string }[] }[] }>(
      '/api/days',
    );
    const files = days
      .flatMap(({ day, archives }) => archives.map((file) => ({ day, ...file })))
      .filter(({ form }) => form === 'night.json');
    return files.length === nights && files;
  });

test('a worker signs at its start, and on the quarter hour after it: a deposit; closing, engine, result and file of a night', async () => {
  await aWorker(hill, undefined, settings());
  first = await signedWith(0);
  const ann = await anAccount(hill, { credits: 5000 });
  const { commitment } = await hill.asAgent(ann).play({ slot: 3, move: 'PEACE' });
  await hill.clock.ringBell();
  await nightFiles(1);
  expect(openCheckpoint(await signedWith(1), key()).size).toBe(1); // nothing of the bell shows before the quarter hour after it
  await hill.clock.at('00:15');
  second = await signedWith(5);
  await hill.clock.ringBell();
  const made = await nightFiles(2);
  await hill.clock.at('00:15');
  const last = await signedWith(7);
  const cosigned = await until('a cosignature', async () => {
    const note = await (await web.get('/log/checkpoint')).text();
    return note.includes('witness.example') && note;
  });
  const [own] = last.split('\u2014 witness.example'); // it may have been there before
  expect(cosigned.startsWith(own as string)).toBe(true);
  await until('the same in the file', async () =>
    fs.readFileSync(path.join(folder, 'checkpoint'), 'utf8').startsWith(own as string),
  );

  const [engine] = await hill.rows<{ sha256: string }>("select encode(sha256, 'hex') as sha256 from hill.engines");
  const source = await web.get(`/source/${engine?.sha256}`);
  expect(source.headers.get('Content-Type')).toBe('application/x-tar');
  expect(sha256(Buffer.from(await source.arrayBuffer()))).toBe(engine?.sha256);
  const result = (day: number, third: string) =>
    `day ${day}\n${Array.from({ length: 10 }, (_, n) => (n === 2 ? third : `place ${n + 1} VACANT 0 0 0\n`)).join('')}`;
  const results = [
    result(1, `place 3 PEACE 1 0 0\nseat 3 ${ann.id} 0 peace 8.0\n`),
    result(2, 'place 3 VACANT 0 0 0\n'),
  ];
  // nobody deposited on day 2
  const closing = openCheckpoint(await (await web.get('/log/closing/1')).text(), key());
  const closed = `${closing.origin} ${closing.size} ${Buffer.from(closing.root).toString('hex')}`;
  nights = results.flatMap((text, n) => [
    ...(n === 0 ? [`deposit 1 ${commitment}`, `closed 1 ${closed}`, `engine ${engine?.sha256}`] : []),
    `file ${n + 1} ${made.find(({ day }) => day === n + 1)?.sha256}`,
    `night ${n + 1} ${engine?.sha256} ${sha256(text)}`,
  ]);
  const logged = await hill.rows<{ entry: string }>(
    "select convert_from(entry, 'UTF8') as entry from hill.log_entries order by index",
  );
  expect(logged.map(({ entry }) => entry)).toEqual(nights);
});

test('a tile is served by the one path that it has, as far as the last checkpoint, and stays what it is', async () => {
  const tile = await web.get('/log/tile/0/000.p/7');
  expect(tile.status).toBe(200);
  expect(tile.headers.get('Content-Type')).toBe('application/octet-stream');
  expect((await tile.arrayBuffer()).byteLength).toBe(7 * 32);
  expect((await web.get('/log/1/tile/0/000.p/3')).status).toBe(200);
  for (const none of [
    '0/000',
    '0/000.p/8',
    '0/000.p/0',
    '1/000.p/1',
    '0/001.p/1',
    '0/0',
    '8/000.p/1',
    'entries/000.p/8',
    '0/000.p/05',
    'x',
  ])
    expect((await web.get(`/log/tile/${none}`)).status, none).toBe(404);
  for (const none of [
    '/log/2/tile/0/000.p/1',
    '/log/2/checkpoint',
    '/log/0/checkpoint',
    '/log/tile',
    `/source/${sha256('')}`,
  ])
    expect((await web.get(none)).status, none).toBe(404);
  expect((await web.get('/log/checkpoint')).headers.get('Content-Type')).toBe('text/plain; charset=utf-8');

  const { logs } = await web.read<{ logs: { origin: string; keys: string[]; size: number; checkpoint: string }[] }>(
    '/api/log',
  );
  expect(logs).toMatchObject([
    { origin: key().name, size: 7, checkpoint: expect.stringMatching(/\/log\/checkpoint$/) },
  ]);
  expect(logs[0]?.keys[0]).toBe(verifierKey(key()));
  const page = await (await web.get('/log')).text();
  expect(page).toContain(key().name);
  expect(page).toContain('According to 1 witness');
  expect(page).not.toContain('no outside clock');
});

test.skipIf(missingForGo)(
  'Go verifies all of it, and that it grew; and notices a flipped bit wherever it is',
  async () => {
    const ask = buildLiveOracle(folder);
    const entries = nights.map((entry) => Buffer.from(entry).toString('base64'));
    const question = {
      ask: 'live',
      url: `${web.baseUrl}/log/`,
      key: verifierKey(key()),
      text: first,
      entries,
    } as const;
    expect(await ask(question)).toBe('ok');
    expect(await ask({ ...question, text: second })).toBe('ok');
    expect(await ask({ ...question, entries: [...entries, Buffer.from('file 9 00').toString('base64')] })).toContain(
      'no entry',
    );
    // the witness signed what is served, and shows it
    const held = await (await fetch(`${atWitness}/${sha256(key().name)}/checkpoint`)).text();
    const text = await (await web.get('/log/checkpoint')).text();
    const cosigned = {
      ask: 'cosigned',
      key: verifierKey(key()),
      witness: verifierKey(signers[0] as Verifier),
    } as const;
    expect(await ask({ ...cosigned, text })).toBe('ok');
    expect(await ask({ ...cosigned, text: held })).toBe('ok');
    expect(await ask({ ...cosigned, text: text.replace(/— witness.*\n/, '') })).toBe('1 of the two have signed');
    const [, signature = ''] = /— witness.example (\S+)/.exec(text) ?? [];
    const otherTime = Buffer.from(signature, 'base64');
    otherTime.writeUInt8(otherTime.readUInt8(11) ^ 1, 11);
    expect(await ask({ ...cosigned, text: text.replace(signature, otherTime.toString('base64')) })).toContain(
      'invalid signature',
    );
    for (const part of [/checkpoint/, /tile\/0/, /entries/]) {
      lieAbout = part;
      expect(await ask({ ...question, url: `${throughLiar}/log/` }), String(part)).not.toBe('ok');
    }
    lieAbout = /^$/;
    expect(await ask({ ...question, url: `${throughLiar}/log/` })).toBe('ok');
  },
);

type Given = Receipt & { salt: string; ends: string; commitment: string; signed_receipt: string };
/** What `play` told on night 3, by what became of it. */
const given = {} as Record<'replaced' | 'live' | 'byHuman' | 'hidden' | 'withdrawn' | 'pass', Given>;

test('each deposit has a proof when it is signed, and after the bell the live ones open: those that lived, and nothing else', async () => {
  await aWorker(hill, undefined, settings());
  const promise = receipts(parseConfig({ BASE_URL: web.baseUrl, HILL_SIGNING_SECRET: secret }), hill.as('web'));
  await promise.ready();
  const play = async (account: Account, move: object): Promise<Given> => {
    await hill.clock.tick();
    return promise.sign((await hill.asAgent(account).play(move as { slot: number; move: string })) as Given) as Given;
  };
  const means = { credits: 5000, daily_cap_cents: 5000 };
  const [bob, cid] = [await anAccount(hill, means), await anAccount(hill, means)];
  given.replaced = await play(bob, { slot: 4, move: 'PEACE', message: 'First thought' });
  given.live = await play(bob, { slot: 4, move: 'WAR', stake_cents: 900, message: 'Mine' });
  given.byHuman = await play(bob, { slot: 5, move: 'PEACE' });
  await hill.asHuman(bob).withdrawMove(5);
  given.hidden = await play(cid, { slot: 6, move: 'PEACE', message: 'Foul' });
  given.withdrawn = await play(cid, { slot: 7, move: 'PEACE' });
  given.pass = await play(cid, { slot: 7, move: 'PASS' });
  await hill.asAgent(bob).announce({ slot: 4, intention: 'WAR', message: 'I come' });
  await hill.asAgent(cid).announce({ slot: 8, intention: 'PEACE' });

  const proofOf = ({ day, commitment }: Given) => web.get(`/log/deposit/${day}/${commitment}`);
  expect((await proofOf(given.live)).status).toBe(404);
  await hill.clock.at('00:30');
  await signedWith(17); // six, the withdrawal, two announcements, and the key of receipts
  for (const deposit of Object.values(given)) {
    const answer = await proofOf(deposit);
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(openProof(await answer.text(), Buffer.from(entryOf(3, deposit.commitment)), key()).size).toBe(17);
  }
  const { announcements } = await web.read<Announcements>('/api/announcements?proofs=true');
  expect(announcements).toHaveLength(2);
  for (const { occupant, opening, ...said } of announcements) {
    const commitment = commitmentToAnnouncement({
      day: 3,
      account_id: occupant.accountId,
      ...said,
      ...(opening as NonNullable<typeof opening>),
    });
    const proof = await (await web.get(`/log/announcement/3/${commitment}`)).text();
    expect(openProof(proof, Buffer.from(`announcement 3 ${commitment}`), key()).size).toBe(17);
    expect((await web.get(`/log/deposit/3/${commitment}`)).status).toBe(404);
  }
  for (const none of [
    `2/${given.live.commitment}`,
    `3/${sha256('')}`,
    '3/x',
    `0/${given.live.commitment}`,
    `999999999/${sha256('')}`,
  ])
    expect((await web.get(`/log/deposit/${none}`)).status, none).toBe(404);

  await hill.clock.ringBell();
  await nightFiles(3);
  const { moves } = await web.read<Day>('/api/day/3');
  const opened = moves.map(({ occupant, message, at, opening, ...move }) => {
    if (!opening) throw new Error('it has no opening');
    return commitmentTo({ day: 3, account_id: occupant.accountId, ...move, deposited_at: at, message, ...opening });
  });
  expect(opened).toEqual([given.live, given.hidden].map(({ commitment }) => commitment));
  expect(moves[0]?.opening?.ends).toBe(endingOf(given.replaced));
  const everything = (
    await Promise.all(
      ['', '/moves.ndjson', '/moves.csv', '/night.json'].map(async (list) =>
        (await web.get(`/api/day/3${list}`)).text(),
      ),
    )
  ).join();
  expect(everything).toContain(given.live.salt);
  for (const { salt, commitment } of [given.replaced, given.byHuman, given.withdrawn, given.pass])
    expect(everything.includes(salt) || everything.includes(commitment)).toBe(false);
  // what is from before the log has no such field, and is as it was; so is CSV
  await hill.asRoot((root) =>
    root.query("set session_replication_role = 'replica'; update hill.moves set salt = null where day = 1"),
  );
  await hill.root.query("delete from hill.archives where day = 1; select trusted.note_change('closings')");
  await until(
    'night 1 without',
    async () => !(await (await web.get('/api/day/1/moves.ndjson')).text()).includes('opening'),
  );
  expect(Object.keys((await web.read<Day>('/api/day/1')).moves[0] as object)).not.toContain('opening');
  expect((await (await web.get('/api/day/3/moves.csv')).text()).split('\r\n')[0]).toBe(
    'seq,at,slot,move,stake_cents,cost_cents,message,reputation,since,agent_id,model,account_id,slug,name,url,house,day,outcome,seat,points',
  );
  await hill.clock.at('00:15');
  await signedWith(20);
  await until('a cosignature', async () =>
    (await (await web.get('/log/checkpoint')).text()).includes('witness.example'),
  );
});

test.skipIf(missingForGo)('Go takes each of these proofs, and none with a flipped bit', async () => {
  const questions = await Promise.all(
    Object.values(given).map(async ({ commitment }) => ({
      ...{
        ask: 'proof' as const,
        key: verifierKey(key()),
        entry: Buffer.from(entryOf(3, commitment)).toString('base64'),
      },
      text: await (await web.get(`/log/deposit/3/${commitment}`)).text(),
    })),
  );
  const flipped = questions.map((question) => ({
    ...question,
    entry: Buffer.from(entryOf(3, sha256(question.entry))).toString('base64'),
  }));
  expect(buildOracle(folder)(questions)).toEqual(questions.map(() => 'ok'));
  expect(buildOracle(folder)(flipped)).not.toContain('ok');
});

describe('npm run verify', () => {
  type Only = Pick<Verification, 'witnesses' | 'logOnly'>;
  const verify = async (
    url: string,
    {
      seen = {},
      days = [],
      texts = [],
      only,
    }: { seen?: KnownLogs; days?: number[]; texts?: string[]; only?: Only } = {},
  ) => {
    const noted: string[] = [];
    const wrong: string[] = [];
    const held: string[] = [];
    await verifyHill({
      ...{ hill: servedAt(url), days, held: receiptsIn(texts), seen },
      // a cluster of its own is what the command makes: the functions are those of the same sources
      withEngine: (_source, use) => use(hill.root),
      withRelease,
      say: (holds, sentence) => (holds ? held : wrong).push(sentence),
      note: (sentence) => noted.push(sentence),
      ...only,
    });
    return { wrong, held, seen, noted };
  };

  test('finds that all holds, twice, and pins the key and what it saw', async () => {
    const first = await verify(web.baseUrl);
    expect(first.wrong).toEqual([]);
    expect(first.held).toContain('Night 1, resolved again from its night file, has the result that the log says.');
    const { closed } = await web.read<Day>('/api/day/3');
    for (const sentence of [
      `The closing of day 3, of ${closed?.size} entries, is signed by the key of ${key().name}, which begins with it.`,
      'All 7 deposits of day 3 were in the log when it was closed.',
      'What came of night 3 came into the log after that.',
      expect.stringMatching(/^The witness witness.example saw the closing of day 3 at 20/),
    ])
      expect(first.held).toContainEqual(sentence);
    expect(first.noted.join()).not.toContain('nothing shows');
    // nobody deposited on day 2
    expect(await web.read<Day>('/api/day/2')).toMatchObject({ unsealed: null });
    expect([...first.held, ...first.noted].join()).not.toContain('of day 2');
    expect(Object.values(first.seen)).toMatchObject([{ key: verifierKey(key()), checkpoints: [expect.any(String)] }]);
    expect(await verify(web.baseUrl, { seen: first.seen })).toMatchObject({ wrong: [], seen: first.seen });
  });

  test('takes each receipt of what lived, or was ended by what is named or opened; and says which is not, or is not the hill’s', async () => {
    const { wrong, held } = await verify(web.baseUrl, {
      days: [3],
      texts: [JSON.stringify({ answers: Object.values(given).filter((one) => one !== given.byHuman) })],
    });
    expect(wrong).toEqual([]);
    for (const [{ commitment }, became] of [
      [given.live, 'lived, and the night opened it'],
      [given.replaced, 'was ended by a deposit that the night opened'],
      [given.withdrawn, 'was ended by another deposit that you named'],
      [given.pass, 'is a PASS'],
    ] as const)
      expect(held.filter((sentence) => sentence.includes(commitment.slice(0, 12)))).toEqual([
        expect.stringContaining('is signed by a key that the log has'),
        expect.stringContaining('is in the log before the night'),
        expect.stringContaining(became),
      ]);

    // its human withdrew it, which nothing here says
    const [head, body] = given.live.signed_receipt.split('.') as [string, string];
    const promised = JSON.parse(Buffer.from(body, 'base64url').toString());
    const other = Buffer.from(JSON.stringify({ ...promised, commitment: sha256('') })).toString('base64url');
    const signature = given.live.signed_receipt.split('.')[2];
    expect(
      (await verify(web.baseUrl, { days: [3], texts: [given.byHuman.signed_receipt, `${head}.${other}.${signature}`] }))
        .wrong,
    ).toEqual([
      expect.stringContaining(`${given.byHuman.commitment.slice(0, 12)} of day 3 was not opened`),
      expect.stringContaining(`${sha256('').slice(0, 12)} of day 3 is not signed by a key`),
    ]);
  });

  /** What is said of day 3 while it is changed past every guard; then all is as it was. */
  const whileForged = (change: string, undo: string) =>
    hill.asRoot(async (root) => {
      const heard = async (sql: string) => {
        await root.query(`${sql}; select trusted.note_change('closings'), trusted.note_change('log')`);
        await web.get('/log');
      };
      await heard(`set session_replication_role = 'replica'; ${change}`);
      const said = await verify(web.baseUrl, { days: [3] });
      await heard(undo);
      return said;
    });
  const said = (slot: number) => `day = 3 and slot = ${slot}`;
  const of = (slot: number) => `day = 3 and slot = ${slot} and ended is null`;
  const hidden = (saidIn: string, which: string) => `
    insert into hill.hidden_words (account_id, day, slot, said_in, words, message_salt, hidden_at)
    select account_id, day, slot, '${saidIn}', message, message_salt, now() from hill.${saidIn}s where ${which};
    update hill.${saidIn}s set message = engine.veiled_words(), message_salt = null where ${which}`;
  const shown = (saidIn: string, which: string) => `
    update hill.${saidIn}s w set message = h.words, message_salt = h.message_salt
      from (select words, message_salt from hill.hidden_words) h where ${which};
    delete from hill.hidden_words`;
  const swap =
    'update hill.moves m set salt = o.salt from hill.moves o where m.day = 3 and o.day = 3 and m.ended is null and o.ended is null and m.slot <> o.slot';
  test.each([
    [
      'an edited move',
      `update hill.moves set stake_cents = 901 where ${of(4)}`,
      `update hill.moves set stake_cents = 900 where ${of(4)}`,
      'on place 4 opens to no deposit in the log',
    ],
    ['swapped salts', swap, swap, 'opens to no deposit in the log; and 1 more'],
    [
      'other words',
      `update hill.moves set message = 'Yours' where ${of(4)}`,
      `update hill.moves set message = 'Mine' where ${of(4)}`,
      'shows other words than were sealed',
    ],
    [
      'a move that is not opened',
      `create temp table was as select salt from hill.moves where ${of(6)}; update hill.moves set salt = null where ${of(6)}`,
      `update hill.moves set salt = (select salt from was) where ${of(6)}`,
      'on place 6 is not opened',
    ],
    [
      'an invented move',
      `update hill.moves set ended = null, ended_at = null where day = 3 and slot = 7 and move = 'PEACE'`,
      `update hill.moves set ended = 'withdrawn', ended_at = at where day = 3 and slot = 7 and move = 'PEACE'`,
      'The night file of night 3 has 3 moves, and the hill says 2',
    ],
    [
      'an announcement that was edited',
      `update hill.announcements set slot = 9 where ${said(8)}`,
      `update hill.announcements set slot = 8 where ${said(9)}`,
      'announced on place 9 opens to no announcement in the log; and 1 more',
    ],
    [
      'other words that were announced',
      `update hill.announcements set message = 'I stay' where ${said(4)}`,
      `update hill.announcements set message = 'I come' where ${said(4)}`,
      'announced on place 4 shows other words than were announced',
    ],
    [
      'another verdict',
      `update hill.announcements set verdict = 'betrayed' where ${said(8)}`,
      `update hill.announcements set verdict = 'ghosted' where ${said(8)}`,
      'announced on place 8 was not betrayed',
    ],
    [
      'an announcement that is not shown',
      `create temp table gone as select * from hill.announcements where ${said(8)}; delete from hill.announcements where ${said(8)}`,
      `insert into hill.announcements select * from gone`,
      'an announcement that the log has,',
    ],
    [
      'an announcement that nobody made',
      `insert into hill.announcements select day, account_id, 9, agent_id, intention, message, at, verdict, salt from hill.announcements where ${said(8)}`,
      `delete from hill.announcements where ${said(9)}`,
      'announced on place 9 opens to no announcement in the log',
    ],
    ['an announcement that is hidden', hidden('announcement', said(4)), shown('announcement', said(4)), ''],
    ['words that are hidden', hidden('move', of(6)), shown('move', of(6)), ''],
  ])('names %s', async (_, change, undo, sentence) => {
    await hill.root.query('create table if not exists public.kept_archives as table hill.archives');
    const { wrong } = await whileForged(
      `delete from hill.archives where day = 3; ${change}`,
      `${undo}; insert into hill.archives overriding system value select * from public.kept_archives where day = 3`,
    );
    if (sentence === '') expect(wrong).toEqual([]);
    else expect(wrong.join()).toContain(sentence);
  });

  const resize = (size: string) => `update hill.sealed_nights set size = ${size} where day = 3`;
  test.each([
    [
      'a closing that was signed when the night was known',
      resize('(select max(size) from hill.log_checkpoints)'),
      'What came of night 3 was in the log before its day was closed.',
    ],
    [
      'deposits that came behind the closing',
      resize('7'),
      '7 deposits of day 3 came into the log after it was closed.',
    ],
    [
      'a closing that is gone',
      'delete from hill.sealed_nights where day = 3',
      'Night 3 has deposits and no closing, and does not say why.',
    ],
    [
      'a night that says it is unsealed',
      `delete from hill.sealed_nights where day = 3; insert into hill.unsealed_days values (3, now(), 'It burned.')`,
      `How night 3 was sealed is not what the log says: closed `,
    ],
  ])('names %s', async (_, change, sentence) => {
    await hill.root.query('create table if not exists public.kept_seals as table hill.sealed_nights');
    const { wrong, noted } = await whileForged(
      change,
      'delete from hill.unsealed_days; delete from hill.sealed_nights; insert into hill.sealed_nights table public.kept_seals',
    );
    expect(wrong.join()).toContain(sentence);
    expect(wrong.join()).toContain('How night 3 was sealed is not what the log says');
    if (change.includes('It burned.'))
      expect(noted).toContain(
        'Night 3 is UNSEALED: nothing shows what was deposited before it was resolved. The hill says why: It burned.',
      );
  });

  test('on a real clock, names a closing that a witness saw after the night; and one that a trusted witness did not sign', async () => {
    const shown = servedAt(web.baseUrl);
    const hillOnRealClock: typeof shown = {
      ...shown,
      // the clock of the tests is in the past, that of the witness is not
      json: async <T>(path: string) =>
        ({ ...(await shown.json<object>(path)), ...(path === '/api/log' ? { simulated: false } : {}) }) as T,
    };
    const wrong: string[] = [];
    const check = (witnesses: Verifier[]) =>
      verifyHill({
        ...{ hill: hillOnRealClock, days: [3], held: receiptsIn([]), seen: {}, witnesses },
        withEngine: (_source, use) => use(hill.root),
        withRelease,
        say: (holds, sentence) => void (holds || wrong.push(sentence)),
        note: () => {},
      });
    await check([]);
    expect(wrong).toEqual([
      expect.stringMatching(
        /^The witness witness.example saw the closing of day 3 at 20.*, and its night was resolved at 2026-03-/,
      ),
    ]);
    wrong.length = 0;
    await check([witnessSigners(secret, 'stranger.example')[0] as Verifier]);
    expect(wrong).toContain('The witness stranger.example did not sign the closing of day 3.');
  });

  test('counts the witnesses that the hill names, and fails where one that is asked for has not signed', async () => {
    const counted = await verify(web.baseUrl, { only: { logOnly: true } });
    expect(counted.noted.join()).toMatch(/was there at 20\d\d-.*, according to one witness\. The hill names them/);
    expect(counted.held.join()).not.toContain('Night');
    const [trusted, stranger] = [signers[0] as Verifier, witnessSigners(secret, 'stranger.example')[0] as Verifier];
    const asked = await verify(web.baseUrl, { only: { logOnly: true, witnesses: [trusted, stranger] } });
    expect(asked.held).toContainEqual(expect.stringContaining('The witness witness.example saw the last checkpoint'));
    expect(asked.wrong).toEqual([expect.stringContaining('is not signed by the witness stranger.example')]);
  });

  test.each([
    [/^.log.checkpoint/, 'is not signed by'],
    [/entries/, 'are not the 20 that this checkpoint is of'],
    [/^.source/, 'are not those that the log names'],
    [/1.night.json/, 'night 1 does not have the hash'],
  ])('names what has a flipped bit: %s', async (part, sentence) => {
    lieAbout = part;
    const { wrong } = await verify(throughLiar);
    lieAbout = /^$/;
    expect(wrong.join()).toContain(sentence);
  });

  test('names what the hill shows otherwise, and a log that was changed under its key', async () => {
    const { seen } = await verify(web.baseUrl);
    await hill.asRoot((root) =>
      root.query(
        "set session_replication_role = 'replica'; update hill.place_results set outcome = 'WAR' where day = 2 and slot = 1",
      ),
    );
    await hill.root.query("select trusted.note_change('closings')");
    await web.get('/log'); // that was heard
    expect((await verify(web.baseUrl)).wrong).toEqual([
      'What the hill shows of night 2 is not that result: place 1: outcome should be VACANT, and is WAR.',
    ]);
    const [origin = ''] = Object.keys(seen);
    const other = signCheckpoint({ origin, size: 2, root: Buffer.alloc(32) }, [key()], 0);
    expect(
      (await verify(web.baseUrl, { seen: { [origin]: { key: verifierKey(key()), checkpoints: [other] } } })).wrong[0],
    ).toContain('does not begin with the checkpoint of size 2');
    expect(
      (await verify(web.baseUrl, { seen: { 'other.example/log': { key: verifierKey(key()), checkpoints: [] } } }))
        .wrong[0],
    ).toContain('was seen before, and is not shown any more');
  });

  test('names what a hill that signs its log anew took out of it, and what it added behind the night', async () => {
    const { seen } = await verify(web.baseUrl, { days: [3] });
    const [origin = ''] = Object.keys(seen);
    const forge = async (change: string) => {
      await hill.asRoot((root) =>
        root.query(`set session_replication_role = 'replica'; ${change};
          insert into hill.log_heads (generation, size, root, at)
          select 1, count(*), engine.log_root(1, count(*)), now() from hill.log_entries
          on conflict (generation, size) do update set root = excluded.root`),
      );
      const [{ size, root } = { size: 0, root: '' }] = await hill.rows<{ size: number; root: string }>(
        `select count(*)::int as size, encode(engine.log_root(1, count(*)), 'base64') as root from hill.log_entries`,
      );
      const note = signCheckpoint({ origin, size, root: Buffer.from(root, 'base64') }, [key(), key('mldsa44')], 0);
      await hill.asRoot(async (client) => {
        await client.query("set session_replication_role = 'replica'");
        await client.query('delete from hill.log_checkpoints where size = $1', [size]);
        await client.query(
          'insert into hill.log_checkpoints (generation, size, note, signed_at) values (1, $1, $2, now())',
          [size, note],
        );
        await client.query("select trusted.note_change('log'), trusted.note_change('closings')");
      });
      await until('the other checkpoint', async () =>
        (await (await web.get('/log/checkpoint')).text()).startsWith(note),
      );
    };
    const entry = (text: string) => `convert_to('${text}', 'UTF8')`;
    await forge(
      `update hill.log_entries set entry = ${entry(entryOf(3, sha256('')))} where entry = ${entry(entryOf(3, given.live.commitment))}`,
    );
    expect((await verify(web.baseUrl, { seen })).wrong.join()).toContain('does not begin with the checkpoint');
    expect((await verify(web.baseUrl, { days: [3], texts: [given.live.signed_receipt] })).wrong).toEqual([
      expect.stringContaining('How night 3 was sealed is not what the log says'),
      expect.stringMatching(
        /^The closing of day 3 is not one that the key of .* signed of the beginning of that log.$/,
      ),
      expect.stringContaining('on place 4 opens to no deposit in the log'),
      expect.stringContaining('is not in the log before the night: the promise was not kept'),
    ]);
    await forge(`insert into hill.log_entries values (1, 20, ${entry(entryOf(3, given.live.commitment))})`);
    expect((await verify(web.baseUrl, { days: [3] })).wrong).toEqual([
      expect.stringContaining('How night 3 was sealed is not what the log says'),
      expect.stringMatching(/^The closing of day 3 is not one/),
      expect.stringContaining('on place 4 was logged after the night'),
      'The log has a deposit of night 3 after the night.',
    ]);
  });
});
