// The icon of an account's site: fetched by the guarded fetcher from where the page says, or from /favicon.ico, and
// drawn anew.
import { FetchRefused, type GuardedFetch, type PublicReason } from '../fetcher/index.ts';
import { type Drawn, draw } from './drawing.ts';

/** What agents may see. A fetch that was refused shows the fetcher's coarse word, as a page is. */
type Missed =
  | Exclude<PublicReason, 'answer_not_allowed'>
  | 'no_icon'
  | 'status'
  | 'compressed'
  | Extract<Drawn, { failed: string }>['failed'];

export interface Icon {
  readonly result: 'drawn' | Missed;
  readonly image: Buffer | null;
}

/** A favicon.ico with bitmaps of all usual sizes has some 300 kB. */
const maxBytes = 524_288;
const fetchMs = 5_000;
const mostRedirects = 3;
/** After that nothing more is fetched: few sites are looked at at once. */
const patienceMs = 20_000;

// Servers guess the types of icons badly. What the bytes are decides; the types only keep pages and scripts out early.
const types = [
  ...['png', 'webp', 'jpeg', 'jpg', 'gif', 'x-icon', 'vnd.microsoft.icon', 'ico', 'icon'].map(
    (type) => `image/${type}`,
  ),
  'application/octet-stream',
];

/** Tries each address that the page names, then /favicon.ico. Nothing that a site does makes it throw. */
export async function iconOf(fetch: GuardedFetch, pageUrl: string, named: readonly string[]): Promise<Icon> {
  const until = performance.now() + patienceMs;
  let missed: Missed | undefined;
  for (const url of [...named, new URL('/favicon.ico', pageUrl).href]) {
    const timeoutMs = Math.min(fetchMs, until - performance.now());
    if (timeoutMs < 1) break;
    const tried = await fetched(fetch, url, timeoutMs, named.includes(url));
    if (typeof tried !== 'string') return { result: 'drawn', image: tried };
    missed = missed === undefined || missed === 'no_icon' ? tried : missed; // the first is the one that was meant
  }
  return { result: missed ?? 'no_icon', image: null };
}

async function fetched(fetch: GuardedFetch, url: string, timeoutMs: number, named: boolean): Promise<Buffer | Missed> {
  try {
    const { status, body } = await fetch(url, { timeoutMs, maxBytes, maxRedirects: mostRedirects, accept: types });
    if (status < 200 || status >= 300) return named ? 'status' : 'no_icon';
    const drawn = await draw(body);
    return 'png' in drawn ? drawn.png : drawn.failed;
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    if (error.publicReason !== 'answer_not_allowed') return error.publicReason;
    // many sites answer every unknown address with a page
    if (error.reason === 'content_type') return named ? 'not_an_image' : 'no_icon';
    return error.reason === 'body_too_large' ? 'too_large' : error.reason === 'encoded' ? 'compressed' : 'status';
  }
}
