// One body in the codings that readers ask for, each with a strong validator. RFC 9110, 8.8.3, 12.5.3, 13.1.2.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import Negotiator from 'negotiator';

export type Coding = 'identity' | 'gzip' | 'br';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const gunzip = promisify(zlib.gunzip);
/** A shorter body fits into one packet either way. */
const worthIt = 1_000;
const suffix = { identity: '', gzip: '-gzip', br: '-br' } as const;

/**
 * The validator of a body in a coding, from the SHA-256 (hexadecimal) of the body itself: the same in every process,
 * and after a restart.
 */
export const etagOf = (sha256: string, coding: Coding): string =>
  `"${Buffer.from(sha256, 'hex').toString('base64url').slice(0, 27)}${suffix[coding]}"`;

/** Whether a reader that sends these tags has the body, in any coding. */
export const isKnown = (ifNoneMatch: string, sha256: string): boolean =>
  ifNoneMatch.trim() === '*' ||
  tagsOf(ifNoneMatch).some((tag) =>
    (['identity', 'gzip', 'br'] as const).some((coding) => tag === etagOf(sha256, coding)),
  );

const tagsOf = (ifNoneMatch: string) => ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

/** The value of Content-Digest. RFC 9530, 2. */
export const contentDigest = (sha256: string): string => `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;

export interface More {
  /**
   * Which header fields of the request the answer depends on; null for a body that is the same for everyone, and is
   * never compressed.
   */
  readonly vary?: string | null | undefined;
  /** Header fields that are always sent with it, with 304 as well. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Whether it is sent with Content-Digest (RFC 9530). A file always is. */
  readonly digest?: boolean;
}

/** What was made and hashed elsewhere, as gzip. */
interface GivenFile {
  readonly bytes: number;
  readonly sha256: string;
  readonly coded_sha256: string;
}

/** A body that is made when somebody asks for it who does not have it yet: from the same text it is always the same. */
export interface Later {
  readonly from: string;
  make(): Promise<Buffer>;
  /** How long it may be, in bytes. */
  readonly most: number;
}

export class Representation {
  /** Of the body itself; of one that is not made yet, at most. */
  readonly bytes: number;
  readonly type: string;
  readonly vary: string | null;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  readonly #sha256: string;
  readonly #file: GivenFile | undefined;
  readonly #later: Later | undefined;
  readonly #coded: Partial<Record<Coding, Buffer>>;
  readonly #digests: Partial<Record<Coding, string>> | undefined;
  readonly #etags: Partial<Record<Coding, string>> = {};
  readonly #under_way: Partial<Record<Coding, Promise<Buffer>>> = {};

  constructor(
    type: string,
    body: string | Buffer | Later,
    { vary = 'Accept-Encoding', fields = {}, digest = false }: More = {},
    file?: GivenFile,
  ) {
    this.type = type;
    this.vary = vary;
    this.fields = Object.entries(fields).flat();
    this.#file = file;
    this.#digests = file
      ? { identity: contentDigest(file.sha256), gzip: contentDigest(file.coded_sha256) }
      : digest
        ? {}
        : undefined;
    const here = typeof body === 'string' ? Buffer.from(body) : Buffer.isBuffer(body) ? body : undefined;
    this.#later = here ? undefined : (body as Later);
    this.#coded = here ? { [file ? 'gzip' : 'identity']: here } : {};
    this.bytes = file?.bytes ?? here?.length ?? (body as Later).most;
    this.#sha256 =
      file?.sha256 ??
      createHash('sha256')
        .update(here ?? (body as Later).from)
        .digest('hex');
    for (const coding of ['identity', 'gzip', 'br'] as const) this.#etags[coding] = etagOf(this.#sha256, coding);
  }

  /** Of the gzip of a file, which is sent as it is. Its answers also carry Content-Digest. */
  static ofFile(type: string, gzip: Buffer, file: GivenFile, more: More = {}): Representation {
    return new Representation(type, gzip, more, file);
  }

  etag(coding: Coding): string {
    return this.#etags[coding] as string;
  }

  /** Content-Digest of the body in a coding that it has; undefined if it is sent without. */
  digest(coding: Coding): string | undefined {
    const body = this.#coded[coding];
    if (!this.#digests || !body) return undefined;
    this.#digests[coding] ??= contentDigest(createHash('sha256').update(body).digest('hex'));
    return this.#digests[coding];
  }

  /** The tag of this body that the reader already has, whatever its coding. */
  known(ifNoneMatch: string, coding: Coding): string | undefined {
    // the common case: one tag, given back as it was sent
    for (const one of [coding, 'br', 'gzip', 'identity'] as const)
      if (ifNoneMatch === this.etag(one)) return ifNoneMatch;
    if (ifNoneMatch.trim() === '*') return this.etag(coding);
    const tags = tagsOf(ifNoneMatch);
    return ([coding, 'br', 'gzip', 'identity'] as const).map((one) => this.etag(one)).find((tag) => tags.includes(tag));
  }

  /** The coding to answer with. */
  coding(acceptEncoding: string | undefined): Coding {
    if (this.vary === null || this.bytes < worthIt) return 'identity';
    return codingOf(acceptEncoding, this.#file ? ofFiles : ofAnswers);
  }

  /** The body in a coding, if it was coded before. */
  coded(coding: Coding): Buffer | undefined {
    return this.#coded[coding];
  }

  async encode(coding: Coding): Promise<Buffer> {
    const done = this.#coded[coding];
    if (done) return done;
    this.#under_way[coding] ??= this.#make(coding)
      .then((body) => {
        this.#coded[coding] = body;
        return body;
      })
      .finally(() => {
        delete this.#under_way[coding];
      });
    return this.#under_way[coding];
  }

  async #make(coding: Coding): Promise<Buffer> {
    if (coding === 'identity') return this.#later ? this.#later.make() : gunzip(this.#coded.gzip as Buffer);
    const identity = await this.encode('identity');
    return coding === 'br'
      ? brotli(identity, {
          params: {
            [zlib.constants.BROTLI_PARAM_QUALITY]: 5,
            [zlib.constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
          },
        })
      : gzip(identity);
  }
}

// There are few programs, and each sends the same header every time.
const understood = new Map<string, Coding>();
const ofAnswers: readonly Coding[] = ['br', 'gzip', 'identity'];
const ofFiles: readonly Coding[] = ['gzip', 'identity'];

/** Which of these codings a request prefers, by its Accept-Encoding. */
export function codingOf(acceptEncoding: string | undefined, offered: readonly Coding[]): Coding {
  if (acceptEncoding === undefined) return 'identity';
  const key = `${offered.length} ${acceptEncoding}`;
  const before = understood.get(key);
  if (before) return before;
  const codings = offered.flatMap((coding) => (coding === 'gzip' ? ['gzip', 'x-gzip'] : [coding]));
  const negotiator: { encoding(of: readonly string[], how: { preferred: readonly string[] }): string | undefined } =
    new Negotiator({
      headers: { 'accept-encoding': acceptEncoding },
    });
  const chosen = negotiator.encoding(codings, { preferred: codings });
  const coding = chosen === 'br' ? 'br' : chosen?.endsWith('gzip') ? 'gzip' : 'identity';
  if (understood.size < 200) understood.set(key, coding);
  return coding;
}
