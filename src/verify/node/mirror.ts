// Copies what a hill has published into a folder that any web server can serve: its logs whole, with the tiles of C2SP
// tlog-tiles, and an archive of all nights. What is there holds whenever somebody reads it, and whenever this ends:
// each file is written whole, and none names what is not there yet. Rules 20.48, 20.53.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { text, utf8 } from '../../log/bytes.ts';
import { tilePath } from '../../log/tiles.ts';
import { fileOf } from '../archive.ts';
import { checkHandover } from '../handovers.ts';
import type { KnownLogs } from '../known-logs.ts';
import { type Head, type Listed, pathIn, type ReadLog, readHead, readLog } from '../log.ts';
import { type Published, publishedNights, sha256 } from '../nights.ts';
import { type Ask, orMissing, reading, type Served } from '../reading.ts';
import { type Checked, checked, type Say } from '../report.ts';
import { manifestOf } from './archive.ts';
import { Tiles } from './tiles.ts';

export interface Mirror {
  readonly folder: string;
  readonly url: string;
  readonly ask: Ask;
  /** What is seen and holds is added. */
  readonly seen: KnownLogs;
  readonly say: Say;
}

/** A night, with the files that the hill lists of it. */
interface Listing extends Published {
  readonly archives?: readonly { readonly form: string; readonly sha256: string }[];
}

const bundle = /\/tile\/entries\//;
/** It never changes. */
const fullBundle = /\/tile\/entries\/(?:x[0-9]{3}\/)*[0-9]{3}$/;
/** Cosignatures of a closing come in late. */
const closingsAgain = 2;

/**
 * Brings a folder up to date, and returns whether anything was new. Throws where what the hill serves does not hold,
 * or is not what it was: then the folder stays as it is.
 */
export async function mirrorHill({ folder, url, ask, seen, say }: Mirror): Promise<boolean> {
  const network = reading(url, ask);
  const about = await network.bytes('/api/log');
  const { logs } = JSON.parse(text(about)) as { logs: readonly Listed[] };
  const { served, settle } = keeping(folder, url, network);
  const to = checked(
    served,
    (holds, sentence) => (holds ? say(holds, sentence) : refuse(sentence)),
    () => {},
  );
  let before: Pick<ReadLog, 'key' | 'head'> | undefined;
  const notes = new Map<string, string>();
  let grown = false;
  for (const log of [...logs].reverse()) {
    const head = (await readHead(to, log, seen)) as Head;
    const address = pathIn(log.checkpoint);
    notes.set(address, head.note);
    const file = fileIn(folder, address);
    if (!seen[log.origin] || !fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== head.note) {
      grown = true;
      const read = await readLog(to, head, seen);
      if (before) checkHandover(to, before, read, log, head.known !== undefined);
      const { entries } = read;
      settle();
      writeTiles(folder, pathIn(log.tiles), entries);
      for (const entry of entries) if (entry.startsWith('engine ')) await copyEngine(folder, to, entry.slice(7));
    }
    before = { key: head.key, head: head.held };
  }
  // After the logs: a night that a log names is among them.
  const nights: readonly Listing[] = await publishedNights(network);
  let copied = 0;
  for (const [n, night] of nights.entries())
    if (await copyNight(folder, network, night, n >= nights.length - closingsAgain)) copied += 1;
  const keys = await orMissing(network.bytes('/log/receipt-keys'));
  if (keys) write(fileIn(folder, '/log/receipt-keys'), keys);
  write(fileIn(folder, '/api/days'), utf8(JSON.stringify({ days: nights, next_cursor: null })));
  for (const [address, note] of notes) write(fileIn(folder, address), utf8(note));
  write(fileIn(folder, '/api/log'), about);
  write(path.join(folder, 'archive.json'), utf8(manifestOf(url, 'all')));
  return grown || copied > 0;
}

function refuse(sentence: string): never {
  throw new NotMirrored(sentence);
}

/** What the hill serves does not hold. */
export class NotMirrored extends Error {}

