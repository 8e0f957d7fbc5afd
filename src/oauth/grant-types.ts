// What the token endpoint is asked with, beside codes and refresh tokens.

export const claimGrantType = 'urn:example:agent-auth:grant-type:claim';
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';
export const assertionGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
