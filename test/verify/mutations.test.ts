// Nights that were published, as files: each change of them is named, whoever made it; untouched they hold. Rules
// 20.14, 20.22, 20.48.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { commitmentTo } from '../../src/log/commitment.ts';
import { signatureLine, type Verifier } from '../../src/log/note.ts';
import { cosign, derivedSigner, signCheckpoint, witnessSigners } from '../../src/log/signing.ts';
import { parseBundle } from '../../src/log/tiles.ts';
import { fileOf } from '../../src/verify/archive.ts';
import { resultOf } from '../../src/verify/engine.ts';
import { verifyHill } from '../../src/verify/index.ts';
import type { KnownLogs } from '../../src/verify/known-logs.ts';
import { beginArchive, endArchive, openArchive, savedTo } from '../../src/verify/node/archive.ts';
import { askAt, type Served, servedAt } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { Tree } from '../../src/verify/tree.ts';
import { archiveNight } from '../../src/worker/archives.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { useRelease } from '../support/log/release.ts';
import { signLog } from '../support/log/sign.ts';

const hill = useHill();
const withRelease = useRelease();
const web = useWebDoor(hill);
const key = derivedSigner(secret, 'hill.example/log', 'ed25519');
const second = derivedSigner(secret, 'hill.example/log', 'mldsa44');
const witness = witnessSigners(secret, 'witness.example')[0] as ReturnType<typeof witnessSigners>[number];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-archives-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
/** After night 1, and after night 2. */
const [early, late] = [path.join(folder, 'early'), path.join(folder, 'late')];

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function verify(served: Served, seen: KnownLogs = {}, witnesses: Verifier[] = []) {
  const wrong: string[] = [];
  const held: string[] = [];
  const noted: string[] = [];
  await verifyHill({
    ...{ hill: served, days: [], held: receiptsIn([]), seen, witnesses },
    // a cluster of its own is what the command makes: the functions are those of the same sources
    withEngine: (_source, use) => use(hill.root),
    withRelease,
    say: (holds, sentence) => (holds ? held : wrong).push(sentence),
    note: (sentence) => noted.push(sentence),
  });
  return { wrong, held, noted, seen };
}
const offline = (dir: string, ...more: [seen?: KnownLogs, witnesses?: Verifier[]]) =>
  verify(openArchive(dir).hill, ...more);

async function save(dir: string): Promise<void> {
  beginArchive(dir, web.baseUrl);
  const { wrong } = await verify(savedTo(dir, web.baseUrl, askAt(web.baseUrl)));
  expect(wrong).toEqual([]);
  endArchive(dir, web.baseUrl, 'all');
  // as if a witness had been there, at midnight and now
  for (const [i, note] of [...closingsOf(dir), path.join(dir, 'log/checkpoint')].entries()) {
    const head = parseCheckpoint(fs.readFileSync(note, 'utf8'));
    fs.appendFileSync(note, signatureLine(cosign(head, witness, 1_700_000_000 + i)));
  }
}

/** What was signed of days before their bells. */
function closingsOf(dir: string): string[] {
  const folder = path.join(dir, 'log/closing');
  return fs.existsSync(folder) ? fs.readdirSync(folder).map((file) => path.join(folder, file)) : [];
}

beforeAll(async () => {
  const hal = await anAccount(hill, { name: 'Hal', credits: 5000, daily_cap_cents: 5000 });
  const play = async (slot: number, move: string, stake_cents?: number, message?: string) => {
    await hill.clock.tick();
    await hill.asAgent(hal).play({ slot, move, stake_cents, message });
  };
  await play(5, 'PEACE', undefined, 'At first');
  await play(5, 'WAR', 900, 'Changed my mind');
  await play(6, 'PEACE');
  await play(6, 'PASS');
  await aLivelyNight(hill);
  const settle = async () => {
    while (await archiveNight(hill.as('worker')));
    await hill.clock.at('00:20');
    await signLog(hill);
    await web.get('/log');
  };
  await settle();
  await save(early);
  await play(5, 'WAR', 900);
  await hill.asAgent(hal).announce({ slot: 5, intention: 'WAR', message: 'Again' });
  await hill.clock.ringBell();
  await settle();
  await save(late);
});

