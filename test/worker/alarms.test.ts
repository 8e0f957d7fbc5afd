// What only a worker can tell operators: that nobody is served at the hill's address, and that the database answers and
// cannot write.
import http from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { Metrics } from '../../src/process/metrics.ts';
import { aWatch } from '../../src/watch/index.ts';
import { watchAddresses } from '../../src/worker/address.ts';
import { startHeartbeat } from '../../src/worker/heartbeat.ts';
import { useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { aLog } from '../support/hill/worker.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const hill = useHill();

test('that no web process serves at BASE_URL, and that one does again', async () => {
  let status = 200;
  const port = await freePort();
  const server = http.createServer((_, response) => void response.writeHead(status).end('{}'));
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  const metrics = new Metrics();
  const { log, everything } = aLog();
  const baseUrl = `http://localhost:${port}`;
  const watching = watchAddresses({ baseUrl, authUrl: `http://localhost:${await freePort()}` }, metrics, log, 5);
  onTestFinished(() => {
    server.close();
    return watching.stop();
  });
  const shown = () =>
    Object.fromEntries(
      (metrics.collect().find(({ name }) => name === 'hill_address_ok')?.points ?? []).map(([labels, ok]) => [
        labels.address,
        ok,
      ]),
    );

  await until('both were asked', async () => Object.keys(shown()).length === 2);
  expect(shown()).toEqual({ BASE_URL: 1, AUTH_URL: 0 });
  status = 503; // what a proxy answers without a web process behind it
  await until('nobody is served', async () => shown().BASE_URL === 0);
  await until('it is said', async () => everything().includes(`${baseUrl}/livez answers with 503.`));
  status = 200;
  await until('it serves', async () => shown().BASE_URL === 1);
  await until('it is said', async () => everything().includes('answers again'));
});

test('that the database answers, and has no room for what a deposit writes', async () => {
  // What a full disk does cannot be made here; a limit of temporary files is refused at the same place.
  const login = new URL(hill.url('worker')).username;
  await hill.root.query(`alter role "${login}" set temp_file_limit = '1MB'`);
  const watch = aWatch();
  const { log } = aLog();
  const heartbeat = startHeartbeat(
    { env: 'development', signingSecret: secret, dataDir: '/nowhere' },
    hill.as('worker'),
    log,
    watch,
    () => true,
  );
  onTestFinished(async () => {
    await heartbeat.stop();
    await hill.root.query(`alter role "${login}" reset temp_file_limit`);
  });
  await until('it was looked at', async () => watch.health.report().checks.writes?.reason !== 'not looked at yet');
  expect(watch.health.report().checks.writes).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/cannot write \(SQLSTATE 53400\)/),
  });
  await until('the database was', async () => watch.health.report().checks.database?.ok === true);
});