const fileIn = (folder: string, address: string): string => path.join(folder, fileOf(address));

/** Whole or not at all. */
function write(file: string, bytes: Uint8Array): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.part`, bytes);
  fs.renameSync(`${file}.part`, file);
}

interface Keeping {
  readonly served: Served;
  /** Puts what was asked for where it belongs, once it has been checked. */
  settle(): void;
}

/** Reads full bundles from the folder, where they are there, and writes others beside their places. */
function keeping(folder: string, url: string, network: Served): Keeping {
  const unchecked: string[] = [];
  const served = reading(url, async (address) => {
    const file = fileIn(folder, address);
    if (fullBundle.test(address) && fs.existsSync(file)) return fs.createReadStream(file);
    const bytes = await network.bytes(address);
    if (bundle.test(address)) {
      write(`${file}.new`, bytes);
      unchecked.push(file);
    }
    return one(bytes);
  });
  return {
    served,
    settle() {
      for (const file of unchecked.splice(0)) fs.renameSync(`${file}.new`, file);
    },
  };
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Of a tree that was checked. A partial tile goes when the full one is there. */
function writeTiles(folder: string, address: string, entries: readonly string[]): void {
  const over: string[] = [];
  const put = (file: string, bytes: Uint8Array) => void (fs.existsSync(file) || write(file, bytes));
  const tiles = new Tiles((tile, bytes) => {
    const file = fileIn(folder, address + tilePath(tile));
    put(file, bytes);
    over.push(`${file}.p`);
    if (tile.level === 0) over.push(`${fileIn(folder, address + tilePath({ ...tile, level: 'entries' }))}.p`);
  });
  for (const entry of entries) tiles.add(Buffer.from(entry, 'latin1'));
  for (const [tile, bytes] of tiles.partial()) put(fileIn(folder, address + tilePath(tile)), bytes);
  for (const partial of over) fs.rmSync(partial, { recursive: true, force: true });
}

async function copyEngine(folder: string, { hill, check }: Checked, engine: string): Promise<void> {
  const address = `/source/${engine}`;
  if (fs.existsSync(fileIn(folder, address))) return;
  const source = await hill.bytes(address);
  const which = `The sources of the engine ${engine.slice(0, 12)}`;
  check(
    sha256(source) === engine,
    `${which} have the hash that the log says.`,
    `${which} do not have the hash that the log says.`,
  );
  write(fileIn(folder, address), source);
}

/** What of a night is not there yet, or was told anew since, as without a name that was taken from it. */
async function copyNight(
  folder: string,
  hill: Served,
  { day, closed, archives = [] }: Listing,
  again: boolean,
): Promise<boolean> {
  let copied = false;
  const copy = async (address: string) => {
    write(fileIn(folder, address), await hill.bytes(address));
    copied = true;
  };
  const page = `/api/day/${day}?limit=1`;
  for (const form of ['night.json', 'moves.ndjson', 'announcements.ndjson']) {
    const address = `/api/day/${day}/${form}`;
    const file = fileIn(folder, address);
    const listed = archives.find((archive) => archive.form === form)?.sha256;
    if (fs.existsSync(file) && listed !== undefined && sha256(fs.readFileSync(file)) === listed) continue;
    await copy(address);
  }
  if (copied || !fs.existsSync(fileIn(folder, page))) await copy(page);
  const closing = `/log/closing/${day}`;
  if (closed && !fs.existsSync(fileIn(folder, closing))) await copy(closing);
  else if (closed && again) write(fileIn(folder, closing), await hill.bytes(closing));
  return copied;
}

/** Goes on until it is told to stop. What cannot be read is tried again after the interval. */
export async function followHill(
  mirror: Mirror,
  everySeconds: number,
  each: (failure: string | null) => void,
): Promise<never> {
  for (;;) {
    await sleep(everySeconds * 1_000);
    const failure = await mirrorHill(mirror).then(
      () => null,
      (error: Error) => (error instanceof NotMirrored ? Promise.reject(error) : error.message),
    );
    each(failure);
  }
}
