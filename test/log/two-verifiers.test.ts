// "npm run verify" and a second verifier, in Go and written from the documents alone, say the same of hills in which
// something was changed: that it is wrong, or that it is right. Rules 20.14, 20.22, 20.45, 20.47, 20.49.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifierKey } from '../../src/log/note.ts';
import { fileOf } from '../../src/verify/archive.ts';
import { verifyHill } from '../../src/verify/index.ts';
import type { KnownLogs } from '../../src/verify/known-logs.ts';
import { beginArchive, endArchive, savedTo } from '../../src/verify/node/archive.ts';
import { writeKnownLogs } from '../../src/verify/node/known-logs.ts';
import { askAt, Missing, reading, type Served } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { hill as hillCommand } from '../support/hill/hill-process.ts';
import { useHill } from '../support/hill/index.ts';
import { aSealedSeason, type SealedSeason } from '../support/log/a-sealed-season.ts';
import { type Files, filesIn, mutate, receiptsFile, writeFiles } from '../support/log/mutated-hills.ts';
import { compiled, missingForGo } from '../support/log/oracle.ts';
import { useRelease } from '../support/log/release.ts';
import { randomFrom, seed } from '../support/random.ts';

const hill = useHill();
const withRelease = useRelease();
const web = useWebDoor(hill);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-two-'));
const archive = path.join(folder, 'archive');
let season: SealedSeason;
let go: ChildProcess;
let ask: (args: readonly string[]) => Promise<string[]>;

afterAll(() => {
  go?.kill();
  fs.rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly served: Served;
  readonly receipts: string;
  readonly seen: KnownLogs;
  readonly witnessed: boolean;
}

async function ours({ served, receipts, seen, witnessed }: Asked): Promise<string[]> {
  const wrong: string[] = [];
  await verifyHill({
    ...{ hill: served, days: [], held: receiptsIn([receipts]), seen, witnesses: witnessed ? [season.witness] : [] },
    // a cluster of its own is what the command makes: the functions are those of the same sources
    withEngine: (_source, use) => use(hill.root),
    withRelease,
    say: (holds, sentence) => void (holds || wrong.push(sentence)),
    note: () => {},
  }).catch((error: Error) => wrong.push(error.message));
  return wrong;
}

beforeAll(async () => {
  if (missingForGo) return;
  season = await aSealedSeason(hill);
  beginArchive(archive, web.baseUrl);
  const served = savedTo(archive, web.baseUrl, askAt(web.baseUrl));
  expect(await ours({ served, receipts: season.told.join('\n'), seen: {}, witnessed: true })).toEqual([]);
  endArchive(archive, web.baseUrl, 'all');
  fs.writeFileSync(path.join(archive, receiptsFile), season.told.map((line) => `${line}\n`).join(''));

  go = spawn(compiled(folder, 'verifier'), ['-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: go.stdout as Readable })[Symbol.asyncIterator]();
  ask = async (args) => {
    go.stdin?.write(`${JSON.stringify(args)}\n`);
    return JSON.parse((await answers.next()).value as string) as string[];
  };
});

/** From memory, as an archive is read from its folder. */
const servedFrom = (files: Files): Served =>
  reading(web.baseUrl, async (address) => {
    const bytes = files.get(fileOf(address));
    if (!bytes) throw new Missing(`${address} is not there.`);
    return Readable.from([bytes]);
  });

function write(files: Files, name: string): string {
  const dir = path.join(folder, name);
  writeFiles(files, dir);
  return dir;
}

/** As a user of the second verifier runs it. */
async function second(...args: string[]): Promise<{ status: number | null; said: string }> {
  const program = spawn(path.join(folder, 'verifier'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => program.once('exit', resolve));
  return { said: await text(program.stdout), status: await ended };
}
const firstOffline = (dir: string) => {
  const seen = path.join(fs.mkdtempSync(path.join(folder, 'seen-')), 'seen.json');
  return hillCommand(['verify', '--archive', dir, '--log', '--seen', seen], {});
};

test.skipIf(missingForGo)('an untouched hill is right for both, by its files and over HTTP; status 0', async () => {
  const receipts = ['-receipts', path.join(archive, receiptsFile), '-witness', verifierKey(season.witness)];
  for (const from of [archive, web.baseUrl])
    expect(await second(...receipts, from)).toMatchObject({ status: 0, said: expect.stringContaining('checks hold') });
  expect((await firstOffline(archive)).code).toBe(0);
});

test.skipIf(missingForGo)('a checkpoint that the log did not sign is wrong for both; status 1', async () => {
  const files = filesIn(archive);
  const note = (files.get('log/2/checkpoint') as Buffer).toString();
  files.set('log/2/checkpoint', Buffer.from(note.replace(/^hill.localhost/, 'hell.localhost')));
  const dir = write(files, 'unsigned');
  expect(await second(dir)).toMatchObject({ status: 1, said: expect.stringContaining('WRONG') });
  expect((await firstOffline(dir)).code).toBe(1);
});

test.skipIf(missingForGo)('what is wrong or right for one is so for the other', async () => {
  const rounds = Number(process.env.HILL_TEST_MUTATED ?? 25);
  // boards follow from nights, which the second verifier does not resolve
  const untouched = new Map(
    [...filesIn(archive)].filter(([file]) => !/^api\/(leaderboard|wall|tournaments)/.test(file)),
  );
  const seenBefore = path.join(folder, 'seen.json');
  const seen: KnownLogs = {};
  await ours({ served: servedFrom(untouched), receipts: '', seen, witnessed: false });
  // how nights were sealed is what ours alone remembers
  for (const log of Object.values(seen)) delete log.nights;
  writeKnownLogs(seenBefore, seen);
  const found: { round: number; what: string; ours: string[]; go: string[] }[] = [];
  for (let round = 0; round < rounds; round++) {
    const r = randomFrom(seed + round);
    const files = new Map(untouched);
    const what = mutate(r, files);
    const [known, witnessed] = [r.chance(0.2), r.chance(0.2)];
    const dir = write(files, 'mutated');
    const [mine, theirs] = await Promise.all([
      ours({
        ...{ served: servedFrom(files), receipts: (files.get(receiptsFile) as Buffer).toString(), witnessed },
        seen: known ? structuredClone(seen) : {},
      }),
      ask([
        ...(known ? ['-seen', seenBefore] : []),
        ...(witnessed ? ['-witness', verifierKey(season.witness)] : []),
        ...['-receipts', path.join(dir, receiptsFile), dir],
      ]),
    ]);
    fs.rmSync(dir, { recursive: true });
    found.push({ round, what, ours: mine, go: theirs });
  }
  const differ = found.filter((one) => (one.ours.length === 0) !== (one.go.length === 0));
  expect(differ, `HILL_SEED=${seed}`).toEqual([]);
  const wrong = found.filter((one) => one.ours.length > 0).length;
  expect(wrong, `HILL_SEED=${seed}`).toBeGreaterThan(rounds / 2);
  expect(wrong, `HILL_SEED=${seed}`).toBeLessThan(rounds);
});
