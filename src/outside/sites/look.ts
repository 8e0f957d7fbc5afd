// Checks an account's site: fetches it by the guarded fetcher, reads it in a thread, and returns what may be shown.
import { Worker } from 'node:worker_threads';
import { type Answer, FetchRefused, type GuardedFetch, type Reason } from '../fetcher/index.ts';
import type { Found, Reading, Sought } from './page.ts';

export interface Site {
  readonly account_id: string;
  readonly url: string;
  /** The account's slug, and former ones, which still lead to it. */
  readonly slugs: readonly string[];
  readonly token: string;
}

/** Why a page could not be read. What lies behind a name is shown only by the fetcher's coarse word: unreachable. */
type Unread =
  | 'url_not_allowed'
  | 'unreachable'
  | 'redirect'
  | 'status'
  | 'not_html'
  | 'too_large'
  | 'compressed'
  | 'answer_not_allowed'
  | 'too_complicated'
  | 'busy';

export interface Finding {
  readonly result: Found | Unread;
  readonly status: number | null;
  /** Null if the page could not be read. */
  readonly tag: boolean | null;
  readonly badge: boolean | null;
  /** Where the page was found, and the icons that it names; only of a page that was read. */
  readonly page?: { readonly url: string; readonly icons: readonly string[] };
}

const limits = { maxBytes: 1_048_576, timeoutMs: 10_000, maxRedirects: 3 };
const patienceMs = 5_000;
const threadMegabytes = 256;

/** `badgesOf` gives the account's badge links, and the prefixes of all badge links. */
export async function lookAt(
  fetch: GuardedFetch,
  { url, slugs, token }: Site,
  badgesOf: (slugs: readonly string[]) => Pick<Sought, 'own' | 'others'>,
): Promise<Finding> {
  const unread = (result: Unread, status: number | null = null): Finding => ({
    result,
    status,
    tag: null,
    badge: null,
  });
  let answer: Answer;
  try {
    answer = await fetch(url, { ...limits, accept: ['text/html', 'application/xhtml+xml'] });
  } catch (error) {
    if (error instanceof FetchRefused) return unread(unreadFor(error.reason) ?? error.publicReason);
    throw error;
  }
  const { status } = answer;
  if (status < 200 || status >= 300) return unread('status', status);
  // Someone who can make a site redirect elsewhere need not be its owner.
  if (siteOf(answer.url) !== siteOf(url)) return unread('redirect', status);
  const reading = await inThread(decoded(answer), { pageUrl: answer.url, token, ...badgesOf(slugs) });
  if (!reading) return unread('too_complicated', status);
  const { icons, ...found } = reading;
  return { ...found, status, page: { url: answer.url, icons } };
}

/** Once a public host has answered, more may be shown. */
const unreadFor = (reason: Reason): Unread | undefined =>
  (({ redirect: 'redirect', content_type: 'not_html', body_too_large: 'too_large', encoded: 'compressed' }) as const)[
    reason as 'redirect'
  ];

/** A host with and without www is one site. */
const siteOf = (url: string): string => new URL(url).host.replace(/^www\./, '');

function decoded({ headers, body }: Answer): string {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8'); // an unknown character set
  }
}

/** Undefined if it took too long, or too much memory. */
function inThread(html: string, sought: Sought): Promise<Reading | undefined> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL('./page-thread.ts', import.meta.url), {
      workerData: { html, sought },
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
      execArgv: [],
    });
    const patience = setTimeout(() => void thread.terminate(), patienceMs);
    let reading: Reading | undefined;
    thread.once('message', (message: Reading) => {
      reading = message;
    });
    thread.once('error', () => {}); // out of memory
    thread.once('exit', () => {
      clearTimeout(patience);
      resolve(reading);
    });
  });
}
