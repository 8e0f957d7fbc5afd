// How a log names the one after it: a note that its key signs, which is no checkpoint. Rules 20.2.
import { isSignedBy, parseNote, type Verifier, verifierKey } from './note.ts';

/** The first line is no origin of a log, and the second no size. */
export const handoverText = (from: Verifier, to: Verifier): string =>
  `hill log handover\n${from.name}\n${verifierKey(to)}\n`;

/** Whether the key of a log names another as that of the log after it. Of any other text it does not. */
export function handsOver(note: string, from: Verifier, to: Verifier): boolean {
  try {
    const parsed = parseNote(note);
    return parsed.text === handoverText(from, to) && isSignedBy(parsed, from);
  } catch {
    return false;
  }
}
