// Requests that nobody should send, made from a seed: what is asked for is real (a path, a tool, a form), and something
// about it is wrong.
import net from 'node:net';
import { type Random, randomFrom } from '../random.ts';

/** Something that can be asked for. `make` gives it with values that the random source spoils. */
export interface Endpoint {
  readonly name: string;
  /** How often it comes compared with others. */
  readonly weight?: number;
  make(spoil: Spoiler): Asked;
}

export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Sent {
  readonly bytes: Buffer;
  /**
   * Whether it is HTTP that Node's own parser takes, with a target that is one: then a door answers, and has promised
   * how.
   */
  readonly whole: boolean;
  readonly method: string;
  readonly path: string;
  /** It ends before it said that it would: the connection is closed on our side. */
  readonly brokenOff: boolean;
}

const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const deepObject = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const mark = '@@deep@@';

const texts = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\u202e',
    '\ud800',
    '\ufeff',
    '\u0001',
    '💥'.repeat(30),
    'é',
    '\r\nX: y',
    '"',
    "'; select 1 --",
    '<b>',
    '%00',
    '%',
    '%ff%fe',
  ],
  ...[
    '0',
    '-1',
    '1e309',
    '99999999999999999999',
    '-9223372036854775809',
    '2147483648',
    '-2147483649',
    '9007199254740993',
    'NaN',
    'Infinity',
    '0x10',
    '1.5',
    '01',
  ],
  ...[
    'null',
    'true',
    '[]',
    '{}',
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    '../../etc/passwd',
    '2026-02-30',
    '0001-01-01',
    '999999-01-01',
  ],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'http://[::1',
    'https://10.0.0.1/',
    'https://x.invalid/?a=\0',
    'mailto:a@b',
  ],
  ...['a@b.example', 'a\0@b.example', 'x'.repeat(300), 'x'.repeat(6_000), deep(200), deep(5_000)],
];
const values: readonly unknown[] = [
  ...texts,
  ...[null, true, false, 0, -0, -1, 1, 3, 1.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 1e21, 5e-324],
  ...[
    [],
    {},
    [null],
    [[]],
    ['x', 1, null],
    { a: { b: null } },
    { '\0': 1 },
    { length: 3 },
    { toString: 1 },
    { __proto__: null, constructor: 1 },
  ],
  mark,
];

/** Now and then something else than what was meant. */
export class Spoiler {
  readonly random: Random;
  readonly #often: number;

  constructor(random: Random) {
    this.random = random;
    this.#often = random.pick([0, 0.05, 0.3, 0.7]);
  }

