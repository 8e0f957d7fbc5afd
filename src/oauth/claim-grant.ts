// The agent polls until its human has typed the code, and takes its tokens once. Protocol 3.4, 3.5, 10.1.
import { call } from '../db/call.ts';
import type { Form } from './body.ts';
import { invalidGrant, OAuthError } from './errors.ts';
import { audienceOf } from './resources.ts';
import type { AuthorizationServer } from './server.ts';

interface Approved {
  readonly outcome: 'approved';
  readonly registration_id: string;
  readonly client_id: string;
  readonly account_id: string;
  readonly email: string;
  readonly scopes: string[];
}

type Polled =
  | Approved
  | { outcome: 'authorization_pending' | 'slow_down'; interval: number }
  | { outcome: 'expired_token' | 'claim_expired' | 'access_denied' | 'invalid_grant' };

const waiting = {
  authorization_pending: 'The human has not typed the code yet. Keep polling.',
  slow_down: 'Too fast: 5 seconds were added to the interval between polls.',
  expired_token: 'No code is live. Call the claim endpoint again for a fresh one.',
  claim_expired:
    'The time in which the agent could be claimed is over, and nothing of the claim works any more. Register again.',
  access_denied: 'The human refused.',
  invalid_grant:
    'The claim token is unknown, spent or revoked. If it gave you an identity assertion, exchange that; otherwise register again.',
} as const;

export async function claimGrant(server: AuthorizationServer, form: Form, now: number) {
  const claim_token = form.need('claim_token');
  const audience = audienceOf(server.resources, form.all('resource'));
  const poll = () => call<Polled>(server.db, 'api_oauth.poll_claim', { claim_token });
  const polled = await poll();
  if (polled.outcome !== 'approved') throw refused(polled);

  const { registration_id, client_id, account_id: sub, email, scopes } = polled;
  const token = await server.signer.accessToken(now, { sub, client_id, audience, scopes });
  const assertion = await server.signer.assertion(now, { sub, client_id, registration_id, generation: 2, email });
  const redeemed = await call<boolean>(server.db, 'api_oauth.redeem_claim', {
    claim_token,
    access_token: token.access_token,
    assertion: assertion.identity_assertion,
    audience,
  });
  if (!redeemed) throw refused(await poll()); // another poll was faster, or the claim has ended meanwhile
  return { ...token, ...assertion };
}

function refused(polled: Polled): OAuthError {
  if (polled.outcome === 'approved') return invalidGrant(waiting.invalid_grant);
  return new OAuthError(
    400,
    polled.outcome,
    waiting[polled.outcome],
    'interval' in polled ? { interval: polled.interval } : {},
  );
}
