// A DNS server over UDP that answers as a hostile zone would: each question from a script, TTL 0.
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { type Answer, decode, encode, type Question } from 'dns-packet';

/** Addresses, names for CNAME (`→ other.example`), a response code, or no answer at all. */
type Reply = readonly string[] | 'SERVFAIL' | 'silence';

export interface DnsServer {
  /** address:port, as node:dns takes it. */
  readonly server: string;
  /** The nth question of a type gets the nth reply, and the last one stays. A name that was never told is NXDOMAIN. */
  tell(name: string, ...replies: Reply[]): void;
  /** How often a name was asked for, A and AAAA counted apart. */
  asked(name: string): { A: number; AAAA: number };
  close(): Promise<void>;
}

const nameError = 3;
const serverFailure = 2;
const authoritativeAndRecursive = 0x0480;

export async function aDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, readonly Reply[]>();
  const counts = new Map<string, number>();
  const socket = dgram.createSocket('udp4');

  const replyTo = ({ name, type }: Question): Reply | undefined => {
    const key = `${name.toLowerCase()} ${type}`;
    const asked = counts.get(key) ?? 0;
    counts.set(key, asked + 1);
    const replies = zone.get(name.toLowerCase());
    return replies?.[Math.min(asked, replies.length - 1)];
  };

  socket.on('message', (message, from) => {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return;
    const reply = replyTo(question);
    if (reply === 'silence') return;
    const code = reply === undefined ? nameError : reply === 'SERVFAIL' ? serverFailure : 0;
    const answers = Array.isArray(reply) ? recordsOf(question, reply, zone) : [];
    socket.send(
      encode({
        type: 'response',
        ...(id === undefined ? {} : { id }),
        flags: authoritativeAndRecursive | code,
        questions: [question],
        answers,
      }),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  return {
    server: `127.0.0.1:${socket.address().port}`,
    tell: (name, ...replies) => void zone.set(name, replies),
    asked: (name) => ({ A: counts.get(`${name} A`) ?? 0, AAAA: counts.get(`${name} AAAA`) ?? 0 }),
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

/** As a recursive resolver answers: the CNAMEs on the way, and the addresses at its end. */
function recordsOf(
  { name, type }: Question,
  reply: readonly string[],
  zone: ReadonlyMap<string, readonly Reply[]>,
  depth = 0,
): Answer[] {
  return reply.flatMap((entry): Answer[] => {
    if (entry.startsWith('→ ')) {
      const other = entry.slice(2);
      const next = zone.get(other)?.at(-1);
      const rest = Array.isArray(next) && depth < 8 ? recordsOf({ name: other, type }, next, zone, depth + 1) : [];
      return [{ type: 'CNAME', name, ttl: 0, data: other }, ...rest];
    }
    const family = net.isIPv4(entry) ? 'A' : 'AAAA';
    return family === type ? [{ type: family, name, ttl: 0, data: entry }] : [];
  });
}
