// The tree of the log, its tiles and its proofs, judged by Go's golang.org/x/mod/sumdb/tlog. Rules 20.3 to 20.5; RFC
// 6962.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatProof, growsFrom, openProof } from '../../src/log/proof.ts';
import { derivedSigner, signCheckpoint } from '../../src/log/signing.ts';
import { type Tile, tilePath, widthIn } from '../../src/log/tiles.ts';
import { useHill } from '../support/hill/index.ts';
import { buildOracle, missingForGo, type Question } from '../support/log/oracle.ts';
import { randomFrom, seed } from '../support/random.ts';

const hill = useHill();
const { below } = randomFrom(seed);
/** Inclusive. */
const integer = (from: number, to: number): number => from + below(to - from + 1);

/** Sizes at which batches end; after them, some that no batch ended at. */
const batches = [0, 1, 2, 255, 256, 257, 65_535, 65_536, 70_000];
const sizes = [...batches, integer(3, 69_999), integer(3, 69_999), integer(9 * 256 + 1, 9 * 256 + 255)];
const last = 70_000;

const key = derivedSigner('a secret of forty characters, or of more', 'hill.example/log', 'ed25519');
let folder = '';
const roots = new Map<number, string>();
const of = <T>(query: string, values: unknown[]): Promise<T> =>
  hill.root.query({ text: query, values, rowMode: 'array' }).then(({ rows }) => rows[0]?.[0] as T);
const in64 = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('base64'));
const rootOf = (size: number) => roots.get(size) as string;
const entryOf = (index: number) =>
  of<Buffer>('select entry from hill.log_entries where generation = 1 and index = $1', [index]);
const proofOf = async (index: number, size: number) =>
  in64(await of('select engine.prove_entry(1, $1, $2)', [index, size]));
const growthOf = async (from: number, to: number) =>
  in64(await of('select engine.prove_growth(1, $1, $2)', [from, to]));

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-log-'));
  await of('select trusted.begin_log($1)', ['hill.example/log']);
  let before = 0;
  for (const size of batches) {
    await hill.root.query(
      `insert into hill.log_waiting (at, entry)
       select engine.now(), convert_to('deposit 1 ' || encode(sha256(n::text::bytea), 'hex'), 'UTF8') from generate_series($1::bigint, $2) n`,
      [before + 1, size],
    );
    await of("select engine.append_log('infinity')", []);
    before = size;
  }
  for (const size of sizes)
    roots.set(size, (await of<Buffer>('select engine.log_root(1, $1)', [size])).toString('base64'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Writes what a log of that size serves: full tiles and bundles, and the partial ones at its end. */
async function writeTiles(size: number): Promise<void> {
  const write = async (level: Tile['level'], hashes: number, bytes: string) => {
    const tiles = Array.from({ length: Math.ceil(hashes / 256) }, (_, tile) => ({
      level,
      tile,
      width: Math.min(256, hashes - 256 * tile),
    }));
    const missing = tiles.filter((tile) => !fs.existsSync(path.join(folder, tilePath(tile))));
    const { rows } = await hill.root.query<{ body: Buffer }>(
      `select ${bytes} as body from unnest($1::bigint[], $2::bigint[]) with ordinality t (first, last, n) order by n`,
      [missing.map(({ tile }) => 256 * tile), missing.map(({ tile, width }) => 256 * tile + width)],
    );
    for (const [n, tile] of missing.entries()) {
      const file = path.join(folder, tilePath(tile));
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, rows[n]?.body as Buffer);
    }
  };
  await write('entries', size, 'engine.log_bundle(1, first, last)');
  for (let level = 0, hashes = size; hashes > 0; level++, hashes = Math.floor(hashes / 256))
    await write(level, hashes, `engine.log_hashes(1, ${level}, first, last)`);
}

test('a batch is one step: its numbers, its full tiles and its root, and none of them can be changed by anybody', async () => {
  expect(await hill.rows('select size::int, root from hill.log_heads where generation = 1 order by size')).toEqual(
    batches.map((size) => ({ size, root: Buffer.from(rootOf(size), 'base64') })),
  );
  expect(await hill.rows('select level, count(*)::int as tiles from hill.log_tiles group by 1 order by 1')).toEqual([
    { level: 0, tiles: 273 },
    { level: 1, tiles: 1 },
  ]);
  expect(await hill.rows('select * from engine.check_log(1)')).toEqual([]);
  for (const table of ['log_entries', 'log_tiles', 'log_heads', 'log_checkpoints', 'log_generations'])
    for (const change of [
      `update hill.${table} set generation = 1`,
      `delete from hill.${table}`,
      `truncate hill.${table} cascade`,
    ]) {
      await expect(hill.root.query(change), change).rejects.toMatchObject({ code: 'ZHLOG' });
      await expect(
        hill.asOwnerOf('hill_owner', (client) => client.query(change)),
        change,
      ).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|ZHLOG)$/) });
    }
});

