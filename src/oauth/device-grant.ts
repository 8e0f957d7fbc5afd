// A client polls until its human has typed the code elsewhere, and takes its tokens once. RFC 8628, 3.4, 3.5; protocol
// 4.6.
import { call } from '../db/call.ts';
import type { Form } from './body.ts';
import { knownClient, sameAudience } from './code-grant.ts';
import { invalidGrant, OAuthError } from './errors.ts';
import type { AuthorizationServer } from './server.ts';
import { randomToken } from './tokens.ts';

type Polled =
  | { outcome: 'approved'; account_id: string; scopes: string[]; audience: string }
  | { outcome: 'authorization_pending' | 'slow_down'; interval: number }
  | { outcome: 'expired_token' | 'access_denied' | 'invalid_grant' };

const waiting = {
  authorization_pending: 'The human has not decided yet. Keep polling.',
  slow_down: 'Too fast: 5 seconds were added to the interval between polls.',
  expired_token: 'The code has expired. Ask for another one at the device authorization endpoint.',
  access_denied: 'The human refused.',
  invalid_grant: 'The device code is unknown, spent or revoked, or was given to another client. Ask for another one.',
} as const;

export async function deviceGrant(server: AuthorizationServer, form: Form, now: number) {
  const client_id = await knownClient(server, form.get('client_id'));
  const held = { device_code: form.need('device_code'), client_id };
  const poll = () => call<Polled>(server.db, 'api_oauth.poll_device', held);
  const polled = await poll();
  if (polled.outcome !== 'approved') throw refused(polled);
  sameAudience(server, form, polled.audience);

  const { account_id: sub, audience, scopes } = polled;
  const token = await server.signer.accessToken(now, { sub, client_id, audience, scopes });
  const refresh_token = randomToken();
  const redeemed = await call<boolean>(server.db, 'api_oauth.redeem_device', {
    ...held,
    access_token: token.access_token,
    refresh_token,
  });
  if (!redeemed) throw refused(await poll()); // another poll was faster, or the agent was cut
  return { ...token, refresh_token };
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
