// npm run console: only the staff console, on CONSOLE_DATABASE_URL. "npm run migrate" has written its key.

import { startConsole } from '../console/index.ts';
import { checkContract } from '../db/contract.ts';
import { checkLogin } from '../db/logins.ts';
import { checkSettings } from '../db/open-hill.ts';
import { type Config, consolePort, metricsPort } from '../process/config.ts';
import { serve } from '../process/lifecycle.ts';
import { tryPort } from '../process/listen.ts';
import { makeLog } from '../process/log.ts';
import { aWatch, showWatch } from '../watch/index.ts';
import { loginUrl } from './login-url.ts';

export async function run(config: Config): Promise<number> {
  const url = loginUrl(config, 'console');
  const log = makeLog(config);
  return serve(log, async (life) => {
    for (const port of [consolePort(config), ...metricsPort(config)]) await tryPort(port);
    await checkLogin(url, 'console');
    await checkContract(url, 'console');
    await checkSettings(url, 'console', config);
    const watch = aWatch();
    const console = await startConsole(config, url, log);
    life.onStop(console.stop);
    life.onStop((await showWatch(config, 'console', watch)).stop);
    log.info(`the staff console is at http://localhost:${config.consolePort}`);
  });
}
