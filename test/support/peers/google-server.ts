// A real OpenID Connect provider in Google's place: oidc-provider, listening on loopback.
import http from 'node:http';
import Provider, { interactionPolicy } from 'oidc-provider';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../ports.ts';

export interface GoogleServer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who sits at the browser when the provider asks; null refuses. */
  human: { sub: string; email: string; email_verified: boolean } | null;
  /** The redirect address that is registered there. */
  redirectUri: string;
  /** Whether it takes the client's secret no more. */
  secretEnded: boolean;
}

/** Call it at the top of a test file, before the web door, whose settings name it. */
export function useGoogle(): GoogleServer {
  const google = {
    issuer: '',
    clientId: 'hill-at-google',
    clientSecret: 'a secret that only Google and Hill know',
    human: { sub: 'g-1', email: 'ann@example.com', email_verified: true },
    redirectUri: '',
    secretEnded: false,
  } as GoogleServer & { issuer: string };
  let server: http.Server;

  beforeAll(async () => {
    const port = await freePort();
    google.issuer = `http://localhost:${port}`;
    // Google lets its humans choose among their accounts, which the library does not know of.
    const policy = interactionPolicy.base();
    policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
    let handler: http.RequestListener | undefined;
    server = http.createServer(async (request, response) => {
      const provider = providerOf();
      if (request.url?.startsWith('/interaction/')) {
        const { human } = google;
        await provider.interactionFinished(
          request,
          response,
          human
            ? { select_account: {}, login: { accountId: human.sub } }
            : { error: 'access_denied', error_description: 'the human refused' },
        );
        return;
      }
      if (google.secretEnded && request.url === '/token') {
        response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"error":"invalid_client"}');
        return;
      }
      handler ??= provider.callback();
      handler(request, response);
    });
    // Made when it is first asked: the redirect address is known only when Hill listens.
    let made: Provider | undefined;
    const providerOf = (): Provider => {
      made ??= new Provider(google.issuer, {
        clients: [
          {
            client_id: google.clientId,
            client_secret: google.clientSecret,
            redirect_uris: [google.redirectUri],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        cookies: { keys: ['a key of this test'] },
        features: { devInteractions: { enabled: false } },
        interactions: { policy, url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        conformIdTokenClaims: false, // like Google, which puts the address into the ID token
        pkce: { required: () => true },
        ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
        findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...google.human }) }),
        async loadExistingGrant(ctx) {
          const grant = new ctx.oidc.provider.Grant({
            clientId: ctx.oidc.client?.clientId as string,
            accountId: ctx.oidc.session?.accountId as string,
          });
          grant.addOIDCScope('openid email');
          await grant.save();
          return grant;
        },
      });
      return made;
    };
    await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  });
  afterAll(() => {
    server?.close();
    server?.closeAllConnections();
  });
  return google;
}
