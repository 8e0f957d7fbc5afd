// What operators see of the places outside the database: what this worker saw there within the last quarter hour. Rules
// 20.7.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { guardedFetcher } from '../../src/outside/fetcher/index.ts';
import { parseConfig } from '../../src/process/config.ts';
import { Metrics } from '../../src/process/metrics.ts';
import { placesOf } from '../../src/worker/known.ts';
import { publisher, sharedByLog } from '../../src/worker/publish.ts';
import { witnessesOf } from '../../src/worker/witnesses.ts';
import { useHill } from '../support/hill/index.ts';
import { secret } from '../support/hill/secret.ts';
import { aLog } from '../support/hill/worker.ts';
import { freePort } from '../support/ports.ts';

const hill = useHill();
const { log } = aLog();
const shownBy = (metrics: Metrics) => () =>
  Object.fromEntries(
    (metrics.collect().find(({ name }) => name === 'hill_log_place_ok')?.points ?? []).map(([labels, value]) => [
      (labels as { place: string }).place,
      value,
    ]),
  );

test('a worker looks there each time, though nothing is to be signed', async () => {
  let well = true;
  const address = http.createServer((_req, res) => void res.writeHead(well ? 404 : 502, { 'Hill-Log': 'none' }).end());
  const port = await freePort();
  await new Promise<void>((resolve) => address.listen(port, '127.0.0.1', resolve));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-places-'));
  onTestFinished(() => {
    address.close();
    fs.rmSync(folder, { recursive: true });
  });
  const config = {
    ...parseConfig({ HILL_SIGNING_SECRET: secret }),
    baseUrl: `http://127.0.0.1:${port}`,
    checkpointFile: path.join(folder, 'checkpoint'),
  };
  const metrics = new Metrics();
  const shown = shownBy(metrics);
  const db = hill.as('worker');
  const witnesses = witnessesOf(config, db, guardedFetcher({ userAgent: 'Hill-test/1' }), log);
  const { publish } = publisher(config, db, log, sharedByLog(metrics, log), witnesses);
  await publish();
  expect(shown()).toEqual({ address: 1, file: 1 });
  well = false;
  await publish();
  expect(shown()).toEqual({ address: 0, file: 1 });
  well = true;
  await publish();
  expect(shown()).toEqual({ address: 1, file: 1 });
});

test('what it saw before others looked is not shown any more', () => {
  let now = 0;
  const metrics = new Metrics();
  const shown = shownBy(metrics);
  const places = placesOf(metrics, log, () => now);
  places.saw('address', 'It does not answer.');
  now += 15 * 60_000;
  places.saw('file', null);
  expect(shown()).toEqual({ address: 0, file: 1 });
  now += 5 * 60_000;
  expect(shown()).toEqual({ file: 1 });
});
