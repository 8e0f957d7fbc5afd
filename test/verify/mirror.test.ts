// A mirror of a hill, which a plain web server serves, is verified as the hill is, whenever somebody reads it. Rules
// 20.53.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineEnded } from '../../src/verify/engine.ts';
import { verifyHill } from '../../src/verify/index.ts';
import type { KnownLogs } from '../../src/verify/known-logs.ts';
import { openArchive, openServedArchive } from '../../src/verify/node/archive.ts';
import { mirrorHill } from '../../src/verify/node/mirror.ts';
import { type Ask, askAt, type Served } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { useHill } from '../support/hill/index.ts';
import { aSealedSeason, type SealedSeason } from '../support/log/a-sealed-season.ts';
import { buildOracle, compiled, missingForGo } from '../support/log/oracle.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const web = useWebDoor(hill);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-mirror-'));
const mirror = path.join(folder, 'mirror');
let season: SealedSeason;
let server: ChildProcess;
let address = '';

beforeAll(async () => {
  season = await aSealedSeason(hill);
  fs.mkdirSync(mirror);
  const port = await freePort();
  server = spawn('python3', ['-m', 'http.server', '--bind', '127.0.0.1', '--directory', mirror, String(port)], {
    stdio: 'ignore',
  });
  address = `http://127.0.0.1:${port}`;
  await until('it serves', async () => (await fetch(address).catch(() => null))?.ok);
});
afterAll(() => {
  server?.kill();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function wrongIn(served: Served): Promise<string[]> {
  const wrong: string[] = [];
  await verifyHill({
    ...{ hill: served, days: [], held: receiptsIn([season.told.join('\n')]), seen: {}, witnesses: [season.witness] },
    // a cluster of its own is what the command makes: the functions are those of the same sources
    withEngine: (_source, use) => use(hill.root),
    say: (holds, sentence) => void (holds || wrong.push(sentence)),
    note: () => {},
  });
  return wrong;
}
const copy = (seen: KnownLogs, ask: Ask = askAt(web.baseUrl)) =>
  mirrorHill({ folder: mirror, url: web.baseUrl, ask, seen, say: () => {} });
/** Ends at a request, as a process that is killed there. */
function endingAfter(requests: number): Ask {
  const ask = askAt(web.baseUrl);
  let left = requests;
  return async (path) => {
    if (left-- === 0) throw new Error('killed');
    return ask(path);
  };
}
const changed = (seen: KnownLogs) => fs.statSync(path.join(mirror, 'archive.json')).mtimeMs + Object.keys(seen).length;

test('whatever it is ended at, what is there is whole, and the next one goes on', async () => {
  /** Ends it later and later, until it comes to its end. */
  const ending = async (seen: KnownLogs, step: number, look: (which: string) => Promise<void> | void) => {
    for (let requests = 0; ; requests += step) {
      const ended = await copy(structuredClone(seen), endingAfter(requests)).catch(() => null);
      if (ended !== null) return;
      await look(`after ${requests} requests`);
    }
  };
  await ending({}, 5, (which) => expect(fs.existsSync(path.join(mirror, 'archive.json')), which).toBe(false));
  expect(await wrongIn(openArchive(mirror).hill)).toEqual([]);

  const seen: KnownLogs = {};
  await copy(seen);
  await season.more();
  await ending(seen, 3, async (which) => expect(await wrongIn(openArchive(mirror).hill), which).toEqual([]));
  await copy(seen);
  expect(await copy(seen)).toBe(false);
  expect(fs.readdirSync(mirror, { recursive: true }).filter((file) => /\.(part|new)$/.test(String(file)))).toEqual([]);
});

test('a plain web server serves what our verifier finds right', async () => {
  const { hill: served, url, nights } = await openServedArchive(`${address}/`);
  expect({ url, nights }).toEqual({ url: web.baseUrl, nights: 'all' });
  expect(await wrongIn(served)).toEqual([]);
});

test.skipIf(missingForGo)('and what Go does, which reads each tile of each log as a log of C2SP', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(compiled(folder, 'verifier'), ['-archive', address]);
  expect(stdout).toMatch(/checks hold\.$/m);
  const { logs } = JSON.parse(fs.readFileSync(path.join(mirror, 'api/log.json'), 'utf8')) as {
    logs: { origin: string; tiles: string; size: number; root: string }[];
  };
  const ask = buildOracle(folder);
  for (const { tiles, size, root } of logs)
    expect(ask([{ ask: 'tree', folder: path.join(mirror, new URL(tiles).pathname), size, root }])).toEqual(['ok']);
});

test('an engine that was ended is named, and all is checked but what it would have resolved', async () => {
  const [wrong, held]: [string[], string[]] = [[], []];
  await verifyHill({
    ...{ hill: openArchive(mirror).hill, days: [], held: receiptsIn([]), seen: {} },
    withEngine: () => Promise.reject(new EngineEnded('It was not loaded.')),
    say: (holds, sentence) => void (holds ? held : wrong).push(sentence),
    note: () => {},
  });
  expect(wrong).toEqual([expect.stringMatching(/^The engine [0-9a-f]{12} resolves no night: It was not loaded\.$/)]);
  expect(held).toContain('The night file of night 1 has the hash that the log says.');
});

test('what does not hold is not copied, and what is there stays', async () => {
  const seen: KnownLogs = {};
  await copy(seen);
  const before = changed(seen);
  await season.more();
  const lying: Ask = async (path) => {
    const parts = await askAt(web.baseUrl)(path);
    if (!path.includes('/tile/entries/')) return parts;
    const bytes: Uint8Array[] = [];
    for await (const part of parts) bytes.push(part);
    const whole = Buffer.concat(bytes);
    whole.writeUInt8(whole.readUInt8(30) ^ 1, 30);
    return [whole][Symbol.iterator]() as unknown as AsyncIterable<Uint8Array>;
  };
  await expect(copy(seen, lying)).rejects.toThrow('The entries that are served are not the');
  expect(changed(seen)).toBe(before);
  expect(await copy(seen)).toBe(true);
  expect(await wrongIn(openArchive(mirror).hill)).toEqual([]);
});
