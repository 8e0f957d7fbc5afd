// Holds the first entry of a log that follows another against what is shown of that one. Rules 20.2.
import { hex } from '../log/bytes.ts';
import type { Checked } from './report.ts';

/** A log that has ended, as it was read. */
export interface EndedLog {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array | undefined;
}

/** `first` is the first entry of the log of that origin. */
export function checkHandOver({ check, note }: Checked, origin: string, first: string, before: EndedLog): void {
  const [, named, size, root] = /^log (\S+) (0|[1-9][0-9]*) ([0-9a-f]{64})$/.exec(first) ?? [];
  if (named === undefined) check(false, '', `The log ${origin} does not name the log that it goes on from.`);
  else if (named !== before.origin) note(`The log ${origin} goes on from ${named}, which is not shown.`);
  else if (Number(size) > before.size)
    note(
      `The log ${origin} goes on from ${size} entries of ${named}, of which ${before.size} are shown: the others were lost.`,
    );
  else
    check(
      Number(size) === before.size && root === (before.root && hex(before.root)),
      `The log ${origin} names the ${size} entries of ${named} that it goes on from.`,
      `The log ${origin} goes on from another history of ${named} than the one that is shown.`,
    );
}