/** A copy that may be changed. */
function aCopy(of = late): string {
  const dir = fs.mkdtempSync(path.join(folder, 'copy-'));
  fs.cpSync(of, dir, { recursive: true });
  return dir;
}
const inText = (dir: string, file: string, change: (text: string) => string): void => {
  const before = fs.readFileSync(path.join(dir, file), 'utf8');
  const after = change(before);
  expect(after, file).not.toBe(before);
  fs.writeFileSync(path.join(dir, file), after);
};
const inLines = (dir: string, file: string, change: (lines: Line[]) => Line[]): void =>
  inText(
    dir,
    file,
    (text) =>
      `${change(
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Line),
      )
        .map((line) => JSON.stringify(line))
        .join('\n')}\n`,
  );
/** The first seat of night 1, as it is shown. */
const inSeat = (dir: string, change: object): void =>
  inText(dir, 'api/day/1@limit=1.json', (text) => {
    const night = JSON.parse(text);
    Object.assign(night.results[0].occupants[0], change);
    return JSON.stringify(night);
  });
interface Line {
  readonly occupant: { readonly accountId: string };
  readonly slot: number;
  readonly move: string;
  readonly stake_cents: number;
  readonly at: string;
  readonly opening: { readonly salt: string; readonly ends: string; readonly message_hash: string | null };
}

const bundleOf = (dir: string): string => {
  const entries = path.join(dir, 'log/tile/entries/000.p');
  const [file] = fs.readdirSync(entries);
  return path.join(entries, file as string);
};
const entriesOf = (dir: string): string[] =>
  parseBundle(fs.readFileSync(bundleOf(dir))).map((entry) => entry.toString());
const bundled = (entries: string[]): Buffer =>
  Buffer.concat(entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), Buffer.from(entry)]));

/** What is served of the log is changed, and what was signed stays. */
const serve = (dir: string, change: (entries: string[]) => string[]): void =>
  fs.writeFileSync(bundleOf(dir), bundled(change(entriesOf(dir))));
/** As who has the key of the log does it. */
function forge(dir: string, change: (entries: string[]) => string[]): void {
  const entries = change(entriesOf(dir));
  const rootOf = (size: number) => {
    const tree = new Tree();
    for (const entry of entries.slice(0, size)) tree.add(Buffer.from(entry));
    return tree.root();
  };
  // each is of entries before it
  for (const [n, entry] of entries.entries()) {
    const [kind, day, origin, size] = entry.split(' ');
    if (kind === 'closed')
      entries[n] = `closed ${day} ${origin} ${size} ${Buffer.from(rootOf(Number(size))).toString('hex')}`;
  }
  fs.rmSync(bundleOf(dir));
  fs.writeFileSync(path.join(dir, `log/tile/entries/000.p/${entries.length}`), bundled(entries));
  const sign = (note: string, size: number) =>
    fs.writeFileSync(note, signCheckpoint({ origin: key.name, size, root: rootOf(size) }, [key, second], 0));
  for (const note of closingsOf(dir)) sign(note, parseCheckpoint(fs.readFileSync(note, 'utf8')).size);
  sign(path.join(dir, 'log/checkpoint'), entries.length);
}

type Change = (entries: string[]) => string[];
const at = (entries: string[], start: string): number => {
  const found = entries.findIndex((entry) => entry.startsWith(start));
  expect(found, start).toBeGreaterThan(-1);
  return found;
};
const invented = `deposit 2 ${'0'.repeat(64)}`;
const edit: Change = (entries) => entries.with(at(entries, 'deposit 2'), invented);
const deleteMiddle: Change = (entries) => entries.toSpliced(at(entries, 'deposit 2'), 1);
const deleteLast: Change = (entries) => entries.slice(0, -1);
const append: Change = (entries) => [...entries, invented];
/** The deposit behind its night. */
const reorder: Change = (entries) => {
  const [deposit, night] = [at(entries, 'deposit 2'), at(entries, 'night 2')];
  return entries.with(deposit, entries[night] as string).with(night, entries[deposit] as string);
};

