// /check in Chromium and in Firefox (on Debian: apt-get install chromium firefox-esr), at full size: HILL_TEST_BROWSERS
// says how many random nights an engine in each resolves. Then nights are checked, many and a large one, online and,
// once their hill is gone, from an archive. What it took is printed. Rules 20.14.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { engineSource } from '../../src/db/engine-source.ts';
import { ownSources } from '../../src/db/migrate.ts';
import { type Database, resultOf } from '../../src/verify/engine.ts';
import { beginArchive, endArchive, openArchive, savedTo } from '../../src/verify/node/archive.ts';
import { inPostgres } from '../../src/verify/node/release.ts';
import { askAt } from '../../src/verify/reading.ts';
import { concluded } from '../../src/verify/report.ts';
import { engineSql } from '../../src/verify/source.ts';
import { archiveNight } from '../../src/worker/archives.ts';
import { useWebDoor } from '../support/doors/web-door.ts';
import { aServer, runHill } from '../support/hill/hill-process.ts';
import { anAccount, useHill } from '../support/hill/index.ts';
import { stringifyExactly } from '../support/hill/night.ts';
import { aLog } from '../support/hill/worker.ts';
import { type Said, saidInNode } from '../support/log/said-in-node.ts';
import { signLog } from '../support/log/sign.ts';
import { readCaseBook } from '../support/naive/case-book.ts';
import { randomNight } from '../support/naive/random-nights.ts';
import { browsers, checkOn, statusOf, tarOf, type Window } from '../support/peers/check-page.ts';
import { largestPage } from '../support/peers/memory.ts';
import { seed } from '../support/random.ts';
import { until } from '../support/until.ts';

const nights = Number(process.env.HILL_TEST_BROWSERS ?? 0);

/** And how long it took. */
async function check(window: Window): Promise<{ said: Said[]; status: string; seconds: number }> {
  const began = performance.now();
  const said = await checkOn(window, 1_800);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  return { said, status: await statusOf(window), seconds };
}
const resolvedAgain = /, resolved again from its night file, has the result that the log says\.$/;
const resolvedIn = (said: readonly Said[]) => said.filter(([, sentence]) => resolvedAgain.test(sentence)).length;
const tell = (...words: (string | number)[]) => console.log(words.join(' '));

/** The engine's worker of the page, as the page's worker asks it. */
async function engineIn(window: Window): Promise<Database> {
  const ask = async (message: string): Promise<{ rows: never[] }> => {
    const answer = await window.evaluate<{ rows: never[] } | { failed: string }>(`(async () => {
      const { dataset } = document.getElementById('check-form');
      const blob = async (part) => (await fetch(dataset[part])).blob();
      window.engine ??= new Worker(dataset.database);
      const message = ${message};
      const { port1, port2 } = new MessageChannel();
      return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
        window.engine.postMessage(message, [port2]);
      });
    })()`);
    if ('failed' in answer) throw new Error(answer.failed);
    return answer;
  };
  const statements = JSON.stringify(engineSql(engineSource(ownSources)));
  await ask(`{
    statements: ${statements},
    parts: { pglite: await blob('pglite'), initdb: await blob('initdb'), data: await blob('data') },
  }`);
  return { query: (text, values = []) => ask(JSON.stringify({ text, values })) };
}

