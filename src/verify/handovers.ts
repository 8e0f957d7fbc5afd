// Whether a log follows the one before it by that one's own word, from its last checkpoint on. Rules 20.2, 20.38.
import { hex } from '../log/bytes.ts';
import { handsOver } from '../log/handover.ts';
import type { Listed, ReadLog } from './log.ts';
import type { Checked } from './report.ts';

/** `accepted`: the reader knows why, or has seen this log before. */
export function checkHandover(
  { check, note }: Checked,
  before: Pick<ReadLog, 'key' | 'head'>,
  read: ReadLog,
  { origin, handover }: Listed,
  accepted: boolean,
): void {
  const wrong = whyNot(before, read, handover ?? '');
  const { head } = before;
  const follows = `The log ${origin} goes on in the place of ${head.origin}`;
  if (wrong !== null && accepted) note(`${follows}, which does not say so itself, and was accepted: ${wrong}`);
  else
    check(
      wrong === null,
      `${follows}: from its last checkpoint on, which has ${head.size} entries, and by the word of its key.`,
      `${follows}, which does not say so itself: ${wrong} Ask the operator why, and accept it with --accept-generation, or do not believe what it says.`,
    );
}

/** In a sentence; null if nothing is wrong. */
function whyNot({ key, head }: Pick<ReadLog, 'key' | 'head'>, next: ReadLog, handover: string): string | null {
  const [kind, origin, size, root] = next.entries[0]?.split(' ') ?? [];
  if (kind !== 'log' || origin === undefined) return 'its first entry does not name a log before it.';
  if (origin !== head.origin) return `its first entry names ${origin}, which is not the one before it here.`;
  const more = Number(size) - head.size;
  if (more > 0) return `${more} entries that ${origin} had signed are not shown any more.`;
  if (more < 0) return `${origin} was signed for ${-more} entries more than the ${size} that it is said to have had.`;
  if (root !== hex(head.root)) return `it names another history of ${origin} than the one that is shown.`;
  return handsOver(handover, key, next.key) ? null : `the key of ${origin} has not named its key.`;
}
