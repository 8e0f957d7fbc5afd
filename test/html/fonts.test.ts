// The fonts of pictures are unpacked once for all processes of a user, and never taken from a folder of somebody else.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { fontsIn } from '../../src/html/fonts.ts';

let temporary: string;
/** As every process calls it. */
let usual: string;
beforeAll(async () => {
  usual = path.basename(await fontsIn(tmpdir()));
});
beforeEach(async () => {
  temporary = await mkdtemp(path.join(tmpdir(), 'hill-test-fonts-'));
});
afterEach(() => rm(temporary, { recursive: true }));

const here = () => readdir(temporary);
const font = 'inter-latin-400-normal.ttf';

test('a process that is killed leaves what the next one uses', async () => {
  const { signal } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      "await (await import('./src/html/fonts.ts')).fontsAtHand(); process.kill(process.pid, 'SIGKILL')",
    ],
    { env: { ...process.env, TMPDIR: temporary } },
  );
  expect(signal).toBe('SIGKILL');
  const left = await here();
  expect(left).toEqual([usual]);
  const folder = path.join(temporary, usual);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);

  const unpackedAt = async () => (await stat(path.join(folder, font))).mtimeMs;
  const before = await unpackedAt();
  expect(await fontsIn(temporary)).toBe(folder);
  expect([await here(), await unpackedAt()]).toEqual([left, before]);

  // what is cleared away, and what another process had half written, is mended
  await rm(path.join(folder, font));
  await writeFile(path.join(folder, `${font}.1.part`), 'half');
  await fontsIn(temporary, folder);
  expect((await readdir(folder)).filter((file) => file.startsWith(font))).toEqual([font]);
  await rm(folder, { recursive: true });
  expect([await fontsIn(temporary, folder), (await readdir(folder)).includes(font)]).toEqual([folder, true]);
});

test.each(['that others may write into', 'that is a link', 'that is a file'])(
  'a folder %s is left alone',
  async (kind) => {
    const theirs = path.join(temporary, usual);
    const planted = path.join(temporary, 'planted');
    if (kind === 'that is a link') await mkdir(planted, { mode: 0o700 }).then(() => symlink(planted, theirs));
    else if (kind === 'that is a file') await writeFile(theirs, '', { mode: 0o700 });
    else await mkdir(theirs).then(() => chmod(theirs, 0o777));

    const own = await fontsIn(temporary);
    expect(own).not.toBe(theirs);
    expect((await stat(own)).mode & 0o777).toBe(0o700);
    expect(await readdir(own)).toContain(font);
    expect(kind === 'that is a file' ? (await stat(theirs)).size : (await readdir(theirs)).length).toBe(0);
  },
);
