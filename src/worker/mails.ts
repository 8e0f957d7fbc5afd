// Makes the digests of the last night, and sends what waits: one mail after the other until none is due. Protocol 5.6.
import type pg from 'pg';
import { rule } from '../db/rules.ts';
import { mailOf, type Notice } from '../html/mail.ts';
import { type Mail, send } from '../outside/smtp.ts';
import type { Config } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { confirmPath, type MailLinks, mailLinks, stopPath } from '../process/mail-links.ts';
import type { Metrics } from '../process/metrics.ts';
import { recordSpan } from '../process/tracing.ts';
import { endMail, makeDigests, type TakenMail, takeMail } from './calls.ts';

type MailSettings = Pick<Config, 'baseUrl' | 'mailFrom' | 'smtp' | 'env' | 'signingSecret' | 'dataDir'>;

/** Accounts that one statement looks at: a third of a second, in which their humans wait to end or change mail. */
const piece = 10;

/**
 * Returns a function that makes some digests and sends one mail, and says whether there was anything to do; nothing
 * where no mail is sent from here.
 */
export function mailer(
  config: MailSettings,
  db: pg.Pool,
  log: Logger,
  metrics: Metrics,
  add: () => Promise<void>,
): (() => Promise<boolean>) | undefined {
  const { smtp, mailFrom } = config;
  if (!smtp || !mailFrom) return undefined;
  const links = mailLinks(config);
  const latency = metrics.histogram('hill_mail_duration_seconds', 'Time of handing over a mail, by outcome.');
  latency.of({ outcome: 'sent' }); // shown from the start
  const repeats = metrics.counter(
    'hill_mail_repeats_total',
    'Mails that were sent though an attempt before may have arrived: with the same Message-ID.',
  );
  repeats.add({}, 0); // shown from the start
  return async () => {
    // in turns, so that what cannot wait does not wait for the digests of all
    const looked = await makeDigests(db, piece);
    const taken = await takeMail(db);
    if (looked > 0 || taken) await add();
    if (!taken) return looked > 0;
    const mail = await written(taken, links, config.baseUrl);
    const began = performance.now();
    const outcome = await send(smtp, mailFrom, mail);
    latency.of({ outcome: outcome.outcome }).observe((performance.now() - began) / 1_000);
    recordSpan('mail', began, { 'hill.mail': taken.kind, 'hill.outcome': outcome.outcome });
    if (outcome.outcome === 'sent' && taken.unsure > 0) repeats.add();
    const { state } = await endMail(db, taken, outcome);
    const { id, kind, attempt, unsure } = taken;
    const about = { mail: id, kind, attempt, unsure, ...outcome, state };
    if (outcome.outcome === 'login' || outcome.outcome === 'rejected')
      log.error(about, 'The mail server refuses what this hill sends, whoever it is for: see HILL_SMTP_URL.');
    else log.debug(about, 'a mail was handed over');
    return true;
  };
}

/** With the same Message-ID at every attempt. */
async function written(taken: TakenMail, links: MailLinks, base: string): Promise<Mail> {
  const { id, address_id, address, made_at } = taken;
  const stop = `${base}${stopPath}/${links.stopToken(address_id)}`;
  const content = await mailOf(taken as Notice, {
    base,
    stop,
    confirm: `${base}${confirmPath}/${links.confirmToken(address_id)}`,
    confirmHours: rule('mail_confirm_hours'),
  });
  return {
    ...content,
    to: address,
    messageId: `<${id}@${new URL(base).hostname}>`,
    date: new Date(made_at),
    // RFC 8058: a mail program ends them with one request
    headers:
      taken.kind === 'confirm' || taken.kind === 'staff_order'
        ? {}
        : { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
}