test('untouched, it holds offline as it did when it was saved, and goes on from what was seen before', async () => {
  const first = await offline(early);
  expect(first.wrong).toEqual([]);
  const { wrong, held } = await offline(late, first.seen, [witness]);
  expect(wrong).toEqual([]);
  expect(held).toContain('It begins with each of the 1 checkpoints that were seen before.');
  expect(held).toContain('Night 2, resolved again from its night file, has the result that the log says.');
  expect(held.filter((sentence) => sentence.includes('announcements of day'))).toHaveLength(2);
});

describe('what is served of the log, while what was signed stays', () => {
  const notThose = expect.stringContaining('are not the');
  test.each<[string, Change, string[]]>([
    ['edited', edit, ['opens to no deposit in the log']],
    ['without one in the middle', deleteMiddle, ['opens to no deposit in the log']],
    ['without the last', deleteLast, []],
    ['with one more', append, ['The log has a deposit of night 2 after the night.']],
    ['in another order', reorder, ['was logged after the night']],
  ])('%s is named', async (_, change, named) => {
    const dir = aCopy();
    serve(dir, change);
    const { wrong } = await offline(dir);
    expect(wrong[0]).toEqual(notThose);
    for (const sentence of named) expect(wrong).toContainEqual(expect.stringContaining(sentence));
  });

  test('taken away is named', async () => {
    const dir = aCopy();
    fs.rmSync(bundleOf(dir));
    expect((await offline(dir)).wrong[0]).toEqual(notThose);
  });
});

