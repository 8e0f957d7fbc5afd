// test/worker/log.test.ts · the log is signed once for each size, and only as what all that was signed before is the beginning of. Rules 20.2, 20.7.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openCheckpoint } from '../../src/log/checkpoint.ts';
import { derivedSigner } from '../../src/log/note.ts';
import { type LogSettings, publishLog } from '../../src/worker/log.ts';
import { type Hill, useHill } from '../support/hill/index.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-log-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const secret = 'a secret of forty characters, or of more';
const origin = 'hill.example/log';

const told: string[] = [];
/** A machine that keeps a file of its own, and asks the one public address. */
const publicly: { checkpoint: string | null } = { checkpoint: null };
const machine = (name: string, change: Partial<Omit<LogSettings, 'file'>> = {}) => ({
  origin,
  secret,
  file: path.join(folder, name, 'checkpoint'),
  ask: async () => publicly.checkpoint,
  tell: (what: string) => void told.push(what),
  ...change,
});
const opened = (note: string, of = origin) => openCheckpoint(note, derivedSigner(secret, of, 'ed25519'));
const deposit = (hill: Hill, ...entries: string[]) =>
  hill.root.query("insert into hill.log_waiting (at, entry) select engine.now(), convert_to(e, 'UTF8') from unnest($1::text[]) e", [
    entries,
  ]);
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
    expect(fs.readFileSync(here.file, 'utf8')).toBe(signed);
    expect(await publish(hill, here)).toBe(signed);
    expect(await Promise.all([publish(hill, here), publish(hill, here)])).toEqual([signed, signed]);
  });

  test('go different ways afterwards: the one whose tree does not begin as the public one did begins another log, and names what it lost', async () => {
    // what the copy was restored from
    await copy.root.query('select engine.begin_log($1)', [origin]);
    await copy.root.query('select engine.number_log()');
    await deposit(hill, 'deposit 1 cc');
    await hill.clock.at('10:30');
    const shown = opened(await publish(hill, here));
    expect(shown.size).toBe(3);

    await deposit(copy, 'deposit 1 dd', 'deposit 1 ee');
    await copy.clock.at('10:30');
    const other = opened(await publish(copy, machine('there')), `${origin}/2`);
    expect(other).toMatchObject({ origin: `${origin}/2`, size: 3 });
    expect(await firstEntry(copy)).toBe(`log ${origin} 3 ${shown.root.toString('hex')}`);
    expect(await copy.rows('select from hill.log_checkpoints where generation = 1')).toEqual([]);

    // and the first one, started again, finds that the address shows another log
    expect(opened(await publish(hill, here), `${origin}/3`)).toMatchObject({ origin: `${origin}/3`, size: 1 });
    expect(await firstEntry(hill)).toBe(`log ${origin}/2 3 ${other.root.toString('hex')}`);
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
    const first = await publish(hill, file);
    expect(opened(first, `${origin}/4`)).toMatchObject({ size: 1 });
    expect(await publish(hill, file)).toBe(first);

    const rotated = { ...file, secret: `${secret}, rotated` };
    const second = await publish(hill, rotated);
    expect(openCheckpoint(second, derivedSigner(rotated.secret, `${origin}/5`, 'ed25519'))).toMatchObject({ size: 1 });
    expect(await publish(hill, rotated)).toBe(second);

    const staging = machine('staging', { origin: 'staging.example/log', ask: async () => null });
    const third = await publishLog(hill.as('worker'), staging);
    expect(opened(third, 'staging.example/log')).toMatchObject({ size: 1 });
    expect(await firstEntry(hill)).toMatch(`log ${origin}/5 1 `);
    expect(await publishLog(hill.as('worker'), staging)).toBe(third);
    expect(await hill.rows('select * from engine.check_log(3)')).toEqual([]);
  });

  test('signs nothing while it cannot tell what was signed', async () => {
    const count = async () => hill.rows('select count(*)::int as notes from hill.log_checkpoints');
    const before = await count();
    const gone = { ...machine('gone'), ask: () => Promise.reject(new Error('away')) };
    await expect(publishLog(hill.as('worker'), gone)).rejects.toThrow('away');
    await expect(publishLog(hill.as('worker'), machine('gone', { ask: async () => '<html>502</html>' }))).rejects.toThrow(
      'not a signed note',
    );
    expect(await count()).toEqual(before);
  });

  test('signs nothing where a log of another name is, which it never had', async () => {
    const strange = machine('strange', {
      origin: 'strange.example/log',
      ask: async () => publicly.checkpoint?.replace('hill.example', 'other.example') ?? null,
    });
    await expect(publishLog(hill.as('worker'), strange)).rejects.toThrow('A log of another name was signed here: other.example/log/5');
  });

  test('keeps no signature of a head that it does not have', async () => {
    const keep = 'select api_worker.keep_checkpoint($1, $2, $3, $4) as kept';
    const [head] = await hill.rows<{ generation: number; size: number; root: Buffer }>(
      'select generation, size::int, root from hill.log_heads order by generation desc limit 1',
    );
    for (const wrong of [
      [9, 1],
      [head?.generation, 2],
    ])
      expect((await hill.as('worker').query(keep, [...wrong, head?.root, 'note'])).rows).toEqual([{ kept: null }]);
    const other = Buffer.alloc(32);
    expect((await hill.as('worker').query(keep, [head?.generation, head?.size, other, 'note'])).rows).toEqual([{ kept: null }]);
  });
});
