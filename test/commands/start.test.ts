// npm start and npm run psql as real processes: what is made, served, taken over after a kill, and put away; what
// refuses to start says why in one line.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeDir } from '../../src/embedded/data-dir.ts';
import { findCluster, startCluster } from '../../src/embedded/index.ts';
import { startOf } from '../../src/embedded/processes.ts';
import { aServer, hill, runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { until } from '../support/until.ts';

type Server = Awaited<ReturnType<typeof aServer>>;

const aPreparedDir = usePreparedDataDirs();
const open = 'Hill is open';
const postmaster = (server: Server) =>
  Number(fs.readFileSync(path.join(server.HILL_DATA_DIR, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
const health = async (server: Server) => {
  const answer = await fetch(`http://127.0.0.1:${server.PORT}/healthz`);
  return { status: answer.status, body: await answer.json() };
};

describe('npm start', () => {
  test('makes a database, serves, and puts everything away when it is told to stop', async () => {
    const server = await aServer();
    const running = runHill(['start'], server);
    await running.says('a new hill, day ');
    await running.says(open);
    expect(await health(server)).toEqual({ status: 200, body: { status: 'ok' } });
    const pid = postmaster(server);

    expect(await running.stop('SIGTERM')).toBe(0);

    expect(startOf(pid)).toBeUndefined();
    expect(findCluster(server.HILL_DATA_DIR)).toBeUndefined();
    expect(fs.existsSync(path.join(server.HILL_DATA_DIR, 'hill.pid'))).toBe(false);
  });

  test('takes over what a killed server left running, on the same port', async () => {
    const server = await aServer(aPreparedDir());
    const killed = runHill(['start'], server);
    await killed.says(open);
    const pid = postmaster(server);
    await killed.stop('SIGKILL');
    expect(startOf(pid)).toBeDefined();

    const next = runHill(['start'], server);
    await next.says(open);
    expect(postmaster(server)).toBe(pid);
    expect(await health(server)).toMatchObject({ status: 200 });

    expect(await next.stop()).toBe(0);
    expect(startOf(pid)).toBeUndefined();
  });

  test('recovers when the server and its PostgreSQL were both killed', async () => {
    const server = await aServer(aPreparedDir());
    const killed = runHill(['start'], server);
    await killed.says(open);
    const port = findCluster(server.HILL_DATA_DIR)?.port;
    process.kill(postmaster(server), 'SIGKILL');
    await killed.stop('SIGKILL');

    const next = runHill(['start'], server);
    await next.says(open);
    expect(await health(server)).toMatchObject({ status: 200 });
    expect(findCluster(server.HILL_DATA_DIR)?.port).toBe(port);

    expect(await next.stop()).toBe(0);
  });

  test('is refused, in one line, on a data directory that is in use', async () => {
    const server = await aServer(aPreparedDir());
    const first = runHill(['start'], server);
    await first.says(open);

    const second = await hill(['start'], { ...(await aServer(server.HILL_DATA_DIR)), LOG_LEVEL: 'warn' });

    expect(second).toEqual({ code: 1, output: expect.stringMatching(/^Another Hill \(process \d+\) is using .*$/) });
    expect(await health(server)).toMatchObject({ status: 200 });
    await first.stop();
  });

  test('is refused, in one line, on a port that is in use, and leaves no PostgreSQL running', async () => {
    const server = await aServer();
    const other = net.createServer().listen(Number(server.PORT), '127.0.0.1');
    onTestFinished(() => void other.close());

    const { code, output } = await hill(['start'], { ...server, LOG_LEVEL: 'warn' });

    expect({ code, output }).toEqual({
      code: 1,
      output: `PORT: port ${server.PORT} is in use. Stop what uses it, or set PORT to another port.`,
    });
    expect(findCluster(server.HILL_DATA_DIR)).toBeUndefined();
  });

  test('stops in good order when it is told to before it is open', async () => {
    const server = await aServer();
    const running = runHill(['start'], server);
    await running.says('preparing');

    expect(await running.stop('SIGINT')).toBe(0);

    expect(running.output()).not.toContain(open);
    expect(findCluster(server.HILL_DATA_DIR)).toBeUndefined();
  });

  test('is forced by a second signal, and the next start recovers', async () => {
    const server = await aServer(aPreparedDir());
    const running = runHill(['start'], server);
    await running.says(open);
    // A request that does not end holds up the orderly stop.
    const hanging = net.connect(Number(server.PORT), '127.0.0.1');
    hanging.write('POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n');
    hanging.on('error', () => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    running.child.kill('SIGTERM');
    await running.says('stopping');
    await new Promise((resolve) => setTimeout(resolve, 700));

    expect(await running.stop('SIGTERM')).toBe(1);

    const next = runHill(['start'], server);
    await next.says(open);
    expect(await next.stop()).toBe(0);
  });

  test('goes on when its PostgreSQL was killed, on the same port, and the bell with it', async () => {
    const server = await aServer(aPreparedDir());
    const running = runHill(['start'], { ...server, HILL_CLOCK: 'simulated' });
    await running.says(open);
    const port = findCluster(server.HILL_DATA_DIR)?.port;
    for (let round = 1; round <= 2; round++) {
      const pid = postmaster(server);
      process.kill(pid, 'SIGKILL');
      await until(
        'another one',
        async () => startOf(pid) === undefined && findCluster(server.HILL_DATA_DIR) !== undefined,
      );
      await until('it serves', async () => (await health(server)).status === 200);
      expect(findCluster(server.HILL_DATA_DIR)?.port).toBe(port);
    }
    // once, if the second came before it had seen the first one through
    expect(running.output().match(/the embedded PostgreSQL has died: it is started again/g)?.length).toBeOneOf([1, 2]);
    expect(await hill(['clock', 'to-bell'], { ...server, HILL_CLOCK: 'simulated' })).toMatchObject({ code: 0 });
    expect(running.child.exitCode).toBeNull();
    expect(await running.stop()).toBe(0);
    expect(findCluster(server.HILL_DATA_DIR)).toBeUndefined();
  });

  test('ends with one line when its PostgreSQL does not come back', async () => {
    const server = await aServer(aPreparedDir());
    const running = runHill(['start'], { ...server, HILL_LOG: 'pretty' });
    await running.says(open);
    const [there, gone] = ['global', 'gone'].map((name) => path.join(server.HILL_DATA_DIR, 'data', name)) as [
      string,
      string,
    ];
    fs.renameSync(there, gone);
    onTestFinished(() => fs.renameSync(gone, there)); // or it could not be put away
    process.kill(postmaster(server), 'SIGKILL');

    expect(await running.ended).toBe(1);
    const told = running
      .output()
      .split('\n')
      .filter((line) => / error: .*embedded/.test(line));
    expect(told, running.output()).toEqual([
      expect.stringMatching(
        /^\S+ +error: The embedded PostgreSQL did not start: .*could not find the database system\./,
      ),
    ]);
  });
});

describe('npm run psql', () => {
  const ask = ['psql', '-XAtc', 'select current_user, current_database()'];
  const hasPsql = (() => {
    try {
      return execFileSync('psql', ['--version'], { encoding: 'utf8' }).includes('psql');
    } catch {
      return false;
    }
  })();

  test.skipIf(!hasPsql)(
    'works while the hill runs and while it does not (needs psql: apt-get install postgresql-client)',
    async () => {
      const server = await aServer(aPreparedDir());
      const running = runHill(['start'], server);
      await running.says(open);
      expect(await hill(ask, server)).toEqual({ code: 0, output: 'hill|hill' });
      expect(await health(server)).toMatchObject({ status: 200 });
      await running.stop();

      expect(await hill(ask, server)).toEqual({ code: 0, output: 'hill|hill' });
      expect(await hill(['psql', '-XAtc', 'select wrong'], server)).toMatchObject({ code: 1 });
      expect(findCluster(server.HILL_DATA_DIR)).toBeUndefined();
    },
  );

  test('says how to get psql where there is none', async () => {
    const server = await aServer(aPreparedDir());

    expect(await hill(ask, { ...server, PATH: '/nowhere' })).toEqual({
      code: 1,
      output: expect.stringMatching(/^psql is not installed: .*$/),
    });
  });

  test('makes no database: where there is none it says so, and where the demonstration has its own', async () => {
    const server = await aServer();
    const dir = server.HILL_DATA_DIR;
    const none = `HILL_DATA_DIR: there is no database in ${dir}. npm start makes one.`;
    expect(await hill(ask, server)).toEqual({ code: 1, output: none });

    makeDir(dir);
    const cluster = await startCluster({ dir: path.join(dir, 'demo') });
    await cluster.stop();
    expect(await hill(ask, server)).toEqual({
      code: 1,
      output: `${none} That of the demonstration: HILL_DATA_DIR=${dir}/demo npm run psql`,
    });
    expect(fs.readdirSync(dir)).toEqual(['demo']);
    // a demonstration that was killed before it had a database
    expect(await hill(ask, { ...server, HILL_DATA_DIR: `${dir}/demo` })).toMatchObject({
      code: 1,
      output: expect.stringContaining('there is no database in '),
    });
  });
});

test('a command that does not exist is refused, and those that do are named', async () => {
  expect(await hill(['strat'], {})).toEqual({
    code: 1,
    output: expect.stringMatching(/^There is no command "strat"\. .*start, web.*$/),
  });
});