describe('a log that was signed anew by its own key', () => {
  const changes: [string, Change, string?][] = [
    ['edited', edit, 'opens to no deposit in the log'],
    ['without one in the middle', deleteMiddle, 'opens to no deposit in the log'],
    ['without the last', deleteLast],
    ['with one more', append, 'The log has a deposit of night 2 after the night.'],
    ['in another order', reorder, 'was logged after the night'],
    [
      'with an announcement that nobody made',
      (entries) => entries.toSpliced(at(entries, 'file 2'), 0, `announcement 2 ${'0'.repeat(64)}`),
      'an announcement that the log has, 000000000000, is not shown',
    ],
    ['without an announcement', (entries) => entries.toSpliced(at(entries, 'announcement 2'), 1), 'announcement'],
    [
      'with two results of a night',
      (entries) => [...entries, entries[at(entries, 'night 1')] as string],
      'The log says something of night 1 more than once.',
    ],
    ['without how a night was sealed', (entries) => entries.toSpliced(at(entries, 'closed 2'), 1)],
    [
      'without a night',
      (entries) => entries.toSpliced(at(entries, 'night 1'), 1),
      'Night 1 is published, and the log has nothing of it.',
    ],
  ];
  test.each(changes)(
    '%s is named: by its nights, by what was seen before, and by a witness',
    async (_, change, sentence) => {
      const dir = aCopy();
      forge(dir, change);
      if (sentence) expect((await offline(dir)).wrong).toContainEqual(expect.stringContaining(sentence));
      const { wrong } = await offline(dir, (await offline(late)).seen);
      // what is only longer goes on from what was seen
      if (entriesOf(dir).slice(0, entriesOf(late).length).join() === entriesOf(late).join())
        expect(wrong).toContain(sentence);
      else expect(wrong.join()).toMatch(/does not begin with the checkpoint|was rolled back/);
      expect((await offline(dir, {}, [witness])).wrong).toContainEqual(
        expect.stringContaining('is not signed by the witness'),
      );
    },
  );

  test('says how nights were sealed: another closing or reason is named; none behind one is told, and none at all, as releases once left it, is right', async () => {
    const [unsealed, back, old, reason, closing] = [aCopy(), aCopy(), aCopy(), aCopy(), aCopy()];
    const burned: Change = (entries) =>
      entries.toSpliced(at(entries, 'night 1'), 0, `unsealed 1 ${sha256('It burned.')}`);
    const saying = (dir: string, why: string) =>
      inText(dir, 'api/days.json', (text) => {
        const shown = JSON.parse(text);
        shown.days.find(({ day }: { day: number }) => day === 1).unsealed = why;
        return JSON.stringify(shown);
      });
    const silent = 'The log does not say how night 2 was sealed, as it does of night 1:';
    const tells = async (dir: string) => {
      const { wrong, noted } = await offline(dir);
      expect(wrong).toEqual([]);
      return noted.some((sentence) => sentence.startsWith(silent));
    };

    saying(unsealed, 'It burned.');
    forge(unsealed, burned);
    expect(await tells(unsealed)).toBe(false);
    saying(back, 'It burned.');
    forge(back, (entries) => burned(entries.toSpliced(at(entries, 'closed 2'), 1)));
    expect(await tells(back)).toBe(true);
    forge(old, (entries) => entries.toSpliced(at(entries, 'closed 2'), 1));
    expect(await tells(old)).toBe(false);

    saying(reason, 'It was stolen.');
    forge(reason, burned);
    expect((await offline(reason)).wrong).toEqual([
      `How night 1 was sealed is not what the log says: unsealed ${sha256('It burned.')}.`,
    ]);
    forge(closing, (entries) => entries.map((entry) => entry.replace(/^(closed 2 \S+) \d+/, '$1 1')));
    expect((await offline(closing)).wrong).toEqual([
      expect.stringContaining('How night 2 was sealed is not what the log says: closed hill.example/log 1 '),
    ]);
  });

  test('rolled back is named, where more of it was seen', async () => {
    const { seen } = await offline(late);
    expect((await offline(early, seen)).wrong).toEqual([
      expect.stringMatching(/^It was rolled back: it has \d+ entries, and a checkpoint of size \d+ was seen/),
    ]);
  });

  test('forked is named, by who saw the other branch: two hills that go on from one backup', async () => {
    const branch = (name: string) => {
      const dir = aCopy(early);
      forge(dir, (entries) => [...entries, `deposit 2 ${sha256(name)}`]);
      return dir;
    };
    const [one, other] = [branch('one'), branch('other')];
    const { seen } = await offline(early);
    const seenOfOne = await offline(one, structuredClone(seen));
    expect(seenOfOne.wrong).toEqual([]); // each alone goes on from the backup
    expect((await offline(other, structuredClone(seen))).wrong).toEqual([]);
    expect((await offline(other, seenOfOne.seen)).wrong).toEqual([
      expect.stringContaining('does not begin with the checkpoint'),
    ]);
  });

  test('with a night that was made up whole, result, file and commitment, is named by what was seen, by a witness and by the boards, and by nothing else', async () => {
    const dir = aCopy();
    const file = 'api/day/2/night.json';
    inText(dir, file, (text) => text.replace('"stake_cents": 900', '"stake_cents": 901'));
    const changed: string[] = [];
    inLines(dir, 'api/day/2/moves.ndjson', (lines) =>
      lines.map((line) => {
        const opened = (stake_cents: number) =>
          commitmentTo({
            day: 2,
            account_id: line.occupant.accountId,
            slot: line.slot,
            move: line.move,
            stake_cents,
            deposited_at: line.at,
            ...line.opening,
          });
        changed.push(opened(900), opened(901));
        return { ...line, stake_cents: 901 };
      }),
    );
    const [before = '', after = ''] = changed;
    const text = fs.readFileSync(path.join(dir, file), 'utf8');
    const result = sha256(await resultOf(hill.root, text));
    forge(dir, (entries) =>
      entries.map((entry) => {
        if (entry.startsWith('night 2 ')) return [...entry.split(' ').slice(0, 3), result].join(' ');
        return entry.startsWith('file 2 ') ? `file 2 ${sha256(text)}` : entry.replace(before, after);
      }),
    );
    expect(entriesOf(dir)).toContain(`deposit 2 ${after}`);
    // who sees the hill for the first time knows by what it cost alone
    const boards = [
      expect.stringMatching(/^The board efficiency, after night 2: rank \d should be .* consumed_cents/),
      expect.stringMatching(/^The last board efficiency, after night 2: rank \d should be .* consumed_cents/),
    ];
    expect((await offline(dir)).wrong).toEqual(boards);
    expect((await offline(dir, (await offline(late)).seen)).wrong).toEqual([
      expect.stringContaining('does not begin with the checkpoint'),
      ...boards,
    ]);
    expect((await offline(dir, {}, [witness])).wrong).toEqual([
      expect.stringContaining('is not signed by the witness'),
      expect.stringContaining('did not sign the closing of day 2'),
      ...boards,
    ]);
  });

  test('by another key is not this log', async () => {
    const dir = aCopy();
    inText(dir, 'log/checkpoint', (note) =>
      signCheckpoint(parseCheckpoint(note), [derivedSigner('another', key.name, 'ed25519')], 0),
    );
    expect((await offline(dir)).wrong).toEqual([expect.stringContaining('is not signed by the key')]);
  });
});

