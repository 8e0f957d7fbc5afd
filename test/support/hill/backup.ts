// Backups of a test's hill, and databases to restore them into.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { backUp } from '../../../src/backup/backup.ts';
import { openBackup } from '../../../src/backup/manifest.ts';
import { restoreInto } from '../../../src/backup/restore.ts';
import type { Verdict } from '../../../src/backup/verify.ts';
import type { ownSources } from '../../../src/db/migrate.ts';

export const silent = { show() {}, clear() {}, stopping: new AbortController().signal };

/** A folder that is gone after the test. */
export function aFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hill-backup-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const rootUrl = (database: string) => Object.assign(new URL(inject('adminUrl')), { pathname: `/${database}` }).href;

/** As the cluster's superuser. */
export async function aBackup(database: string, meanwhile?: (table: string) => Promise<void>): Promise<string> {
  const target = path.join(aFolder(), 'backup');
  await backUp(rootUrl(database), 'DATABASE_URL', target, silent, meanwhile);
  return target;
}

export interface EmptyPlace {
  readonly ownerUrl: string;
  readonly root: pg.Pool;
  restore(folder: string, secretLost?: boolean, sources?: typeof ownSources): Promise<Verdict>;
}

/** An empty database that the test cluster's owner owns, gone after the test. */
export async function anEmptyPlace(): Promise<EmptyPlace> {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client(inject('adminUrl'));
  await admin.connect();
  await admin.query(`create database ${name} owner hill`);
  const root = new pg.Pool({ connectionString: rootUrl(name), max: 2 });
  root.on('error', () => {});
  onTestFinished(async () => {
    await root.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  const ownerUrl = Object.assign(new URL(inject('templateUrl')), { pathname: `/${name}` }).href;
  return {
    ownerUrl,
    root,
    restore: async (folder, secretLost = false, sources) =>
      restoreInto(
        ownerUrl,
        folder,
        await openBackup(folder),
        silent,
        { secretLost, whenLoaded: async () => {} },
        sources,
      ),
  };
}
