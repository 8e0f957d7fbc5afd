// Two hills' logs and the process that witnesses them: what it signs, what it refuses, and what a hill does with its
// answers. Rules 20.30 to 20.32.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hex } from '../../src/log/bytes.ts';
import { cosignedAt, openCheckpoint, parseCheckpoint } from '../../src/log/checkpoint.ts';
import { signatureLine, verifierKey } from '../../src/log/note.ts';
import { derivedSigner, signCheckpoint, witnessSigners } from '../../src/log/signing.ts';
import { guardedFetcher } from '../../src/outside/fetcher/index.ts';
import { parseConfig, type WitnessSettings } from '../../src/process/config.ts';
import { aWatch } from '../../src/watch/index.ts';
import { openMemory } from '../../src/witness/held.ts';
import { openWitness } from '../../src/witness/index.ts';
import { publishLog } from '../../src/worker/log.ts';
import { publisher, sharedByLog } from '../../src/worker/publish.ts';
import { type Witnesses, witnessesOf } from '../../src/worker/witnesses.ts';
import { runHillForFile } from '../support/hill/hill-process.ts';
import { type Hill, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { aLog } from '../support/hill/worker.ts';
import { heldBy, signing } from '../support/log/sign.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const other = useHill();
const restored = useHill();
const start = runHillForFile();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-witness-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const origin = 'hill.example/log';
const otherOrigin = 'other.example/log';
const plainOrigin = 'plain.example/log';
const keyOf = (of: string) => derivedSigner(secret, of, 'ed25519');
const logs = [origin, otherOrigin, plainOrigin].map((of) => verifierKey(keyOf(of)));
const [ed25519, mldsa44] = witnessSigners(secret, 'localhost:8080/witness').map(verifierKey) as [string, string];
const [verifier] = witnessSigners(secret, 'localhost:8080/witness') as [ReturnType<typeof keyOf>];

let url = '';
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const settings = { HILL_DATA_DIR: folder, HILL_SIGNING_SECRET: secret, HILL_WITNESS_PORT: String(port) };
  const witness = start(['witness'], { ...settings, HILL_WITNESS_LOGS: logs.map((key) => `log ${key}`).join('; ') });
  await witness.says(`the witness listens on port ${port}, for 3 logs; its key is ${ed25519}`);
});

const fetcher = guardedFetcher({ userAgent: 'Hill (a test)', allowLoopback: true });
const { log, said } = aLog();
const testConfig = parseConfig({ HILL_SIGNING_SECRET: secret });
const toWitnesses = (db: Hill, ...settings: Partial<WitnessSettings>[]): Witnesses =>
  witnessesOf(
    { ...testConfig, witnesses: settings.map((one, n) => ({ name: `w${n}`, key: ed25519, url, ...one })) },
    db.as('worker'),
    fetcher,
    log,
  );
const publish = (db: Hill, of: string, witnesses?: Witnesses) =>
  publishLog(
    db.as('worker'),
    signing({ origin: of, adopt: true, witnessed: witnesses?.held ?? heldBy(db.as('worker')) }),
  );
let minutes = 0;
/** Some entries more, signed on the next quarter hour. */
async function grow(db: Hill, of: string, ...entries: string[]) {
  const insert =
    "insert into hill.log_waiting (at, entry) select engine.now(), convert_to(e, 'UTF8') from unnest($1::text[]) e";
  await db.root.query(insert, [entries]);
  minutes += 15;
  await db.clock.at(new Date(Date.UTC(2026, 0, 1, 11, minutes)).toISOString().slice(11, 16));
  return publish(db, of);
}
const served = async (db: Hill): Promise<string> =>
  (await db.as('web').query('select api_public.log_checkpoint() as record')).rows[0].record.note;
const cosignatures = (db: Hill) =>
  db.rows<{ size: number; witness: string }>(
    'select size::int, witness from hill.log_cosignatures order by size, witness',
  );
const add = (body: string) => fetch(`${url}/add-checkpoint`, { method: 'POST', body });
const shown = (of: string) => fetch(`${url}/witness/${createHash('sha256').update(of).digest('hex')}/checkpoint`);

