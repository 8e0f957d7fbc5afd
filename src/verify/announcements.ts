// Holds what a hill shows of a day's announcements against what was committed to in the log, and their verdicts against
// what was played. Rules 6.3, 20.46, 20.47.
import { commitmentToAnnouncement, messageHashOf } from '../log/commitment.ts';
import { andOthers, type FileMove, hiddenWords } from './openings.ts';
import type { Checked } from './report.ts';

/** A line of announcements.ndjson, as far as it matters here. */
interface Announced {
  readonly occupant: { readonly accountId: string };
  readonly slot: number;
  readonly intention: string;
  readonly message: string | null;
  readonly at: string;
  readonly verdict: string;
  readonly opening?: {
    readonly salt: string;
    readonly message_hash: string | null;
    readonly message_salt: string | null;
  };
}

/** Of the log: the announcements of a day by their commitments, and whether each is there in time. */
export interface LoggedAnnouncements {
  readonly inTime: ReadonlyMap<string, boolean>;
  /** The first day that has any in the log: earlier ones of that day may be from before. */
  readonly first: boolean;
}

/** Of what was announced and what was played, or `nothing`. */
export type Verdicts = ReadonlyMap<string, string>;

export async function checkAnnouncements(
  { hill, check, note }: Checked,
  day: number,
  moves: readonly FileMove[],
  { inTime, first }: LoggedAnnouncements,
  verdicts: Verdicts | null,
): Promise<void> {
  const played = new Map(moves.map(({ account, slot, move }) => [`${account} ${slot}`, move]));
  const opened = new Set<string>();
  const wrong: string[] = [];
  let [shown, hidden, unsealed] = [0, 0, 0];
  for await (const line of hill.lines(`/api/day/${day}/announcements.ndjson`)) {
    const { occupant, slot, intention, message, at, verdict, opening } = JSON.parse(line) as Announced;
    const account_id = occupant.accountId;
    const which = `what ${account_id} announced on place ${slot}`;
    shown += 1;
    const right = verdicts?.get(`${intention} ${played.get(`${account_id} ${slot}`) ?? 'nothing'}`) ?? verdict;
    if (right !== verdict) wrong.push(`${which} was not ${verdict}`);
    if (!opening) {
      if (first) unsealed += 1;
      else wrong.push(`${which} is not opened`);
      continue;
    }
    const commitment = commitmentToAnnouncement({ day, account_id, slot, intention, at, ...opening });
    const there = inTime.get(commitment);
    if (there === undefined) wrong.push(`${which} opens to no announcement in the log`);
    else if (!there) wrong.push(`${which} was logged after the night`);
    else if (opened.has(commitment)) wrong.push(`${which} opens to one that another opens to, too`);
    opened.add(commitment);
    if (opening.message_salt !== null && message !== null) {
      if (messageHashOf(opening.message_salt, message) !== opening.message_hash)
        wrong.push(`${which} shows other words than were announced`);
    } else if (message === null || message === hiddenWords) hidden += opening.message_hash === null ? 0 : 1;
    else wrong.push(`${which} shows words that were not announced`);
  }
  const missing = [...inTime.keys()].filter((commitment) => !opened.has(commitment));
  if (missing.length > 0)
    wrong.push(`an announcement that the log has, ${missing[0]?.slice(0, 12)}, is not shown${andOthers(missing)}`);
  check(
    wrong.length === 0,
    `Each of the ${shown - unsealed} announcements of day ${day} opens to an entry of its own, says what was announced, or nothing, and was judged by what was played; the log has no other.`,
    `Of day ${day}, ${wrong[0]}${andOthers(wrong)}.`,
  );
  if (hidden > 0)
    note(
      `Of ${hidden} announcements of day ${day} the hill shows the hash of the words alone: they are hidden or deleted.`,
    );
  if (unsealed > 0)
    note(`${unsealed} announcements of day ${day} have no commitment: they are from before the log had them.`);
}
