// The samples of ops/ are what their programs take.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';
import { documents } from '../support/documents.ts';
import { haproxy, haproxyFor } from '../support/peers/haproxy.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const read = (file: string) => fs.readFileSync(path.join(checkout, file), 'utf8');

test('each unit of ops/systemd that serves has a METRICS_PORT of its own, and can be given the secrets of what it does', () => {
  const units = ['hill-web@', 'hill-worker', 'hill-console'].map((name) => read(`ops/systemd/${name}.service`));
  const ports = units.map((unit) => /METRICS_PORT=(\S+)/.exec(unit)?.[1]);
  expect(new Set(ports).size).toBe(3);
  expect(ports).not.toContain(undefined);
  const [web, worker] = units as [string, string];
  for (const secret of ['GOOGLE_CLIENT_SECRET', 'GITHUB_CLIENT_SECRET', 'STRIPE_SECRET_KEY'])
    expect(web).toContain(`${secret}_FILE=`);
  expect(worker).toContain('STRIPE_SECRET_KEY_FILE=');
  expect(read('ops/systemd/hill-migrate.service')).toContain('STRIPE_WEBHOOK_SECRET_FILE=');
});

test('what documents set with psql -v is a variable of the script that they name', () => {
  const told = documents.flatMap((file) => read(file).split('\n'));
  let found = 0;
  for (const line of told) {
    const script =
      /-f (sql\/[\w/]+\.sql)/.exec(line)?.[1] ??
      (/-v (from|until)=/.test(line) ? 'sql/verify/payments.sql' : undefined);
    if (!script) continue;
    for (const [, name] of line.matchAll(/-v (\w+)=/g)) {
      found += 1;
      expect(read(script), line).toMatch(new RegExp(`:'?\\{?\\??${name}\\b`));
    }
  }
  expect(found).toBeGreaterThan(1);
});

test.skipIf(!haproxy)('HAProxy takes ops/haproxy.cfg', () => {
  const said = execFileSync(haproxy as string, ['-c', '-V', '-f', path.join(checkout, 'ops/haproxy.cfg')], {
    encoding: 'utf8',
  });
  expect(said).toContain('Configuration file is valid');
});

/** A web process, as far as a balancer knows it. */
async function aWeb() {
  const web = { database: true, stopping: false, calls: 0, port: await freePort() };
  const server = http.createServer((request, response) => {
    if (request.url === '/livez') return void response.writeHead(web.stopping ? 503 : 200).end();
    if (request.url !== '/healthz') web.calls += 1;
    response.writeHead(web.database ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(web.port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return web;
}

test.skipIf(!haproxy)(
  'behind ops/haproxy.cfg a web without its database gets no calls while another has it, and its share while none has',
  async () => {
    const [one, two] = [await aWeb(), await aWeb()];
    const { port, stop } = await haproxyFor([one.port, two.port]);
    onTestFinished(stop);
    const call = async () => (await fetch(`http://127.0.0.1:${port}/api/hill`)).status;
    /** What all of 20 calls were answered with, and how many each web had. */
    const calls = async () => {
      one.calls = 0;
      two.calls = 0;
      const statuses = new Set(await Promise.all(Array.from({ length: 20 }, call)));
      return { statuses: [...statuses], shared: one.calls > 0 && two.calls > 0, one: one.calls, two: two.calls };
    };
    await until('both have calls', async () => (await calls()).shared);

    one.database = false;
    await until('the one without has none', async () => (await calls()).one === 0);
    expect(await calls()).toEqual({ statuses: [200], shared: false, one: 0, two: 20 });
    two.database = false;
    await until('both have calls: they serve from memory', async () => (await calls()).shared);
    two.stopping = true;
    await until('the one that stops has none', async () => (await calls()).two === 0);
    two.stopping = false;
    two.database = true;
    await until('it is back', async () => (await calls()).two === 20);
  },
);
