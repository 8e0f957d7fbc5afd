// Why a fetch was refused: a code for the log, and a coarser word for the outsider who named the address.

/**
 * What an outsider may be told. An unknown name, a name with a private address and a machine that does not answer look
 * the same: whoever could tell them apart could use Hill to explore the network that it runs in.
 */
export type PublicReason = 'url_not_allowed' | 'unreachable' | 'answer_not_allowed' | 'busy';

const reasons = {
  nowhere: ['url_not_allowed', 'A practice hill fetches nothing, and posts nothing anywhere.'],
  url_malformed: [
    'url_not_allowed',
    'The address is not a URL in its plain form (ASCII, no backslash, the host as it is spoken to).',
  ],
  url_scheme: ['url_not_allowed', 'Only https is fetched.'],
  url_credentials: ['url_not_allowed', 'The URL carries a user name or a password.'],
  url_port: ['url_not_allowed', 'Only the usual port of https is fetched from.'],
  url_host: ['url_not_allowed', 'The host is not a public one.'],
  host_not_found: ['unreachable', 'DNS has no address of the host. The hosts file is not asked.'],
  address_not_public: ['unreachable', 'The host has an address that is not public.'],
  no_connection: ['unreachable', 'No address of the host took the connection.'],
  tls: ['unreachable', 'The host did not prove that it is the one named.'],
  timeout: ['unreachable', 'It took too long.'],
  redirect: ['answer_not_allowed', 'The answer is a redirect where none is followed, or one too many.'],
  headers_too_large: ['answer_not_allowed', 'The head of the answer is too large.'],
  body_too_large: ['answer_not_allowed', 'The answer is too large.'],
  encoded: ['answer_not_allowed', 'The answer is compressed, which was not asked for.'],
  content_type: ['answer_not_allowed', 'The answer is not of a type that was asked for.'],
  bad_answer: ['answer_not_allowed', 'The answer is not HTTP, or broke off.'],
  busy: ['busy', 'Too many fetches at once.'],
} as const satisfies Record<string, readonly [PublicReason, string]>;

export type Reason = keyof typeof reasons;

/** Its message is a sentence of the table above, and names no address, header or other part of the request. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
  readonly reason: Reason;
  readonly publicReason: PublicReason;
  /** Node's error code, such as ECONNREFUSED: for the log only. */
  readonly detail: string | undefined;

  constructor(reason: Reason, from?: unknown) {
    super(reasons[reason][1]);
    this.reason = reason;
    this.publicReason = reasons[reason][0];
    this.detail = (from as { code?: unknown } | undefined)?.code?.toString();
  }
}
