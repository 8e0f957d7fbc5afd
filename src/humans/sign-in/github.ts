// Sign-in with GitHub: OAuth 2 with state and PKCE, then the user and the verified addresses from its API.
import * as client from 'openid-client';
import { z } from 'zod';
import type { GithubSettings } from '../../process/config.ts';
import { type Provider, SignInProblem, timeoutSeconds } from './provider.ts';

const User = z.object({ id: z.int() });
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export function github({ clientId, clientSecret, url, apiUrl }: GithubSettings): Provider {
  const configuration = new client.Configuration(
    {
      issuer: `${url}/login/oauth`,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    clientId,
    clientSecret,
    client.ClientSecretPost(clientSecret),
  );
  configuration.timeout = timeoutSeconds;
  if (url.startsWith('http:') || apiUrl.startsWith('http:')) client.allowInsecureRequests(configuration);

  const read = async <T>(token: string, path: string, shape: z.ZodType<T>): Promise<T> => {
    const headers = new Headers({ Accept: 'application/vnd.github+json', 'User-Agent': 'hill' });
    const response = await client.fetchProtectedResource(
      configuration,
      token,
      new URL(`${apiUrl}${path}`),
      'GET',
      undefined,
      headers,
    );
    if (!response.ok) {
      await response.body?.cancel();
      throw new SignInProblem('unreachable');
    }
    return shape.parse(await response.json());
  };

  return {
    name: 'github',
    title: 'GitHub',

    async begin({ state, verifier }, redirectUri) {
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },

    async finish({ state, verifier }, back) {
      const tokens = await client.authorizationCodeGrant(configuration, back, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      });
      const user = await read(tokens.access_token, '/user', User);
      const emails = await read(tokens.access_token, '/user/emails', Emails);
      // The address that the human made primary, and no other.
      const primary = emails.find((address) => address.primary);
      if (!primary?.verified) throw new SignInProblem('unverified');
      return { subject: String(user.id), email: primary.email };
    },
  };
}
