// The log is signed once for each size, and only as what all that was signed before is the beginning of. Rules 20.2,
// 20.7.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { call } from '../../src/db/call.ts';
import { hex } from '../../src/log/bytes.ts';
import { openCheckpoint, parseCheckpoint } from '../../src/log/checkpoint.ts';
import { derivedSigner, signCheckpoint } from '../../src/log/signing.ts';
import { prover } from '../../src/process/proofs.ts';
import { keep } from '../../src/worker/known.ts';
import { publishLog } from '../../src/worker/log.ts';
import type { LogSettings } from '../../src/worker/log-head.ts';
import { followLog } from '../../src/worker/look-outside.ts';
import { type Hill, refusal, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { heldBy, signing, testOrigin } from '../support/log/sign.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-log-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const origin = testOrigin;

const told: string[] = [];
/** A machine that keeps a file of its own, and asks the one public address. */
const publicly: { checkpoint: string | null } = { checkpoint: null };
const machine = (name: string, change: Partial<Omit<LogSettings, 'file'>> = {}) => {
  const file = path.join(folder, name, 'checkpoint');
  return {
    ...signing({ ask: async () => publicly.checkpoint, tell: (what) => void told.push(what), ...change }),
    file,
  };
};
const opened = (note: string, of = origin) => openCheckpoint(note, derivedSigner(secret, of, 'ed25519'));
const deposit = (hill: Hill, ...entries: string[]) =>
  hill.root.query(
    "insert into hill.log_waiting (at, entry) select engine.now(), convert_to(e, 'UTF8') from unnest($1::text[]) e",
    [entries],
  );
const publish = async (hill: Hill, settings: LogSettings) => {
  const note = await publishLog(hill.as('worker'), settings);
  publicly.checkpoint = note;
  return note;
};
const firstEntry = async (hill: Hill) =>
  (
    await hill.rows<{ entry: string }>(
      "select convert_from(entry, 'UTF8') as entry from hill.log_entries where index = 0 order by generation desc limit 1",
    )
  )[0]?.entry;

describe('two restores of one backup', () => {
  const hill = useHill();
  const copy = useHill();
  const here = machine('here');

  test('are one log up to the backup: a size is signed once, and the signature stays', async () => {
    const empty = await publish(hill, here);
    expect(opened(empty)).toMatchObject({ origin, size: 0 });
    for (const restored of [hill, copy]) {
      await deposit(restored, 'deposit 1 aa', 'deposit 1 bb');
      await restored.clock.at('10:15');
    }
    const signed = await publish(hill, here);
    expect(opened(signed)).toMatchObject({ origin, size: 2 });
    expect(fs.readFileSync(here.file, 'utf8')).toMatch(signed); // and which database signed it
    expect(await publish(hill, here)).toBe(signed);
    expect(await Promise.all([publish(hill, here), publish(hill, here)])).toEqual([signed, signed]);
  });

  test('go different ways afterwards: the one whose tree does not begin as the public one did begins another log, and names what it lost', async () => {
    // what the copy was restored from
    await copy.root.query('select trusted.begin_log($1)', [origin]);
    await copy.root.query('select trusted.number_log()');
    await deposit(hill, 'deposit 1 cc');
    await hill.clock.at('10:30');
    const shown = opened(await publish(hill, here));
    expect(shown.size).toBe(3);

    await deposit(copy, 'deposit 1 dd', 'deposit 1 ee');
    await copy.clock.at('10:30');
    await expect(publish(copy, machine('there'))).rejects.toMatchObject({ reason: 'contradicted' });
    const other = opened(await publish(copy, machine('there', { adopt: true })), `${origin}/2`);
    expect(other).toMatchObject({ origin: `${origin}/2`, size: 5 }); // with the two that it does not know to be signed
    expect(await firstEntry(copy)).toBe(`log ${origin} 3 ${hex(shown.root)}`);
    expect(await copy.rows('select from hill.log_checkpoints where generation = 1')).toEqual([]);

    // and the first one, started again, finds that the address shows another log
    expect(opened(await publish(hill, here), `${origin}/3`)).toMatchObject({ origin: `${origin}/3`, size: 1 });
    expect(await firstEntry(hill)).toBe(`log ${origin}/2 5 ${hex(other.root)}`);
  });
});

describe('a hill', () => {
  const hill = useHill();

  test('that is behind its own file begins another log, and another again for another secret or address; none of them twice', async () => {
    const file = machine('behind');
    publicly.checkpoint = null;
    fs.mkdirSync(path.dirname(file.file), { recursive: true });
    fs.copyFileSync(machine('here').file, file.file); // of /log/3, which this database never had
    expect(fs.readFileSync(file.file, 'utf8')).toMatch(`${origin}/3\n`);
    await expect(publish(hill, file)).rejects.toMatchObject({
      reason: 'unvouched',
      message: expect.stringContaining('of another database'),
    });
    const first = await publish(hill, { ...file, adopt: true });
    expect(opened(first, `${origin}/4`)).toMatchObject({ size: 1 });
    expect(await publish(hill, file)).toBe(first);

    const rotated = { ...file, memory: { signed: null }, secret: `${secret}, rotated`, formerSecrets: [secret] };
    const second = await publish(hill, rotated);
    expect(openCheckpoint(second, derivedSigner(rotated.secret, `${origin}/5`, 'ed25519'))).toMatchObject({ size: 1 });
    expect(await publish(hill, rotated)).toBe(second);

    const staging = machine('staging', { origin: 'staging.example/log', ask: async () => null, adopt: true });
    const third = await publishLog(hill.as('worker'), staging);
    // a number that no log of this hill has: it is in the addresses of both
    expect(opened(third, 'staging.example/log/6')).toMatchObject({ size: 1 });
    expect(await firstEntry(hill)).toMatch(`log ${origin}/5 1 `);
    expect(await publishLog(hill.as('worker'), staging)).toBe(third);
    expect(await hill.rows('select * from engine.check_log(3)')).toEqual([]);
  });

  test('keeps no signature of a head that it does not have, none that is not of the head, and nothing without a proof of the secret', async () => {
    const [head] = await hill.rows<{ generation: number; size: number; root: Buffer; origin: string }>(
      `select h.generation, h.size::int, h.root, g.origin
         from hill.log_heads h join hill.log_generations g using (generation) order by generation desc limit 1`,
    );
    if (!head) throw new Error('there is no log');
    const count = async () => (await hill.rows('select from hill.log_checkpoints')).length;
    const kept = await count();
    const keepNote = (generation: number, size: number, root: Buffer, note: string, { prove } = signing()) => {
      const proof = prove('checkpoint', String(generation), String(size), hex(root), note);
      return call(hill.as('worker'), 'api_worker.keep_checkpoint', { generation, size, root, note, ...proof });
    };
    const { generation, size, root } = head;
    const note = signCheckpoint(head, [derivedSigner(secret, head.origin, 'ed25519')], 0);
    expect(await keepNote(9, size, root, note)).toBeNull();
    expect(await keepNote(generation, size + 1, root, note)).toBeNull();
    expect(await keepNote(generation, size, Buffer.alloc(32), note)).toBeNull();
    const forged = signing({ prove: prover(() => 'a secret that somebody made up, of forty characters') });
    const worker = hill.as('worker');
    expect(await refusal(keepNote(generation, size, root, note, forged))).toMatchObject({ code: 'PROOF_REFUSED' });
    const fields = { origin: 'hill.example/log/99', old_origin: null, old_size: null, old_root: null, keys: ['a+b+c'] };
    const [proof, other] = [forged.prove('log', 'x'), forged.prove('cosignature', 'x')];
    expect(await refusal(call(worker, 'api_worker.begin_log', { ...fields, ...proof }))).toMatchObject({
      code: 'PROOF_REFUSED',
    });
    const line = {
      generation,
      size,
      witness: 'w+01234567+AAAA',
      signature: '— w AAAAAAAA',
      seen_at: '2026-03-01T00:00:00Z',
    };
    expect(await refusal(call(worker, 'api_worker.keep_cosignature', { ...line, ...other }))).toMatchObject({
      code: 'PROOF_REFUSED',
    });
    expect(await count()).toBe(kept);
    expect(await hill.rows('select from hill.log_cosignatures')).toEqual([]);
  });

  test('whose database keeps a text that is no checkpoint goes on in another log', async () => {
    await hill.clock.at('11:00');
    await deposit(hill, 'deposit 1 zz');
    await hill.clock.at('11:15');
    await hill.root.query('select trusted.number_log()');
    const [head] = await hill.rows<{ generation: number; size: number; root: Buffer; origin: string }>(
      `select h.generation, h.size::int, h.root, g.origin
         from hill.log_heads h join hill.log_generations g using (generation) order by generation desc, size desc limit 1`,
    );
    if (!head) throw new Error('there is no log');
    const signed = signCheckpoint(head, [derivedSigner(secret, head.origin, 'ed25519')], 0);
    for (const note of [
      'this is not a checkpoint',
      signed.replace(head.origin, 'other.example/log'),
      signed.replace(`${head.size}`, '99'),
    ]) {
      const { generation, size, root } = head;
      const proof = signing().prove('checkpoint', String(generation), String(size), hex(root), note);
      expect(
        await call(hill.as('worker'), 'api_worker.keep_checkpoint', { generation, size, root, note, ...proof }),
      ).toBeNull();
    }
    await hill.root.query(
      `insert into hill.log_checkpoints (generation, size, note, signed_at)
       select generation, size, 'this is not a checkpoint', engine.now() from hill.log_heads order by generation desc, size desc limit 1`,
    );
    const of = 'staging.example/log';
    const note = await publishLog(
      hill.as('worker'),
      machine('staging', { origin: of, ask: () => Promise.reject(new Error('away')) }),
    );
    expect(opened(note, `${of}/7`)).toMatchObject({ size: 1 });
    expect(await firstEntry(hill)).toMatch(`log ${of}/6 `);
  });
});

const identity = async (hill: Hill) => call<string>(hill.as('worker'), 'api_worker.database_identity');
const lastOf = async (hill: Hill) => {
  const [last] = await hill.rows<{ note: string }>(
    'select note from hill.log_checkpoints order by generation desc, size desc limit 1',
  );
  return parseCheckpoint(last?.note ?? '');
};

const away = () => Promise.reject(new Error('away'));

/** A hill that has signed one entry, with a file, and has another that waits. */
async function aSigner(hill: Hill, name: string) {
  publicly.checkpoint = null;
  const settings = machine(name);
  const more = async () => {
    await deposit(hill, `deposit 1 ${randomUUID()}`);
    await hill.root.query("update hill.settings set shown_at = shown_at + interval '15 minutes'");
  };
  await publish(hill, { ...settings, adopt: true, witnessed: heldBy(hill.as('worker')) });
  await more();
  await publish(hill, settings);
  await more();
  /** Of a process that starts anew. */
  const again = (change: Partial<LogSettings> = {}) =>
    publishLog(hill.as('worker'), { ...settings, memory: { signed: null }, ...change });
  const size = async (change?: Partial<LogSettings>) => {
    await more();
    return opened(await again(change)).size;
  };
  return { settings, again, size, more };
}

describe('what is known outside', () => {
  describe('the file is there', () => {
    const hill = useHill();

    test('it decides: where the address is dead, lies, or has the checkpoint of another hill', async () => {
      const { size } = await aSigner(hill, 'decides');
      expect(await size({ ask: away })).toBe(3);
      expect(await size({ ask: async () => '<html>502</html>' })).toBe(4);
      expect(await size({ ask: async () => 'other.example/log\n9\nAAAA\n\n— other.example/log AAAAAAAA\n' })).toBe(5);
      // our own origin, signed by somebody else's key
      const forged = signCheckpoint(
        { origin, size: 99, root: Buffer.alloc(32) },
        [derivedSigner('x'.repeat(40), origin, 'ed25519')],
        0,
      );
      expect(await size({ ask: async () => forged })).toBe(6);
      expect(await hill.rows('select from hill.log_generations')).toHaveLength(1);
    });

    test('one that fell behind decides nothing, whatever the address shows, and one that cannot be read neither; a witness does', async () => {
      const { settings, again } = await aSigner(hill, 'late');
      const old = fs.readFileSync(settings.file, 'utf8');
      const last = await again();
      fs.writeFileSync(settings.file, old);
      // the address of a hill that was restored is that of what was restored
      for (const ask of [away, async () => last])
        await expect(again({ ask })).rejects.toMatchObject({
          reason: 'unvouched',
          message: expect.stringContaining('fell behind'),
        });

      fs.rmSync(settings.file);
      fs.mkdirSync(settings.file); // EISDIR, as EACCES or a mount that is gone
      for (const adopt of [false, true])
        await expect(again({ ask: async () => last, adopt })).rejects.toThrow('EISDIR');
      const held = await again({ ask: away, witnessed: async (of) => (of === origin ? [last] : []) });
      expect(opened(held)).toMatchObject({ origin });
    });

    test('it follows what other workers sign, and one that had fallen behind vouches again when another has signed', async () => {
      const { settings, more } = await aSigner(hill, 'follows');
      const other = machine('another machine');
      fs.mkdirSync(path.dirname(other.file), { recursive: true });
      const shown = () => opened(fs.readFileSync(settings.file, 'utf8')).size;
      const otherSigns = async () => {
        await more();
        return opened(await publishLog(hill.as('worker'), other)).size;
      };
      fs.copyFileSync(settings.file, other.file);
      const last = await otherSigns();
      const late = { ...settings, ask: away, memory: { signed: null } };
      await expect(publishLog(hill.as('worker'), late)).rejects.toThrow('fell behind');
      await followLog(hill.as('worker'), late);
      expect(shown()).toBeLessThan(last); // it may be that of what was restored
      for (let n = 0; n < 2; n++) {
        const size = await otherSigns();
        await followLog(hill.as('worker'), late);
        expect(shown()).toBe(size);
      }
      await more();
      expect(opened(await publishLog(hill.as('worker'), late)).origin).toBe(origin);
    });

    test('it is written before the database keeps what was signed, so that no worker that ends in between leaves it behind', async () => {
      const { settings, again } = await aSigner(hill, 'first');
      let size = 0;
      const prove: LogSettings['prove'] = (what, ...fields) => {
        if (what === 'checkpoint') size = opened(fs.readFileSync(settings.file, 'utf8')).size;
        return settings.prove(what, ...fields);
      };
      expect(opened(await again({ prove })).size).toBe(size);
    });

    test('a process remembers what it signed while the file is away', async () => {
      const { settings } = await aSigner(hill, 'remembers');
      fs.rmSync(settings.file);
      fs.mkdirSync(settings.file);
      await deposit(hill, 'deposit 1 remembered');
      await hill.root.query("update hill.settings set shown_at = shown_at + interval '15 minutes'");
      const saw: unknown[] = [];
      const places = { saw: (place: string, wrong: string | null) => void (wrong && saw.push([place, wrong])) };
      expect(opened(await publishLog(hill.as('worker'), { ...settings, ask: away, places })).size).toBeGreaterThan(1);
      expect(saw).toEqual([
        ['file', expect.stringContaining('EISDIR')],
        ['address', 'away.'],
      ]);
    });
  });

  describe('the file is missing', () => {
    const hill = useHill();

    test('a hill that has signed signs no more, unless a witness holds the last; the file then is there again', async () => {
      const { settings, again, size } = await aSigner(hill, 'missing');
      const last = await again();
      fs.rmSync(settings.file);
      for (const ask of [away, async () => last, async () => null])
        await expect(again({ ask })).rejects.toMatchObject({ reason: 'unvouched' });
      expect(await size({ ask: away, witnessed: async (of) => (of === origin ? [last] : []) })).toBeGreaterThan(
        opened(last).size,
      );
      expect(await size({ ask: away })).toBeGreaterThan(opened(last).size);
      expect(await hill.rows('select from hill.log_generations')).toHaveLength(1);
    });

    test.for(['missing', 'of an older copy'])(
      'or the operator says so: %s, it may not say how far the log was signed, so another begins',
      async (why, { expect }) => {
        const { settings, again } = await aSigner(hill, why);
        const old = fs.readFileSync(settings.file, 'utf8');
        const last = parseCheckpoint(await again());
        const { origin: before } = last;
        if (why === 'missing') fs.rmSync(settings.file);
        else fs.writeFileSync(settings.file, old);
        told.length = 0;
        const next = parseCheckpoint(await again({ ask: async () => old, adopt: true }));
        expect([next.origin, next.size]).not.toEqual([before, expect.anything()]);
        expect(await firstEntry(hill)).toBe(`log ${before} ${last.size} ${hex(last.root)}`);
        expect(told).toEqual([
          `The log ${next.origin} begins: nothing outside the database says how far ${before} was signed. It has ${last.size} entries here.`,
        ]);
        // what the file shows from now on is enough, for whoever adopts it once more
        expect(parseCheckpoint(await again({ ask: away, adopt: true })).origin).toBe(next.origin);
      },
    );
  });

  describe('a hill that is new', () => {
    const hill = useHill();

    test('signs once its address says that nothing was signed', async () => {
      const settings = machine('new', { ask: away });
      await expect(publishLog(hill.as('worker'), settings)).rejects.toMatchObject({ reason: 'unvouched' });
      expect(await hill.rows('select from hill.log_generations')).toEqual([]);
      expect(opened(await publishLog(hill.as('worker'), { ...settings, ask: async () => null }))).toMatchObject({
        origin,
        size: 0,
      });
    });
  });

  describe('another hill has the file', () => {
    const hill = useHill();

    test('it vouches for nothing, and is not written over, whoever else does', async () => {
      const { settings, again } = await aSigner(hill, 'foreign');
      const last = opened(await again());
      const other = signCheckpoint(
        { origin: 'other.example/log', size: 1, root: Buffer.alloc(32) },
        [derivedSigner(secret, origin, 'ed25519')],
        0,
      );
      for (const [stranger, database] of [
        [last, 'ff'.repeat(32)], // a rehearsal in another database, with the same name and secret
        [parseCheckpoint(other), 'ff'.repeat(32)],
      ] as const) {
        await keep(settings.file, stranger, database);
        const before = fs.readFileSync(settings.file, 'utf8');
        await expect(again({ ask: away })).rejects.toMatchObject({ reason: 'unvouched' });
        const own = await hill.rows<{ note: string }>(
          'select note from hill.log_checkpoints order by size desc limit 1',
        );
        expect(
          opened(
            await again({ ask: away, witnessed: async (of) => (of === origin ? own.map(({ note }) => note) : []) }),
          ),
        ).toMatchObject({ origin });
        // nor by a process that remembers what it signed
        const saw: (string | null)[] = [];
        const places = { saw: (place: string, wrong: string | null) => void (place === 'file' && saw.push(wrong)) };
        await again({
          ask: away,
          places,
          memory: { signed: { checkpoint: await lastOf(hill), database: await identity(hill) } },
        });
        expect(saw).toEqual([expect.stringContaining('The file has the checkpoint of another')]);
        expect(fs.readFileSync(settings.file, 'utf8')).toBe(before);
      }
      await expect(again({ adopt: true })).rejects.toThrow('the checkpoint of another hill: other.example/log');
    });
  });
});

describe('another log begins', () => {
  const hill = useHill();

  test('with all that was numbered in the one before it and never signed, so that no promise is lost', async () => {
    publicly.checkpoint = null;
    const settings = machine('moves');
    await publish(hill, settings);
    await deposit(hill, 'deposit 1 signed');
    await hill.clock.at('10:15');
    await publish(hill, settings);
    // numbered, and the worker died; meanwhile another signed more
    await deposit(hill, 'deposit 1 unsigned', 'announcement 1 unsigned');
    await hill.clock.at('10:30');
    await hill.root.query('select trusted.number_log()');
    const shown = signCheckpoint(
      { origin, size: 9, root: Buffer.alloc(32, 7) },
      [derivedSigner(secret, origin, 'ed25519')],
      0,
    );
    const note = await publishLog(hill.as('worker'), { ...settings, memory: { signed: null }, ask: async () => shown });
    expect(opened(note, `${origin}/2`)).toMatchObject({ size: 3 });
    const entries = await hill.rows<{ entry: string }>(
      "select convert_from(entry, 'UTF8') as entry from hill.log_entries where generation = 2 order by index",
    );
    expect(entries.map(({ entry }) => entry)).toEqual([
      `log ${origin} 9 ${'07'.repeat(32)}`,
      'deposit 1 unsigned',
      'announcement 1 unsigned',
    ]);
    expect(await hill.rows('select * from engine.check_log(2)')).toEqual([]);
  });

  test('and is signed by the next worker, if the one that began it died before', async () => {
    const { settings, again } = await aSigner(hill, 'began');
    const [last] = [await lastOf(hill)];
    await hill.root.query('select trusted.begin_log($1, $2, $3, $4)', [
      `${origin}/9`,
      last.origin,
      last.size,
      last.root,
    ]);
    expect(opened(await again({ ask: away }), `${origin}/9`)).toMatchObject({ origin: `${origin}/9` });
    expect(fs.readFileSync(settings.file, 'utf8')).toMatch(`${origin}/9\n`);
  });
});

describe('a batch of many pieces', () => {
  const hill = useHill();
  const here = machine('pieces');

  test('is signed when it is whole, by several at once, also where another worker ended in the middle', async () => {
    await hill.root.query(
      'create or replace function engine.log_piece() returns integer language sql immutable parallel safe return 2',
    );
    publicly.checkpoint = null;
    expect(opened(await publish(hill, here)).size).toBe(0);
    await deposit(hill, ...Array.from({ length: 30 }, (_, n) => `deposit 1 ${n + 10}`));
    await hill.clock.at('10:15');
    await hill.as('worker').query('select api_worker.number_log()'); // and it ends
    const notes = await Promise.all([publish(hill, here), publish(hill, here), publish(hill, here)]);
    expect(notes.map((note) => opened(note).size)).toEqual([30, 30, 30]);
    expect(new Set(notes).size).toBe(1);
    expect(await hill.rows('select size::int from hill.log_checkpoints order by size')).toEqual([
      { size: 0 },
      { size: 30 },
    ]);
  });
});
