// A hill is checked right after its first bell, while its log is still empty. Rules 20.14.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { savedTo } from '../../src/verify/node/archive.ts';
import { askAt } from '../../src/verify/reading.ts';
import { archiveNight } from '../../src/worker/archives.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { useHill } from '../support/hill/index.ts';
import { aWorker } from '../support/hill/worker.ts';
import { useRelease } from '../support/log/release.ts';
import { saidInNode } from '../support/log/said-in-node.ts';
import { until } from '../support/until.ts';

const hill = useHill();
const withRelease = useRelease();
const web = useWebDoor(hill);

test('its night is one that comes into the log, not one from before it; then it is checked and kept whole', async () => {
  await hill.root.query('select engine.found_house()');
  await hill.root.query('update hill.accounts set suspended_at = engine.now() where house'); // or it would announce
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-first-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  await aWorker(hill, undefined, { BASE_URL: web.baseUrl, HILL_CHECKPOINT: path.join(folder, 'checkpoint') });
  await until('the empty log is signed', async () => (await web.get('/log/checkpoint')).ok);
  await hill.clock.ringBell();

  const saved = path.join(folder, 'saved');
  const check = async () => {
    const served = savedTo(saved, web.baseUrl, askAt(web.baseUrl));
    const { said } = await saidInNode({ hill: served, withEngine: (_source, use) => use(hill.root), withRelease });
    expect(said.filter(([mark]) => mark === 'WRONG')).toEqual([]);
    return said.map(([, sentence]) => sentence);
  };
  expect(await check()).toContain('Night 1 comes into the log with the next quarter hour.');

  while (await archiveNight(hill.as('worker')));
  await hill.clock.at('00:20');
  await until('the night is logged', async () =>
    (await check()).some((one) => one.startsWith('Night 1, resolved again')),
  );
  // nobody has announced anything yet
  expect(fs.existsSync(path.join(saved, 'api/day/1/announcements.ndjson'))).toBe(true);
});
