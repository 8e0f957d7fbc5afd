// Reads the body of a request: whole, and up to a length. How long that may take, process/listen.ts says.
import type http from 'node:http';
import { finished } from 'node:stream';
import rawBody from 'raw-body';
import { Failure } from '../db/errors.ts';

/**
 * This much of a body that is too long is read and thrown away: a connection that is closed while data still arrives
 * may lose the answer.
 */
const overshoot = 4_194_304;

/**
 * At most `most` bytes, as text. Throws a Failure: BODY_TOO_LONG, or REQUEST_BROKEN_OFF, which no client is left to
 * read.
 */
export const readBody = async (req: http.IncomingMessage, most: number): Promise<string> =>
  (await readBytes(req, most)).toString();

/** The same as they came, for what is signed. */
export async function readBytes(req: http.IncomingMessage, most: number): Promise<Buffer> {
  const length = req.headers['content-length'];
  try {
    return await rawBody(req, { limit: most, length: length ?? null });
  } catch (error) {
    if ((error as { type?: string }).type !== 'entity.too.large') throw new Failure('REQUEST_BROKEN_OFF', error);
  }
  if (!(Number(length) > most + overshoot)) await discard(req);
  throw new Failure('BODY_TOO_LONG');
}

const discard = (req: http.IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let left = overshoot;
    finished(req, () => resolve());
    req.on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) resolve();
    });
    req.resume();
  });
