// A process that serves until it is told to stop, and then stops everything it started, last first.
import type { Logger } from './log.ts';
import { isSibling, onMessage } from './siblings.ts';

export interface Lifecycle {
  /** Aborted when the process is told to stop. Slow steps of the start watch it. */
  readonly stopping: AbortSignal;
  /**
   * Registers how to stop what was just started. Call it before the next await. `abandon` is for an exit that waits for
   * nothing.
   */
  onStop(stop: () => Promise<void>, abandon?: () => void): void;
  /** Says which unhandled rejections are harmless. Any other stops the process. */
  tolerate(harmless: (error: unknown) => boolean): void;
  /** Logs why and stops with a status other than 0: the process has lost something that it needs. */
  fail(why: string): void;
}

interface Started {
  stop(): Promise<void>;
  abandon?: (() => void) | undefined;
}

class StoppedEarly extends Error {}

/** Of several processes that stop together, the one that started the others says so. */
const says = isSibling ? 'debug' : 'info';

// The terminal sends a signal to npm and to us, and npm passes it on: what arrives within this time is the same one.
const echoMs = 500;

/**
 * Runs `start`, then waits for SIGINT, SIGTERM or SIGHUP; a second one forces the exit. Resolves to the exit code when
 * everything has stopped.
 */
export async function serve(log: Logger, start: (life: Lifecycle) => Promise<void>): Promise<number> {
  const started: Started[] = [];
  const stopping = new AbortController();
  let askedAt: number | undefined;
  let ask: (code: number) => void = () => {};
  const asked = new Promise<number>((resolve) => {
    ask = (code) => {
      askedAt ??= Date.now();
      stopping.abort();
      resolve(code);
    };
  });

  const onSignal = (signal: NodeJS.Signals) => {
    if (askedAt === undefined) log[says](`${signal}: stopping`);
    else if (Date.now() - askedAt > echoMs) process.exit(1);
    ask(0);
  };
  const onBug = (error: unknown) => {
    log.fatal({ err: error }, 'stopping after an unexpected error');
    ask(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  onMessage('stop', () => ask(0));
  const tolerated: ((error: unknown) => boolean)[] = [];
  const onRejection = (error: unknown) => {
    if (tolerated.some((harmless) => harmless(error)))
      log.debug({ err: error }, 'a harmless rejection was not handled');
    else onBug(error);
  };
  process.on('uncaughtException', onBug).on('unhandledRejection', onRejection);
  process.on('exit', () => {
    for (const { abandon } of started.reverse()) abandon?.();
  });

  const stopAll = async (): Promise<number> => {
    let code = 0;
    for (let last = started.at(-1); last; last = started.at(-1)) {
      try {
        await last.stop();
      } catch (error) {
        log.error({ err: error }, 'a part did not stop cleanly'); // what it depends on is stopped all the same
        code = 1;
      }
      started.pop();
    }
    return code;
  };
  try {
    await start({
      stopping: stopping.signal,
      onStop(stop, abandon) {
        started.push({ stop, abandon });
        if (askedAt !== undefined) throw new StoppedEarly();
      },
      tolerate: (harmless) => tolerated.push(harmless),
      fail(why) {
        log.fatal(why);
        ask(1);
      },
    });
  } catch (error) {
    await stopAll();
    if (error instanceof StoppedEarly) return asked;
    throw error;
  }
  // Keeps the process alive: a worker that has lost its connections has only timers that do not.
  const hold = setInterval(() => {}, 2 ** 30);
  const code = await asked;
  clearInterval(hold);
  const unclean = await stopAll();
  log[says]('stopped');
  return code || unclean;
}
