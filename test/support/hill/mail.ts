// Accounts to which notices are mailed, and the worker's part of it, mail by mail.
import { randomUUID } from 'node:crypto';
import { mailLinks } from '../../../src/process/mail-links.ts';
import { Metrics } from '../../../src/process/metrics.ts';
import { mailer } from '../../../src/worker/mails.ts';
import type { MailServer } from '../peers/mail-server.ts';
import type { Account, Hill } from './index.ts';
import { aLog, type Said, workerSettings } from './worker.ts';

export const mailSettings = ({ url }: Pick<MailServer, 'url'>): Record<string, string> => ({
  HILL_SMTP_URL: url,
  HILL_MAIL_FROM: 'Hill <hill@hill.example>',
});

/** From now on notices of it are mailed to an address, as if its bearer had confirmed that. Returns the stop token. */
export async function mailTo(
  hill: Hill,
  { session }: Pick<Account, 'session'>,
  address: string,
  nightly = true,
): Promise<string> {
  const id = randomUUID();
  const links = mailLinks(workerSettings());
  const [confirm, stop] = [links.confirmToken(id), links.stopToken(id)];
  // in one transaction, so that no worker sends the mail that asks
  await hill.asRoot(async (client) => {
    await client.query('begin');
    await client.query('select api_human.ask_for_mail($1, $2, $3, $4, $5, $6)', [
      ...[session, address, nightly],
      ...[id, confirm, stop],
    ]);
    await client.query('delete from hill.mails where address_id = $1', [id]);
    await client.query('select api_human.confirm_mail($1)', [confirm]);
    await client.query('commit');
  });
  return stop;
}

export interface Sender {
  /** Makes the digests that are due, and sends what is due. */
  all(): Promise<void>;
  readonly said: Said[];
  /** What it has counted, by the name of a metric. */
  counted(name: string): number;
}

/** The worker's part, without its queue. */
export function aSender(hill: Hill, server: Pick<MailServer, 'url'>): Sender {
  const { log, said } = aLog();
  const metrics = new Metrics();
  const settings = workerSettings(mailSettings(server));
  const one = mailer(settings, hill.as('worker'), log, metrics, async () => {});
  return {
    said,
    async all() {
      while (await one?.());
    },
    counted: (name) => {
      const found = metrics.collect().find((metric) => metric.name === name);
      return found?.kind === 'sum' ? found.points.reduce((all, [, value]) => all + value, 0) : Number.NaN;
    },
  };
}

/** What waits is due now, and a worker looks. */
export async function hastenMail(hill: Hill): Promise<void> {
  await hill.rows('update hill.mails set due_at = clock_timestamp() where ended_at is null');
  await hill.rows("select graphile_worker.add_job('mail', job_key => 'hastened')");
}

export interface MailRow {
  readonly id: string;
  readonly kind: string;
  readonly about: string;
  readonly attempts: number;
  readonly unsure: number;
  readonly outcome: string | null;
  readonly ended_as: string | null;
}

export const mailsOf = (hill: Hill, { id }: Pick<Account, 'id'>): Promise<MailRow[]> =>
  hill.rows(
    'select id, kind, about, attempts, unsure, outcome, ended_as from hill.mails where account_id = $1 order by made_at, id',
    [id],
  );
