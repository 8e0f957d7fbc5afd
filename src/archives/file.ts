// Makes a file of a text: its gzip in pieces, and the lengths and hashes of both. Rules 10.12; RFC 9530.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import zlib from 'node:zlib';

/** A file as the database has it: see engine.archive_json. Hashes are SHA-256, in hexadecimal. */
export interface ArchiveFile {
  readonly bytes: number;
  readonly sha256: string;
  readonly coded_bytes: number;
  readonly coded_sha256: string;
  readonly pieces: number;
}

/** A statement with one is short, and a reader of a large file holds few. */
const pieceBytes = 262_144;

/** Level 6 of gzip without a name and a time: the same bytes for the same text. */
export const coder = (): zlib.Gzip => zlib.createGzip({ level: 6 });

/** Takes the text as fast as `keep` takes the pieces of its gzip, the first of which is 1. */
export async function makeFile(
  text: AsyncIterable<string>,
  keep: (piece: number, body: Buffer) => Promise<void> | void,
): Promise<ArchiveFile> {
  const [whole, coded] = [createHash('sha256'), createHash('sha256')];
  let bytes = 0;
  let codedBytes = 0;
  let pieces = 0;
  const counted = async function* () {
    for await (const part of text) {
      const buffer = Buffer.from(part);
      bytes += buffer.length;
      whole.update(buffer);
      yield buffer;
    }
  };
  let waiting: Buffer[] = [];
  let length = 0;
  const put = async (size: number) => {
    const all = Buffer.concat(waiting);
    const body = all.subarray(0, size);
    waiting = [all.subarray(size)];
    length -= body.length;
    pieces += 1;
    await keep(pieces, body);
  };
  const source = Readable.from(counted(), { objectMode: true, highWaterMark: 1 });
  const gzip = coder();
  source.once('error', (error) => gzip.destroy(error));
  try {
    for await (const part of source.pipe(gzip) as AsyncIterable<Buffer>) {
      codedBytes += part.length;
      coded.update(part);
      waiting.push(part);
      length += part.length;
      while (length >= pieceBytes) await put(pieceBytes);
    }
  } finally {
    source.destroy(); // what could not be kept is not read on
  }
  if (length > 0) await put(length);
  return { bytes, sha256: whole.digest('hex'), coded_bytes: codedBytes, coded_sha256: coded.digest('hex'), pieces };
}
