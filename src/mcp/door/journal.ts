// mcp/door/journal.ts · what is logged of calls: the tool, the outcome, the duration. Never an argument, never the caller. Rules 9.2.
import type { Failure } from '../../db/errors.ts';
import type { Logger } from '../../process/log.ts';
import { outsideRequests } from '../../process/request.ts';

/** A line for each call would tell when a move was deposited, or refused. These are logged as sums, without outcomes. */
const sealed: ReadonlySet<string> = new Set(['play']);
export const isSealed = (tool: string): boolean => sealed.has(tool);
/** The public count of sealed moves is refreshed as often. */
const quarterHour = 15 * 60_000;

interface Sum {
  calls: number;
  ms: number;
  longest: number;
}

export interface Journal {
  called(tool: string, outcome: string, ms: number): void;
  /** Something broke: logs its kind, not its message. */
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
      // on the clock's quarter hours: a delay counted from the first call would tell when that call was
      if (sums.size === 0) outsideRequests(() => setTimeout(tell, every - (Date.now() % every)).unref());
      const sum = sums.get(tool) ?? { calls: 0, ms: 0, longest: 0 };
      sums.set(tool, { calls: sum.calls + 1, ms: sum.ms + ms, longest: Math.max(sum.longest, ms) });
    },
    failed: (error) => log.error({ code: error.code, kind: error.kind }, 'the play interface failed'),
  };
}
