// Hands one mail to the operator's server, and says what became of it (RFC 5321). The server is no outsider's choice,
// so the guard of outgoing requests does not stand before it.
import { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailFrom, SmtpSettings } from '../process/config.ts';

/** An attempt, and each silence within it: shorter than engine.mail_lease, after which another worker tries. */
const mostMs = 60_000;
const silenceMs = 20_000;

export interface Mail {
  readonly to: string;
  /** Always the same for one notice: a repeat of it is shown once. */
  readonly messageId: string;
  readonly date: Date;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * sent: the server took it. refused: it is for good that the recipient is. rejected: another permanent refusal, which
 * is about us and not about the recipient. deferred: a temporary one. lost: all of it was sent, and nobody said what
 * became of it. login, unreachable, timeout: it did not come so far.
 */
export interface MailOutcome {
  readonly outcome: 'sent' | 'refused' | 'rejected' | 'deferred' | 'lost' | 'login' | 'unreachable' | 'timeout';
  /** The server's reply. */
  readonly status: number | null;
}

/** Nothing that the server does makes it throw. */
export async function send(server: SmtpSettings, from: MailFrom, mail: Mail): Promise<MailOutcome> {
  const content = await composed(from, mail);
  const connection = connectionTo(server, silenceMs);
  const handed = Readable.from([content]);
  const over = new AbortController();
  try {
    await Promise.race([
      converse(connection, server, { from: from.address, to: [mail.to] }, handed),
      after(mostMs, undefined, { signal: over.signal, ref: false }).then(() => {
        throw Object.assign(new Error('it took too long'), { code: 'ETIMEDOUT' });
      }),
    ]);
    connection.quit();
    return { outcome: 'sent', status: 250 };
  } catch (error) {
    connection.close();
    return outcomeOf(error as SmtpError, handed.readableEnded);
  } finally {
    over.abort();
  }
}

function connectionTo(server: SmtpSettings, silence: number): SMTPConnection {
  return new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.secure,
    // Elsewhere nothing is sent in the clear, whatever stands between says that the server can do.
    ignoreTLS: server.loopback,
    requireTLS: !server.loopback && !server.secure,
    connectionTimeout: silence,
    greetingTimeout: silence,
    socketTimeout: silence,
    dnsTimeout: silence,
  });
}

/** Connects and signs in, and sends nothing. Null if that goes well; else how far it came, as send says it. */
export async function greet(server: SmtpSettings, withinMs: number): Promise<MailOutcome | null> {
  const connection = connectionTo(server, withinMs);
  try {
    await enter(connection, server);
    connection.quit();
    return null;
  } catch (error) {
    connection.close();
    return outcomeOf(error as SmtpError, false);
  }
}

/** Until the server takes commands. */
const enter = (connection: SMTPConnection, { login }: SmtpSettings): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.on('error', reject);
    connection.on('end', () => reject(Object.assign(new Error('the connection ended'), { code: 'ECONNECTION' })));
    connection.connect((error) => {
      if (error) reject(error);
      else if (login) connection.login(login, (refused) => (refused ? reject(refused) : resolve()));
      else resolve();
    });
  });

const composed = (from: MailFrom, { to, headers, ...mail }: Mail): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    new MailComposer({
      ...mail,
      from,
      to: { name: '', address: to },
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      // what is in a mail is in it: nothing is read from files or from elsewhere
      disableFileAccess: true,
      disableUrlAccess: true,
    })
      .compile()
      .build((error, message) => (error ? reject(error) : resolve(message))),
  );

async function converse(
  connection: SMTPConnection,
  server: SmtpSettings,
  envelope: { from: string; to: string[] },
  content: Readable,
): Promise<void> {
  const lost = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    connection.on('end', () => reject(Object.assign(new Error('the connection ended'), { code: 'ECONNECTION' })));
  });
  lost.catch(() => {}); // thrown below, if it is lost in time
  await enter(connection, server);
  const handed = new Promise<void>((resolve, reject) => {
    connection.send(envelope, content, (error) => (error ? reject(error) : resolve()));
  });
  await Promise.race([handed, lost]);
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

function outcomeOf({ code, command, responseCode, response = '' }: SmtpError, handed: boolean): MailOutcome {
  const status = responseCode ?? null;
  if (code === 'EAUTH') return { outcome: 'login', status };
  if (status !== null && status >= 500)
    return { outcome: isRecipients(command, status, response) ? 'refused' : 'rejected', status };
  if (status !== null && status >= 400) return { outcome: 'deferred', status };
  if (handed) return { outcome: 'lost', status };
  return { outcome: code === 'ETIMEDOUT' ? 'timeout' : 'unreachable', status };
}

/**
 * Whether a permanent refusal is about the recipient: an address or a mailbox that is not there (RFC 3463, 5.1.x and
 * 5.2.1), or, where the server gives no such code, what it says to RCPT. A relay that knows us no more, or a list with
 * our address on it, refuses all recipients, and none of them has to name an address anew for that.
 */
function isRecipients(command: string | undefined, status: number, response: string): boolean {
  const [, detailed] = /^\d{3}[ -]5\.(\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  if (detailed !== undefined) return /^(1\.(0|1|2|3|6|10)|2\.1)$/.test(detailed);
  return command === 'RCPT TO' && [550, 551, 553].includes(status);
}
