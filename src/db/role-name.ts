// Names of roles that belong to one database, although roles belong to the cluster.
import { createHash } from 'node:crypto';

/**
 * `<database>_<suffix>`; PostgreSQL cuts names at 63 bytes, so a long database name is cut here, where it stays
 * distinct.
 */
export function roleName(database: string, suffix: string): string {
  const name = `${database}_${suffix}`;
  if (Buffer.byteLength(name) <= 63) return name;
  return `${createHash('sha256').update(database).digest('hex').slice(0, 24)}_${suffix}`;
}
