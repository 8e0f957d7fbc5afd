// Somebody's mail server on this machine: keeps what came, answers as told, for each mail or for each address.
import type net from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';

/**
 * take; a reply to the recipient (RCPT) or to the whole mail (DATA), as "550 5.1.1 …"; or the connection is cut after
 * all of the mail was sent (cut), or nothing is ever said of it (silence).
 */
export type Reply = 'take' | 'cut' | 'silence' | { readonly rcpt: string } | { readonly data: string };

interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly raw: string;
  readonly mail: Email;
  /** Of a header, unfolded. */
  header(name: string): string | undefined;
}

export interface MailServer {
  readonly url: string;
  readonly port: number;
  /** What was taken, and what was sent whole though nobody said that it was taken. */
  readonly received: ReceivedMail[];
  /** To whom mail was tried. */
  readonly asked: string[];
  /** What the next mails are answered; the last one stays. */
  answer(...replies: Reply[]): void;
  /** The nth mail, as soon as it is there. */
  nth(n: number): Promise<ReceivedMail>;
  /** Nobody listens any more, until it is opened. */
  close(): Promise<void>;
  open(): Promise<void>;
}

const errorOf = (reply: string): Error =>
  Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });

const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
};

/**
 * Closed when the test is over, or by its caller where it outlives one. `more`: of smtp-server, such as a certificate.
 */
export async function aMailServer(
  more: ConstructorParameters<typeof SMTPServer>[0] = {},
  lives = false,
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const asked: string[] = [];
  let replies: Reply[] = ['take'];
  /** What this session's mail is answered. */
  const drawn = new Map<string, Reply>();
  const sockets = new Set<net.Socket>();
  let port = 0;
  let server: SMTPServer;

  const begin = async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      ...more,
      onRcptTo({ address }, session, done) {
        const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? 'take';
        drawn.set(session.id, reply);
        asked.push(address);
        done(typeof reply === 'object' && 'rcpt' in reply ? errorOf(reply.rcpt) : null);
      },
      async onData(stream, session, done) {
        const bytes = await bytesOf(stream).catch(() => undefined); // whoever sent it is gone
        if (!bytes) return;
        const reply = drawn.get(session.id) ?? 'take';
        if (typeof reply === 'object') return done(errorOf('data' in reply ? reply.data : reply.rcpt));
        const mail = await PostalMime.parse(bytes);
        received.push({
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address).join(),
          raw: bytes.toString('utf8'),
          mail,
          header: (name) => mail.headers.find(({ key }) => key === name.toLowerCase())?.value,
        });
        if (reply === 'take') done();
        else if (reply === 'cut') for (const socket of sockets) socket.destroy();
      },
    });
    server.on('error', () => {}); // of connections that are cut
    server.server.on('connection', (socket: net.Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.server.address() as net.AddressInfo).port;
  };
  const end = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await begin();
  if (!lives) onTestFinished(end);
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    asked,
    answer: (...given) => {
      replies = given;
    },
    nth: async (n) => until(`mail ${n}`, async () => received[n - 1]),
    close: end,
    open: begin,
  };
}
