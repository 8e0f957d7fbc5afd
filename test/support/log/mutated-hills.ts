// What a hill serves, as an archive has it, with something of it changed: what anybody on the way could change, and
// what its operator could, who has the key of the log. Night files and engines are not made anew together with what
// the log says of them: a verifier that resolves nothing cannot know.
import { generateKeyPairSync, sign } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { text } from '../../../src/log/bytes.ts';
import { parseCheckpoint } from '../../../src/log/checkpoint.ts';
import { derivedSigner, signCheckpoint } from '../../../src/log/signing.ts';
import { parseBundle } from '../../../src/log/tiles.ts';
import { Tree } from '../../../src/verify/tree.ts';
import { secret } from '../hill/secret.ts';
import type { Random } from '../random.ts';

/** By path; and what an account holds, under `receipts`. */
export type Files = Map<string, Buffer>;

/** The file of what `play` told. */
export const receiptsFile = 'receipts';

export const filesIn = (folder: string): Files =>
  new Map(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), fs.readFileSync(file)]),
  );

export function writeFiles(files: Files, folder: string): void {
  for (const [file, bytes] of files) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), bytes);
  }
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Inner = Json[] | { [key: string]: Json };
const isInner = (value: Json): value is Inner => typeof value === 'object' && value !== null;
/** Links, what the hill says of itself, and what is for people, who are told of many things. */
const ofNoConcern =
  /^(_.*|decision|url|icon|name|slug|badge|house|verified|model|agentId|archives|outcomes|.*Total|.*Changed|cost_cents|(rent|stakes)(_c|C)ents)$/;

/** Every place in a value that can be changed: what has it, and its key. */
function placesIn(value: Json): [Inner, string][] {
  if (!isInner(value)) return [];
  return Object.entries(value)
    .filter(([key, inner]) => !ofNoConcern.test(key) && !(key === 'closed' && inner === null))
    .flatMap(([key, inner]) => [[value, key] as [Inner, string], ...placesIn(inner)]);
}

const anotherCharacter = (r: Random, whole: string): string => {
  const at = r.below(whole.length);
  const old = whole[at] as string;
  const others = /[0-9]/.test(old) ? '0123456789' : /[a-f]/.test(old) ? 'abcdef' : 'XYZ';
  return whole.slice(0, at) + r.pick([...others].filter((one) => one !== old)) + whole.slice(at + 1);
};

function anotherValue(r: Random, value: Json): Json {
  if (typeof value === 'number') return value + r.pick([-1, 1, 0.5, 10]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string' && value !== '' && r.chance(0.8)) return anotherCharacter(r, value);
  return typeof value === 'string' ? '' : 'Words';
}

/** Changes a value in place, and says how. */
function mutateJson(r: Random, whole: Json): string {
  const [holder, key] = r.pick(placesIn(whole));
  const held = holder as { [key: string]: Json };
  const old = held[key] as Json;
  if (Array.isArray(old) && old.length > 0) {
    const [at, other] = [r.below(old.length), r.below(old.length)];
    const how = r.pick(['drop', 'twice', 'swap'] as const);
    if (how === 'drop') old.splice(at, 1);
    else if (how === 'twice') old.splice(other, 0, structuredClone(old[at] as Json));
    else [old[at], old[other]] = [old[other] as Json, old[at] as Json];
    return `${key}: ${how} ${at} ${other}`;
  }
  if (isInner(old) || r.chance(0.1)) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (r.chance(0.5)) delete held[key];
    else held[key] = null;
    return `${key} is gone`;
  }
  held[key] = anotherValue(r, old);
  return `${key}: ${JSON.stringify(old)} is ${JSON.stringify(held[key])}`;
}

type Mutate = (r: Random, files: Files) => string;
const textOf = (files: Files, file: string): string => (files.get(file) as Buffer).toString();
const named = (files: Files, pattern: RegExp): string[] =>
  [...files.keys()].filter((file) => pattern.test(file)).sort();

const inJson: Mutate = (r, files) => {
  const file = r.pick(named(files, /^api\/.*\.json$|receipt-keys$/));
  const value = JSON.parse(textOf(files, file)) as Json;
  const how = mutateJson(r, value);
  files.set(file, Buffer.from(JSON.stringify(value)));
  return `${file}: ${how}`;
};

const inLines: Mutate = (r, files) => {
  const file = r.pick(named(files, /ndjson$|^receipts$/));
  const lines = textOf(files, file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { [key: string]: Json });
  const [at, other] = [r.below(lines.length), r.below(lines.length)];
  const [one, two] = [lines[at], lines[other]] as [{ [key: string]: Json }, { [key: string]: Json }];
  const how = r.pick(['drop', 'twice', 'opening', 'change', 'change', 'change'] as const);
  let said = `${how} ${at} ${other}`;
  if (how === 'drop') lines.splice(at, 1);
  else if (how === 'twice') lines.splice(other, 0, one);
  else if (how === 'opening') [one.opening, two.opening] = [two.opening ?? null, one.opening ?? null];
  else said += ` ${mutateJson(r, one)}`;
  files.set(file, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  return `${file}: ${said}`;
};

/** ML-DSA-44 signatures are long: Go does not check them. */
const mlDsa = (line: string): boolean => line.length > 1_000;
const notes = /(^|\/)checkpoint$|closing\//;

const inNote: Mutate = (r, files) => {
  const file = r.pick(named(files, notes));
  const lines = textOf(files, file).split('\n');
  const at = r.pick([...lines.keys()].filter((n) => lines[n] !== '' && !mlDsa(lines[n] as string)));
  const how = r.pick(['drop', 'other', 'character', 'character'] as const);
  if (how === 'other') files.set(file, files.get(r.pick(named(files, notes))) as Buffer);
  else {
    if (how === 'drop') lines.splice(at, 1);
    else lines[at] = anotherCharacter(r, lines[at] as string);
    files.set(file, Buffer.from(lines.join('\n')));
  }
  return `${file}: ${how} ${at}`;
};

const bundles = /tile\/entries\//;
const bundled = (entries: readonly string[]): Buffer =>
  Buffer.concat(entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), Buffer.from(entry)]));

