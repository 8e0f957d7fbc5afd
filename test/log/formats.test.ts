// Notes, checkpoints, cosignatures, proof files and paths of tiles, by the examples of C2SP and judged by Go. Rules
// 20.4 to 20.6.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as noble from '../../src/log/browser-signatures.ts';
import { cosignedAt, openCheckpoint, parseCheckpoint } from '../../src/log/checkpoint.ts';
import { formatNote, isSignedBy, parseNote, parseVerifierKey, verifierKey } from '../../src/log/note.ts';
import { formatProof, leafHash, openProof, parseProof } from '../../src/log/proof.ts';
import * as openssl from '../../src/log/signatures.ts';
import { cosign, derivedSigner, signCheckpoint, signerOf } from '../../src/log/signing.ts';
import { parseBundle, parseTilePath, tilePath, widthIn } from '../../src/log/tiles.ts';
import { buildOracle, missingForGo } from '../support/log/oracle.ts';

const origin = 'hill.example/log';
const secret = 'a secret of forty characters, or of more';
const log = derivedSigner(secret, origin, 'ed25519');
const quantum = derivedSigner(secret, origin, 'mldsa44');
const witness = signerOf('witness.example/w1', 'cosignature', generateKeyPairSync('ed25519').privateKey);
const entry = Buffer.from('deposit 1 00');
const other = leafHash(Buffer.from('deposit 1 01'));
const head = { origin, size: 1, root: leafHash(entry) };

/** Of a tree of two leaves, or of none. */
const rootOf = (...leaves: Uint8Array[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat(leaves.length > 0 ? [Buffer.of(1), ...leaves] : []))
    .digest();

/** Every text that has one bit of this one changed and is still UTF-8. */
function* flippedBits(text: string): Generator<string> {
  const bytes = Buffer.from(text);
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    const flipped = changed.toString();
    if (Buffer.from(flipped).equals(changed)) yield flipped;
  }
}
const holds = (check: () => unknown): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

