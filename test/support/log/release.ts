// What a verifier of this code holds a hill against, without a cluster of its own: another clone of the template.
import type { Verification } from '../../../src/verify/index.ts';
import { useDatabase } from '../hill/index.ts';

/** Call it at the top of a test file, behind useHill. */
export function useRelease(): NonNullable<Verification['withRelease']> {
  const database = useDatabase();
  return async (use) => {
    const client = await database.pool(database.rootUrl, 1).connect();
    try {
      return await use(client);
    } finally {
      client.release();
    }
  };
}
