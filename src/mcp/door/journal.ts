// mcp/door/journal.ts · what is logged of calls: the tool, what came of it, how long it took. Never an argument, never who called. Decisions 7.
import type { Failure } from '../../db/errors.ts';
import type { Logger } from '../../process/log.ts';

/** A line of these would tell the instant of a deposit, and a refusal of one as well. They are told together, without what came of them. */
const sealed: ReadonlySet<string> = new Set(['play']);
/** As often as the public count of sealed moves is refreshed. */
const quarterHour = 15 * 60_000;

interface Sum {
  calls: number;
  ms: number;
  longest: number;
}

export interface Journal {
  called(tool: string, outcome: string, ms: number): void;
  /** Something broke: its kind, without its words. */
  failed(error: Failure): void;
}

export function journal(log: Logger, every = quarterHour): Journal {
  const sums = new Map<string, Sum>();
  const tell = () => {
    for (const [tool, { calls, ms, longest }] of sums)
      log.info(
        { tool, calls, mean_ms: Math.round(ms / calls), longest_ms: Math.round(longest) },
        `${tool} was called, in this quarter of an hour`,
      );
    sums.clear();
  };

  return {
    called(tool, outcome, ms) {
      if (!sealed.has(tool)) {
        log.info({ tool, outcome, ms: Math.round(ms) }, `${tool}: ${outcome}`);
        return;
      }
      // on the quarter hours of the clock: counted from the first call, it would tell when that was
      if (sums.size === 0) setTimeout(tell, every - (Date.now() % every)).unref();
      const sum = sums.get(tool) ?? { calls: 0, ms: 0, longest: 0 };
      sums.set(tool, { calls: sum.calls + 1, ms: sum.ms + ms, longest: Math.max(sum.longest, ms) });
    },
    failed: (error) => log.error({ code: error.code, kind: error.kind }, 'the play interface failed'),
  };
}
