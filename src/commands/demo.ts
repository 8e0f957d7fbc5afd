// npm run demo: a hill on a simulated clock, where agents with different strategies play while somebody watches.

import fs from 'node:fs/promises';
import { looker } from '../../docs/starters/typescript/look.ts';
import { keepStaffKey, startConsole } from '../console/index.ts';
import { keepProofKey, keepStaffLimits } from '../db/kept-settings.ts';
import { makeLogins } from '../db/logins.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { openHill } from '../db/open-hill.ts';
import { makePool } from '../db/pool.ts';
import { giveStaffWork } from '../demo/affairs.ts';
import { demoCheckpoint, demoDir, freshDatabase } from '../demo/fresh-database.ts';
import { admit, type Doors, type Player } from '../demo/player.ts';
import { played, population } from '../demo/population.ts';
import { publicApi } from '../demo/public-api.ts';
import { playAhead, playSeason } from '../demo/season.ts';
import { authorizationServer } from '../oauth/server.ts';
import { type Config, consolePort, metricsPort, webPort } from '../process/config.ts';
import { serve } from '../process/lifecycle.ts';
import { tryPort } from '../process/listen.ts';
import { makeLog } from '../process/log.ts';
import { signingSecret } from '../process/secret.ts';
import { StartError } from '../process/start-error.ts';
import { aWatch, showWatch } from '../watch/index.ts';
import { startWeb } from '../web/index.ts';
import { advance } from '../worker/advance.ts';
import { setClock } from '../worker/calls.ts';
import { signerOf } from '../worker/closing.ts';
import { startWorker } from '../worker/index.ts';
import { lostByTheQueue } from '../worker/lost.ts';
import { sharedByLog } from '../worker/publish.ts';

export async function run(given: Config): Promise<number> {
  if (given.env !== 'development')
    throw new StartError('The demonstration is a hill of its own, with a clock of its own: leave HILL_ENV out.');
  const config: Config = {
    ...given,
    clock: 'simulated',
    dayOne: null,
    checkpointFile: demoCheckpoint(given),
    mailFrom: null,
    smtp: null,
  };
  const log = makeLog({ logLevel: 'warn', logFormat: config.logFormat });
  const print = (text: string) => process.stdout.write(`${text}\n`);

  return serve(log, async (life) => {
    for (const port of [webPort(config), consolePort(config), ...metricsPort(config)]) await tryPort(port); // before the last demonstration is deleted
    print('Making a new hill …');
    const ownerUrl = await freshDatabase(config, life, log);
    await prepareDatabase(ownerUrl);
    await openHill(ownerUrl, config);
    await keepProofKey(signingSecret(config), ownerUrl);
    await keepStaffLimits(config, ownerUrl);
    const staffKey = await keepStaffKey({ dataDir: demoDir(config) }, ownerUrl);
    const logins = await makeLogins(ownerUrl);

    const web = makePool({ url: logins.web, name: 'hill web', log });
    life.onStop(() => web.end());
    const worker = makePool({ url: logins.worker, name: 'hill demo', log, statementTimeoutMs: 0 });
    life.onStop(() => worker.end());
    life.tolerate(lostByTheQueue);
    const watch = aWatch();
    life.onStop((await showWatch(config, 'demo', watch)).stop);
    const server = await startWeb(config, web, log, undefined, watch);
    life.onStop(server.stop);
    const console = await startConsole(config, logins.console, log);
    life.onStop(console.stop);

    const { signer } = authorizationServer(config, web, log);
    const api = publicApi(config.baseUrl);
    const doors: Doors = { authUrl: config.authUrl, api, look: looker(api.read), worker, signer, ahead: null };
    const players: Player[] = [];
    for (const part of population) players.push(await admit(doors, part));
    // Their first day begins after a bell, when the house already sits on the hill.
    const sign = signerOf(config, worker, log, sharedByLog(watch.metrics, log));
    const ring = () =>
      advance(
        worker,
        sign,
        ({ next_bell_at }) => Date.parse(next_bell_at),
        () => {},
        life.stopping,
      );
    await ring();
    const consoleUrl = `http://localhost:${config.consolePort}`;
    await giveStaffWork(doors, { consoleUrl, key: (await fs.readFile(staffKey, 'utf8')).trim(), name: 'Demo' });
    if (config.demoNights > 0) print(`Playing ${config.demoNights} nights …`);
    doors.ahead = web;
    await playAhead(doors, players, config.demoNights, ring, life.stopping);
    doors.ahead = null;
    // From here on the worker rings: two that ring the same bell would wait for each other.
    const jobs = await startWorker(config, logins.worker, log, life.stopping, undefined, watch);
    life.onStop(jobs.stop);
    await setClock(worker, null, 86_400 / config.demoDaySeconds);

    print(introduction(config, players.length, staffKey));
    const season = playSeason(doors, players, print, life.stopping);
    life.onStop(async () => {
      await season.catch(() => {});
      await Promise.all(players.map((player) => player.leave()));
      await setClock(worker, null, 0);
      print(farewell(config));
    });
  });
}

const introduction = (
  { baseUrl, authUrl, consolePort: port, demoDaySeconds }: Config,
  agents: number,
  staffKey: string,
): string =>
  [
    '',
    `${agents} agents compete for ten places. A day takes ${demoDaySeconds} seconds; the hill is at ${baseUrl}/`,
    `Staff look on at http://localhost:${port}; the key is in ${staffKey}`,
    '',
    'Bring an agent of yours:',
    `  give it      ${baseUrl}/llms.txt`,
    `  or start a bot, again on each day:   npm run bot -- ${baseUrl}`,
    `  let it in    at ${baseUrl}/claim or ${baseUrl}/device, and add play money at ${authUrl}/account`,
    `Every way in: ${baseUrl}/bring. Days of another length: HILL_DEMO_DAY_SECONDS=${demoDaySeconds * 2} npm run demo`,
    '',
    ...played.map(({ title, way }) => `  ${title.padEnd(12)}${way}`),
    '',
    'Stop with Ctrl-C. The next demonstration starts from scratch.',
  ].join('\n');

const farewell = (config: Config): string =>
  `Stopped. Its nights can be read until the next demonstration: HILL_DATA_DIR=${demoDir(config)} npm run psql -- -v day=9 -f sql/replay/replay_day.sql`;
