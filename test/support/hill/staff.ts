// Members of the staff, as tests want them.
import { type Account, anAccount } from './accounts.ts';
import type { staffDoor } from './doors.ts';
import type { Hill } from './hill.ts';

export type Role = 'viewer' | 'support' | 'manager' | 'owner';

/** A member of the staff, with an account of their own. */
export async function aMember(hill: Hill, role: Role): Promise<ReturnType<typeof staffDoor> & { account: Account }> {
  const account = await anAccount(hill);
  await hill.root.query('insert into hill.staff_members (account_id, name, role, since) values ($1, $2, $3, now())', [
    account.id,
    account.name,
    role,
  ]);
  return { account, ...hill.asStaff(account.name, account.id) };
}
