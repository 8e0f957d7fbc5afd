// A hill is checked right after its first bell, while its log is still empty. Rules 20.14.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyHill } from '../../src/verify/index.ts';
import { servedAt } from '../../src/verify/reading.ts';
import { receiptsIn } from '../../src/verify/receipts.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { useHill } from '../support/hill/index.ts';
import { aWorker } from '../support/hill/worker.ts';
import { useRelease } from '../support/log/release.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const withRelease = useRelease();
const web = useWebDoor(hill);

test('its night is one that comes into the log, not one from before it', async () => {
  await hill.root.query('select engine.found_house()');
  await hill.root.query('update hill.accounts set suspended_at = engine.now() where house'); // or it would announce
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-first-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  await aWorker(hill, undefined, { BASE_URL: web.baseUrl, HILL_CHECKPOINT: path.join(folder, 'checkpoint') });
  await until('the empty log is signed', async () => (await web.get('/log/checkpoint')).ok);
  await hill.clock.ringBell();

  const [noted, wrong]: string[][] = [[], []];
  await verifyHill({
    ...{ hill: servedAt(web.baseUrl), days: [], held: receiptsIn([]), seen: {} },
    withEngine: (_source, use) => use(hill.root),
    withRelease,
    say: (holds, sentence) => void (holds || wrong?.push(sentence)),
    note: (sentence) => void noted?.push(sentence),
  });

  expect(wrong).toEqual([]);
  expect(noted).toContain('Night 1 comes into the log with the next quarter hour.');
});
