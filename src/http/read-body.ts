// http/read-body.ts · the one way in which a door reads what a request carries: up to a length, and whole or not at all. How long it may take, process/listen.ts says.
import type http from 'node:http';
import { Failure } from '../db/errors.ts';

/** So much of what is too long is still read, and thrown away: a connection that is closed while something comes in may lose the answer with it. */
const overshoot = 1_048_576;

/** The text of at most so many bytes. Throws a Failure: BODY_TOO_LONG, or REQUEST_BROKEN_OFF, which nobody is there to hear. */
export async function readBody(req: http.IncomingMessage, most: number): Promise<string> {
  if (Number(req.headers['content-length']) > most + overshoot) throw new Failure('BODY_TOO_LONG');
  const chunks = await new Promise<Buffer[] | undefined>((resolve, reject) => {
    const kept: Buffer[] = [];
    let length = 0;
    req
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= most) kept.push(chunk);
        else if (length > most + overshoot) resolve(undefined);
      })
      .on('end', () => resolve(length <= most ? kept : undefined))
      .on('error', (error) => reject(new Failure('REQUEST_BROKEN_OFF', error)))
      .on('close', () => reject(new Failure('REQUEST_BROKEN_OFF')));
    if (req.errored) reject(new Failure('REQUEST_BROKEN_OFF', req.errored));
    else if (req.destroyed) reject(new Failure('REQUEST_BROKEN_OFF'));
  });
  if (!chunks) throw new Failure('BODY_TOO_LONG');
  return Buffer.concat(chunks).toString('utf8');
}