  text(good: string): string {
    return this.random.chance(this.#often) ? this.random.pick(texts) : good;
  }

  value(good: unknown): unknown {
    return this.random.chance(this.#often) ? this.random.pick(values) : good;
  }

  /** Form fields or query parameters: some spoilt, left out, unknown or given twice. */
  pairs(good: readonly (readonly [string, string])[]): [string, string][] {
    const { random } = this;
    const made: [string, string][] = [];
    for (const [name, value] of good) {
      if (random.chance(this.#often / 4)) continue;
      made.push([name, this.text(value)]);
      if (random.chance(this.#often / 4)) made.push([name, random.pick(texts)]);
    }
    if (random.chance(this.#often / 4)) made.push([random.pick(texts), random.pick(texts)]);
    return made;
  }

  object(good: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { random } = this;
    const made: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(good))
      if (!random.chance(this.#often / 4)) made[name] = this.value(value);
    if (random.chance(this.#often / 4))
      made[random.pick(['x', '', '\0', 'constructor', 'limit'])] = random.pick(values);
    return made;
  }

  /** As percent-encoding has it; sometimes as it has no place in an address. */
  part(good: string): string {
    const text = this.text(good);
    return this.random.chance(0.9) || /[\s\0-\x20\x7f-\uffff]/.test(text)
      ? encodeURIComponent(text.toWellFormed())
      : text;
  }

  json(good: unknown): string {
    const { random } = this;
    const text = JSON.stringify(this.random.chance(this.#often / 6) ? random.pick(values) : good) ?? 'undefined';
    const nested = random.pick([deep, deepObject])(random.pick([10, 70, 1_000, 3_000, 5_000]));
    return text.replaceAll(JSON.stringify(mark), nested);
  }
}

const formType = 'application/x-www-form-urlencoded';
const types = [
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  '',
  `${formType}; charset=none`,
  'application/JSON',
  'x',
  'application/graphql',
];
const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
  'QUERY',
  'LOCK',
];
const noMethods = ['JUMP', 'get', 'G\0T', ''];
const moreHeaders: readonly (readonly [string, readonly string[]])[] = [
  ['Accept', ['*/*', 'text/html', 'application/json', 'text/event-stream', 'a/b;q=x', ',,,', 'x'.repeat(3_000)]],
  ['Accept-Encoding', ['br', 'gzip;q=nan', '*;q=0', 'identity;q=0, *;q=0', ',']],
  ['If-None-Match', ['*', '"x"', 'W/"', '\u00ff"', ',,,']],
  ['Range', ['bytes=0-1', 'bytes=-']],
  ['X-Forwarded-For', ['1.2.3.4', '::', 'x', '1.2.3.4, \u00ff']],
  ['X-Forwarded-Host', ['evil.example', '[::1', '']],
  ['Origin', ['null', 'http://evil.example', 'x', '']],
  ['Sec-Fetch-Site', ['same-origin', 'cross-site', 'x']],
  ['MCP-Protocol-Version', ['2026-07-28', '2025-06-18', '1', 'x'.repeat(200), '']],
  ['Mcp-Method', ['tools/call', 'x', '']],
  ['Mcp-Name', ['play', 'x', '\u00ff']],
  [
    'Authorization',
    ['Bearer x', 'Basic eDp5', 'Bearer', `Bearer ${'a.'.repeat(2_000)}`, 'Bearer eyJhbGciOiJub25lIn0.e30.'],
  ],
  [
    'Cookie',
    [
      'hill_session=%00',
      'hill_session=x; hill_session=y',
      'hill_form="',
      'hill_sign_in=google.x; =; ;;',
      `hill_session=${'x'.repeat(5_000)}`,
      'hill_staff=%00',
    ],
  ],
  ['Upgrade', ['websocket', 'h2c']],
  ['Connection', ['Upgrade', 'keep-alive']],
];
const oddHosts = ['[::1', '', 'evil.example', 'a b', 'x'.repeat(300), '\u00ff'];

/** The bytes of the request of a number. The same seed and number give the same bytes. */
export function request(
  seed: number,
  number: number,
  endpoints: readonly Endpoint[],
  host: string,
): Sent & { name: string } {
  const random = randomFrom(Math.imul(seed, 1_000_003) + number);
  const all = endpoints.flatMap((endpoint) => Array<Endpoint>(endpoint.weight ?? 1).fill(endpoint));
  const endpoint = random.pick(all);
  const asked = endpoint.make(new Spoiler(random));
  let whole = true;

  let { method, target } = asked;
  if (random.chance(0.06)) method = random.pick(methods);
  else if (random.chance(0.005)) {
    method = random.pick(noMethods);
    whole = false;
  }
  const path = target;
  if (random.chance(0.04)) {
    const odd = random.pick([
      ...[
        `http://${host}${target}`,
        'http://[::1',
        `http://[::1${target}`,
        'https://evil.example:99999/',
        'http:///x',
        'x',
        `/${target}`,
      ],
      ...[
        `${target}#x`,
        `${target}%`,
        `${target}\t`,
        `${target}?\ud7ff`,
        '*',
        'http://a:b@c/',
        'ftp://x/',
        '//[::1/x',
        `\\\\x${target}`,
      ],
    ]);
    target = odd;
    whole = false;
  }

  const fields: [string, string][] = [['Host', host]];
  if (random.chance(0.02)) {
    fields[0] = ['Host', random.pick(oddHosts)];
    whole = false;
  } else if (random.chance(0.005)) {
    fields.pop();
    whole = false;
  }
  for (const [name, value] of Object.entries(asked.headers ?? {})) if (!random.chance(0.03)) fields.push([name, value]);
  for (const [name, given] of moreHeaders) if (random.chance(0.02)) fields.push([name, random.pick(given)]);
  if (random.chance(0.03)) {
    const at = fields.findIndex(([name]) => name === 'Content-Type');
    if (at >= 0) fields.splice(at, 1, ['Content-Type', random.pick(types)]);
  }

  let body = Buffer.from(asked.body ?? '');
  if (body.length > 0 && random.chance(0.05)) {
    body = Buffer.from(body);
    for (let i = 0; i < 3; i++) body[random.below(body.length)] = random.pick([0xff, 0xc0, 0x00, 0x80, 0xed]);
  }
  if (body.length > 0 && random.chance(0.01))
    body = Buffer.concat([body, Buffer.alloc(random.pick([20_000, 300_000, 2_000_000]), 0x20)]);
  let brokenOff = false;
  if (body.length > 0 || random.chance(0.02)) {
    if (random.chance(0.02)) {
      fields.push(['Content-Length', String(body.length + 10)]);
      brokenOff = true;
      whole = false;
    } else if (random.chance(0.01)) {
      fields.push(['Content-Length', random.pick(['-1', 'x', '1e3', '99999999999999999999'])]);
      brokenOff = true;
      whole = false;
    } else if (random.chance(0.05)) {
      fields.push(['Transfer-Encoding', 'chunked']);
      body = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
      if (asked.body === undefined || asked.body === '') body = Buffer.from('0\r\n\r\n');
    } else fields.push(['Content-Length', String(body.length)]);
  }
  if (random.chance(0.003)) {
    fields.push(['X-Odd', '\0']);
    whole = false;
  }
  fields.push(['Connection', 'close']);
  if (fields.some(([name]) => name === 'Expect' || name === 'Upgrade')) whole = false;

  // Latin-1, as header fields are read; what a path has no place for is left as it is, to be refused.
  const head = Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    'latin1',
  );
  if (/[\s\0]/.test(target) || head.length > 30_000) whole = false;
  return { name: endpoint.name, bytes: Buffer.concat([head, body]), whole, method, path, brokenOff };
}

export interface Heard {
  /** 0: nothing that is an answer. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** What comes back, to the end of the connection. */
export function send(port: number, { bytes, brokenOff }: Sent, seconds = 25): Promise<Heard> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(bytes);
      if (brokenOff) socket.end();
    });
    const patience = setTimeout(() => socket.destroy(), seconds * 1_000);
    socket
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => socket.end())
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(patience);
        const text = Buffer.concat(chunks).toString('utf8');
        const end = text.indexOf('\r\n\r\n');
        resolve({
          status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0),
          head: end < 0 ? text : text.slice(0, end),
          body: text.slice(end + 4),
        });
      });
  });
}

const stack = /\n\s+at .+:\d+:\d+|Maximum call stack|node_modules|\/src\/\w+|(Range|Type|Syntax|Reference)Error\b/;

/**
 * What is wrong with an answer; undefined if nothing. `codes`: the form in which the door that was asked names its
 * refusals.
 */
export function wrongWith(
  { whole, method, brokenOff }: Sent,
  { status, head, body }: Heard,
  codes?: RegExp,
): string | undefined {
  if (status === 0) return brokenOff || !whole ? undefined : 'no answer';
  if (status >= 500) return `status ${status}`;
  if (stack.test(body)) return 'a stack';
  if (codes && whole && status >= 400 && method !== 'HEAD' && !codes.test(body)) return `no code with ${status}`;
  if ((status === 429 || status === 503) && !/^retry-after: \d+/im.test(head)) return `${status} without Retry-After`;
  return undefined;
}
