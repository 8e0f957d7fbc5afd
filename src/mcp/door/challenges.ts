// Answers to a request without the token that it needs: what is wrong, and how to get one. RFC 6750, 9728; protocol
// 9.2.
import { refusal } from '../../db/errors.ts';
import type { Links } from '../../records/links.ts';
import { type ClaimState, howToBeClaimed, stepsText } from '../claim.ts';
import { type Answer, type Id, refused } from './answers.ts';

/** `metadata` is the address of the endpoint's metadata, on the host that was asked. */
export function noToken(links: Links, metadata: string): Answer {
  const hint = `${links.act.guide} says how to get one, with or without a browser.`;
  const error = refusal('INVALID_TOKEN', 'An access token is needed.', hint);
  return refused(error, null, { headers: challenge(metadata), data: { link: links.lift(error.code) } });
}

export function badToken(links: Links, metadata: string, id: Id): Answer {
  const message = 'The access token is unknown, expired, revoked, or not for this server.';
  const error = refusal('INVALID_TOKEN', message, `Renew it the way you got it, or start again: ${links.act.guide}`);
  return refused(error, id, {
    headers: challenge(metadata, 'invalid_token', message),
    data: { link: links.lift(error.code) },
  });
}

/** To a token without the scope. `claim`: what the database knows of the claim of an agent that is not claimed yet. */
export function lacksScope(links: Links, metadata: string, id: Id, claim: ClaimState | null): Answer {
  const claimed = claim && howToBeClaimed(links, claim);
  const hint = claimed
    ? `No human has claimed you yet. Open a browser for your human and authorize with both scopes, or:\n${stepsText(claimed.steps)}\nThe guide: ${links.act.guide}`
    : `Get a token with both scopes: exchange your newest identity assertion without naming a scope, or authorize again: ${links.act.guide}`;
  const error = refusal('INSUFFICIENT_SCOPE', 'This tool needs a token with the scope hill:play.', hint, {
    scope: 'hill:play',
  });
  return refused(error, id, {
    headers: challenge(metadata, 'insufficient_scope', error.message),
    data: { link: links.lift(error.code), ...(claimed ? { claim: claimed } : {}) },
  });
}

// Never hill:read alone: a client that asks for the scope of the challenge could then never play. Protocol 9.2.
const scope = 'scope="hill:read hill:play"';

/** WWW-Authenticate. Without an error it only says how to begin. */
const challenge = (
  resourceMetadata: string,
  error?: 'invalid_token' | 'insufficient_scope',
  description?: string,
): Record<string, string> => ({
  'WWW-Authenticate': `Bearer ${[
    ...(error ? [`error="${error}"`, `error_description="${description}"`] : []),
    `resource_metadata="${resourceMetadata}"`,
    scope,
  ].join(', ')}`,
});
