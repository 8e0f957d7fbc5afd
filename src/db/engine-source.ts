// The sources of the engine as one file, whose SHA-256 the log has: a tar of sql/ and the migrations that is the same
// wherever it is made. Rules 20.9.
import fs from 'node:fs';
import path from 'node:path';

interface Folders {
  readonly migrations: string;
  readonly sql: string;
}

/** With "tar x" it becomes the folders sql and migrations again. */
export function engineSource({ migrations, sql }: Folders): Buffer {
  const files = [
    ...filesOf(path.join(migrations, 'committed')).map((file) => [
      `migrations/committed/${file}`,
      path.join(migrations, 'committed', file),
    ]),
    ...filesOf(sql).map((file) => [`sql/${file}`, path.join(sql, file)]),
  ] as [string, string][];
  return Buffer.concat([...files.flatMap(([name, file]) => entry(name, fs.readFileSync(file))), Buffer.alloc(1024)]);
}

/** Below a folder, in an order that no locale changes. */
const filesOf = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.split(path.sep).join('/'))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** POSIX ustar, with neither owner nor time. */
function entry(name: string, body: Buffer): Buffer[] {
  const head = Buffer.alloc(512);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  head.write(name, 0, 100, 'latin1');
  head.write(
    `${octal(0o644, 7)}${octal(0, 7)}${octal(0, 7)}${octal(body.length, 11)}${octal(0, 11)}        0`,
    100,
    'latin1',
  );
  head.write('ustar\x0000', 257, 'latin1');
  head.write(
    `${octal(
      head.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
    'latin1',
  );
  return [head, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
}
