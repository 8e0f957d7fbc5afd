// GitHub's side of a sign-in as its documentation has it: authorize, access_token, /user, /user/emails.
import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../ports.ts';

export interface GithubServer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who sits at the browser; null refuses. */
  human: { id: number; emails: { email: string; primary: boolean; verified: boolean }[] } | null;
  redirectUri: string;
}

export function useGithub(): GithubServer {
  const github = {
    url: '',
    clientId: 'hill-at-github',
    clientSecret: 'a secret that only GitHub and Hill know',
    human: { id: 1, emails: [{ email: 'ann@example.com', primary: true, verified: true }] },
    redirectUri: '',
  } as GithubServer & { url: string };
  const codes = new Map<string, { challenge: string; human: NonNullable<GithubServer['human']> }>();
  const tokens = new Map<string, NonNullable<GithubServer['human']>>();
  let server: http.Server;

  const authorize = (query: URLSearchParams, response: http.ServerResponse) => {
    if (query.get('client_id') !== github.clientId || query.get('redirect_uri') !== github.redirectUri) {
      response.writeHead(404).end();
      return;
    }
    const back = new URL(github.redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    if (github.human) {
      const code = randomBytes(10).toString('hex');
      codes.set(code, { challenge: query.get('code_challenge') ?? '', human: github.human });
      back.searchParams.set('code', code);
    } else {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'The user has denied your application access.');
    }
    response.writeHead(302, { Location: back.href }).end();
  };

  const exchange = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const form = new URLSearchParams(body);
    const found = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const proven =
      found?.challenge ===
      createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
    // GitHub answers 200 whatever goes wrong.
    if (form.get('client_id') !== github.clientId || form.get('client_secret') !== github.clientSecret)
      json(response, 200, { error: 'incorrect_client_credentials' });
    else if (!found || !proven || form.get('redirect_uri') !== github.redirectUri)
      json(response, 200, { error: 'bad_verification_code' });
    else {
      const access_token = `gho_${randomBytes(18).toString('hex')}`;
      tokens.set(access_token, found.human);
      json(response, 200, { access_token, scope: 'read:user,user:email', token_type: 'bearer' });
    }
  };

  beforeAll(async () => {
    const port = await freePort();
    github.url = `http://localhost:${port}`;
    server = http.createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', github.url);
      const human = tokens.get((request.headers.authorization ?? '').replace(/^Bearer /i, ''));
      if (pathname === '/login/oauth/authorize') authorize(searchParams, response);
      else if (pathname === '/login/oauth/access_token' && request.method === 'POST') await exchange(request, response);
      else if (!human) json(response, 401, { message: 'Bad credentials' });
      else if (!request.headers['user-agent'])
        json(response, 403, { message: 'Please make sure your request has a User-Agent header' });
      else if (pathname === '/user') json(response, 200, { login: `login-${human.id}`, id: human.id, email: null });
      else if (pathname === '/user/emails')
        json(
          response,
          200,
          human.emails.map((email) => ({ ...email, visibility: null })),
        );
      else json(response, 404, { message: 'Not Found' });
    });
    await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  });
  afterAll(() => {
    server?.close();
    server?.closeAllConnections();
  });
  return github;
}

const json = (response: http.ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
