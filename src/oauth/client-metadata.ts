// Clients whose id is the URL of a metadata document that they publish. Protocol 4.2.
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { rule } from '../db/rules.ts';
import { FetchRefused, type GuardedFetch, type PublicReason } from '../outside/fetcher/index.ts';
import { fitName, type ShownName } from './client-name.ts';
import { deviceGrantType } from './grant-types.ts';
import { mayRedirectTo } from './redirect-uris.ts';

/**
 * The parts of a metadata document that Hill uses. Nothing in it is verified, except that the document is at that
 * address.
 */
interface DocumentClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** How long the publisher lets it be cached, within our own bounds. */
  readonly freshSeconds: number;
}

/** Reasons that may be told to the client that sent the human here. The first ones are the fetcher's. */
type DocumentProblem =
  | PublicReason
  | 'not_found'
  | 'not_a_document'
  | 'another_client'
  | 'not_public'
  | 'not_for_codes'
  | 'redirect_uris';

export type DocumentOutcome = { readonly client: DocumentClient } | { readonly problem: DocumentProblem };

const maxDocumentBytes = 5_120;
const timeoutMs = 10_000;
const mostKept = 500;
const freshness = { least: 60, usual: 300, most: 3_600 };

/**
 * Whether a client id is the URL of a metadata document: https, with a path, and normalized so that URLs can be
 * compared as text (no fragment, no user name, no dot segments, no default port). Where the URL may lead is the
 * fetcher's decision.
 */
export function isDocumentId(clientId: string): boolean {
  if (clientId.length > 500 || !/^https?:\/\//.test(clientId) || !URL.canParse(clientId)) return false;
  const url = new URL(clientId);
  return (
    url.href === clientId &&
    url.pathname !== '/' &&
    !clientId.includes('#') &&
    url.username === '' &&
    url.password === ''
  );
}

/**
 * One for each process. Only valid documents are cached, so a client that corrects its document is accepted at the next
 * try. `admit` is called before a document is fetched, not when it is cached; its exceptions are passed on.
 */
export function clientDocuments(
  fetch: GuardedFetch,
  shown: ShownName,
): (clientId: string, admit?: () => Promise<unknown>) => Promise<DocumentOutcome> {
  const kept = new LRUCache<string, DocumentClient, { admit: () => Promise<unknown> }>({
    max: mostKept,
    // Concurrent requests for one document wait for one fetch.
    fetchMethod: async (id, _stale, { options, context }) => {
      await context.admit();
      const client = await read(fetch, shown, id);
      options.ttl = client.freshSeconds * 1_000;
      return client;
    },
  });

  return async (clientId, admit = async () => {}) => {
    if (!isDocumentId(clientId)) return { problem: 'url_not_allowed' };
    try {
      return { client: await kept.forceFetch(clientId, { context: { admit } }) };
    } catch (error) {
      if (error instanceof Problem) return { problem: error.problem };
      if (error instanceof FetchRefused) return { problem: error.publicReason };
      throw error;
    }
  };
}

class Problem extends Error {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem) {
    super(problem);
    this.problem = problem;
  }
}

async function read(fetch: GuardedFetch, shown: ShownName, id: string): Promise<DocumentClient> {
  const { status, body, headers } = await fetch(id, {
    accept: ['application/json'],
    maxBytes: maxDocumentBytes,
    timeoutMs,
    maxRedirects: 0,
  });
  if (status !== 200) throw new Problem('not_found');
  const { client_name, ...client } = clientOf(id, body);
  // if the name is not fit to be shown, the host is shown instead
  const name = (await fitName(shown, client_name)) ?? new URL(id).hostname.slice(0, rule('name_length'));
  return { ...client, name, freshSeconds: freshSeconds(headers['cache-control']) };
}

// Hill ignores all other members.
const Document = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).default([]),
  token_endpoint_auth_method: z.string().default('none'),
  grant_types: z.array(z.string()).default(['authorization_code']),
  response_types: z.array(z.string()).default(['code']),
  client_secret: z.never().optional(),
  client_secret_expires_at: z.never().optional(),
});

function clientOf(
  id: string,
  body: Buffer,
): Omit<DocumentClient, 'name' | 'freshSeconds'> & { readonly client_name: string | undefined } {
  const document = parse(body);
  if (document.client_id !== id) throw new Problem('another_client');
  if (document.token_endpoint_auth_method !== 'none') throw new Problem('not_public');
  const redirects = document.grant_types.includes('authorization_code') && document.response_types.includes('code');
  if (!redirects && !document.grant_types.includes(deviceGrantType)) throw new Problem('not_for_codes');
  const redirectUris = document.redirect_uris;
  if (redirectUris.length < (redirects ? 1 : 0) || redirectUris.length > 20 || !redirectUris.every(mayRedirectTo))
    throw new Problem('redirect_uris');
  return { id, client_name: document.client_name, redirectUris };
}

function parse(body: Buffer): z.output<typeof Document> {
  try {
    return Document.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    throw new Problem('not_a_document');
  }
}

function freshSeconds(cacheControl: string | undefined): number {
  const maxAge = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  if (/(?:^|[\s,])(no-store|no-cache)/i.test(cacheControl ?? '')) return freshness.least;
  return maxAge === undefined ? freshness.usual : Math.min(freshness.most, Math.max(freshness.least, Number(maxAge)));
}
