// Another HILL_SIGNING_SECRET takes the place of the one before it: what the database has sealed is sealed anew.
// Protocol 2.8.
import type pg from 'pg';
import { mailLinks } from '../process/mail-links.ts';
import { hashed } from '../process/proofs.ts';
import { keySealer, type Sealer, type SecretSettings, webhookSealer } from '../process/secret.ts';
import { call } from './call.ts';
import { type Place, withClient } from './connect.ts';

/** What is sealed under a secret, or follows from it, in numbers. */
export interface Resealed {
  readonly signingKeys: number;
  readonly webhooks: number;
  /** Addresses whose links in mails that were sent do not work any more. */
  readonly mailAddresses: number;
  /** What neither secret opens, in words. */
  readonly lost: readonly string[];
}

/** Locked for the moment that it takes, so that nothing is sealed beside it. */
const tables = [
  'oauth.signing_keys',
  'hill.subscriptions',
  'oauth.mail_addresses',
  'oauth.proof_keys',
  'oauth.next_proof_keys',
];

/**
 * Seals all of it with the present secret, and believes proofs of that one alone from then on: in one transaction, or
 * none of it, if something opens with neither secret or with `keeps` false. Said again, it changes nothing.
 */
export const reseal = (owner: Place, config: SecretSettings, keeps: boolean): Promise<Resealed> =>
  withClient(owner, 'DATABASE_URL', async (db) => {
    await db.query("begin; set local lock_timeout = '5s'; set local role hill_owner");
    try {
      // no policy lets the owner read these rows
      for (const table of tables) await db.query(`alter table ${table} no force row level security`);
      const lost: string[] = [];
      const signingKeys = await resealEach(db, keySealer(config), lost, {
        select: `select kid as id, encode(sealed_private, 'base64') as sealed from oauth.signing_keys
                  where retires_at is null or retires_at > engine.door_now()`,
        update: "update oauth.signing_keys set sealed_private = decode($2, 'base64') where kid = $1",
        what: 'the signing key',
      });
      const webhooks = await resealEach(db, webhookSealer(config), lost, {
        select: `select id::text as id, encode(sealed_secret, 'base64') as sealed from hill.subscriptions where ended_at is null`,
        update: "update hill.subscriptions set sealed_secret = decode($2, 'base64') where id = $1::uuid",
        what: 'the webhook',
      });
      const mailAddresses = await relink(db, config);
      await call(db, 'trusted.end_succession');
      for (const table of tables) await db.query(`alter table ${table} force row level security`);
      await db.query(keeps && lost.length === 0 ? 'commit' : 'rollback');
      return { signingKeys, webhooks, mailAddresses, lost };
    } catch (error) {
      await db.query('rollback').catch(() => {});
      throw error;
    }
  });

interface Rows {
  readonly select: string;
  readonly update: string;
  readonly what: string;
}

async function resealEach(
  db: pg.Client,
  sealer: Sealer,
  lost: string[],
  { select, update, what }: Rows,
): Promise<number> {
  const { rows } = await db.query<{ id: string; sealed: string }>(select);
  for (const { id, sealed } of rows) {
    let text: string;
    try {
      text = sealer.open(sealed, id);
    } catch {
      lost.push(`${what} ${id}`);
      continue;
    }
    await db.query(update, [id, sealer.seal(text, id)]);
  }
  return rows.length;
}

/** The hashes of the links that mails carry from now on. */
async function relink(db: pg.Client, config: SecretSettings): Promise<number> {
  const { confirmToken, stopToken } = mailLinks(config);
  const hash = (token: string) => Buffer.from(hashed(token), 'hex');
  const { rows } = await db.query<{ account_id: string; id: string | null; asked_id: string | null }>(
    'select account_id, id, asked_id from oauth.mail_addresses where id is not null or asked_id is not null',
  );
  for (const { account_id, id, asked_id } of rows)
    await db.query(
      'update oauth.mail_addresses set stop_hash = $2, asked_hash = $3, asked_stop_hash = $4 where account_id = $1',
      [
        account_id,
        id && hash(stopToken(id)),
        asked_id && hash(confirmToken(asked_id)),
        asked_id && hash(stopToken(asked_id)),
      ],
    );
  return rows.length;
}
