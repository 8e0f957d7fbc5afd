// Who may run the scripts for DBAs: the superuser, the database's owner, and a login that is a member of hill_dba.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Hill } from '../../support/hill/index.ts';

export interface DbaUrls {
  readonly superuser: string;
  readonly owner: string;
  readonly dba: string;
}

export function useDbaLogins(hill: Hill): DbaUrls {
  const dba = `${hill.name}_dba`;
  const password = randomBytes(8).toString('hex');
  const superuser = Object.assign(new URL(inject('adminUrl')), { pathname: `/${hill.name}` }).href;

  beforeAll(async () => {
    // As docs/operations.md tells a DBA to make one. A clone has not its template's rights on the database itself.
    await hill.root.query(`create role ${dba} login password '${password}' in role hill_dba`);
    await hill.root.query(`grant connect on database ${hill.name} to hill_dba`);
  });
  afterAll(async () => {
    await hill.admin.query(`revoke all on database ${hill.name} from hill_dba; drop role ${dba}`);
  });
  return { superuser, owner: hill.ownerUrl, dba: Object.assign(new URL(superuser), { username: dba, password }).href };
}
