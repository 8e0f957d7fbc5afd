// Secrets: whether they are there, fit, and are read by nobody else. No line has anything of one.
import fs from 'node:fs';
import path from 'node:path';
import { secretFits } from '../../db/kept-settings.ts';
import { knownSecret, wrongSecret } from '../../process/secret.ts';
import { type Check, fail, none, ok, Unseen, warn } from '../check.ts';
import type { Sight } from '../sight.ts';

const shortest = 32;

const fits = ({ asOwner, as }: Sight, secret: string): Promise<boolean | null> =>
  asOwner((owner) => secretFits(owner, secret, 'engine')).catch(() =>
    as('worker', (worker) => secretFits(worker, secret, 'api_worker')).catch(() =>
      as('web', (web) => secretFits(web, secret, 'api_human')),
    ),
  );

/** Those that the settings name, and those that Hill itself makes. */
const filesOf = ({ config, dataDir }: Sight): string[] => [
  ...new Set([
    ...Object.values(config.secretFiles),
    ...['signing-secret', 'staff-key', 'password'].flatMap((name) =>
      [config.dataDir, dataDir].map((folder) => path.join(folder, name)),
    ),
  ]),
];

export const secrets: readonly Check[] = [
  {
    code: 'secrets.signing',
    async look(sight) {
      const secret = knownSecret(sight.config);
      if (secret === null) throw new Unseen('HILL_SIGNING_SECRET is not set here');
      if (secret.length < shortest) return fail(`the signing secret has fewer than ${shortest} characters`);
      const fit = await fits(sight, secret);
      if (fit === null) return fail('the database does not know HILL_SIGNING_SECRET', 'npm run migrate, with it');
      return fit ? ok('the signing secret is the one of this database') : fail(wrongSecret.split('. Set')[0] as string);
    },
    type: 'HILL_SIGNING_SECRET=… of this hill, from where your secrets are (docs/operations.md#the-signing-secret)',
  },
  {
    code: 'secrets.files',
    look(sight) {
      const read = filesOf(sight).flatMap((file) => {
        try {
          return [{ file, mode: fs.statSync(file).mode & 0o777 }];
        } catch {
          return []; // none, or in a folder that is closed to whoever asks
        }
      });
      const open = read.filter(({ mode }) => mode & 0o077);
      if (open.length === 0)
        return read.length === 0 ? none('no secret is in a file') : ok('files of secrets are closed');
      const [first] = open;
      const says = `others on this machine may read ${open.map(({ file, mode }) => `${file} (${mode.toString(8)})`).join(', ')}`;
      const type = `chmod 600 ${open.map(({ file }) => file).join(' ')}`;
      return first && open.some(({ mode }) => mode & 0o007) ? fail(says, type) : warn(says, type);
    },
    type: 'chmod 600 FILE',
  },
];
