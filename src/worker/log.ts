// Signs what the log has become, and never two histories of it. Rules 20.2, 20.6, 20.7.
import type pg from 'pg';
import { call } from '../db/call.ts';
import { parseCheckpoint } from '../log/checkpoint.ts';
import { signCheckpoint } from '../log/signing.ts';
import { numberLog } from './calls.ts';
import { type Head, isPast, type LogSettings, readHead, sameHead, signersOf } from './log-head.ts';
import { type Known, lookOutside, remember } from './look-outside.ts';
import { continueLog } from './next-log.ts';

/**
 * Numbers what is due and signs it, if what is known outside shows that all that was signed is the beginning of it;
 * otherwise another log begins, and is signed. Returns the last checkpoint, which is stored and may be served. Run it
 * at each start and on each quarter hour. Throws NotVouched.
 */
export async function publishLog(db: pg.Pool, settings: LogSettings): Promise<string> {
  const known = await lookOutside(db, settings);
  await continueLog(db, settings, known);
  while ((await numberLog(db)) !== null);
  // Read once more, in one statement with what is signed: the database may have become another one meanwhile.
  const heads = await Promise.all([undefined, ...known.checkpoints].map((checkpoint) => readHead(db, checkpoint)));
  const head = heads[0];
  if (
    !head ||
    !heads.every(
      (other, n) =>
        other && sameHead(other, head) && (other.continues || isPast(settings, head, known.checkpoints[n - 1])),
    )
  )
    throw new Error('The log changed while it was to be signed: nothing was signed.');
  if (head.signed && head.checkpoint) {
    await remember(settings, parseCheckpoint(head.checkpoint), known);
    return head.checkpoint;
  }
  const note = await sign(db, settings, head, known);
  if (!note) throw new Error('The log changed while it was signed: that signature is not kept.');
  return note;
}

async function sign(db: pg.Pool, settings: LogSettings, head: Head, known: Known): Promise<string | null> {
  const root = Buffer.from(head.root, 'base64');
  const note = signCheckpoint({ ...head, root }, signersOf(settings, head.origin), Math.floor(Date.now() / 1_000));
  const { generation, size } = head;
  // First, so that whoever ends between the two leaves no database that is ahead of the file.
  await remember(settings, parseCheckpoint(note), known);
  const proof = settings.prove('checkpoint', String(generation), String(size), root.toString('hex'), note);
  return call(db, 'api_worker.keep_checkpoint', { generation, size, root, note, ...proof });
}