describe('a hill', () => {
  test('has each checkpoint signed, from the empty one on, and serves what was signed behind its own signatures', async () => {
    expect((await shown(origin)).status).toBe(404);
    const own = await publish(hill, origin);
    await toWitnesses(hill, {}).offer();
    await grow(hill, origin, 'deposit 1 aa', 'deposit 1 bb', 'deposit 1 cc');
    await toWitnesses(hill, {}).offer();
    await toWitnesses(hill, {}).offer(); // nothing is left to offer
    expect(await cosignatures(hill)).toEqual([0, 3].map((size) => ({ size, witness: ed25519 })));

    const note = await served(hill);
    const checkpoint = openCheckpoint(note, keyOf(origin));
    expect(checkpoint).toMatchObject({ origin, size: 3 });
    const [at] = cosignedAt(checkpoint, verifier);
    const [row] = await hill.rows<{ record: { logs: unknown[] } }>('select api_public.log() as record');
    const seenAt = new Date((at as number) * 1_000).toISOString();
    const told = row?.record.logs[0] as { witnesses: { name: string; key: string; seenAt: string }[] };
    expect(told.witnesses).toMatchObject([{ name: 'localhost:8080/witness', key: ed25519 }]);
    expect(Date.parse(told.witnesses[0]?.seenAt as string)).toBe(Date.parse(seenAt));
    expect(parseCheckpoint(own).size).toBe(0);
    const ofWitness = openCheckpoint(await (await shown(origin)).text(), keyOf(origin));
    expect(cosignedAt(ofWitness, verifier)).toEqual([at]);
  });

  test('asks once more from the size that the witness names', async () => {
    // with its other key, of which this database does not know what it holds
    await toWitnesses(hill, { key: mldsa44 }).offer();
    expect(await cosignatures(hill)).toContainEqual({ size: 3, witness: mldsa44 });
  });

  test('goes on where a witness is gone, or never answers, or signs what was not asked; and says so once', async () => {
    const reply = { status: 200, body: '' };
    const [ofLiar] = witnessSigners(secret, 'liar') as [typeof verifier];
    const liar = http.createServer((req, res) => {
      if (req.url?.startsWith('/silent')) return;
      res.writeHead(reply.status).end(reply.body);
    });
    const port = await freePort();
    await new Promise<void>((resolve) => liar.listen(port, '127.0.0.1', resolve));
    try {
      const at = (place: string) => `http://127.0.0.1:${port}/${place}`;
      const before = await cosignatures(hill);
      await grow(hill, origin, 'deposit 1 dd');
      const witnesses = toWitnesses(
        hill,
        { key: mldsa44, name: 'gone', url: `http://127.0.0.1:${await freePort()}` },
        { key: verifierKey(witnessSigners(secret, 'silent')[0] as typeof verifier), name: 'silent', url: at('silent') },
        { key: verifierKey(ofLiar), name: 'liar', url: at('liar') },
        { name: 'well' },
      );
      const news = () => said.filter(({ msg }) => msg.includes('witness')).map(({ msg }) => msg);
      await witnesses.offer();
      expect(await cosignatures(hill)).toEqual([...before, { size: 4, witness: ed25519 }]);
      expect(new Map(witnesses.state())).toEqual(
        new Map([
          ['gone', false],
          ['silent', false],
          ['liar', false],
          ['well', true],
        ]),
      );
      expect(news()).toHaveLength(3);
      // what another one signed; a signature of its own for something else
      const note = parseCheckpoint(await served(hill));
      const wrong = note.note.signatures
        .map((signature) => signatureLine({ ...signature, name: 'liar', id: ofLiar.id }))
        .join('');
      for (const [status, body] of [
        [200, signatureLine(note.note.signatures.at(-1) as (typeof note.note.signatures)[number])],
        [200, wrong],
        [409, 'many\n'],
        [409, '2\n'],
        [500, ''],
      ] as const) {
        Object.assign(reply, { status, body });
        await toWitnesses(hill, { key: verifierKey(ofLiar), url: at('liar') }).offer();
      }
      Object.assign(reply, { status: 409, body: '99\n' });
      await toWitnesses(hill, { key: verifierKey(ofLiar), url: at('liar') }).offer();
      expect(news().at(-1)).toContain('it says that it holds 99 entries, and 4 were signed here');
      expect(await cosignatures(hill)).toEqual([...before, { size: 4, witness: ed25519 }]);
    } finally {
      liar.closeAllConnections();
      liar.close();
    }
  });

  test('that was restored from before what a witness signed begins another log; a witness that is gone does not keep it from signing', async () => {
    const before = parseCheckpoint(await served(hill));
    const gone = toWitnesses(restored, { url: `http://127.0.0.1:${await freePort()}` });
    const bring = (witnesses: Witnesses, adopt = false) =>
      publishLog(
        restored.as('worker'),
        signing({ origin, adopt, file: path.join(folder, 'restored'), witnessed: witnesses.held }),
      );
    const note = await bring(toWitnesses(restored, {}), true);
    expect(openCheckpoint(note, keyOf(`${origin}/2`))).toMatchObject({ origin: `${origin}/2`, size: 1 });
    expect(await restored.rows("select convert_from(entry, 'UTF8') as entry from hill.log_entries")).toEqual([
      { entry: `log ${origin} 4 ${hex(before.root)}` },
    ]);
    expect(await bring(gone)).toBe(note);
    // and the hill itself goes on
    expect(parseCheckpoint(await publish(hill, origin, toWitnesses(hill, {})))).toMatchObject({ origin, size: 4 });
  });

  test('asks again on the quarter hour whoever was gone; and notes each time that all is signed, but not where it could not look', async () => {
    let well = true;
    const address = http.createServer(
      (_req, res) => void res.writeHead(well ? 404 : 502, { 'Hill-Log': 'none' }).end(),
    );
    const [port, at] = [await freePort(), await freePort()];
    await new Promise<void>((resolve) => address.listen(port, '127.0.0.1', resolve));
    const [signer] = witnessSigners(secret, 'later') as [typeof verifier];
    const ofHere = verifierKey(keyOf(`127.0.0.1:${port}/log/3`)); // under another name the hill begins another log
    const later = openWitness({ logs: [ofHere], signers: [signer], file: path.join(folder, 'later.sqlite') }, log);
    const witness = http.createServer(later.handler);
    const checkpointFile = path.join(folder, 'restored');
    const config = { ...testConfig, baseUrl: `http://127.0.0.1:${port}`, checkpointFile };
    const publisherHere = () =>
      publisher(
        config,
        restored.as('worker'),
        log,
        sharedByLog(aWatch().metrics, log),
        toWitnesses(restored, { key: verifierKey(signer), url: `http://127.0.0.1:${at}` }),
      );
    const notedAt = async () =>
      (await restored.rows<{ at: Date }>('select log_signed_at as at from hill.watch'))[0]?.at as Date;
    try {
      const before = await notedAt();
      const { publish } = publisherHere();
      await publish();
      const first = await notedAt();
      expect(first > before).toBe(true);
      expect(await cosignatures(restored)).toEqual([]);
      await new Promise<void>((resolve) => witness.listen(at, '127.0.0.1', resolve));
      await publish();
      expect(await cosignatures(restored)).toEqual([{ size: 1, witness: verifierKey(signer) }]);
      const second = await notedAt();
      expect(second > first).toBe(true);

      well = false;
      fs.rmSync(checkpointFile);
      witness.closeAllConnections();
      await new Promise((resolve) => witness.close(resolve));
      await expect(publisherHere().publish()).rejects.toThrow('answers with 502');
      expect(await notedAt()).toEqual(second);
    } finally {
      address.close();
      witness.close();
      later.close();
    }
  });

  test('waits once for one that does not say what it holds, and then for the others alone, until it answers again', async () => {
    let answers = false;
    const dumb = http.createServer((_req, res) => void (answers && res.writeHead(404).end()));
    const port = await freePort();
    await new Promise<void>((resolve) => dumb.listen(port, '127.0.0.1', resolve));
    const done = new Map<string, number>();
    const counted: typeof fetcher = (at, asked) => {
      const host = new URL(at).host;
      return fetcher(at, asked).finally(() => done.set(host, (done.get(host) ?? 0) + 1));
    };
    const of = (name: string, at: string) => ({ name, key: ed25519, url: at });
    const atDumb = `127.0.0.1:${port}`;
    const both = [of('dumb', `http://${atDumb}`), of('well', url)];
    const witnesses = witnessesOf({ ...testConfig, witnesses: both }, hill.as('worker'), counted, log);
    const waitedFor = async () => {
      const before = done.get(atDumb) ?? 0;
      expect(await witnesses.held(origin)).toHaveLength(1);
      return (done.get(atDumb) ?? 0) > before;
    };
    try {
      expect(await waitedFor()).toBe(true);
      expect(await waitedFor()).toBe(false);
      await until('it was given up', async () => done.get(atDumb) === 2);
      answers = true;
      await witnesses.held(origin);
      await until('it has answered', async () => done.get(atDumb) === 3);
      expect(await waitedFor()).toBe(true);
    } finally {
      dumb.closeAllConnections();
      dumb.close();
    }
  });

  test('does not start with a key that is not of the kind, and neither does a witness', () => {
    expect(() => toWitnesses(hill, { key: logs[0] as string })).toThrow(
      'HILL_WITNESSES: the key of w0 is not the verifier key of a witness',
    );
    const wrongId = ed25519.replace(/\+......../, '+00000000');
    expect(() => toWitnesses(hill, { key: wrongId })).toThrow('HILL_WITNESSES: the key of w0');
    expect(() => openWitness({ logs: [ed25519], signers: [], file: path.join(folder, 'none') }, log)).toThrow(
      /^HILL_WITNESS_LOGS: .* is not the Ed25519/,
    );
  });

  test('keeps no cosignature of what it never signed, and nobody changes one', async () => {
    const keep = 'select trusted.keep_cosignature(1, $1, $2, $3, now()) as kept';
    const line = `\u2014 ${ed25519.split('+')[0]} AAAA`;
    const [last] = await hill.rows<{ size: number }>(
      'select max(size)::int as size from hill.log_checkpoints where generation = 1',
    );
    for (const [size, signature] of [
      [99, line],
      [last?.size, '\u2014 another AAAA'],
    ])
      expect((await hill.root.query(keep, [size, ed25519, signature])).rows).toEqual([{ kept: false }]);
    await expect(hill.root.query('delete from hill.log_cosignatures')).rejects.toThrow('cannot be changed or removed');
  });
});

