// The key that opens the console: a file for whoever has the machine; its hash is in the database.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../db/connect.ts';
import { callAsOwner } from '../db/open-hill.ts';
import type { Config } from '../process/config.ts';
import { StartError } from '../process/start-error.ts';

/**
 * Makes the key at the first start, and stores its hash in the database at every start. Replacing the key ends the
 * sessions of the old one: delete the file and start again. Returns the path of the file.
 */
export async function keepStaffKey({ dataDir }: Pick<Config, 'dataDir'>, owner: Place): Promise<string> {
  const file = path.join(dataDir, 'staff-key');
  const key = keyIn(file);
  // Only the hash: the key itself is in no statement.
  const hash = createHash('sha256').update(key).digest();
  await callAsOwner(owner, 'trusted.set_staff_key', { key_hash: hash });
  return file;
}

function keyIn(file: string): string {
  try {
    if (!fs.existsSync(file)) make(file);
    fs.chmodSync(file, 0o600);
    const key = fs.readFileSync(file, 'utf8').trim();
    if (key.length >= 32) return key;
  } catch (error) {
    throw new StartError(
      `HILL_DATA_DIR: cannot keep the staff key in ${file} (${(error as NodeJS.ErrnoException).code}): set HILL_DATA_DIR to a folder that can be written to.`,
    );
  }
  throw new StartError(
    `${file} has no staff key of at least 32 characters: delete it, and the next start makes a new one.`,
  );
}

/** Written to another file and linked, so that two simultaneous starts read the same complete key. */
function make(file: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o711 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  fs.writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    fs.unlinkSync(draft);
  }
}
