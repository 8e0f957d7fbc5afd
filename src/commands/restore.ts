// npm run restore: builds a hill from a backup in an empty place, and verifies it. docs/backup.md.
import path from 'node:path';
import { checkRoom } from '../backup/folder.ts';
import { type Manifest, openBackup } from '../backup/manifest.ts';
import { inThousands, progressOn } from '../backup/progress.ts';
import { rememberRestore } from '../backup/record.ts';
import { restoreInto } from '../backup/restore.ts';
import { keepProofKey } from '../db/kept-settings.ts';
import { knowsMigrations } from '../db/migrate.ts';
import { withOwnerDatabase } from '../db/owner-database.ts';
import type { Config } from '../process/config.ts';
import { knownSecret, sealer } from '../process/secret.ts';
import { StartError } from '../process/start-error.ts';

/** What rows take in tables and indexes, against what they take as text. */
const growth = 3;

export async function run(config: Config, args: string[]): Promise<number> {
  const { folder, secretLost } = parse(args);
  const progress = progressOn();
  // Everything that can be wrong with the backup or the settings is found before anything is made.
  const manifest = await openBackup(folder, (name) => progress.show(`Checking ${name} …`));
  progress.clear();
  console.log(
    `The backup of ${instant(manifest.taken_at)} is whole: ${manifest.tables.length} tables, each as it was written.`,
  );
  if (!(await knowsMigrations(manifest.migrations)))
    throw new StartError(
      `The backup is of a newer version of Hill (${manifest.hill}) than this code, or of another one. Restore it with that code. Nothing was restored.`,
    );
  const secret = secretLost ? null : secretFor(config, manifest);
  if (!config.databaseUrl)
    await checkRoom(
      config.dataDir,
      manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0) * growth,
      'this restore',
    );

  const verdict = await withOwnerDatabase(config, async (ownerUrl) => {
    const verdict = await restoreInto(ownerUrl, folder, manifest, progress, {
      secretLost,
      whenLoaded: async (rows) => {
        progress.clear();
        console.log(`Restored ${inThousands(rows)} rows.`);
      },
    });
    if (secret !== null) await keepProofKey(secret, ownerUrl);
    return verdict;
  }).catch((error: Error) => {
    throw error.name === 'AbortError'
      ? new StartError('Stopped before the end: what was begun is no hill. Begin again with a new database.')
      : error;
  });
  const forgotten = rememberRestore(folder, verdict.good);
  console.log(
    [
      ...verdict.lines,
      ...(manifest.signing_key === null || secretLost ? [] : ['HILL_SIGNING_SECRET opens the signing keys.']),
      ...(secretLost
        ? [
            'Signing keys were left out and webhooks ended: the access tokens that agents hold are void, and they refresh them or sign in again.',
          ]
        : []),
      ...(forgotten === null ? [] : [`npm run doctor will not know that it was tried: ${forgotten}.`]),
      '',
      ...whatIsMissing(manifest),
    ].join('\n'),
  );
  return verdict.good ? 0 : 1;
}

function parse(args: string[]): { folder: string; secretLost: boolean } {
  const [folder, ...more] = args.filter((arg) => arg !== '--secret-lost');
  if (!folder || folder.startsWith('-') || more.length > 0)
    throw new StartError(
      'Name the folder of a backup: npm run restore -- backups/2027-01-01 (with --secret-lost if HILL_SIGNING_SECRET is gone for good)',
    );
  return { folder: path.resolve(folder), secretLost: args.includes('--secret-lost') };
}

/** With another one the hill would not start. */
function secretFor(config: Config, { signing_key }: Manifest): string | null {
  const secret = knownSecret(config);
  if (signing_key === null) return secret;
  if (secret === null)
    throw new StartError(
      `HILL_SIGNING_SECRET is missing: it seals the signing keys of this backup. Set it to the one of the hill that was backed up${config.env === 'production' ? '' : ` (in development: copy its file signing-secret into ${config.dataDir})`}. Nothing was restored.`,
    );
  try {
    sealer(() => secret).open(signing_key.sealed_private, signing_key.kid);
  } catch {
    throw new StartError(
      'HILL_SIGNING_SECRET is not the one that sealed the signing keys of this backup. Set that one. Nothing was restored.',
    );
  }
  return secret;
}

/** What an operator has to know before this hill is started. */
function whatIsMissing({ taken_at, clock, last_night, last_bell_at, last_deposit_at }: Manifest): string[] {
  return [
    last_night === 0 || last_bell_at === null
      ? 'No night was published before the backup.'
      : `The last published night is ${last_night}, of the bell at ${instant(last_bell_at)}.`,
    last_deposit_at === null ? 'There was no deposit.' : `The last deposit is of ${instant(last_deposit_at)}.`,
    `Whatever came after ${instant(taken_at)} is not here: deposits, sign-ins, payments, mandates, cut-offs.`,
    clock === 'real'
      ? 'Bells that are due since then ring when the hill starts, with the moves that are here. Nights published after the backup then come out differently: read docs/backup.md first.'
      : 'Its clock is simulated: start it with HILL_CLOCK=simulated.',
  ];
}

/** "2027-01-01 03:00:00 UTC" */
const instant = (iso: string) => `${iso.slice(0, 19).replace('T', ' ')} UTC`;
