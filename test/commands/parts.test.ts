// The parts as several processes, on a database that DATABASE_URL names.
import { describe, expect, test } from 'vitest';
import { withClient } from '../../src/db/connect.ts';
import { secretFits } from '../../src/db/kept-settings.ts';
import { KeyRing } from '../../src/oauth/keys.ts';
import { sealer, wrongSecret } from '../../src/process/secret.ts';
import { useDatabase } from '../support/hill/database.ts';
import { aServer, hill, refusalOf, runHill } from '../support/hill/hill-process.ts';

const db = useDatabase();
const quiet = { LOG_LEVEL: 'warn', HILL_CLOCK: 'simulated' };

describe('HILL_SIGNING_SECRET', () => {
  const secret = 'a secret of this test, of more than thirty-two characters';

  test('is what npm run migrate leaves the key of proofs of, and another one takes effect with the next, until keys are sealed', async () => {
    const migrate = (HILL_SIGNING_SECRET: string) =>
      hill(['migrate'], { ...quiet, DATABASE_URL: db.ownerUrl, HILL_SIGNING_SECRET });
    const fits = (text: string) => secretFits(db.as('web'), text);

    expect(await migrate(secret)).toEqual({ code: 0, output: '' });
    expect([await fits(secret), await fits(`${secret}!`)]).toEqual([true, false]);
    expect(await migrate(`${secret}!`)).toEqual({ code: 0, output: '' });
    expect([await fits(secret), await fits(`${secret}!`)]).toEqual([false, true]);

    await new KeyRing(
      db.as('web'),
      sealer(() => `${secret}!`),
    ).open();
    expect(await refusalOf(['migrate'], { ...quiet, DATABASE_URL: db.ownerUrl, HILL_SIGNING_SECRET: secret })).toBe(
      wrongSecret,
    );
    expect(await fits(`${secret}!`)).toBe(true);
    await withClient(db.rootUrl, 'DATABASE_URL', (root) => root.query('delete from oauth.signing_keys'));
  });

  test('is wanted by npm run migrate in production, before anything is changed', async () => {
    const settings = { HILL_ENV: 'production', HILL_DAY_ONE: '2026-03-01', BASE_URL: 'https://hill.example' };
    // nothing answers there: so nothing was asked
    const DATABASE_URL = Object.assign(new URL(db.ownerUrl), { port: '1' }).href;

    expect(await refusalOf(['migrate'], { LOG_LEVEL: 'warn', ...settings, DATABASE_URL })).toMatch(
      /^HILL_SIGNING_SECRET must be set in production: .*migrate.*$/,
    );
  });
});

describe('DATABASE_URL', () => {
  const withUrl = async (change: Partial<Record<'host' | 'port' | 'password' | 'username' | 'pathname', string>>) =>
    refusalOf(['start'], {
      ...(await aServer()),
      ...quiet,
      DATABASE_URL: Object.assign(new URL(db.ownerUrl), change).href,
    });

  test.each([
    ['an unreachable port', { port: '1' }, /^DATABASE_URL: nothing answers at 127\.0\.0\.1:1\. Start PostgreSQL .*$/],
    ['an unknown host', { host: 'nowhere.invalid' }, /^DATABASE_URL: there is no host "nowhere\.invalid"\..*$/],
    [
      'a wrong password',
      { password: 'wrong' },
      /^DATABASE_URL: .* does not let "hill" in .* Correct the user or the password\.$/,
    ],
    ['an unknown user', { username: 'nobody_knows' }, /^DATABASE_URL: .* does not let "nobody_knows" in .*$/],
    [
      'an unknown database',
      { pathname: '/lost' },
      /^DATABASE_URL: .* has no database "lost"\. Create it with: createdb lost$/,
    ],
  ])('%s is named in one line', async (_what, change, line) => {
    expect(await withUrl(change)).toMatch(line);
  });

  test('a database that is ahead of the code is left alone', async () => {
    await db.owner.query(
      "insert into graphile_migrate.migrations (hash, filename) values ('sha1:later', '999999.sql')",
    );

    const refusal = await refusalOf(['migrate'], { ...quiet, DATABASE_URL: db.ownerUrl });

    await db.owner.query("delete from graphile_migrate.migrations where filename = '999999.sql'");
    expect(refusal).toMatch(/^The database is ahead of this code: .*999999\.sql.* Update the code\.$/);
  });

  test('a database that was made by another text of a migration is left alone', async () => {
    const { rows } = await db.owner.query(
      'select hash, filename from graphile_migrate.migrations order by filename desc limit 1',
    );
    const { hash, filename } = rows[0] as { hash: string; filename: string };
    const rename = (from: string, to: string) =>
      db.owner.query('update graphile_migrate.migrations set hash = $2 where hash = $1', [from, to]);
    await rename(hash, 'sha1:another');

    const refusal = await refusalOf(['migrate'], { ...quiet, DATABASE_URL: db.ownerUrl });

    await rename('sha1:another', hash);
    expect(refusal).toContain(`The database has another migration ${filename} than this code`);
  });
});

describe('several processes', () => {
  const named = (door: string) =>
    Object.assign(new URL(db.ownerUrl), { username: `${db.name}_${door}`, password: 'as named' }).href;
  const settings = { ...quiet, WEB_DATABASE_URL: named('web'), WORKER_DATABASE_URL: named('worker') };

  test('migrate makes the logins that web and worker are given', async () => {
    expect(await hill(['migrate'], { ...settings, DATABASE_URL: db.ownerUrl })).toEqual({ code: 0, output: '' });

    const { PORT, CONSOLE_PORT } = await aServer();
    const web = runHill(['web'], { ...settings, PORT, CONSOLE_PORT, LOG_LEVEL: 'info' });
    const worker = runHill(['worker'], { ...settings, LOG_LEVEL: 'info' });
    await Promise.all([web.says('Hill is open'), worker.says('the worker is waiting')]);
    expect((await fetch(`http://127.0.0.1:${PORT}/healthz`)).status).toBe(200);

    expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0]);
  });

  test('four can prepare one database at once', async () => {
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => hill(['migrate'], { ...quiet, DATABASE_URL: db.ownerUrl })),
    );

    expect(results).toEqual(Array(4).fill({ code: 0, output: '' }));
  });

  test.each(['web', 'worker'])('%s alone wants its own login', async (door) => {
    const setting = `${door.toUpperCase()}_DATABASE_URL`;
    const server = await aServer();
    expect(await refusalOf([door], { ...server, ...quiet, DATABASE_URL: db.ownerUrl })).toMatch(
      new RegExp(`^${setting} must be set: .*$`),
    );
    expect(await refusalOf([door], { ...server, ...quiet, [setting]: db.ownerUrl })).toMatch(
      new RegExp(`^${setting}: its login is the owner.*$`),
    );
  });
});
