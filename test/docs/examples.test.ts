// The examples of README and docs/ that can run, run: in a shell, psql, the console and Node, against a hill as npm
// start serves it.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { startCluster } from '../../src/embedded/index.ts';
import { checkout } from '../../src/process/config.ts';
import { blocks, read } from '../support/documents.ts';
import { useConsole } from '../support/doors/console.ts';
import { aServer, bare, runHill, hill as runToItsEnd, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { hasPsql } from '../support/hill/psql.ts';

const shell = (script: string, env: Record<string, string>): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    execFile('bash', ['-ec', script], { cwd: checkout, env: { ...bare(), ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
  });

/** What wants a standby (test/faults/promotion), or a log that a worker has signed (test/sql/replay/seal). */
const elsewhere = /pg_promote|pg_get_wal_replay_pause_state|reset synchronous_standby_names|seal\.sql/;

/** For psql without a URL. */
const pgEnvironment = (url: string): Record<string, string> => {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
    PSQLRC: '/dev/null',
  };
};

const aPreparedDir = usePreparedDataDirs();

/** What these do is told by tests of their own, or takes the whole afternoon. */
const lasting = /^npm (ci|run demo)\b/;

describe.skipIf(!hasPsql)('on a hill that npm start serves', () => {
  test('every line of README, and the clock of operations', async () => {
    const server = { ...(await aServer(aPreparedDir())), HILL_CLOCK: 'simulated' };
    const running = runHill(['start'], server);
    await running.says('Hill is open');
    const scripts = [
      ...blocks('README.md', 'sh').flatMap((text) => text.trim().split('\n')),
      ...blocks('docs/operations.md', 'sh').flatMap((text) =>
        text.split('\n').filter((line) => line.startsWith('npm run clock')),
      ),
    ].filter((line) => !lasting.test(line));
    expect(scripts.length).toBeGreaterThan(10);
    for (const line of scripts) {
      const { code, output } = await shell(
        `set -o pipefail; ${line.replace('http://localhost:8080', `http://localhost:${server.PORT}`).replace('curl -s', 'curl -sf')}`,
        server,
      );
      expect({ line, code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/\S/) });
    }
    expect(await running.stop()).toBe(0);
  });
});

test.skipIf(!hasPsql)('the first night prepares a PostgreSQL, and its hill serves in production', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-docs-home-'));
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-docs-'));
  const plain = {
    log_error_verbosity: 'default',
    log_parameter_max_length_on_error: '-1',
    log_min_error_statement: 'error',
  };
  const cluster = await startCluster({ dir, ephemeral: true, settings: plain });
  onTestFinished(() => cluster.stop());
  const env = { ...pgEnvironment(cluster.url()), HOME: home };
  const [, database = '', , settings = ''] = blocks('docs/first-night.md', 'sh').map((command) =>
    command.replaceAll('hill.env', '"$HOME/hill.env"').replace('sudo -u postgres ', ''),
  );
  for (const command of [database, settings]) expect(await shell(command, env)).toEqual({ code: 0, output: '' });

  const root = new pg.Client(cluster.url());
  await root.connect();
  onTestFinished(() => root.end());
  const { rows: set } = await root.query<{ name: string; setting: string }>(
    "select name, setting from pg_file_settings where sourcefile like '%postgresql.auto.conf' order by name",
  );
  expect(set.map(({ name }) => name)).toEqual([...Object.keys(plain), 'reserved_connections'].toSorted());
  for (const { name, setting } of set) expect(read('docker-compose.yml')).toContain(`-c${name}=${setting}`);

  const { output } = await shell('set -a && . "$HOME/hill.env" && env -0', env);
  const given = Object.fromEntries(
    output
      .split('\0')
      .map((line) => line.split(/=(.*)/s) as [string, string])
      .filter(([name]) => /^(DATABASE_URL|BASE_URL|HILL_|GOOGLE_)/.test(name)),
  );
  const hillEnv = { ...given, ...(await aServer(path.join(home, 'data'))) };
  const running = runHill(['start'], hillEnv);
  await running.says('Hill is open at https://hill.example');
  const { checks } = JSON.parse((await runToItsEnd(['doctor', '--json'], hillEnv)).output) as {
    checks: { code: string; state: string }[];
  };
  expect(checks.flatMap(({ code, state }) => (/FAIL|warn/.test(state) ? [code] : [])).toSorted()).toEqual(
    [
      ...['backup.made', 'standby.connected'], // what a new hill has not yet
      ...['log.address', 'processes.web', 'sign-in.providers'], // no address leads here
      'database.durable', // a server for tests writes nothing to the disk
    ].toSorted(),
  );
  expect(await running.stop()).toBe(0);

  for (const statement of blocks('docs/operations.md', 'sql').flatMap((text) => text.trim().split(';\n')))
    await root.query(statement);
});

describe.skipIf(!hasPsql)('the runbook', () => {
  const hill = useHill();

  test('has SQL that runs as it is written', async () => {
    const env = pgEnvironment(Object.assign(new URL(inject('adminUrl')), { pathname: `/${hill.name}` }).href);
    const { id } = await anAccount(hill);
    await hill.root.query("update hill.accounts set slug = 'ann' where id = $1", [id]);
    for (let day = 1; day <= 7; day++) await hill.clock.ringBell();
    await hill.root.query('create role jane');
    onTestFinished(() => hill.root.query('drop role jane').then(() => {}));
    const commands = [
      ...blocks('docs/runbook.md', 'sql').map((text) => `psql -qv ON_ERROR_STOP=1 <<'END'\n${text}END`),
      ...blocks('docs/runbook.md', 'sh').flatMap((text) =>
        text
          .replaceAll('\\\n', '')
          .split('\n')
          .filter((line) => line.startsWith('psql ') && !elsewhere.test(line)),
      ),
    ].map((command) => command.replaceAll(/-h <\w+> |-d hill /g, '').replaceAll('<pid>', '0'));
    expect(commands.length).toBeGreaterThan(15);
    for (const command of commands) {
      const { code, output } = await shell(command, env);
      expect({ command, code, output }).toEqual({ command, code: 0, output });
    }
  });
});

describe('the console', () => {
  const hill = useHill();
  const staff = useConsole(hill);
  let cookie: string;
  beforeAll(async () => {
    cookie = await staff.signIn('Sam');
  });

  test.each(blocks('README.md', 'graphql'))('answers %s', async (query) => {
    expect((await staff.graphql(cookie, query)).errors).toBeUndefined();
  });
});

test("webhooks.md's receiver verifies what was signed, and throws at anything else", async () => {
  const file = path.join(checkout, 'test', 'docs', `receiver-${process.pid}.mjs`); // where it finds its package
  onTestFinished(() => fs.rmSync(file));
  fs.writeFileSync(file, blocks('docs/webhooks.md', 'js').join('\n'));
  process.env.WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const { verified } = (await import(file)) as { verified: (body: string, headers: Record<string, string>) => unknown };
  const [body = ''] = blocks('docs/webhooks.md', 'json');
  const now = new Date();
  const headers = {
    'webhook-id': 'one',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(process.env.WEBHOOK_SECRET).sign('one', now, body),
  };

  expect(verified(body, headers)).toMatchObject({ type: 'seat_lost', data: { because: 'evicted' } });
  expect(() => verified(`${body} `, headers)).toThrow();
});