function mutateEntries(r: Random, entries: string[]): string {
  const [at, other] = [r.below(entries.length), r.below(entries.length)];
  const how = r.pick(['drop', 'twice', 'swap', 'edit', 'edit', 'invent', 'last'] as const);
  if (how === 'drop') entries.splice(at, 1);
  else if (how === 'twice') entries.splice(other, 0, entries[at] as string);
  else if (how === 'swap') [entries[at], entries[other]] = [entries[other] as string, entries[at] as string];
  else if (how === 'edit') entries[at] = anotherCharacter(r, entries[at] as string);
  else if (how === 'last') entries.pop();
  else entries.splice(at, 0, `${r.pick(['deposit', 'announcement', 'unsealed'])} ${1 + r.below(5)} ${'0'.repeat(64)}`);
  return `${how} ${at} ${other}`;
}

const inBundle: Mutate = (r, files) => {
  const file = r.pick(named(files, bundles));
  const bundle = files.get(file) as Buffer;
  if (r.chance(0.3)) {
    const changed = Buffer.from(r.chance(0.5) ? bundle : bundle.subarray(0, r.below(bundle.length)));
    if (changed.length === bundle.length) changed.writeUInt8(r.below(256), r.below(bundle.length));
    files.set(file, changed);
    return `${file}: bytes`;
  }
  const entries = parseBundle(bundle).map(text);
  const how = mutateEntries(r, entries);
  files.set(file, bundled(entries));
  return `${file}: ${how}`;
};

/** As the operator can: the log of a bundle with other entries, its checkpoint and its closings signed by its key. */
export function signAnew(
  files: Files,
  change: (entries: string[]) => string[],
  file = named(files, bundles)[0] as string,
) {
  const entries = change(parseBundle(files.get(file) as Buffer).map(text));
  files.delete(file);
  files.set(`${path.dirname(file)}/${entries.length}`, bundled(entries));
  const home = path.dirname(path.dirname(path.dirname(path.dirname(file))));
  const [checkpoint] = named(files, new RegExp(`^${home}(/1)?/checkpoint$`));
  const { origin } = parseCheckpoint(textOf(files, checkpoint as string));
  const keys = (['ed25519', 'mldsa44'] as const).map((type) => derivedSigner(secret, origin, type));
  for (const name of named(files, notes)) {
    const old = parseCheckpoint(textOf(files, name));
    if (old.origin !== origin) continue;
    const size = name === checkpoint ? entries.length : Math.min(old.size, entries.length);
    const tree = new Tree();
    for (const entry of entries.slice(0, size)) tree.add(Buffer.from(entry));
    files.set(name, Buffer.from(signCheckpoint({ origin, size, root: tree.root() }, keys, 0)));
  }
}

const signedAnew: Mutate = (r, files) => {
  const file = r.pick(named(files, bundles));
  let how = '';
  signAnew(
    files,
    (entries) => {
      how = mutateEntries(r, entries);
      return entries;
    },
    file,
  );
  return `${file}, signed anew: ${how}`;
};

const inReceipt: Mutate = (r, files) => {
  const told = textOf(files, receiptsFile);
  const [receipt = '', head = '', body = ''] = r.pick([...told.matchAll(/(eyJ[\w-]+)\.(eyJ[\w-]+)\.[\w-]+/g)]);
  const how = r.pick(['character', 'foreign'] as const);
  const foreign = () =>
    `${head}.${body}.${sign(null, Buffer.from(`${head}.${body}`), generateKeyPairSync('ed25519').privateKey).toString('base64url')}`;
  files.set(
    receiptsFile,
    Buffer.from(told.replace(receipt, how === 'foreign' ? foreign() : anotherCharacter(r, receipt))),
  );
  return `a receipt: ${how}`;
};

const inSource: Mutate = (r, files) => {
  const [file = ''] = named(files, /^source\//);
  const source = Buffer.from(files.get(file) as Buffer);
  const at = r.below(source.length);
  source.writeUInt8(source.readUInt8(at) ^ (1 << r.below(8)), at);
  files.set(file, source);
  return `${file}: bit of ${at}`;
};

const without: Mutate = (r, files) => {
  const file = r.pick(named(files, /^(api|log|source)\//));
  files.delete(file);
  return `${file} is gone`;
};

const untouched: Mutate = () => 'untouched';

const all: readonly [weight: number, mutate: Mutate][] = [
  [4, inJson],
  [5, inLines],
  [3, inNote],
  [2, inBundle],
  [4, signedAnew],
  [2, inReceipt],
  [1, inSource],
  [1, without],
  [1, untouched],
];

/** Changes something, and says what. */
export const mutate: Mutate = (r, files) =>
  r.pick(all.flatMap(([weight, one]) => Array<Mutate>(weight).fill(one)))(r, files);