describe.skipIf(nights === 0 || browsers.some(({ installed }) => !installed))('at full size', () => {
  const hill = useHill();
  const web = useWebDoor(hill);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-browsers-'));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  /** Each window is closed at the end of the test. */
  async function windows(address: string): Promise<[name: string, window: Window][]> {
    const opened: [string, Window][] = [];
    for (const { name, open } of browsers) {
      const window = await open();
      onTestFinished(() => window.close());
      await window.goto(address);
      opened.push([name, window]);
    }
    return opened;
  }

  test(`the case book and ${nights} random nights are resolved as by the server, HILL_SEED=${seed}`, async () => {
    /** The result as text, or why it is refused. */
    const resolved = (engine: Database, night: unknown): Promise<string> =>
      resultOf(engine, stringifyExactly(night)).catch((error: Error) => error.message);
    const results = `select engine.result_of(t.night) as result
      from jsonb_array_elements($1::jsonb) with ordinality t (night, place) order by t.place`;
    for (const [name, window] of await windows(`${web.baseUrl}/check`)) {
      const began = performance.now();
      const engine = await engineIn(window);
      for (const { number, night } of readCaseBook())
        expect(await resolved(engine, night), `${name}, ${number}`).toBe(await resolved(hill.root, night));
      for (let first = 0; first < nights; first += 200) {
        const some = Array.from({ length: Math.min(200, nights - first) }, (_, i) => randomNight(seed + first + i));
        const values = [stringifyExactly(some)];
        const { rows } = await engine.query(results, values);
        expect(rows, `${name}, from ${seed + first}`).toEqual((await hill.root.query(results, values)).rows);
      }
      tell(name, nights, 'random nights:', Math.round((performance.now() - began) / 1_000), 's');
    }
  });

  test('a night of a thousand moves', async () => {
    for (let i = 0; i < 1_000; i++) {
      const account = await anAccount(hill, { name: `Bot ${i}`, credits: 2_000, daily_cap_cents: 2_000 });
      const war = i % 7 === 0;
      await hill.asAgent(account).play({
        ...{ slot: 1 + (i % 3), move: war ? 'WAR' : 'PEACE', message: `I am bot ${i}` },
        ...(war ? { stake_cents: 800 + (i % 150) } : {}),
      });
    }
    await hill.clock.ringBell();
    while (await archiveNight(hill.as('worker')));
    await hill.clock.at('00:20');
    await signLog(hill);
    await web.get('/check'); // is made when it is first asked for
    for (const { name, open } of browsers) {
      const window = await open();
      onTestFinished(() => window.close());
      await window.goto(`${web.baseUrl}/check?night=1`);
      const cold = await check(window);
      const warm = await check(window);
      tell(
        name,
        'a night of 1,000 moves:',
        cold.seconds,
        's with what is loaded,',
        warm.seconds,
        's again;',
        largestPage(),
        'MiB',
      );
      for (const { said, status } of [cold, warm]) {
        expect(status, name).toContain(concluded(0));
        expect(resolvedIn(said), name).toBe(1);
      }
      await window.close();
    }
  });

  test('all nights of a demonstration, online and offline', async () => {
    const server = await aServer();
    const demo = runHill(['demo'], { ...server, HILL_DEMO_DAY_SECONDS: '60', NO_COLOR: '1' });
    const address = `http://localhost:${server.PORT}`;
    await demo.says('Night 39'); // 8 of the house and 30 of its agents were over, and are in the log by now
    const saved = path.join(folder, 'demo');
    beginArchive(saved, address);
    const release = inPostgres(aLog().log);
    await saidInNode({ hill: savedTo(saved, address, askAt(address)), ...release });
    endArchive(saved, address, 'all');
    const expected = await saidInNode({ hill: openArchive(saved).hill, ...release });
    const count = resolvedIn(expected.said);
    expect(count).toBeGreaterThanOrEqual(30);
    tarOf(saved);

    const opened = await windows(`${address}/check`);
    for (const [name, window] of opened) {
      const { said, status, seconds } = await check(window);
      tell(name, 'online,', count, 'nights:', seconds, 's;', largestPage(), 'MiB');
      expect(status, name).toContain(concluded(0));
      expect(resolvedIn(said), name).toBeGreaterThanOrEqual(count);
      await until('it opens offline', () => window.evaluate("!document.getElementById('check-opens').hidden"));
    }
    expect(await demo.stop('SIGINT')).toBe(0);
    for (const [name, window] of opened) {
      await window.goto(`${address}/check`);
      await window.evaluate('localStorage.clear()');
      await window.setFile('#check-archive', `${saved}.tar`);
      const { said, seconds } = await check(window);
      tell(name, 'offline,', count, 'nights:', seconds, 's');
      expect(said[0]?.[1], name).toContain('Nothing is asked of the hill.');
      expect(said.slice(1), name).toEqual(expected.said);
    }
  });
});
