// POST /agent/identity/claim: the agent names its human, and gets the code to pass on. Protocol 3.3, 10.1.
import { randomInt } from 'node:crypto';
import type Koa from 'koa';
import { call } from '../db/call.ts';
import { readJson } from './body.ts';
import { invalidRequest, OAuthError, rateLimited } from './errors.ts';
import type { AuthorizationServer } from './server.ts';
import { randomToken } from './tokens.ts';

type Outcome =
  | {
      outcome: 'initiated';
      registration_id: string;
      claim_attempt_id: string;
      expires_at: string;
      expires_in: number;
      interval: number;
    }
  | { outcome: 'rate_limited'; retry_after_seconds: number }
  | { outcome: 'invalid_claim_token' | 'claimed_or_in_flight' | 'claim_expired' };

const refused = {
  invalid_claim_token: [
    401,
    'The claim token is unknown, spent or revoked. If its claim gave you an identity assertion, use that; otherwise register again.',
  ],
  claimed_or_in_flight: [409, 'The agent was just claimed, or a code is still live. Poll the claim grant.'],
  claim_expired: [410, 'The time in which the agent could be claimed is over. Register again.'],
} as const;

export const claimAgent = (server: AuthorizationServer) => async (ctx: Koa.Context) => {
  await server.admit(ctx, 'claims');
  const { config } = server;
  const { claim_token, email } = parse(await readJson(ctx), config.practice !== null);

  const attempt = randomToken();
  const user_code = String(randomInt(1_000_000)).padStart(6, '0');
  const { atMost: at_most, seconds } = config.limits.claimsPerAgent;
  const claim = await call<Outcome>(server.db, 'api_oauth.begin_claim', {
    claim_token,
    email,
    attempt_token: attempt,
    user_code,
    at_most,
    seconds,
  });
  if (claim.outcome === 'rate_limited') throw rateLimited(claim.retry_after_seconds);
  if (claim.outcome !== 'initiated') {
    const [status, description] = refused[claim.outcome];
    throw new OAuthError(status, claim.outcome, description);
  }
  ctx.body = {
    registration_id: claim.registration_id,
    claim_attempt_id: claim.claim_attempt_id,
    status: claim.outcome,
    expires_at: claim.expires_at,
    claim_attempt: {
      user_code,
      expires_in: claim.expires_in,
      verification_uri: `${config.baseUrl}/claim?claim_attempt_token=${attempt}`,
      interval: claim.interval,
    },
    // whoever asks for practice needs no human
    ...(config.practice && {
      practice: {
        what: 'This is a practice hill: let yourself in. Send this form, then poll as on any hill.',
        method: 'POST',
        href: `${config.baseUrl}/claim`,
        form: { claim_attempt_token: attempt, user_code },
      },
    }),
  };
};

/** A practice hill keeps nobody's address, and needs none. */
const nobody = 'nobody@practice.invalid';

/**
 * Both forms: {claim_token, email}, and {type: "login_hint", claim_token, login_hint} of the later protocol version.
 */
function parse(
  { type, claim_token, email, login_hint }: Record<string, unknown>,
  practises: boolean,
): { claim_token: string; email: string } {
  if (type !== undefined && type !== 'login_hint')
    throw invalidRequest('type, where it is given, must be "login_hint".');
  const address = type === 'login_hint' ? login_hint : email;
  if (typeof claim_token !== 'string' || claim_token === '') throw invalidRequest('claim_token is missing.');
  if (practises) return { claim_token, email: nobody };
  if (typeof address !== 'string' || address.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(address.trim()))
    throw invalidRequest(
      `${type === 'login_hint' ? 'login_hint' : 'email'} must be the address of the human who will claim the agent.`,
    );
  return { claim_token, email: address.trim().toLowerCase() };
}