describe('what is published of a night', () => {
  const list = 'api/day/1/moves.ndjson';
  const said = 'api/day/1/announcements.ndjson';
  test.each<[string, (dir: string) => void, string]>([
    [
      'a move',
      (dir) => inLines(dir, list, ([first, ...rest]) => [{ ...(first as Line), slot: 9 }, ...rest]),
      'is shown otherwise than its night file has it',
    ],
    [
      'a move and the night file',
      (dir) => {
        inText(dir, list, (text) => text.replace('"stake_cents": 900', '"stake_cents": 901'));
        inText(dir, 'api/day/1/night.json', (text) => text.replace('"stake_cents": 900', '"stake_cents": 901'));
      },
      'opens to no deposit in the log',
    ],
    [
      'a move that is gone',
      (dir) => inLines(dir, list, (lines) => lines.slice(1)),
      'The hill shows 7 moves of night 1, and its night file has 8',
    ],
    [
      'one move more',
      (dir) => inLines(dir, list, (lines) => [...lines, { ...(lines[0] as Line), seq: 99 } as Line]),
      'The hill shows 9 moves of night 1, and its night file has 8',
    ],
    [
      'salts that were swapped',
      (dir) =>
        inLines(dir, list, ([a, b, ...rest]) => [
          { ...(a as Line), opening: (b as Line).opening },
          { ...(b as Line), opening: (a as Line).opening },
          ...rest,
        ]),
      'opens to no deposit in the log; and 1 more',
    ],
    [
      'a result',
      (dir) => inText(dir, 'api/day/1@limit=1.json', (text) => text.replace('"outcome":"BURN"', '"outcome":"PEACE"')),
      'What the hill shows of night 1 is not that result: place',
    ],
    [
      'how long somebody sits there',
      (dir) => inSeat(dir, { daysHeld: 4 }),
      'is not that result: place 1, seat 1: days held should be 0, and is 4.',
    ],
    [
      'how somebody came to sit there',
      (dir) => inSeat(dir, { via: 'holder' }),
      'is not that result: place 1, seat 1: way to it should be peace, and is holder.',
    ],
    [
      'points of a night',
      (dir) => inSeat(dir, { points: 6 }),
      'is not that result: place 1, seat 1: points should be 5.0, and is 6.0.',
    ],
    [
      'points on a board of a night that is over',
      (dir) =>
        inText(dir, 'api/leaderboard/hill@day=1&limit=1000.json', (text) => text.replace('"points":5', '"points":6')),
      'The board hill, after night 1: rank',
    ],
    [
      'a reputation that is shown',
      (dir) => inText(dir, list, (text) => text.replace(/"reputation": ?[0-9.]+/, '"reputation": 0.75')),
      'the reputation or seniority of its account',
    ],
    [
      'a reputation in the night file',
      (dir) =>
        inText(dir, 'api/day/1/night.json', (text) => text.replace(/"reputation": ?[0-9.]+/, '"reputation": 0.75')),
      'The night file of night 1 does not have the hash',
    ],
    [
      'words',
      (dir) => inText(dir, list, (text) => text.replace('Good night', 'Good day')),
      'shows other words than were sealed',
    ],
    [
      'a verdict',
      (dir) => inText(dir, said, (text) => text.replace('"kept"', '"bluffed"')),
      'announced on place 1 was not bluffed',
    ],
    [
      'what was announced',
      (dir) => inText(dir, said, (text) => text.replace('I come in peace', 'I come in war')),
      'shows other words than were announced',
    ],
    ['an announcement that is gone', (dir) => inLines(dir, said, (lines) => lines.slice(1)), 'is not shown'],
    ['a list that is gone', (dir) => fs.rmSync(path.join(dir, list)), 'moves.ndjson is not there'],
    [
      'a list that is none',
      (dir) => fs.writeFileSync(path.join(dir, list), '<html>\n'),
      'What is shown of night 1 is not there, or not of its form.',
    ],
    [
      'an announcement of nobody',
      (dir) => inText(dir, said, (text) => text.replace('"occupant"', '"somebody"')),
      'What is shown of night 1 is not there, or not of its form.',
    ],
    [
      'an instant in a form that only some browsers read',
      (dir) => inText(dir, 'api/days.json', (text) => text.replace(/("resolvedAt": ?"[0-9-]{10})T/g, '$1-')),
      'What is shown of night 2 is not there, or not of its form.',
    ],
    [
      'a night',
      (dir) =>
        inText(dir, 'api/days.json', (text) =>
          JSON.stringify({ ...JSON.parse(text), days: JSON.parse(text).days.slice(0, 1) }),
        ),
      'The log has night 1, which is not published.',
    ],
    [
      'the engine',
      (dir) => {
        const [hash = ''] = fs.readdirSync(path.join(dir, 'source'));
        fs.appendFileSync(path.join(dir, 'source', hash), ' ');
      },
      'are not those that the log names',
    ],
  ])('%s is named', async (_, change, named) => {
    const dir = aCopy();
    change(dir);
    expect((await offline(dir)).wrong.join('\n')).toMatch(named);
  });

  test('a log without an address is no log', async () => {
    const dir = aCopy();
    inText(dir, 'api/log.json', (text) => text.replace(/"checkpoint": ?"[^"]*"/, '"checkpoint": ""'));
    await expect(offline(dir)).rejects.toThrow(`What ${web.baseUrl} shows is not of its form.`);
  });

  test('an answer that breaks off is no answer of another form', async () => {
    const server = http.createServer((_, answer) => {
      answer.writeHead(200, { 'Content-Length': 100 }).write('{');
      setTimeout(() => answer.destroy(), 50);
    });
    server.listen(0);
    const url = `http://localhost:${(server.address() as AddressInfo).port}`;
    await expect(verify(servedAt(url))).rejects.toThrow(`${url}/api/log cannot be read: `);
    server.close();
  });
});

describe('an archive', () => {
  test('has a file for each address, and none outside of it', () => {
    expect(
      [
        '/api/log',
        '/api/day/7?limit=1',
        '/api/day/7/night.json',
        '/log/tile/entries/x001/234.p/7',
        '/api/days?cursor=12',
      ].map(fileOf),
    ).toEqual([
      'api/log.json',
      'api/day/7@limit=1.json',
      'api/day/7/night.json',
      'log/tile/entries/x001/234.p/7',
      'api/days@cursor=12.json',
    ]);
    for (const none of [
      '',
      '/',
      '//x',
      '/../x',
      '/a/../../x',
      '/a/./x',
      '/a/%2e%2e/x',
      '/a\\..\\x',
      '/.ssh',
      '/a?b/../c',
      'x',
      '/a\0',
    ])
      expect(() => fileOf(none), none).toThrow('is no address that an archive has');
  });

  test('that was not finished, or is of another hill, or a folder that is none, is refused and stays as it is', () => {
    const dir = aCopy();
    expect(() => beginArchive(dir, 'https://other.example')).toThrow('of another hill');
    beginArchive(dir, web.baseUrl); // is brought up to date
    expect(() => openArchive(dir)).toThrow('was not finished');
    expect(() => beginArchive(dir, web.baseUrl)).toThrow('is no archive, and is not empty');
    expect(fs.existsSync(path.join(dir, 'log/checkpoint'))).toBe(true);
  });
});