describe.skipIf(missingForGo)(`Go agrees (HILL_SEED=${seed})`, () => {
  let ask: ReturnType<typeof buildOracle>;
  beforeAll(() => {
    ask = buildOracle(folder);
  });
  /** What src/log says of the same, where it reads such proofs. */
  const weSay = (question: Question): boolean | undefined => {
    const bytes = (base64: string) => Buffer.from(base64, 'base64');
    if (question.ask === 'growth') {
      const { size, root, oldSize, oldRoot, proof } = question;
      return growsFrom({ size: oldSize, root: bytes(oldRoot) }, { size, root: bytes(root) }, proof.map(bytes));
    }
    if (question.ask !== 'entry') return undefined;
    const { size, root, index, entry, proof } = question;
    const checkpoint = signCheckpoint({ origin: key.name, size, root: bytes(root) }, [key], 0);
    try {
      return openProof(formatProof({ index, path: proof.map(bytes), checkpoint }), bytes(entry), key).size === size;
    } catch {
      return false;
    }
  };
  const agreed = (questions: readonly Question[], right: boolean) =>
    expect(
      ask(questions).flatMap((answer, n) => {
        const question = questions[n] as Question;
        return (answer === 'ok') === right && (weSay(question) ?? right) === right ? [] : [{ answer, question }];
      }),
    ).toEqual([]);
  const allOk = (questions: readonly Question[]) => agreed(questions, true);
  const noneOk = (questions: readonly Question[]) => agreed(questions, false);

  test('with each root, each tile and each bundle of trees of all sizes', async () => {
    for (const size of sizes) await writeTiles(size);
    allOk(sizes.map((size) => ({ ask: 'tree', folder, size, root: rootOf(size) })));
  });

  test('with proofs that an entry is in a tree, and notices a flipped bit of each part, as the proof files of src/log do', async () => {
    const questions: Extract<Question, { ask: 'entry' }>[] = [];
    for (const size of sizes.filter((size) => size > 0))
      for (const index of new Set([0, size - 1, (size - 1) & ~255, integer(0, size - 1), integer(0, size - 1)]))
        questions.push({
          ask: 'entry',
          size,
          root: rootOf(size),
          index,
          entry: (await entryOf(index)).toString('base64'),
          proof: await proofOf(index, size),
        });
    allOk(questions);
    noneOk(
      questions.flatMap((question) => [
        { ...question, entry: flipped(question.entry) },
        { ...question, root: flipped(question.root) },
        ...(question.size > 1 ? [{ ...question, index: (question.index + 1) % question.size }] : []),
        ...question.proof.map((hash, n) => ({ ...question, proof: question.proof.with(n, flipped(hash)) })),
      ]),
    );
  });

  test('with proofs that a tree grew from another, and notices a flipped bit of each part, as src/log does', async () => {
    const pairs = sizes.flatMap((size) =>
      sizes.filter((old) => old > 0 && old <= size).map((old) => [old, size] as const),
    );
    const questions: Extract<Question, { ask: 'growth' }>[] = [];
    for (const [oldSize, size] of pairs)
      questions.push({
        ask: 'growth',
        size,
        root: rootOf(size),
        oldSize,
        oldRoot: rootOf(oldSize),
        proof: await growthOf(oldSize, size),
      });
    allOk(questions);
    noneOk(
      questions.flatMap((question) => [
        { ...question, root: flipped(question.root) },
        { ...question, oldRoot: flipped(question.oldRoot) },
        ...question.proof.map((hash, n) => ({ ...question, proof: question.proof.with(n, flipped(hash)) })),
      ]),
    );
    expect(await growthOf(0, last)).toEqual([]);
    expect(growsFrom({ size: 2, root: Buffer.alloc(32) }, { size: 1, root: Buffer.alloc(32) }, [])).toBe(false);
  });

  test('and notices a flipped bit in any tile or bundle', async () => {
    const size = sizes.at(-1) as number; // 10 tiles, the last of which is partial
    const tree: Question = { ask: 'tree', folder, size, root: rootOf(size) };
    await writeTiles(size);
    allOk([tree]);
    for (const [level, tile] of [
      [0, 0],
      [0, 9],
      [1, 0],
      ['entries', 3],
      ['entries', 9],
    ] as const) {
      const file = path.join(folder, tilePath({ level, tile, width: widthIn(size, { level, tile }) }));
      const was = fs.readFileSync(file);
      fs.writeFileSync(file, Buffer.from(flipped(was.toString('base64')), 'base64'));
      noneOk([tree]);
      fs.writeFileSync(file, was);
    }
    allOk([tree]);
  });
});

/** With one bit changed, anywhere. */
function flipped(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const bit = integer(0, 8 * bytes.length - 1);
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return bytes.toString('base64');
}
