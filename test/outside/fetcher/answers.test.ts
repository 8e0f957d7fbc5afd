// Tricks in the answer: too long, too slow, too large when unpacked, or not HTTP at all. Raw bytes over real TLS.
import type net from 'node:net';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GuardedFetch, guardedFetcher, type Reason } from '../../../src/outside/fetcher/index.ts';
import { aCertificate } from '../../support/outside/certificates.ts';
import { anInternet, type Internet } from '../../support/outside/internet.ts';
import { refusedWith } from '../../support/outside/refused.ts';

let internet: Internet;
beforeAll(async () => {
  internet = await anInternet();
});
afterAll(() => internet.close());

let sites = 0;
const aSite = async (talk: (socket: net.Socket) => void): Promise<string> => {
  sites += 1;
  return `https://${(await internet.rawSite(`site-${sites}`, talk)).name}/`;
};

/** Says it once the request has come, and hangs up. */
const says = (text: string | Buffer) => (socket: net.Socket) => void socket.once('data', () => socket.end(text));
const ok = 'HTTP/1.1 200 OK\r\n';

/** Says the beginning, then one more piece every few milliseconds until nobody listens. */
const drips =
  (beginning: string, piece: () => string | Buffer, everyMs = 5) =>
  (socket: net.Socket) => {
    socket.once('data', () => {
      socket.write(beginning);
      const drip = setInterval(() => socket.write(piece()), everyMs);
      socket.once('close', () => clearInterval(drip));
    });
  };

/** Says the beginning, then pieces as fast as they are taken. */
const pours = (beginning: string, piece: string) => (socket: net.Socket) => {
  const pour = (): void => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', pour);
  };
  socket.once('data', () => {
    socket.write(beginning);
    pour();
  });
};

const zeroes = Buffer.alloc(8 * 1024 * 1024);
const packed = (encoding: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${ok}Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`,
    ),
    body,
  ]);

describe('slow', () => {
  const slow: [string, (socket: net.Socket) => void][] = [
    ['silence after the request', () => {}],
    ['a status line that comes letter by letter', drips('HTTP/1.1 200 ', () => 'O')],
    ['a head that comes letter by letter', drips(`${ok}X-Slow: `, () => 'a')],
    ['one header after the other', drips(ok, () => 'A: b\r\n')],
    ['a body that comes letter by letter', drips(`${ok}Content-Length: 5000\r\n\r\n`, () => '{')],
    ['a chunk that comes letter by letter', drips(`${ok}Transfer-Encoding: chunked\r\n\r\n`, () => '1\r\n{\r\n')],
    ['a body that stops', (socket) => void socket.once('data', () => socket.write(`${ok}Content-Length: 10\r\n\r\n{`))],
  ];

  test.each(slow)('%s', async (_what, talk) => {
    const started = Date.now();
    await refusedWith('timeout', internet, await aSite(talk), { timeoutMs: 250, maxBytes: 5_120 });
    expect(Date.now() - started).toBeLessThan(1_500);
  });

  test('a handshake that never ends', async () => {
    const site = await internet.plainSite('handshake', () => {});
    await refusedWith('timeout', internet, `https://${site.name}/`, { timeoutMs: 250 });
  });
});

