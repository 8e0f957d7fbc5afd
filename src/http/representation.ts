// http/representation.ts · one body in the codings that readers ask for, each with a strong validator of its own. RFC 9110, 8.8.3, 12.5.3, 13.1.2.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

export type Coding = 'identity' | 'gzip' | 'br';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
/** Below this a packet is a packet. */
const worthIt = 1_000;
const suffix = { identity: '', gzip: '-gzip', br: '-br' } as const;

interface More {
  /** What the answer depends on beside its address. */
  readonly vary?: string | undefined;
  /** Fields that go with it wherever it is shown, with 304 as well. */
  readonly fields?: Readonly<Record<string, string>>;
}

export class Representation {
  readonly type: string;
  readonly vary: string;
  /** Names and values, one after the other. */
  readonly fields: readonly string[];
  readonly #tag: string;
  readonly #coded: Partial<Record<Coding, Buffer>>;
  readonly #under_way: Partial<Record<Coding, Promise<Buffer>>> = {};

  constructor(type: string, body: string, { vary = 'Accept-Encoding', fields = {} }: More = {}) {
    this.type = type;
    this.vary = vary;
    this.fields = Object.entries(fields).flat();
    this.#coded = { identity: Buffer.from(body) };
    this.#tag = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  }

  get identity(): Buffer {
    return this.#coded.identity as Buffer;
  }

  /** What it takes to keep it. */
  get bytes(): number {
    return Object.values(this.#coded).reduce((sum, body) => sum + body.length, 1_000);
  }

  etag(coding: Coding): string {
    return `"${this.#tag}${suffix[coding]}"`;
  }

  /** The tag of this body that the reader has, in whichever coding, if it has one. */
  known(ifNoneMatch: string, coding: Coding): string | undefined {
    // the common case: one tag, given back as it was sent
    for (const one of [coding, 'br', 'gzip', 'identity'] as const) if (ifNoneMatch === this.etag(one)) return ifNoneMatch;
    if (ifNoneMatch.trim() === '*') return this.etag(coding);
    const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return ([coding, 'br', 'gzip', 'identity'] as const).map((one) => this.etag(one)).find((tag) => tags.includes(tag));
  }

  /** The coding to answer with. */
  coding(acceptEncoding: string | undefined): Coding {
    return acceptEncoding === undefined || this.identity.length < worthIt ? 'identity' : preferred(acceptEncoding);
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

// Few programs, few headers: what was understood once need not be read again.
const understood = new Map<string, Coding>();

function preferred(acceptEncoding: string): Coding {
  const before = understood.get(acceptEncoding);
  if (before) return before;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((text) => text.startsWith('q='))?.slice(2);
    weights.set(name, q === undefined ? 1 : Number(q) || 0);
  }
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [br, gz] = [weight('br'), Math.max(weight('gzip'), weights.get('x-gzip') ?? 0)];
  const identity = weights.get('identity') ?? 0;
  const coding = Math.max(br, gz) === 0 || identity > Math.max(br, gz) ? 'identity' : br >= gz ? 'br' : 'gzip';
  if (understood.size < 200) understood.set(acceptEncoding, coding);
  return coding;
}
