// The discovery documents of RFC 8414 and RFC 9728. They list only what exists.

import { assertionGrantType, claimGrantType, deviceGrantType } from './grant-types.ts';
import { scopes } from './resources.ts';
import type { AuthorizationServer } from './server.ts';

export function serverMetadata({ issuer, config }: AuthorizationServer) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', deviceGrantType, assertionGrantType, claimGrantType],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    service_documentation: `${config.baseUrl}/auth.md`,
    ...(config.terms ? { op_tos_uri: `${config.baseUrl}/terms`, op_policy_uri: `${config.baseUrl}/privacy` } : {}),
    agent_auth: {
      skill: `${config.baseUrl}/auth.md`,
      identity_endpoint: `${issuer}/agent/identity`,
      claim_endpoint: `${issuer}/agent/identity/claim`,
      identity_types_supported: ['anonymous'],
    },
  };
}

/**
 * For the origin of the request: each host that serves the hill is a resource of its own. `path` is what follows the
 * well-known path. The resource must be the exact URL from which the client derived that of the document (RFC 9728,
 * 3.3), though the token endpoint takes all of its forms as one.
 */
export function resourceMetadata({ issuer, resources, config }: AuthorizationServer, host: string, path: '' | '/mcp') {
  const origin = resources.find((url) => new URL(url).host === host.toLowerCase()) ?? issuer;
  return {
    resource: origin + path,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Hill',
    resource_documentation: `${config.baseUrl}/auth.md`,
    ...(config.terms
      ? { resource_tos_uri: `${config.baseUrl}/terms`, resource_policy_uri: `${config.baseUrl}/privacy` }
      : {}),
  };
}
