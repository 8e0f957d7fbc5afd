// Names from before each was one account's own.
import { type Account, type AccountOptions, anAccount } from './accounts.ts';
import type { Hill } from './hill.ts';

/** An account with a name that nobody has looked at yet, as a hill of that time has it. */
export async function withAnOldName(hill: Hill, name: string, options: AccountOptions = {}): Promise<Account> {
  const account = await anAccount(hill, options);
  await hill.asRoot(async (client) => {
    await client.query('begin');
    await client.query('set local session_replication_role = replica'); // as without triggers
    await client.query('update hill.accounts set name = $2 where id = $1', [account.id, name]);
    await client.query('delete from hill.name_skeletons where account_id = $1', [account.id]);
    await client.query('commit');
  });
  return { ...account, name };
}

/** What `npm run migrate` does with them, and at how many accounts each piece looked. */
export async function holdOldNames(hill: Hill, atMost = 200): Promise<number[]> {
  const pieces: number[] = [];
  do {
    const [row] = await hill.rows<{ looked: number }>('select trusted.hold_old_names($1) as looked', [atMost]);
    pieces.push(row?.looked ?? 0);
  } while (pieces.at(-1));
  return pieces;
}
