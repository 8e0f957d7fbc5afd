// Sign-in with Google: OpenID Connect, with state, nonce and PKCE.
import * as client from 'openid-client';
import type { GoogleSettings } from '../../process/config.ts';
import { type Provider, SignInProblem, timeoutSeconds } from './provider.ts';

export function google({ clientId, clientSecret, issuer }: GoogleSettings): Provider {
  // Discovered when the first human signs in, and again if that failed: the hill starts without waiting for Google.
  let discovered: Promise<client.Configuration> | undefined;
  const configuration = (): Promise<client.Configuration> => {
    discovered ??= client
      .discovery(new URL(issuer), clientId, clientSecret, client.ClientSecretPost(clientSecret), {
        timeout: timeoutSeconds,
        // also check the ID token's signature, although it comes straight from the provider
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        discovered = undefined;
        throw new SignInProblem('unreachable', error);
      });
    return discovered;
  };

  return {
    name: 'google',
    title: 'Google',

    async begin({ state, nonce, verifier }, redirectUri) {
      return client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      });
    },

    async finish({ state, nonce, verifier }, url) {
      const tokens = await client.authorizationCodeGrant(await configuration(), url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      });
      const claims = tokens.claims();
      if (!claims || typeof claims.email !== 'string' || claims.email_verified !== true)
        throw new SignInProblem('unverified');
      return { subject: claims.sub, email: claims.email };
    },
  };
}