describe('a witness', () => {
  const root = (text: string) => createHash('sha256').update(text).digest();
  const empty = root('');
  const signed = (size: number, hash = root(String(size)), of = plainOrigin, key = keyOf(of)) =>
    signCheckpoint({ origin: of, size, root: hash }, [key], 0);
  const asked = (old: number, note: string, ...proof: Buffer[]) =>
    `old ${old}\n${proof.map((hash) => `${hash.toString('base64')}\n`).join('')}\n${note}`;

  test('tells its keys', async () => {
    expect(await (await fetch(url)).text()).toBe(`${ed25519}\n${mldsa44}\n`);
    expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405);
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
  });

  test('of many that go on from one size at once, in two processes, lets one pass', async () => {
    const here = openWitness(
      { logs, signers: witnessSigners(secret, 'here'), file: path.join(folder, 'witness.sqlite') },
      log,
    );
    const server = http.createServer(here.handler);
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const sizes = Array.from({ length: 16 }, (_, n) => n + 1);
    const answers = await Promise.all(
      sizes.map(async (size) => {
        const to = size % 2 ? url : `http://127.0.0.1:${port}/witness`;
        const answer = await fetch(`${to}/add-checkpoint`, { method: 'POST', body: asked(0, signed(size)) });
        return { size, status: answer.status, type: answer.headers.get('Content-Type'), body: await answer.text() };
      }),
    );
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(1);
    const holds = passed[0]?.size as number;
    for (const { status, type, body } of answers.filter((answer) => answer !== passed[0]))
      expect({ status, type, body }).toEqual({ status: 409, type: 'text/x.tlog.size', body: `${holds}\n` });
    // the same again is signed again
    expect((await add(asked(holds, signed(holds)))).status).toBe(200);
    server.close();
    here.close();

    // what a third process would do that had read before
    const [one, two] = [
      openMemory(path.join(folder, 'two.sqlite'), empty),
      openMemory(path.join(folder, 'two.sqlite'), empty),
    ];
    const [first, second] = [one.of(plainOrigin), two.of(plainOrigin)];
    expect(one.move(first, { origin: plainOrigin, size: 2, root: root('2') }, 'two')).toBe(true);
    expect(two.move(second, { origin: plainOrigin, size: 1, root: root('1') }, 'one')).toBe(false);
    const [third, fourth] = [one.of(plainOrigin), two.of(plainOrigin)];
    expect(two.move(fourth, { origin: plainOrigin, size: 9, root: root('9') }, 'nine')).toBe(true);
    expect(one.move(third, { origin: plainOrigin, size: 3, root: root('3') }, 'three')).toBe(false);
    expect(one.of(plainOrigin)).toMatchObject({ size: 9, note: 'nine' });
    one.close();
    two.close();
  });

  test('refuses a fork, whoever signed it', async () => {
    await publish(other, otherOrigin);
    await grow(other, otherOrigin, 'deposit 1 aa', 'deposit 1 bb');
    const witnesses = toWitnesses(other, {});
    await witnesses.offer();
    expect(await cosignatures(other)).toEqual([{ size: 2, witness: ed25519 }]);
    const fork = (size: number, ...proof: Buffer[]) => add(asked(2, signed(size, root('fork'), otherOrigin), ...proof));
    expect((await fork(2)).status).toBe(422); // another root of the same size
    expect((await fork(3)).status).toBe(422);
    expect((await fork(3, root('x'), root('y'))).status).toBe(422);
    // the proof of the real one does not help
    await grow(other, otherOrigin, 'deposit 1 cc');
    const [row] = await other.rows<{ proof: Buffer[] }>('select engine.prove_growth(1, 2, 3) as proof');
    const proof = row?.proof as Buffer[];
    expect((await fork(3, ...proof)).status).toBe(422);
    expect(parseCheckpoint(await (await shown(otherOrigin)).text()).size).toBe(2);
    await witnesses.offer();
    expect(parseCheckpoint(await (await shown(otherOrigin)).text()).size).toBe(3);
    // and back is no way to go
    expect((await add(asked(2, signed(2, root('fork'), otherOrigin)))).status).toBe(409);
  });

  test.each<readonly [status: number, what: string, body: () => string]>([
    [400, 'no checkpoint', () => 'old 0\n\n'],
    [400, 'nothing', () => ''],
    [400, 'a size with a zero in front', () => asked(0, signed(1)).replace('old 0', 'old 00')],
    [400, 'a hash that is too short', () => asked(0, signed(1), Buffer.alloc(31))],
    [400, 'too many hashes', () => asked(0, signed(1), ...Array.from({ length: 64 }, () => empty))],
    [400, 'an old size above the new one', () => asked(99, signed(98))],
    [403, 'a signature of another key', () => asked(0, signed(99, empty, plainOrigin, keyOf(origin)))],
    [403, 'a signature that does not hold', () => asked(0, signed(99)).replace('\n99\n', '\n98\n')],
    [404, 'a log that it does not know', () => asked(0, signed(1, empty, 'strange.example/log'))],
    [413, 'more than it reads', () => asked(0, signed(1)) + 'x'.repeat(65_536)],
  ])('answers with %s to %s', async (status, _what, body) => {
    const answer = await add(body());
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(/^[A-Z].*\.\n$/);
  });

  test('of a log that it never signed takes no proof, and of no entries only the hash of nothing', async () => {
    const fresh = openWitness(
      { logs, signers: witnessSigners(secret, 'fresh'), file: path.join(folder, 'fresh.sqlite') },
      log,
    );
    const server = http.createServer(fresh.handler);
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const status = async (body: string) =>
      (await fetch(`http://127.0.0.1:${port}/add-checkpoint`, { method: 'POST', body })).status;
    expect(await status(asked(0, signed(1), empty))).toBe(422);
    expect(await status(asked(0, signed(0, root('1'))))).toBe(422);
    expect(await status(asked(0, signed(0, empty)))).toBe(200);
    expect(await status(asked(0, signed(0, empty)))).toBe(200);
    expect(await status(asked(1, signed(1)))).toBe(409);
    expect(await status(asked(0, signed(1)))).toBe(200);
    server.close();
    fresh.close();
  });
});
