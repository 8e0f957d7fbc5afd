// A backup holds the hill of one instant, whatever happens while it is made; a restore gives that hill back, and
// nothing less. Decisions 110 to 113.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { backUp } from '../../src/backup/backup.ts';
import { checkRoom } from '../../src/backup/folder.ts';
import { openBackup } from '../../src/backup/manifest.ts';
import { restoreInto } from '../../src/backup/restore.ts';
import { checkLogin } from '../../src/db/logins.ts';
import { knowsMigrations, prepareDatabase } from '../../src/db/migrate.ts';
import { openHill } from '../../src/db/open-hill.ts';
import { sqlFolder } from '../../src/db/sql-folder.ts';
import { KeyRing } from '../../src/oauth/keys.ts';
import { checkout } from '../../src/process/config.ts';
import { sealer } from '../../src/process/secret.ts';
import { blocks } from '../support/documents.ts';
import { aLivelyNight } from '../support/hill/a-lively-night.ts';
import { aLongSeason } from '../support/hill/a-long-season.ts';
import { aBackup, aFolder, anEmptyPlace, silent } from '../support/hill/backup.ts';
import { everyDefinition, everyRow } from '../support/hill/everything.ts';
import { type Account, anAccount, balanced, books, call, type Hill, useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { until } from '../support/until.ts';

describe('a hill with tournaments, boards and sealed moves', () => {
  const hill = useHill();

  test('is restored with every row and every definition, and its books and nights are verified', async () => {
    const accounts = await aLongSeason(hill, 12);
    await aLivelyNight(hill);
    await new KeyRing(
      hill.as('web'),
      sealer(() => secret),
    ).open();
    for (const account of accounts.slice(0, 5))
      await hill.asAgent(account).play({ slot: 2, move: 'PEACE', message: 'sealed \\ \\N \\t "quoted" ü' });
    await hill.asHuman(accounts[0] as Account).withdrawMove(2);

    const backup = await aBackup(hill.name);
    const place = await anEmptyPlace();
    const verdict = await place.restore(backup);

    expect(verdict).toEqual({
      good: true,
      lines: [
        expect.stringMatching(/^Ledger, boards and tables add up: all \d\d checks hold\.$/),
        expect.stringMatching(/^Nights 1 to 5 were resolved again, \d+ moves: equal to what was published\.$/),
      ],
    });
    expect(await everyRow(place.root)).toEqual(await everyRow(hill.root));
    expect(await everyDefinition(place.root)).toEqual(await everyDefinition(hill.root));
    expect(await books(place.root)).toEqual(balanced);
    // what comes next gets numbers that nothing has
    const next =
      "select nextval('hill.deposit_seq') > (select max(seq) from hill.moves) as deposit, nextval('hill.transfers_id_seq') > (select max(id) from hill.transfers) as transfer";
    expect((await place.root.query(next)).rows).toEqual([{ deposit: true, transfer: true }]);
    expect(fs.statSync(backup).mode & 0o777).toBe(0o700);
    for (const file of fs.readdirSync(backup))
      expect(fs.statSync(path.join(backup, file)).mode & 0o777, file).toBe(0o600);
    expect(JSON.stringify(await openBackup(backup))).not.toContain('proof');
  });
});

describe('while it is made', () => {
  const hill = useHill();
  let accounts: Account[];

  beforeAll(async () => {
    accounts = [];
    for (let i = 0; i < 6; i++) accounts.push(await anAccount(hill, { credits: 100_000, daily_cap_cents: 100_000 }));
    for (let day = 1; day <= 3; day++) {
      for (const account of accounts) await hill.asAgent(account).play({ slot: day, move: 'PEACE' });
      await hill.clock.ringBell();
    }
    for (const account of accounts) await hill.asAgent(account).play({ slot: 5, move: 'PEACE' });
  });

  test('a bell rings at once, and the backup still has the moves as they were sealed', async () => {
    const before = await everyRow(hill.root);
    const rung: string[] = [];
    const backup = await aBackup(hill.name, async (table) => {
      // before tonight's moves are read, and again when the boards have been read, of which it drops one
      if (table !== 'sealed_moves' && table !== 'lots') return;
      if (table === 'sealed_moves') await hill.clock.toMidnight();
      const { milliseconds } = await (table === 'lots'
        ? hill.clock.ringBell()
        : call<{ milliseconds: number }>(hill.as('worker'), 'api_worker.ring_next_bell'));
      expect(milliseconds).toBeLessThan(2_000); // after that it gives way to a lock, and fails
      rung.push(table);
      for (const account of accounts) await hill.asAgent(account).play({ slot: 6, move: 'WAR', stake_cents: 900 });
    });
    expect(rung).toEqual(['sealed_moves', 'lots']);

    const place = await anEmptyPlace();
    expect((await place.restore(backup)).good).toBe(true);
    expect(await everyRow(place.root)).toEqual(before);
    expect(await books(place.root)).toEqual(balanced);
  });

  test('a table that the snapshot has is dropped: the backup begins anew', async () => {
    let bells = 0;
    const before = await everyRow(hill.root);
    const backup = await aBackup(hill.name, async (table) => {
      if (table !== 'sealed_moves' || bells === 2) return;
      for (; bells < 2; bells++) await hill.clock.ringBell();
    });

    const { last_night, tables } = await openBackup(backup);
    const now = await everyRow(hill.root);
    expect(Object.keys(now)).not.toEqual(Object.keys(before));
    expect(tables.map(({ schema, name }) => `${schema}.${name}`).sort()).toEqual(Object.keys(now).sort());
    expect(last_night).toBe((await hill.clock.day()) - 1);
  });

  test('deposits go on: each that was accepted before the snapshot is there, none that came after, and none by half', async () => {
    const accepted: string[] = [];
    const begun: string[] = [];
    const later = Promise.withResolvers<void>();
    const play = async (account: Account, i: number) => {
      for (let n = 0; n < 4; n++) {
        if (n === 2 && i % 2 === 0) await later.promise; // the others go on throughout
        const message = `${account.name}, deposit ${n}`;
        begun.push(message);
        await hill.asAgent(account).play({ slot: 1 + ((i + n) % 2), move: 'PEACE', message });
        accepted.push(message);
      }
    };
    const players: Account[] = [];
    for (let i = 0; i < 24; i++) players.push(await anAccount(hill, { credits: 100_000, daily_cap_cents: 100_000 }));
    const playing = Promise.all(players.map(play));
    await until('some deposits', async () => accepted.length >= 24);
    const sure = [...accepted];
    let late: string[] = [];
    const backup = await aBackup(hill.name, async (table) => {
      // the lock on tonight's moves has gone: the bell takes them
      if (table === 'lots') await hill.clock.ringBell();
      if (table !== 'sealed_moves') return;
      const already = new Set(begun);
      later.resolve();
      await playing;
      late = begun.filter((message) => !already.has(message));
    });

    const place = await anEmptyPlace();
    expect((await place.restore(backup)).good).toBe(true);
    const { rows } = await place.root.query<{ message: string }>(
      'select message from hill.sealed_moves where message is not null',
    );
    const restored = new Set(rows.map(({ message }) => message));
    expect(sure.filter((message) => !restored.has(message))).toEqual([]);
    expect(late.length).toBeGreaterThan(20);
    expect(late.filter((message) => restored.has(message))).toEqual([]);
    expect(await books(place.root)).toEqual(balanced);
  });
});

describe('a folder that is not as it was written', () => {
  const hill = useHill();

  test('is refused with the name of the file: one bit flipped, cut short, gone, in any file', async () => {
    await aLivelyNight(hill);
    const folder = await aBackup(hill.name);
    for (const name of fs.readdirSync(folder)) {
      const file = path.join(folder, name);
      const whole = fs.readFileSync(file);
      const flipped = Buffer.from(whole);
      const at = Math.floor(whole.length / 2);
      flipped[at] = (flipped[at] as number) ^ 1;
      for (const damaged of [flipped, whole.subarray(0, whole.length - 1), undefined]) {
        if (damaged) fs.writeFileSync(file, damaged);
        else fs.rmSync(file);
        // a damaged list of checksums speaks of another file, or of itself
        const named = name === 'SHA256SUMS' ? /(SHA256SUMS|\.gz|\.json) (has|cannot|is) / : `${file} `;
        await expect(openBackup(folder), name).rejects.toThrow(named);
      }
      fs.writeFileSync(file, whole);
    }
    expect((await openBackup(folder)).last_night).toBe(1);
  });

  test('is never seen: what fails leaves nothing, and what was killed has another name', async () => {
    const target = path.join(aFolder(), 'backup');
    const failing = async () => {
      expect(fs.existsSync(target)).toBe(false);
      expect(fs.existsSync(`${target}.unfinished`)).toBe(true);
      throw new Error('the disk is gone');
    };
    await expect(backUp(superuser(hill), 'DATABASE_URL', target, silent, failing)).rejects.toThrow('the disk is gone');
    expect(fs.readdirSync(path.dirname(target))).toEqual([]);

    fs.mkdirSync(`${target}.unfinished`);
    await expect(backUp(superuser(hill), 'DATABASE_URL', target, silent)).rejects.toThrow(
      /unfinished exists\. It is being written/,
    );
    await expect(openBackup(`${target}.unfinished`)).rejects.toThrow(/SHA256SUMS cannot be read \(ENOENT\)/);
  });

  test('cannot be made where there is no folder, no right to write, no room, or something already', async () => {
    const into = (target: string) => backUp(superuser(hill), 'DATABASE_URL', target, silent);
    await expect(into('/nowhere/at/all')).rejects.toThrow(/^\/nowhere\/at: cannot make a folder there \(ENOENT\)\./);
    await expect(into('/proc/backup')).rejects.toThrow(/^\/proc: cannot make a folder there \(\w+\)\./);
    await expect(into(aFolder())).rejects.toThrow(/ exists\. Name a new folder\./);
    await expect(checkRoom(aFolder(), 1e18, 'this backup')).rejects.toThrow(
      / free, and this backup may need 1000000\.0 TB\. Make room/,
    );
  });
});

describe('who may', () => {
  const hill = useHill();

  test('back up: a login that no policy binds, made as docs/backup.md says; not the owner', async () => {
    const target = path.join(aFolder(), 'backup');
    await expect(backUp(hill.ownerUrl, 'DATABASE_URL', target, silent)).rejects.toThrow(
      /^DATABASE_URL: "hill" may not read all rows: row-level security binds it, as it binds the owner\./,
    );
    await expect(backUp(hill.url('worker'), 'BACKUP_DATABASE_URL', target, silent)).rejects.toThrow(
      /^BACKUP_DATABASE_URL: ".*" may not read all rows/,
    );

    const role = `backup_${randomBytes(4).toString('hex')}`;
    const [statements] = blocks('docs/backup.md', 'sql');
    await hill.root.query(
      (statements as string)
        .replaceAll('hill_backup', role)
        .replaceAll('on database hill ', `on database ${hill.name} `)
        .replace('…', 'secret'),
    );
    onTestFinished(async () => {
      await hill.root.query(`drop owned by ${role}; drop role ${role}`);
    });
    const url = Object.assign(new URL(superuser(hill)), { username: role, password: 'secret' }).href;
    const manifest = await backUp(url, 'BACKUP_DATABASE_URL', target, silent);
    expect(manifest.tables.length).toBeGreaterThan(40);
    // and no serving login may become it
    await hill.root.query(`grant ${role} to ${new URL(hill.url('web')).username}`);
    await expect(checkLogin(hill.url('web'), 'web')).rejects.toThrow(
      /WEB_DATABASE_URL: its login is the owner, or could become it/,
    );
    await hill.root.query(`revoke ${role} from ${new URL(hill.url('web')).username}`);
    await expect(checkLogin(hill.url('web'), 'web')).resolves.toBeUndefined();
  });

  test('restore: into an empty database alone; what was interrupted there is never taken for a hill', async () => {
    const folder = await aBackup(hill.name);
    const manifest = await openBackup(folder);
    const into = (ownerUrl: string, whenLoaded = async () => {}) =>
      restoreInto(ownerUrl, folder, manifest, silent, { secretLost: false, whenLoaded });
    await expect(into(hill.ownerUrl)).rejects.toThrow(/is not empty: it holds a hill\. .* Nothing was changed\.$/);

    const place = await anEmptyPlace();
    const interrupted = async () => {
      throw new Error('killed');
    };
    await expect(into(place.ownerUrl, interrupted)).rejects.toThrow('killed');
    await expect(prepareDatabase(place.ownerUrl)).rejects.toThrow(
      /^This database holds a restore that has not finished\./,
    );
    await expect(into(place.ownerUrl)).rejects.toThrow(
      /is not empty: it holds a restore that was interrupted, or is running\./,
    );
  });
});

test('the backup of an older version is restored into this one, also without its secret; that of a newer one is refused', async () => {
  // a version of tomorrow, which makes one more index
  const newer = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-newer-'));
  onTestFinished(() => fs.rmSync(newer, { recursive: true }));
  fs.cpSync(path.join(checkout, 'migrations'), newer, { recursive: true });
  const committed = (name: string) => path.join(newer, 'committed', name);
  const names = fs.readdirSync(committed('')).sort();
  const [, last] = /^--! Hash: (\S+)/m.exec(fs.readFileSync(committed(names.at(-1) as string), 'utf8')) as unknown as [
    string,
    string,
  ];
  const body = 'set local role hill_owner;\ncreate index made_tomorrow on oauth.sign_ins (created_at);\nreset role;\n';
  const hash = createHash('sha1').update(`${last}\n${body}`).digest('hex');
  fs.writeFileSync(
    committed(`${String(names.length + 1).padStart(6, '0')}-an-index.sql`),
    `--! Previous: ${last}\n--! Hash: sha1:${hash}\n--! Message: an index\n\n${body}`,
  );
  const source = await anEmptyPlace();
  await prepareDatabase(source.ownerUrl);
  await openHill(source.ownerUrl, { dayOne: null, clock: 'simulated' });
  await source.root.query(`
    update hill.settings set rate = 86400, set_at = clock_timestamp(), shown_at = clock_timestamp();
    insert into oauth.signing_keys values ('a-key-of-twenty-letters', '{}', 'sealed', now(), now(), null);
    insert into oauth.mail_addresses (account_id, id, address, stop_hash, nightly, confirmed_at, digest_night)
    select account_id, gen_random_uuid(), 'ann@mail.example', sha256('x'), true, now(), 0 from engine.create_account('Ann', 'a model', false)`);
  const folder = await aBackup(new URL(source.ownerUrl).pathname.slice(1));
  const { migrations, taken_at, signing_key } = await openBackup(folder);
  expect(migrations).toHaveLength(names.length);
  expect(signing_key).toEqual({
    kid: 'a-key-of-twenty-letters',
    sealed_private: Buffer.from('sealed').toString('base64'),
  });
  const shown = async (root: pg.Pool, at: string) => {
    const sql =
      'select extract(epoch from shown_at + ($1::timestamptz - set_at) * rate)::double precision as seconds from hill.settings';
    return (await root.query<{ seconds: number }>(sql, [at])).rows[0]?.seconds as number;
  };

  const place = await anEmptyPlace();
  expect((await place.restore(folder, true, { migrations: newer, sql: sqlFolder })).good).toBe(true);
  expect((await everyDefinition(place.root)).join('\n')).toContain('ON oauth.sign_ins USING btree (created_at)');
  // the clock, which runs a day a second, goes on from the backup; keys that nobody can open are left out
  const { rows } = await place.root.query<{ set_at: string; keys: string }>(
    'select set_at::text, (select count(*) from oauth.signing_keys) as keys from hill.settings',
  );
  expect(rows[0]?.keys).toBe('0');
  // the link in each mail would lead nowhere
  expect((await place.root.query('select stopped_because from oauth.mail_addresses')).rows).toEqual([
    { stopped_because: 'secret_lost' },
  ]);
  expect(await shown(place.root, rows[0]?.set_at as string)).toBeCloseTo(await shown(source.root, taken_at), 0);

  expect(await knowsMigrations(migrations)).toBe(true);
  expect(await knowsMigrations([...migrations, { filename: '000016.sql', hash: 'sha1:another' }])).toBe(false);
  expect(await knowsMigrations([...migrations, { filename: '999999.sql', hash: 'sha1:newer' }])).toBe(false);
});

const superuser = (hill: Hill): string =>
  Object.assign(new URL(inject('adminUrl')), { pathname: `/${hill.name}` }).href;
