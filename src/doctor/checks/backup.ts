// The last backup, and the last restore that was tried.
import fs from 'node:fs';
import { type MadeBackup, madeBackups, type TriedRestore, triedRestore } from '../../backup/record.ts';
import { type Check, fail, none, ok, warn } from '../check.ts';
import type { Sight } from '../sight.ts';
import { ago } from '../ways.ts';

const hourMs = 3_600_000;
const [lateHours, goneHours, triedDays] = [26, 72, 90];

/** A hill that nobody would miss needs none. */
const needed = ({ setting }: Sight) => setting === 'production';

const restores = (made: readonly MadeBackup[]): TriedRestore[] =>
  made
    .flatMap(({ folder }) => triedRestore(folder) ?? [])
    .sort((a, b) => Date.parse(b.restored_at) - Date.parse(a.restored_at));

export const backup: readonly Check[] = [
  {
    code: 'backup.made',
    look(sight) {
      if (!needed(sight)) return none('backups');
      const last = madeBackups(sight.config.dataDir).at(-1);
      if (!last) return fail(`no backup is known to HILL_DATA_DIR ${sight.config.dataDir}`);
      const hours = (Date.now() - Date.parse(last.taken_at)) / hourMs;
      const says = `the last backup is of ${ago(last.taken_at)}${fs.existsSync(last.folder) ? '' : ', and not on this machine any more'}`;
      return hours > goneHours ? fail(says) : hours > lateHours ? warn(says) : ok(says);
    },
    type: 'systemctl enable --now hill-backup.timer, or npm run backup -- /var/backups/hill/$(date -u +%F)',
  },
  {
    code: 'backup.tried',
    look(sight) {
      if (!needed(sight)) return none('restores');
      const made = madeBackups(sight.config.dataDir);
      if (made.length === 0) return none('there is no backup to restore');
      const [last] = restores(made);
      if (!last) return warn('no restore of a backup was tried: nobody knows whether one can be');
      if (!last.good) return fail(`what was restored ${ago(last.restored_at)} did not agree`);
      const says = `a restore was tried ${ago(last.restored_at)}`;
      return Date.now() - Date.parse(last.restored_at) > triedDays * 24 * hourMs ? warn(says) : ok(says);
    },
    type: 'HILL_DATA_DIR=/tmp/rehearsal DATABASE_URL=… of an empty database npm run restore -- FOLDER (docs/backup.md#restore)',
  },
];
