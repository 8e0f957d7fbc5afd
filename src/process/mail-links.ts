// What the links of mails carry: derived from what stands in the database by HILL_SIGNING_SECRET, so that it need not
// hold them, and any process can make them again. Protocol 5.6.
import type { Config } from './config.ts';
import { deriver, signingSecret } from './secret.ts';

export interface MailLinks {
  /** By the id of an address, or of one that is asked. */
  confirmToken(id: string): string;
  stopToken(id: string): string;
}

export const confirmPath = '/account/mail/confirm';
export const stopPath = '/account/mail/stop';

export function mailLinks(config: Pick<Config, 'env' | 'signingSecret' | 'dataDir'>): MailLinks {
  const secret = () => signingSecret(config);
  return {
    confirmToken: deriver(secret, 'hill mail to confirm'),
    stopToken: deriver(secret, 'hill mail to stop'),
  };
}
