// client/hill.ts · a client of the public reading of a hill, typed from its description, of which README.md makes api.d.ts. No dependencies.
import type { components, paths } from './api.js';

/** The addresses, as the description writes them. */
export type Path = keyof paths;
/** A record by its name in the description: Schema<'Hill'>. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type Get<P extends Path> = paths[P] extends { get: infer Operation } ? Operation : never;
type Content<P extends Path> = Get<P> extends { responses: { 200: { content: infer C } } } ? C : never;
/** What an address answers: a record, or text where it is not JSON. */
export type Answer<P extends Path> = Content<P>[keyof Content<P>];
type Known<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;
/** The arguments of an address, of its path and its query together. */
export type Args<P extends Path> =
  Get<P> extends { parameters: { path?: infer A; query?: infer Q } } ? Known<A> & Known<Q> : object;
type Given<P extends Path> = object extends Args<P> ? [args?: Args<P>] : [args: Args<P>];

/** What the hill said no to: match on `code`, do what `hint` says. */
export class HillError extends Error {
  override readonly name = 'HillError';
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, detail, hint, retry_after_seconds }: Schema<'Problem'>) {
    super(`${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.retryAfterSeconds = retry_after_seconds;
  }
}

export interface Options {
  readonly fetch?: typeof fetch;
  /** How often to come again where the hill says when (429, 503). */
  readonly retries?: number;
  /** How many answers to keep, and ask only whether they have changed. */
  readonly kept?: number;
}

export type Hill = ReturnType<typeof hill>;

export function hill(baseUrl: string, { fetch: ask = fetch, retries = 2, kept = 100 }: Options = {}) {
  const known = new Map<string, { readonly etag: string; readonly body: unknown }>();

  async function request(address: string, headers: Record<string, string> = {}): Promise<Response> {
    for (let left = retries; ; left--) {
      const answer = await ask(address, { headers });
      if (answer.ok || answer.status === 304) return answer;
      const type = answer.headers.get('Content-Type') ?? '';
      if (!type.startsWith('application/problem+json'))
        throw new Error(`${answer.status} of something in front of the hill`);
      const error = new HillError((await answer.json()) as Schema<'Problem'>);
      if (left <= 0 || error.retryAfterSeconds === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfterSeconds as number) * 1_000));
    }
  }

  /** The answer of an address. What has not changed is not sent again: then it is the same object. */
  async function get<P extends Path>(path: P, ...[args]: Given<P>): Promise<Answer<P>> {
    const address = addressOf(baseUrl, path, args);
    const before = known.get(address);
    const answer = await request(address, before ? { 'If-None-Match': before.etag } : {});
    if (answer.status === 304 && before) return before.body as Answer<P>;
    const json = /^application\/json/.test(answer.headers.get('Content-Type') ?? '');
    const body: unknown = json ? await answer.json() : await answer.text();
    const etag = answer.headers.get('ETag');
    known.delete(address);
    if (etag !== null) known.set(address, { etag, body });
    for (const oldest of known.keys()) if (known.size > kept) known.delete(oldest);
    return body as Answer<P>;
  }

  /** A list page by page, to its end. */
  async function* pages<P extends Path>(path: P, ...[args]: Given<P>): AsyncGenerator<Answer<P>> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await get(
        path,
        ...([{ ...args, ...(cursor === undefined ? {} : { cursor }) }] as unknown as Given<P>),
      );
      yield page;
      cursor = (page as { next_cursor?: string | null }).next_cursor ?? null;
    }
  }

  /** The entries of an address that ends in .ndjson, one by one as they come. */
  async function* lines<Entry = unknown>(
    path: Path & `${string}.ndjson`,
    args: Readonly<Record<string, string | number>> = {},
  ): AsyncGenerator<Entry> {
    const { body } = await request(addressOf(baseUrl, path, args));
    let rest = '';
    const texts = (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream());
    for await (const text of texts) {
      const whole = (rest + text).split('\n');
      rest = whole.pop() as string;
      for (const line of whole) yield JSON.parse(line) as Entry;
    }
    // an answer that is broken off ends in the middle of a line, or with an error
    if (rest !== '') throw new Error('The list was broken off.');
  }

  return { get, pages, lines };
}

function addressOf(baseUrl: string, path: string, args: object = {}): string {
  const given = new Map(Object.entries(args).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(given.get(name)));
    given.delete(name);
    return value;
  });
  const query = new URLSearchParams([...given].map(([name, value]) => [name, String(value)])).toString();
  return new URL(query === '' ? filled : `${filled}?${query}`, baseUrl).href;
}
