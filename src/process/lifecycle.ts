// process/lifecycle.ts · a process that serves until it is told to stop, and then puts everything away in the reverse of the order it was taken out.
import type { Logger } from './log.ts';

export interface Lifecycle {
  /** Aborted when the process is told to stop: for work of the start that may take long. */
  readonly stopping: AbortSignal;
  /** Says how to put away what was just started; `abandon` is for an exit that waits for nothing. Do it before anything else is awaited. */
  onStop(stop: () => Promise<void>, abandon?: () => void): void;
  /** Rejections that nobody handles and that are no bug: everything else that nobody handles stops the process. */
  tolerate(harmless: (error: unknown) => boolean): void;
  /** Stops with a line that says why, and a status other than 0: what the process cannot do without is gone. */
  fail(why: string): void;
}

interface Started {
  stop(): Promise<void>;
  abandon?: (() => void) | undefined;
}

class StoppedEarly extends Error {}

// npm passes a signal on that the terminal has already sent to us: what follows at once is the same one, not a second.
const echoMs = 500;

/** Runs `start`, then waits for SIGINT, SIGTERM or SIGHUP; a second one forces. Resolves to the exit code when all is put away. */
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
    if (askedAt === undefined) log.info(`${signal}: stopping`);
    else if (Date.now() - askedAt > echoMs) process.exit(1);
    ask(0);
  };
  const onBug = (error: unknown) => {
    log.fatal({ err: error }, 'stopping after an unexpected error');
    ask(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  const tolerated: ((error: unknown) => boolean)[] = [];
  const onRejection = (error: unknown) => {
    if (tolerated.some((harmless) => harmless(error))) log.debug({ err: error }, 'a rejection that nobody handles, and that does no harm');
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
        log.error({ err: error }, 'something could not be put away in good order'); // and what it stood on is put away all the same
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
  // Nothing else may hold the process: a worker that has lost its connections has nothing but timers that do not count.
  const hold = setInterval(() => {}, 2 ** 30);
  const code = await asked;
  clearInterval(hold);
  const unclean = await stopAll();
  log.info('stopped');
  return code || unclean;
}
