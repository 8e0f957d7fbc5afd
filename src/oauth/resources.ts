// Which resources tokens are for: the base and the authorization address, each in three forms. RFC 8707; protocol 2.5.
import { OAuthError } from './errors.ts';

export const scopes = ['hill:read', 'hill:play'] as const;

/** The audience of a token: the resource that the request names, or the first one. */
export function audienceOf(resources: readonly string[], named: readonly string[]): string {
  const audiences = named.map((name) =>
    resources.find((resource) => [resource, `${resource}/`, `${resource}/mcp`].includes(name)),
  );
  const [first = resources[0], ...others] = audiences as [string | undefined, ...(string | undefined)[]];
  if (first === undefined || audiences.includes(undefined) || others.some((other) => other !== first))
    throw new OAuthError(
      400,
      'invalid_target',
      'The resource is not one that this server issues tokens for; see its protected resource metadata.',
    );
  return first;
}

/** The allowed scopes that the request asks for; all allowed scopes if it asks for none. Unknown scopes are dropped. */
export function scopesOf(available: readonly string[], asked: string | undefined): string[] {
  if (asked === undefined) return [...available];
  const wanted = asked.split(/\s+/);
  const given = available.filter((scope) => wanted.includes(scope));
  if (given.length === 0) throw new OAuthError(400, 'invalid_scope', 'None of these scopes exists here.');
  return given;
}