test('the example of signed-note is verified by its key, and by no other', () => {
  const key = parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
  const note =
    'This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
  expect(isSignedBy(parseNote(note), key)).toBe(true);
  expect(isSignedBy(parseNote(note), log)).toBe(false);
  expect(verifierKey(key)).toBe('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
  expect(formatNote(parseNote(note))).toBe(note);
  for (const flipped of flippedBits(note))
    expect(
      holds(() => isSignedBy(parseNote(flipped), key) || expect.fail()),
      flipped,
    ).toBe(false);
});

test.each([
  ['no signature', 'text\n'],
  ['no blank line', 'text\n\u2014 a AAAAAAAA\n'],
  ['a control character', 'te\txt\n\n\u2014 a AAAAAAA=\n'],
  ['base64 of another form', 'text\n\n\u2014 a AAAAAAB=\n'],
  ['a name with a plus sign', 'text\n\n\u2014 a+b AAAAAAA=\n'],
  ['a hyphen for the dash', 'text\n\n- a AAAAAAA=\n'],
  ['no last line end', 'text\n\n\u2014 a AAAAAAA='],
])('a note with %s is none', (_, note) => {
  expect(() => parseNote(note)).toThrow(/not a signed note|not of its form/);
});

test.each(['ed25519', 'mldsa44'] as const)(
  'a key of %s that was derived is the same for one secret and origin, and another for another',
  (type) => {
    const key = (...from: [secret: string, origin: string]) =>
      verifierKey(derivedSigner(...from, type))
        .split('+')
        .at(-1);
    expect(key(secret, origin)).toBe(key(secret, origin));
    expect(new Set([key(secret, origin), key(secret, `${origin}/2`), key(`${secret}.`, origin)]).size).toBe(3);
  },
);

test('a checkpoint has an Ed25519 signature and one with ML-DSA-44, and a witness adds its own', () => {
  const signed = signCheckpoint(head, [log, quantum], 1_790_000_000);
  expect(openCheckpoint(signed, parseVerifierKey(verifierKey(log)))).toMatchObject(head);
  expect(cosignedAt(parseCheckpoint(signed), parseVerifierKey(verifierKey(quantum)))).toEqual([1_790_000_000]);

  const note = parseNote(signed);
  const seen = formatNote({ ...note, signatures: [...note.signatures, cosign(head, witness, 1_790_000_001)] });
  expect(cosignedAt(parseCheckpoint(seen), witness)).toEqual([1_790_000_001]);
  expect(cosignedAt(parseCheckpoint(signed), witness)).toEqual([]);
  expect(() => openCheckpoint(seen, { ...log, name: 'other.example/log' })).toThrow('not of other.example/log');
  expect(() => openCheckpoint(formatNote({ ...note, signatures: note.signatures.slice(1) }), log)).toThrow(
    'not signed by',
  );
});

test('a cosignature of another time, tree or witness does not hold', () => {
  const about = (signature: ReturnType<typeof cosign>) =>
    parseCheckpoint(formatNote({ text: parseNote(signCheckpoint(head, [log], 0)).text, signatures: [signature] }));
  for (const key of [witness, quantum]) {
    const signature = cosign(head, key, 7);
    expect(cosignedAt(about(signature), key)).toEqual([7]);
    for (const at of [7, 8, 40, signature.bytes.length - 1]) {
      const bytes = Buffer.from(signature.bytes);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      expect(() => cosignedAt(about({ ...signature, bytes }), key)).toThrow('does not hold');
    }
    expect(() => cosignedAt(about(cosign({ ...head, size: 2 }, key, 7)), key)).toThrow('does not hold');
  }
});

test('what a browser verifies with holds the same signatures', () => {
  const message = Buffer.from('What was signed.');
  for (const [key, inNode, inBrowser] of [
    [log, openssl.isByEd25519, noble.isByEd25519],
    [quantum, openssl.isByMlDsa44, noble.isByMlDsa44],
  ] as const) {
    const signature = sign(null, message, key.secret);
    const cases: [Uint8Array, Uint8Array, Uint8Array][] = [
      [key.key, message, signature],
      [key.key, Buffer.from('What was not.'), signature],
      [key.key, message, signature.subarray(1)],
      [key.key.subarray(1), message, signature],
      [new Uint8Array(key.key.length), message, new Uint8Array(signature.length)],
      ...[0, 31, 32, signature.length - 1].map(
        (at) => [key.key, message, signature.with(at, (signature[at] as number) ^ 1)] as (typeof cases)[number],
      ),
    ];
    const expected = [true, ...cases.slice(1).map(() => false)];
    expect(cases.map((one) => inNode(...one))).toEqual(expected);
    expect(cases.map((one) => inBrowser(...one))).toEqual(expected);
  }
});

test('a proof file leads from its entry to its checkpoint, and with any bit changed to none', () => {
  const checkpoint = signCheckpoint({ ...head, size: 2, root: rootOf(leafHash(entry), other) }, [log], 0);
  const proof = formatProof({ index: 0, path: [other], checkpoint });
  expect(openProof(proof, entry, log).size).toBe(2);
  expect(openProof(proof.replace('\n', '\nextra AA==\n'), entry, log).size).toBe(2);
  expect(parseProof(proof)).toEqual({ index: 0, path: [other], checkpoint });
  for (const flipped of flippedBits(proof))
    expect(
      holds(() => openProof(flipped, entry, log)),
      flipped,
    ).toBe(false);
  for (const flipped of flippedBits(entry.toString()))
    expect(holds(() => openProof(proof, Buffer.from(flipped), log))).toBe(false);
  for (const path of [[], [other, other]])
    expect(holds(() => openProof(formatProof({ index: 0, path, checkpoint }), entry, log))).toBe(false);
});

test.each([
  [{ level: 0, tile: 1_234_067, width: 256 }, 'tile/0/x001/x234/067'],
  [{ level: 'entries', tile: 273, width: 112 }, 'tile/entries/273.p/112'],
  [{ level: 2, tile: 0, width: 1 }, 'tile/2/000.p/1'],
] as const)('%j is %s', (tile, name) => {
  expect(tilePath(tile)).toBe(name);
  expect(parseTilePath(name)).toEqual(tile);
});

test.each([
  'tile/0/1',
  'tile/0/000.p/0',
  'tile/0/000.p/256',
  'tile/0/000.p/01',
  'tile/00/000',
  'tile/64/000',
  'tile/0/x000/001',
  'tile/data/000',
  'tile/0/0000',
])('%s is no tile', (name) => expect(parseTilePath(name)).toBeNull());

test('a tree of 70,000 has the tiles that C2SP says, and a bundle its entries', () => {
  const width = (level: number | 'entries', tile: number) => widthIn(70_000, { level, tile });
  expect([
    width(0, 272),
    width(0, 273),
    width(0, 274),
    width(1, 0),
    width(1, 1),
    width(2, 0),
    width(3, 0),
    width('entries', 273),
  ]).toEqual([256, 112, 0, 256, 17, 1, 0, 112]);
  expect(widthIn(256, { level: 1, tile: 0 })).toBe(1);
  expect(parseBundle(Buffer.from('\0\x01a\0\0\0\x02bc'))).toEqual(['a', '', 'bc'].map((text) => Buffer.from(text)));
  expect(() => parseBundle(Buffer.from('\0\x02a'))).toThrow(RangeError);
});

describe.skipIf(missingForGo)('Go', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-log-'));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  let ask: ReturnType<typeof buildOracle>;
  beforeAll(() => {
    ask = buildOracle(folder);
  });

  test('verifies checkpoints and proof files, and none with a bit changed', () => {
    const key = verifierKey(log);
    const root = rootOf(leafHash(entry), other);
    const checkpoint = signCheckpoint({ origin, size: 2, root }, [log, quantum], 0);
    const short = signCheckpoint({ origin, size: 2, root }, [log], 0);
    const about = { ask: 'checkpoint', key, size: 2, root: root.toString('base64') } as const;
    const asked = { ask: 'proof', key, entry: entry.toString('base64') } as const;
    const proof = (checkpoint: string) => formatProof({ index: 0, path: [other], checkpoint });
    const empty = signCheckpoint({ origin, size: 0, root: rootOf() }, [log], 0);

    expect(
      ask([
        { ...about, text: checkpoint },
        { ...about, text: short },
        { ...about, text: empty, size: 0, root: rootOf().toString('base64') },
        { ...asked, text: proof(checkpoint) },
        { ...asked, text: proof(short) },
      ]),
    ).toEqual(Array(5).fill('ok'));
    expect(ask([...flippedBits(short)].map((text) => ({ ...about, text })))).not.toContain('ok');
    expect(ask([...flippedBits(proof(short))].map((text) => ({ ...asked, text })))).not.toContain('ok');
  });
});
