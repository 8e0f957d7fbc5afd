// commands/console.ts · npm run console: the staff's door alone, on CONSOLE_DATABASE_URL. The key is the one that "npm run migrate" left.
import type { Config } from '../config.ts';
import { consolePort, startConsole } from '../console/index.ts';
import { checkContract } from '../db/contract.ts';
import { checkLogin } from '../db/logins.ts';
import { checkSettings } from '../db/open-hill.ts';
import { serve } from '../lifecycle.ts';
import { tryPort } from '../listen.ts';
import { makeLog } from '../log.ts';
import { loginUrl } from './login-url.ts';

export async function run(config: Config): Promise<number> {
  const url = loginUrl(config, 'console');
  const log = makeLog(config);
  return serve(log, async (life) => {
    await tryPort(consolePort(config));
    await checkLogin(url, 'console');
    await checkContract(url, 'console');
    await checkSettings(url, 'console', config);
    const console = await startConsole(config, url, log);
    life.onStop(console.stop);
    log.info(`the staff console is at http://localhost:${config.consolePort}`);
  });
}
