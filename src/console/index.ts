// The staff's door, on CONSOLE_PORT of the loopback address.
import type http from 'node:http';
import { budget } from '../db/budget.ts';
import { makePool } from '../db/pool.ts';
import { retrySeconds } from '../db/retry-after.ts';
import { toOriginForm } from '../http/target.ts';
import { type Config, consolePort } from '../process/config.ts';
import { listen, type Stoppable } from '../process/listen.ts';
import type { Logger } from '../process/log.ts';
import { answer, idOf } from '../process/request.ts';

export { keepStaffKey } from './staff-key.ts';

type Console = Awaited<ReturnType<typeof import('./app.ts').makeConsole>>;

/** `url` is the console's login. */
export async function startConsole(
  config: Pick<Config, 'consolePort' | 'connections' | 'baseUrl'> & Partial<Pick<Config, 'stopSeconds'>>,
  url: string,
  log: Logger,
  max = budget(config.connections, ['console']).console,
): Promise<Stoppable> {
  const pool = makePool({ url, name: 'hill console', log, max, statementTimeoutMs: 5_500 }); // a statement of staff has less: see staffPreset

  // PostGraphile takes a second to load and to inspect the database. The first request to the console waits for that;
  // the start of the hill does not.
  let made: Promise<Console> | undefined;
  const make = () => {
    made ??= import('./app.ts')
      .then(({ makeConsole }) => makeConsole(pool, log, config.baseUrl))
      .catch((error: unknown) => {
        made = undefined; // the next request tries again
        throw error;
      });
    return made;
  };
  const handler: http.RequestListener = (request, response) => {
    if (!toOriginForm(request)) {
      response.writeHead(400, { Connection: 'close' }).end();
      return;
    }
    const id = idOf(request.headers);
    response.setHeader('X-Request-Id', id);
    make().then(
      (console) => answer({ id, sealed: false }, () => console.handler(request, response)),
      (error: Error) => {
        log.error({ type: error.name }, `the console cannot be made: ${error.message}`);
        response
          .writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': String(retrySeconds) })
          .end('The console is not available: the log says why.');
      },
    );
  };

  const putAway = async () => {
    await (await made?.catch(() => undefined))?.release();
    await pool.end();
  };
  try {
    const server = await listen(handler, { ...consolePort(config), stopSeconds: config.stopSeconds ?? 0 });
    return {
      stop: async () => {
        await server.stop();
        await putAway();
      },
    };
  } catch (error) {
    await putAway();
    throw error;
  }
}
