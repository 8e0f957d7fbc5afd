// The refusals of the authorization server: RFC 6749 error bodies at the token endpoint, those of auth.md at the agent
// endpoints.
import { Failure, Refusal } from '../db/errors.ts';
import { retryAfter, retrySeconds } from '../db/retry-after.ts';

export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly status: number;
  readonly error: string;
  readonly retryAfterSeconds: number | undefined;
  /** Further fields of the answer. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    error: string,
    description: string,
    { retryAfterSeconds, ...more }: { retryAfterSeconds?: number; interval?: number } = {},
  ) {
    super(description);
    this.status = status;
    this.error = error;
    this.retryAfterSeconds = retryAfterSeconds;
    this.more = more;
  }
}

export const invalidRequest = (description: string) => new OAuthError(400, 'invalid_request', description);
export const invalidGrant = (description: string) => new OAuthError(400, 'invalid_grant', description);

export const rateLimited = (seconds: number) =>
  new OAuthError(429, 'rate_limited', `Too many requests. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });

/** Turns anything thrown into a refusal for the client. */
export function asOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof Refusal && error.status === 429) return rateLimited(Number(retryAfter(error)));
  if (error instanceof Refusal && error.status === 503)
    return new OAuthError(503, 'temporarily_unavailable', `${error.message} ${error.hint}`);
  if (error instanceof Refusal) return invalidRequest(error.message);
  if (error instanceof Failure && error.status === 503)
    return new OAuthError(503, 'temporarily_unavailable', 'The database does not answer. Try again.', {
      retryAfterSeconds: retrySeconds,
    });
  if (error instanceof Failure && error.status < 500)
    return new OAuthError(error.status, 'invalid_request', error.message);
  return new OAuthError(500, 'server_error', 'Something went wrong here. It is not your request.');
}

/** The error body of an endpoint. */
export type Wording = (error: OAuthError) => Record<string, unknown>;

export const tokenWording: Wording = ({ error, message, more }) => ({ error, error_description: message, ...more });
export const agentWording: Wording = ({ error, message, more }) => ({ error, message, ...more });
