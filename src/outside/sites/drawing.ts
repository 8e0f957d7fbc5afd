// Has a picture drawn anew in a process of its own, and encodes what comes back: 64 x 64 pixels, of which every value
// is a colour.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { drawEnd } from './draw-end.ts';
import { iconPixels } from './icon-links.ts';
import { isIco, isPicture } from './picture-kind.ts';

/** not_installed: this machine has no image library that fits it. */
export type Drawn =
  | { readonly png: Buffer }
  | { readonly failed: 'not_installed' | 'not_an_image' | 'too_large' | 'cannot_be_drawn' };

/** Of the processor, whose work the kernel counts; and by the clock, for a machine that is busy. */
const cpuSeconds = 5;
const patienceMs = 15_000;
/**
 * On Linux; of the process's data, half of which V8 reserves and never touches. Others have the limit of pixels alone.
 */
const dataKilobytes = 1_048_576;
const pixelBytes = iconPixels * iconPixels * 4;

const program = fileURLToPath(new URL('./draw-process.ts', import.meta.url));
// A shell, since only it can set limits that the kernel holds. Each is set if the system has it.
const limited = `for l in 'c 0' 't ${cpuSeconds}' 'd ${dataKilobytes}'; do ulimit -$l 2>/dev/null; done; exec "$0" "$@"`;

const reasons: Readonly<Record<number, Drawn>> = {
  [drawEnd.notInstalled]: { failed: 'not_installed' },
  [drawEnd.tooLarge]: { failed: 'too_large' },
};

/** Nothing that the bytes contain makes it throw, and nothing of them is in the result but colours. */
export async function draw(bytes: Buffer): Promise<Drawn> {
  return isPicture(bytes) || isIco(bytes) ? drawInProcess(bytes) : { failed: 'not_an_image' };
}

function drawInProcess(bytes: Buffer): Promise<Drawn> {
  return new Promise((resolve) => {
    const child = spawn(
      '/bin/sh',
      ['-c', limited, process.execPath, '--max-old-space-size=64', '--v8-pool-size=1', program],
      {
        env: { UV_THREADPOOL_SIZE: '2' },
        cwd: '/',
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: patienceMs,
        killSignal: 'SIGKILL',
      },
    );
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdin.on('error', () => {}); // it ended before it had read everything
    child.stdout
      .on('error', () => {})
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > pixelBytes) child.kill('SIGKILL');
        else chunks.push(chunk);
      });
    // Without a shell there are no limits, so nothing is drawn.
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ failed: error.code === 'ENOENT' ? 'not_installed' : 'cannot_be_drawn' }),
    );
    child.once('close', (code) => {
      const whole = code === 0 && size === pixelBytes;
      resolve(whole ? { png: encoded(Buffer.concat(chunks)) } : (reasons[code ?? 0] ?? { failed: 'cannot_be_drawn' }));
    });
    child.stdin.end(bytes);
  });
}

/** A PNG of nothing but its pixels: no profile, no text, no instant. */
function encoded(pixels: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(iconPixels, 0);
  head.writeUInt32BE(iconPixels, 4);
  head.set([8, 6], 8); // 8 bits, RGBA
  const rows = Array.from({ length: iconPixels }, (_, y) => [
    Buffer.of(0),
    pixels.subarray(y * iconPixels * 4, (y + 1) * iconPixels * 4),
  ]);
  const data = zlib.deflateSync(Buffer.concat(rows.flat()), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(zlib.crc32(body));
  return Buffer.concat([length, body, sum]);
}
