// http/representation.ts · one body in the codings that readers ask for, each with a strong validator. RFC 9110, 8.8.3, 12.5.3, 13.1.2.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import Negotiator from 'negotiator';

export type Coding = 'identity' | 'gzip' | 'br';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
/** A shorter body fits into one packet either way. */
const worthIt = 1_000;
const suffix = { identity: '', gzip: '-gzip', br: '-br' } as const;

export interface More {
  /** Which header fields of the request the answer depends on; null for a body that is the same for everyone, and is never compressed. */
  readonly vary?: string | null | undefined;
  /** Header fields that are always sent with it, with 304 as well. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Whether it is sent with Content-Digest (RFC 9530). */
  readonly digest?: boolean;
}

export class Representation {
  readonly type: string;
  readonly vary: string | null;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  readonly #tag: string;
  readonly #digests: Partial<Record<Coding, string>> | undefined;
  readonly #coded: Partial<Record<Coding, Buffer>>;
  readonly #under_way: Partial<Record<Coding, Promise<Buffer>>> = {};

  constructor(type: string, body: string | Buffer, { vary = 'Accept-Encoding', fields = {}, digest = false }: More = {}) {
    this.type = type;
    this.vary = vary;
    this.fields = Object.entries(fields).flat();
    this.#coded = { identity: typeof body === 'string' ? Buffer.from(body) : body };
    this.#digests = digest ? {} : undefined;
    this.#tag = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  }

  get identity(): Buffer {
    return this.#coded.identity as Buffer;
  }

  etag(coding: Coding): string {
    return `"${this.#tag}${suffix[coding]}"`;
  }

  /** Content-Digest of the body in a coding that it has; undefined if it is sent without. */
  digest(coding: Coding): string | undefined {
    const body = this.#coded[coding];
    if (!this.#digests || !body) return undefined;
    this.#digests[coding] ??= `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    return this.#digests[coding];
  }

  /** The tag of this body that the reader already has, whatever its coding. */
  known(ifNoneMatch: string, coding: Coding): string | undefined {
    // the common case: one tag, given back as it was sent
    for (const one of [coding, 'br', 'gzip', 'identity'] as const) if (ifNoneMatch === this.etag(one)) return ifNoneMatch;
    if (ifNoneMatch.trim() === '*') return this.etag(coding);
    const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return ([coding, 'br', 'gzip', 'identity'] as const).map((one) => this.etag(one)).find((tag) => tags.includes(tag));
  }

  /** The coding to answer with. */
  coding(acceptEncoding: string | undefined): Coding {
    return acceptEncoding === undefined || this.vary === null || this.identity.length < worthIt ? 'identity' : preferred(acceptEncoding);
  }

  /** The body in a coding, if it was coded before. */
  coded(coding: Coding): Buffer | undefined {
    return this.#coded[coding];
  }

  async encode(coding: Coding): Promise<Buffer> {
    const done = this.#coded[coding];
    if (done) return done;
    const { identity } = this;
    this.#under_way[coding] ??= (
      coding === 'br'
        ? brotli(identity, {
            params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
          })
        : gzip(identity)
    ).then((body) => {
      this.#coded[coding] = body;
      return body;
    });
    return this.#under_way[coding];
  }
}

// There are few programs, and each sends the same header every time.
const understood = new Map<string, Coding>();
const codings = ['br', 'gzip', 'x-gzip', 'identity'];

function preferred(acceptEncoding: string): Coding {
  const before = understood.get(acceptEncoding);
  if (before) return before;
  const negotiator: { encoding(of: readonly string[], how: { preferred: readonly string[] }): string | undefined } = new Negotiator({
    headers: { 'accept-encoding': acceptEncoding },
  });
  const chosen = negotiator.encoding(codings, { preferred: codings });
  const coding = chosen === 'br' ? 'br' : chosen?.endsWith('gzip') ? 'gzip' : 'identity';
  if (understood.size < 200) understood.set(acceptEncoding, coding);
  return coding;
}
