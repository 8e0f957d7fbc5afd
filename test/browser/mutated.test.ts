// /check names what was changed of a hill as npm run verify names it: nights, logs, checkpoints, engines and receipts,
// with one load of the page. HILL_TEST_MUTATED=40 tries until so many are named, and does so in Firefox, too. Rules
// 20.14.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { verifierKey } from '../../src/log/note.ts';
import { openedArchive } from '../../src/verify/archive.ts';
import type { KnownLogs } from '../../src/verify/known-logs.ts';
import { beginArchive, endArchive, savedTo } from '../../src/verify/node/archive.ts';
import { askAt } from '../../src/verify/reading.ts';
import { concluded } from '../../src/verify/report.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { useHill } from '../support/hill/index.ts';
import { aSealedSeason, type SealedSeason } from '../support/log/a-sealed-season.ts';
import { type Files, filesIn, mutate, receiptsFile, writeFiles } from '../support/log/mutated-hills.ts';
import { useRelease } from '../support/log/release.ts';
import { saidInNode } from '../support/log/said-in-node.ts';
import { browsers, checkOn, statusOf, tarOf } from '../support/peers/check-page.ts';
import { randomFrom, seed } from '../support/random.ts';

const wanted = Number(process.env.HILL_TEST_MUTATED ?? 6);

const hill = useHill();
const web = useWebDoor(hill);
const withRelease = useRelease();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-mutated-'));
let season: SealedSeason;
let untouched: Files;
const seen: KnownLogs = {};

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  season = await aSealedSeason(hill);
  const saved = path.join(folder, 'saved');
  beginArchive(saved, web.baseUrl);
  const served = savedTo(saved, web.baseUrl, askAt(web.baseUrl));
  await saidInNode({ hill: served, seen, receipts: season.told, withEngine, withRelease });
  endArchive(saved, web.baseUrl, 'all');
  untouched = filesIn(saved);
  untouched.set(receiptsFile, Buffer.from(season.told.map((line) => `${line}\n`).join('')));
  await web.get('/check'); // is made when it is first asked for
});

// a cluster of its own is what the command makes: the functions are those of the same sources
const withEngine: Parameters<typeof saidInNode>[0]['withEngine'] = (_source, use) => use(hill.root);

for (const { name, installed, open } of browsers) {
  const skipped = name === 'Firefox' && !process.env.HILL_TEST_MUTATED;
  test.skipIf(!installed || skipped)(`${wanted} of them in ${name}, HILL_SEED=${seed}`, async () => {
    const window = await open();
    onTestFinished(() => window.close());
    const fill = (id: string, value: string) =>
      window.evaluate(`document.getElementById('${id}').value = ${JSON.stringify(value)}`);
    await window.goto(`${web.baseUrl}/check`);
    for (let round = 0, named = 0; named < wanted; round++) {
      const r = randomFrom(seed + round);
      const files = new Map(untouched);
      const what = `HILL_SEED=${seed + round}: ${mutate(r, files)}`;
      const [known, witnessed] = [r.chance(0.3), r.chance(0.3)];
      const receipts = (files.get(receiptsFile) as Buffer).toString();
      const before = known ? seen : {};
      const expected = await saidInNode({
        hill: openedArchive(files).hill,
        ...{ withEngine, withRelease, receipts: [receipts], seen: structuredClone(before) },
        witnesses: witnessed ? [season.witness] : [],
      });
      const count = expected.said.filter(([mark]) => mark === 'WRONG').length;

      const kept = JSON.stringify({ [web.baseUrl]: before });
      await window.evaluate(`localStorage.setItem('hill.seen', ${JSON.stringify(kept)})`);
      const dir = path.join(folder, `round-${round}`);
      writeFiles(files, dir);
      await window.setFile('#check-archive', tarOf(dir));
      await fill('check-receipts', receipts);
      await fill('check-keys', witnessed ? verifierKey(season.witness) : '');
      const [, ...said] = await checkOn(window);
      expect(said, what).toEqual(expected.said);
      expect(await statusOf(window), what).toContain(expected.failed ?? concluded(count));
      fs.rmSync(dir, { recursive: true });
      fs.rmSync(`${dir}.tar`);
      if (count > 0 || expected.failed) named += 1;
    }
    expect(window.wrong).toEqual([]);
  });
}