test.each<[Reason, string, (socket: net.Socket) => void]>([
  ['body_too_large', 'a length that is too large', says(`${ok}Content-Length: 5121\r\n\r\n{`)],
  ['body_too_large', 'a length beyond every number', says(`${ok}Content-Length: 99999999999999999\r\n\r\n{`)],
  ['body_too_large', 'an endless body', pours(`${ok}\r\n`, 'x'.repeat(1024))],
  ['body_too_large', 'an endless body of HTTP/1.0', pours('HTTP/1.0 200 OK\r\n\r\n', 'x'.repeat(1024))],
  [
    'body_too_large',
    'endless chunks',
    pours(`${ok}Transfer-Encoding: chunked\r\n\r\n`, `400\r\n${'x'.repeat(1024)}\r\n`),
  ],
  [
    'body_too_large',
    'one chunk that is too large',
    pours(`${ok}Transfer-Encoding: chunked\r\n\r\nfffffff\r\n`, 'x'.repeat(1024)),
  ],
  ['headers_too_large', 'an endless header', pours(`${ok}X-Long: `, 'x'.repeat(1024))],
  ['headers_too_large', 'endless headers', pours(ok, 'X-Many: x\r\n'.repeat(100))],
  [
    'headers_too_large',
    'endless trailers',
    pours(`${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X-Many: x\r\n'.repeat(100)),
  ],
  ['headers_too_large', 'endless interim answers', pours('', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')],
  ['bad_answer', 'endless extensions of a chunk', pours(`${ok}Transfer-Encoding: chunked\r\n\r\n1;`, 'x'.repeat(1024))],
  ['encoded', 'a gzip bomb', says(packed('gzip', zlib.gzipSync(zeroes)))],
  ['encoded', 'a brotli bomb', says(packed('br', zlib.brotliCompressSync(zeroes)))],
  ['encoded', 'a deflate bomb', says(packed('deflate', zlib.deflateSync(zeroes)))],
  ['encoded', 'gzip within gzip', says(packed('gzip, gzip', zlib.gzipSync(zlib.gzipSync(zeroes))))],
  ['encoded', 'compressed, though small', says(packed('gzip', zlib.gzipSync('{}')))],
  ['encoded', 'an encoding that nobody knows', says(packed('x-secret', Buffer.from('{}')))],
  ['encoded', 'compressed for the transfer', says(`${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`)],
  ['bad_answer', 'a body that is shorter than its length', says(`${ok}Content-Length: 10\r\n\r\n{}`)],
  ['bad_answer', 'chunks without an end', says(`${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`)],
  ['bad_answer', 'two lengths', says(`${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `)],
  ['bad_answer', 'a length and chunks', says(`${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)],
  ['bad_answer', 'a length below zero', says(`${ok}Content-Length: -1\r\n\r\n{}`)],
  ['bad_answer', 'a length that is no number', says(`${ok}Content-Length: 0x2\r\n\r\n{}`)],
  [
    'bad_answer',
    'a size of a chunk that is no number',
    says(`${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  ],
  ['bad_answer', 'a header with a control character', says(`${ok}X-Odd: a\u0000b\r\nContent-Length: 2\r\n\r\n{}`)],
  ['bad_answer', 'a header without a colon', says(`${ok}X-Odd\r\nContent-Length: 2\r\n\r\n{}`)],
  [
    'bad_answer',
    'another protocol at once',
    says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  ],
  ['bad_answer', 'HTTP/0.9', says('{"client_id": "https://good.example/"}')],
  ['bad_answer', 'HTTP/2', says('HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\n{}')],
  ['bad_answer', 'HTTP/9.9', says('HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}')],
  ['bad_answer', 'SSH', (socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
  ['bad_answer', 'nothing', says('')],
  ['bad_answer', 'a slammed door', (socket) => void socket.once('data', () => socket.destroy())],
])('%s: %s', async (reason, _what, talk) => {
  await refusedWith(reason, internet, await aSite(talk), { timeoutMs: 5_000, maxBytes: 5_120 });
});

describe('who it is', () => {
  const answer = says(`${ok}Content-Length: 2\r\n\r\n{}`);

  test('a certificate for another name', async () => {
    const other = await aCertificate(['other.test']);
    const site = await internet.rawSite('wrong-name', answer, other);
    await expect(trusting(other.cert)(`https://${site.name}/`)).rejects.toMatchObject({
      reason: 'tls',
      detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  test('a certificate for the name, at an address written as such', async () => {
    const site = await internet.rawSite('by-name-only', answer, await aCertificate(['by-name-only.example']));
    await refusedWith('tls', internet, `https://${site.address}/`);
  });

  test('a certificate from nobody known', async () => {
    const site = await internet.rawSite('unknown-authority', answer, await aCertificate(['unknown-authority.example']));
    expect((await refusedWith('tls', internet, `https://${site.name}/`)).detail).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  test('a certificate of yesterday', async () => {
    const old = await aCertificate(['old.example'], { notAfterDate: new Date(Date.now() - 86_400_000) });
    await internet.rawSite('old', answer, old);
    await expect(trusting(old.cert)('https://old.example/')).rejects.toMatchObject({
      reason: 'tls',
      detail: 'CERT_HAS_EXPIRED',
    });
  });

  test('no TLS at all', async () => {
    const site = await internet.plainSite('in-clear', says(`${ok}Content-Length: 2\r\n\r\n{}`));
    await refusedWith('tls', internet, `https://${site.name}/`);
  });

  test('the same certificates are good for what they name', async () => {
    const own = await aCertificate(['right.example']);
    await internet.rawSite('right', answer, own);
    expect((await trusting(own.cert)('https://right.example/')).body.toString()).toBe('{}');
  });
});

// After its own answer a server may go on to talk: it would be the answer of whoever uses the connection next, if there
// were somebody.
test('what comes after the answer is nobody’s', async () => {
  const url = await aSite(says(`${ok}Content-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond`));
  expect((await internet.fetch(url)).body.toString()).toBe('{}');
});

test.each([
  ['HTTP/1.0 with a length', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
  ['HTTP/1.0 that hangs up at the end', 'HTTP/1.0 200 OK\r\n\r\n{}'],
  ['an early hint before the answer', `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ok}Content-Length: 2\r\n\r\n{}`],
  ['chunks', `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`],
  ['"identity" said in words', `${ok}Content-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}`],
])('odd, and allowed: %s', async (_what, text) => {
  expect(await internet.fetch(await aSite(says(text)))).toMatchObject({ status: 200, body: Buffer.from('{}') });
});

function trusting(ca: string): GuardedFetch {
  return guardedFetcher({ ...internet.settings, ca });
}
