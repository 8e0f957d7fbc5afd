// A copy of the database with the same settings does not sign: the hill's own address has to lead to the database that
// signs. Rules 20.37.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { call } from '../../src/db/call.ts';
import { Metrics } from '../../src/process/metrics.ts';
import { aWatch } from '../../src/watch/index.ts';
import { startWorker } from '../../src/worker/index.ts';
import { newQuestion, whereAddressLeads } from '../../src/worker/known.ts';
import { publishLog } from '../../src/worker/log.ts';
import { logSettings, sharedByLog } from '../../src/worker/publish.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { type Hill, useHill } from '../support/hill/index.ts';
import { aLog, workerSettings } from '../support/hill/worker.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const copy = useHill();
const web = useWebDoor(hill);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-copies-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const settingsOf = (name: string, baseUrl = web.baseUrl) =>
  workerSettings({ BASE_URL: baseUrl, HILL_CHECKPOINT: path.join(folder, name, 'checkpoint') });
/** As a worker on a machine of its own. */
const sign = (of: Hill, name: string, { baseUrl = web.baseUrl, adopt = false } = {}) => {
  const { log } = aLog();
  const db = of.as('worker');
  const shared = sharedByLog(new Metrics(), log);
  const witnesses = { held: async () => [] };
  return publishLog(db, logSettings(settingsOf(name, baseUrl), db, log, shared, witnesses, { adopt }));
};
const signatures = async (of: Hill) => (await of.rows('select from hill.log_checkpoints')).length;
const more = async (of: Hill) => {
  await of.root.query("insert into hill.log_waiting (at, entry) values (engine.now(), 'deposit 1 ab')");
  await of.root.query("update hill.settings set shown_at = shown_at + interval '15 minutes'");
};

test('the one that the address leads to signs, and a copy stays silent, whoever vouches for it', async () => {
  await sign(hill, 'here');
  fs.cpSync(path.join(folder, 'here'), path.join(folder, 'there'), { recursive: true });
  for (const adopt of [false, true])
    await expect(sign(copy, 'there', { adopt })).rejects.toMatchObject({
      reason: 'another',
      message: expect.stringContaining('leads to another database'),
    });
  expect(await signatures(copy)).toBe(0);
  await more(hill);
  await sign(hill, 'here');
  expect(await signatures(hill)).toBe(2);
});

test('a worker of the copy goes on without signing, and is not ready', async () => {
  const { log, said } = aLog();
  const watch = aWatch();
  const worker = await startWorker(settingsOf('worker'), copy.url('worker'), log, undefined, undefined, watch);
  onTestFinished(worker.stop);
  await until('it says so', async () => said.some((one) => JSON.stringify(one).includes('leads to another database')));
  await until('it is not ready', async () => watch.health.report().failed.includes('copy'));
  expect(watch.health.report().checks.copy?.reason).toContain('leads to another database');
  expect(await signatures(copy)).toBe(0);
  expect(await hill.rows('select from hill.log_generations')).toHaveLength(1);
});

test('a reader that is late, as a replica may be, is asked again', async () => {
  const asked = newQuestion();
  const late = sleep(300).then(() => call(hill.as('worker'), 'api_worker.ask_at_address', { ...asked }));
  expect(await whereAddressLeads(web.baseUrl, asked)).toBe('here');
  await late;
});

test('an address that does not answer, or by a release that knows no questions, leaves it to the file', async () => {
  const old = http.createServer((_req, res) => void res.writeHead(404).end('nothing here'));
  const port = await freePort();
  await new Promise<void>((resolve) => old.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void old.close());
  expect(await whereAddressLeads(`http://127.0.0.1:${port}`, newQuestion())).toBe('silent');
  expect(await whereAddressLeads(`http://127.0.0.1:${await freePort()}`, newQuestion())).toBe('silent');
  await more(hill);
  const db = hill.as('worker');
  const { log } = aLog();
  const shared = sharedByLog(new Metrics(), log);
  const settings = logSettings(settingsOf('here'), db, log, shared, { held: async () => [] });
  await publishLog(db, { ...settings, leads: () => whereAddressLeads(`http://127.0.0.1:${port}`, newQuestion()) });
  expect(await signatures(hill)).toBe(3);
});

test('only the web of that database knows the answer, and nobody on the way keeps it', async () => {
  const asked = newQuestion();
  const address = `${web.baseUrl}/log/address/${asked.question}`;
  const before = await fetch(address);
  expect([before.status, before.headers.get('hill-address'), before.headers.get('cache-control')]).toEqual([
    404,
    'another',
    'no-store',
  ]);
  await call(hill.as('worker'), 'api_worker.ask_at_address', { ...asked });
  const after = await fetch(address);
  expect([await after.text(), after.headers.get('cache-control')]).toEqual([`${asked.answer}\n`, 'no-store']);
  const strange = await fetch(`${web.baseUrl}/log/address/x`);
  expect([strange.status, strange.headers.get('hill-address')]).toEqual([404, null]);
});
