// npm run keys: which secret signs what here, and another signing secret in the place of the one before it while the
// hill serves. docs/operations.md, To exchange a secret.
import { withClient } from '../db/connect.ts';
import { keepNextProofKey, knowsSecret } from '../db/kept-settings.ts';
import { callAsOwner } from '../db/open-hill.ts';
import { withOwnerDatabase } from '../db/owner-database.ts';
import { type Resealed, reseal } from '../db/succession.ts';
import { verifierKey } from '../log/note.ts';
import { receiptSigner } from '../log/receipt.ts';
import { derivedSigner } from '../log/signing.ts';
import { type Config, logOrigin } from '../process/config.ts';
import { signingSecret } from '../process/secret.ts';
import { StartError } from '../process/start-error.ts';

const usage =
  'npm run keys says which secret signs what. npm run keys -- begin lets HILL_SIGNING_SECRET take the place of HILL_OLD_SIGNING_SECRET; npm run keys -- finish ends that.';

export async function run(config: Config, args: string[]): Promise<number> {
  const [step = 'show', ...more] = args;
  if (!['show', 'begin', 'finish'].includes(step) || more.length > 0) throw new StartError(usage);
  return withOwnerDatabase(
    config,
    async (owner) => {
      if (step === 'begin') await begin(config, owner);
      if (step === 'finish') await finish(config, owner);
      const lines = await show(config, owner);
      console.log(lines.join('\n'));
      return 0;
    },
    'Keys are of a hill that there is.',
  );
}

/** Proofs of both are believed from here on. Said again, it changes nothing. */
async function begin(config: Config, owner: string): Promise<void> {
  const { oldSigningSecret } = config;
  if (oldSigningSecret === null)
    throw new StartError(
      'HILL_OLD_SIGNING_SECRET must be set: the secret that this hill has had, beside the new one in HILL_SIGNING_SECRET. Nothing was changed.',
    );
  const [fresh, old] = [await knowsSecret(owner, signingSecret(config)), await knowsSecret(owner, oldSigningSecret)];
  if (fresh) return;
  if (!old) throw new StartError('HILL_OLD_SIGNING_SECRET is not the one of this database. Nothing was changed.');
  refuseLost(await reseal(owner, config, false));
  await keepNextProofKey(signingSecret(config), owner);
}

async function finish(config: Config, owner: string): Promise<void> {
  if (!(await knowsSecret(owner, signingSecret(config))))
    throw new StartError(
      'The database does not know HILL_SIGNING_SECRET: "npm run keys -- begin" first, then every process with both. Nothing was changed.',
    );
  const { signingKeys, webhooks, mailAddresses } = refuseLost(await reseal(owner, config, true));
  console.log(
    `Sealed anew: ${signingKeys} signing keys and ${webhooks} secrets of webhooks. Links in mails to ${mailAddresses} addresses that were sent before have ended.`,
  );
}

function refuseLost(resealed: Resealed): Resealed {
  if (resealed.lost.length === 0) return resealed;
  throw new StartError(
    `Neither HILL_SIGNING_SECRET nor HILL_OLD_SIGNING_SECRET opens ${resealed.lost.slice(0, 5).join(', ')}${resealed.lost.length > 5 ? ` and ${resealed.lost.length - 5} more` : ''}. Nothing was changed.`,
  );
}

async function show(config: Config, owner: string): Promise<string[]> {
  const secret = signingSecret(config);
  const [fits, old, alone] = [
    await knowsSecret(owner, secret),
    config.oldSigningSecret === null ? null : await knowsSecret(owner, config.oldSigningSecret),
    await isAlone(owner),
  ];
  const signing = !fits
    ? config.oldSigningSecret === null || !old
      ? 'The database does not know HILL_SIGNING_SECRET. Set the one that it has had; to exchange it, that one in HILL_OLD_SIGNING_SECRET.'
      : 'The database does not know HILL_SIGNING_SECRET yet, and HILL_OLD_SIGNING_SECRET is the one that it has. Next: npm run keys -- begin'
    : !alone
      ? 'Two signing secrets are believed. Next: start every worker, then every web, with HILL_SIGNING_SECRET and HILL_OLD_SIGNING_SECRET as here; when none runs with the old one alone, npm run keys -- finish'
      : `HILL_SIGNING_SECRET is the one of this database.${config.oldSigningSecret === null ? '' : ' Next: start every process without HILL_OLD_SIGNING_SECRET, and destroy that.'}`;
  return [signing, await logKey(config, owner), await receiptKey(config, owner)];
}

const isAlone = (owner: string): Promise<boolean> =>
  withClient(owner, 'DATABASE_URL', async (db) => {
    await db.query('begin; set local role hill_owner');
    const { rows } = await db.query('select from oauth.next_proof_keys');
    await db.query('rollback');
    return rows.length === 0;
  });

/** Whose key signs the last log. */
async function logKey(config: Config, owner: string): Promise<string> {
  const head = await callAsOwner<{ origin: string; keys: readonly string[] } | null>(owner, 'trusted.log_head', {});
  if (!head) return 'No log has begun.';
  const { origin, keys } = head;
  const named: readonly (readonly [string, string | null])[] = [
    ['HILL_LOG_KEY', config.logKey],
    ['HILL_OLD_LOG_KEY', config.oldLogKey],
    ['HILL_SIGNING_SECRET', signingSecret(config)],
    ['HILL_OLD_SIGNING_SECRET', config.oldSigningSecret],
  ];
  const [by] =
    named.find(([, one]) => one !== null && verifierKey(derivedSigner(one, origin, 'ed25519')) === keys[0]) ?? [];
  const from = by === undefined ? 'no secret that is set here' : by;
  const next =
    config.logKey !== null && by !== 'HILL_LOG_KEY' && by !== undefined
      ? ' Next: start every worker with HILL_LOG_KEY, and with that secret: the log is handed over to another.'
      : '';
  return `The log ${origin} is signed by a key of ${from}: ${keys[0] ?? 'it is not known which'}.${next}`;
}

async function receiptKey(config: Config, owner: string): Promise<string> {
  const { kid } = receiptSigner(signingSecret(config), logOrigin(config));
  const kept = await withClient(owner, 'DATABASE_URL', async (db) => {
    await db.query('begin; set local role hill_api_oauth');
    const { rows } = await db.query<{ kid: string }>('select kid from oauth.receipt_keys');
    await db.query('rollback');
    return rows.map((row) => row.kid);
  });
  const before = kept.filter((one) => one !== kid).length;
  return `Receipts are signed by ${kid}${kept.includes(kid) ? '' : ' from the next deposit on'}; ${before} keys of before are kept, and what they signed holds.`;
}
