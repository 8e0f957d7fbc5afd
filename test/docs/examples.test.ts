// The examples of README and docs/ that can run, run: in a shell, psql, the console and Node, against a hill as npm
// start serves it.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../../src/embedded/index.ts';
import { checkout } from '../../src/process/config.ts';
import { blocks, read } from '../support/documents.ts';
import { useConsole } from '../support/doors/console.ts';
import { aServer, bare, runHill, usePreparedDataDirs } from '../support/hill/hill-process.ts';
import { useHill } from '../support/hill/index.ts';
import { hasPsql } from '../support/hill/psql.ts';

const shell = (script: string, env: Record<string, string>): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    execFile('bash', ['-ec', script], { cwd: checkout, env: { ...bare(), ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
  });

const aPreparedDir = usePreparedDataDirs();

/** What these do is told by tests of their own, or takes the whole afternoon. */
const lasting = /^npm (ci|run demo)\b/;

describe.skipIf(!hasPsql)('on a hill that npm start serves', () => {
  test('every line of README, and the clock of operations', { timeout: 300_000 }, async () => {
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

test('the statements of operations prepare a PostgreSQL, and its settings are those of the embedded one', {
  timeout: 120_000,
}, async () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-docs-'));
  const cluster = await startCluster({ dir, ephemeral: true });
  onTestFinished(() => cluster.stop());
  const root = new pg.Client(cluster.url());
  await root.connect();
  const statements = blocks('docs/operations.md', 'sql').flatMap((text) =>
    text.split(';\n').filter((one) => one.trim() !== ''),
  );
  for (const statement of statements) {
    // the role of DBAs comes with the first migration
    if (/hill_dba/.test(statement)) await root.query('create role hill_dba');
    await root.query(statement);
  }
  const lines = blocks('docs/operations.md', 'ini').flatMap((text) => text.trim().split('\n'));
  for (const line of lines) {
    const [name, value] = line.split(' = ');
    const { rows } = await root.query('select setting from pg_settings where name = $1', [name]);
    expect({ name, setting: rows[0]?.setting }).toEqual({ name, setting: value });
    expect(read('docker-compose.yml')).toContain(`-c${name}=${value}`);
  }
  expect({ statements: statements.length, lines: lines.length }).toEqual({ statements: 5, lines: 4 });
  await root.end();
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
