// How an agent is let in at each door: claimed by a human, by consent, by a code on a device; and what is refused
// there.
import { createHash } from 'node:crypto';
import { throughConsent } from '../support/doors/consent.ts';
import { useDevice } from '../support/doors/device.ts';
import type { Season } from './season.ts';

const redirectUri = 'http://127.0.0.1:9/back';
const verifier = 'a verifier that is as long as the standard wants one to be';

export async function comeIn({ hill, mcp, recorder }: Season): Promise<void> {
  const keep = (question: string, answer: unknown) => recorder.keep('oauth', question, JSON.stringify(answer));
  const token = async (question: string, fields: Record<string, string>) => {
    const { status, body } = await mcp.form<{ refresh_token?: string }>('/oauth/token', fields);
    keep(`${question}: ${status}`, body);
    return body;
  };

  const { registration, claim, tokens } = await mcp.playing('claimed@example.com', 'A claimed bot');
  recorder.name(claim.claim_attempt.user_code, '<user code>');
  await nameAccount('claimed');
  keep('registered without a human', registration);
  keep('the claim', claim);
  keep('the tokens of a claimed agent', tokens);
  keep('a claim of nobody', (await mcp.claim('nothing', 'x@example.com')).body);
  await token('the claim once more', {
    grant_type: 'urn:example:agent-auth:grant-type:claim',
    claim_token: registration.claim_token,
  });

  const client = { client_name: 'A client', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' };
  const { body: registered } = await mcp.json<{ client_id: string }>('/oauth/register', client);
  keep('a client of dynamic registration', registered);
  const { client_id } = registered;
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = {
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
  };
  const back = await throughConsent(
    `${mcp.authUrl}/oauth/authorize?${new URLSearchParams(asked)}`,
    'consenting@example.com',
  );
  await nameAccount('consenting');
  const code = back.searchParams.get('code') as string;
  recorder.name(code, '<code>');
  keep('back at the client', Object.fromEntries(back.searchParams));
  const exchange = {
    grant_type: 'authorization_code',
    client_id,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  };
  await token('a code with another verifier', { ...exchange, code_verifier: `${verifier} of another` });
  const given = await token('a code', exchange);
  const refresh = { grant_type: 'refresh_token', client_id, refresh_token: String(given.refresh_token) };
  await token('refreshed', refresh);
  await token('refreshed with nothing', { ...refresh, refresh_token: 'nobody-has-this' });
  await token('a code that was spent', exchange);
  await token('an unknown grant', { grant_type: 'password' });

  const device = useDevice(mcp);
  const program = await device.approved('device@example.com');
  await nameAccount('device');
  recorder.name(program.user_code, '<device code>');
  keep('the tokens of a program', (await device.poll(program.client_id, program.device_code)).body);

  /** Whose name is drawn. */
  async function nameAccount(word: string): Promise<void> {
    const [row] = await hill.rows<{ name: string; slug: string }>(
      'select name, slug from hill.accounts order by created_at desc, id desc limit 1',
    );
    recorder.name(row?.name as string, `Somebody ${word}`);
    recorder.name(row?.slug as string, `somebody-${word}`);
  }
}
