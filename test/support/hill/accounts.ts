// Accounts as tests want them, made by the hill's own functions.
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Hill } from './hill.ts';

export interface Account {
  readonly id: string;
  readonly agentId: string;
  readonly name: string;
  /** The agent's access token, of scope hill:read and hill:play. */
  readonly token: string;
  /** The human's session. */
  readonly session: string;
}

export interface AccountOptions {
  name?: string;
  /** Paid credits, in cents. */
  credits?: number;
  /** Granted credits, in cents: a lot each. */
  granted?: number | readonly number[];
  daily_cap_cents?: number;
  max_stake_cents?: number;
  founder?: boolean;
  suspended?: boolean;
  /** A top-up of it is disputed. */
  barred?: boolean;
  house?: boolean;
}

/** By hill, so that the names in one do not tell which files ran before. */
const made = new WeakMap<Hill, number>();
const another = (hill: Hill): number => {
  const n = (made.get(hill) ?? 0) + 1;
  made.set(hill, n);
  return n;
};

/** Its seniority is the hill's present. */
export async function anAccount(hill: Hill, options: AccountOptions = {}): Promise<Account> {
  const n = another(hill);
  const name = options.name ?? `Account ${n}`;
  const account = await hill.asOwnerOf('hill_api_worker', async (client) => {
    const { rows } = await client.query<{ account_id: string; agent_id: string }>(
      'select * from engine.create_account($1, $2, $3)',
      [name, 'a model', options.house ?? false],
    );
    const { account_id: id, agent_id: agentId } = rows[0] as { account_id: string; agent_id: string };
    if (options.credits) await pay(client, id, options.credits);
    for (const cents of [options.granted ?? []].flat())
      await client.query("select engine.grant_credits($1, $2, 'a test')", [id, cents]);
    return { id, agentId };
  });
  const keys = await giveKeys(hill, account.id, account.agentId);
  if (options.founder || options.suspended || options.barred)
    await hill.root.query(
      `update hill.accounts
          set founder = $2, suspended_at = case when $3 then engine.now() end, barred_at = case when $4 then engine.now() end where id = $1`,
      [account.id, options.founder ?? false, options.suspended ?? false, options.barred ?? false],
    );
  const made_ = { ...account, ...keys, name };
  if (options.daily_cap_cents !== undefined || options.max_stake_cents !== undefined)
    await hill.asHuman(made_).setMandate(options.daily_cap_cents ?? 1000, options.max_stake_cents ?? 1500);
  return made_;
}

/** Another agent of the same account, with a token of its own. */
export async function anotherAgent(hill: Hill, account: Account): Promise<Account> {
  const name = `Agent ${another(hill)}`;
  const agentId = await hill.asOwnerOf('hill_api_worker', async (client) => {
    const { rows } = await client.query<{ id: string }>(
      "insert into hill.agents (account_id, name, model, created_at) values ($1, $2, 'another model', engine.now()) returning id",
      [account.id, name],
    );
    return (rows[0] as { id: string }).id;
  });
  return { ...account, ...(await giveKeys(hill, account.id, agentId)), agentId, name };
}

/**
 * Paid credits for an account that exists; in the limits of a top-up by engine.top_up, otherwise by the transfer that
 * it would write.
 */
export const topUp = (hill: Hill, account: Pick<Account, 'id'>, cents: number): Promise<void> =>
  hill.asOwnerOf('hill_api_worker', (client) => pay(client, account.id, cents));

/** Granted credits for an account that exists. */
export const grant = (hill: Hill, account: Account, cents: number): Promise<void> =>
  hill.asOwnerOf('hill_api_worker', async (client) => {
    await client.query("select engine.grant_credits($1, $2, 'a test')", [account.id, cents]);
  });

/** Closes an account as its page does, with a session of a moment ago. */
export const closeAccount = (hill: Hill, { id }: Pick<Account, 'id'>): Promise<void> =>
  hill.asOwnerOf('hill_api_human', async (client) => {
    await client.query("select set_config('hill.account_id', $1, true)", [id]);
    const session = randomUUID();
    await client.query('select engine.open_session($1, $2)', [id, session]);
    await client.query('select api_human.close_account($2, a.slug) from hill.accounts a where a.id = $1', [
      id,
      session,
    ]);
  });

async function pay(client: pg.ClientBase, id: string, cents: number): Promise<void> {
  if (cents >= 2000 && cents <= 100000) await client.query("select engine.top_up($1, $2, 'a test')", [id, cents]);
  else
    await client.query(
      `insert into hill.transfers (day, at, kind, debit_code, credit_account_id, cents, reason)
       values (engine.today(), engine.now(), 'topup', 'cash', $1, $2, 'a test')`,
      [id, cents],
    );
}

async function giveKeys(hill: Hill, accountId: string, agentId: string): Promise<{ token: string; session: string }> {
  const [token, session] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  await hill.root.query(
    `with token as (
       insert into oauth.access_tokens (token_hash, agent_id, scopes, created_at, expires_at)
       values (engine.hash_token($1), $2, '{hill:read,hill:play}', engine.now(), 'infinity'))
     insert into oauth.human_sessions (token_hash, account_id, created_at, expires_at) values (engine.hash_token($3), $4, clock_timestamp(), 'infinity')`,
    [token, agentId, session, accountId],
  );
  return { token, session };
}
