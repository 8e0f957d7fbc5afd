// Access tokens for agents, signed as the token endpoint signs them, which never end.
import type pg from 'pg';
import { KeyRing } from '../../../src/oauth/keys.ts';
import { lifetimesOf } from '../../../src/oauth/lifetimes.ts';
import { signer } from '../../../src/oauth/tokens.ts';
import { sealer } from '../../../src/process/secret.ts';
import { secret } from './secret.ts';

export interface Bearer {
  readonly account: string;
  readonly agent: string;
  /** The AUTH_URL of the servers that it is for, or another address of theirs. */
  readonly audience: string;
  /** Their AUTH_URL, if that is another. */
  readonly issuer?: string;
  /** Reading and playing, if not said otherwise. */
  readonly scopes?: readonly string[];
}

/** `web` is on the web login; `root` is a superuser's. */
export async function accessToken(
  web: pg.Pool,
  root: pg.Pool,
  { account, agent, audience, issuer = audience, scopes = ['hill:read', 'hill:play'] }: Bearer,
): Promise<string> {
  const keys = new KeyRing(
    web,
    sealer(() => secret),
  );
  // by the doors' clock, as the servers: a key that is to come is not known to all of them
  const { rows } = await root.query<{ now: number }>('select extract(epoch from engine.door_now())::float8 as now');
  const { access_token: token } = await signer(issuer, keys, lifetimesOf(web)).accessToken(rows[0]?.now ?? 0, {
    ...{ sub: account, client_id: agent, audience, scopes },
  });
  await root.query(
    `insert into oauth.access_tokens (token_hash, agent_id, scopes, audience, created_at, expires_at)
     values (engine.hash_token($1), $2, $3, $4, engine.now(), 'infinity')`,
    [token, agent, scopes, audience],
  );
  return token;
}
