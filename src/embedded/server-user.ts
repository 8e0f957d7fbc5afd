// The user that PostgreSQL runs as. It refuses root, so root runs it as an ordinary user of the machine.
import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../process/start-error.ts';

export interface ServerUser {
  readonly name: string;
  /** For spawn. Empty if Hill itself runs as an ordinary user. */
  readonly ids: { readonly uid: number; readonly gid: number } | Record<string, never>;
}

export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return { name: 'the current user', ids: {} };
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = users.find(([name]) => name === wanted) ?? [];
    if (name) return { name, ids: { uid: Number(uid), gid: Number(gid) } };
  }
  throw new StartError(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as: start Hill as an ordinary user, or set DATABASE_URL.',
  );
}

export function give(file: string, { ids }: ServerUser): void {
  if ('uid' in ids) fs.chownSync(file, ids.uid as number, ids.gid as number);
}

/** Checks that PostgreSQL's user may enter every folder above the data. /root, for one, is closed to it. */
export function checkReachable(dir: string, user: ServerUser): void {
  if (!('uid' in user.ids)) return;
  const { uid, gid } = user.ids;
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    const { mode, uid: owner, gid: group } = fs.statSync(at);
    const execute = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if (!(mode & execute))
      throw new StartError(
        `HILL_DATA_DIR: PostgreSQL runs as user "${user.name}", which cannot enter ${at}: set HILL_DATA_DIR to a folder below /var/lib, or start Hill as an ordinary user.`,
      );
    if (at === path.dirname(at)) return;
  }
}
