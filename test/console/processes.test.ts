// The console as it is started: with the whole hill, and by itself.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/hill/database.ts';
import { aDataDir, aServer, hill, refusalOf, runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';

const db = useDatabase();
const aPreparedDir = usePreparedDataDirs();

async function whoAmI(port: string, key: string): Promise<unknown> {
  const url = `http://localhost:${port}`;
  const signedIn = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: url },
    body: new URLSearchParams({ key, name: 'Sam' }),
  });
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      Origin: url,
      'Content-Type': 'application/json',
      Cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    },
    body: '{"query":"{ staffName }"}',
  });
  return answer.json();
}

test('npm start opens the console, and says where its key is and not what it is', async () => {
  const server = await aServer(aPreparedDir());
  const running = runHill(['start'], server);
  await running.says('Hill is open');

  const file = path.join(server.HILL_DATA_DIR, 'staff-key');
  const key = fs.readFileSync(file, 'utf8').trim();
  expect(running.output()).toContain(
    `the staff console is at http://localhost:${server.CONSOLE_PORT}; its key is in ${file}`,
  );
  expect(await whoAmI(server.CONSOLE_PORT, key)).toEqual({ data: { staffName: 'Sam' } });

  expect(await running.stop()).toBe(0);
  expect(running.output()).not.toContain(key);
  expect(running.output()).not.toMatch(/error|warn/i);
});

describe('npm run console', () => {
  const login = () =>
    Object.assign(new URL(db.ownerUrl), { username: `${db.name}_console`, password: 'as named' }).href;
  const settings = () => ({ HILL_CLOCK: 'simulated', CONSOLE_DATABASE_URL: login() });

  test('serves it alone, without the key, which npm run migrate leaves', async () => {
    const HILL_DATA_DIR = aDataDir();
    const migrated = await hill(['migrate'], { ...settings(), DATABASE_URL: db.ownerUrl, HILL_DATA_DIR });
    expect(migrated).toEqual({
      code: 0,
      output: expect.stringContaining(`the key of the staff console is in ${HILL_DATA_DIR}/staff-key`),
    });
    const key = fs.readFileSync(path.join(HILL_DATA_DIR, 'staff-key'), 'utf8').trim();

    const { CONSOLE_PORT } = await aServer();
    const running = runHill(['console'], { ...settings(), CONSOLE_PORT });
    await running.says('the staff console is at');
    expect(await whoAmI(CONSOLE_PORT, key)).toEqual({ data: { staffName: 'Sam' } });

    expect(await running.stop()).toBe(0);
  });

  test('wants its own login', async () => {
    const { CONSOLE_PORT } = await aServer();
    expect(await refusalOf(['console'], { CONSOLE_PORT, DATABASE_URL: db.ownerUrl })).toMatch(
      /^CONSOLE_DATABASE_URL must be set: .*$/,
    );
    expect(await refusalOf(['console'], { CONSOLE_PORT, CONSOLE_DATABASE_URL: db.ownerUrl })).toMatch(
      /^CONSOLE_DATABASE_URL: its login is the owner, or could become it\..*$/,
    );
  });

  test('says which port is in use', async () => {
    const { CONSOLE_PORT } = await aServer();
    const first = runHill(['console'], { ...settings(), CONSOLE_PORT });
    await first.says('the staff console is at');
    expect(await refusalOf(['console'], { ...settings(), CONSOLE_PORT })).toContain(
      `CONSOLE_PORT: port ${CONSOLE_PORT} is in use.`,
    );
    await first.stop();
  });

  test('outlives a database that does not let it in, and serves when it does', async () => {
    const { CONSOLE_PORT } = await aServer();
    const running = runHill(['console'], { ...settings(), CONSOLE_PORT });
    await running.says('the staff console is at');
    const front = () => fetch(`http://localhost:${CONSOLE_PORT}/`, { headers: { Cookie: 'hill_staff=unknown' } });
    const lock = async () => {
      await db.admin.query(`alter role ${db.name}_console connection limit 0`);
      await db.admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = $1', [
        `${db.name}_console`,
      ]);
    };
    const unlock = () => db.admin.query(`alter role ${db.name}_console connection limit -1`);

    await lock();
    expect((await front()).status).toBe(503);
    expect(running.output()).toContain('the console cannot be made');
    await unlock();
    expect((await front()).status).toBe(200);
    await lock();
    const answer = await front();
    expect([answer.status, await answer.text()]).toEqual([503, 'Service Unavailable']);
    await unlock();
    expect((await front()).status).toBe(200);

    expect(await running.stop()).toBe(0);
  });
});
