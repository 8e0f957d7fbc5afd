// What to type, as the hill is run: under systemd, or by hand in development.
import type { Sight } from './sight.ts';

/** Starts, or starts again, what serves. */
export const start = ({ setting }: Sight, part: 'web' | 'worker' | 'console'): string => {
  if (setting === 'demo') return 'npm run demo';
  if (setting === 'development') return 'npm start';
  return part === 'web'
    ? 'systemctl restart hill-web@8080 (or npm run web), and journalctl -u hill-web@8080 for why it ended'
    : `systemctl restart hill-${part} (or npm run ${part}), and journalctl -u hill-${part} for why it ended`;
};

/** psql on the hill's database. */
export const psql = ({ embedded, dataDir }: Sight, what: string): string =>
  embedded ? `HILL_DATA_DIR=${dataDir} npm run psql -- ${what}` : `psql -d hill ${what}`;

/** "3 d 4 h", of something that is so long ago. */
export const ago = (at: string | Date, now = Date.now()): string => {
  const hours = Math.floor((now - new Date(at).getTime()) / 3_600_000);
  if (hours < 1) return 'less than an hour ago';
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
};
