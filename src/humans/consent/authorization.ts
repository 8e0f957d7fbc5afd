// humans/consent/authorization.ts · what a client asks of a human, as the authorization server has checked it and the consent page shows it.

export interface Client {
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: string[];
  readonly scopes: readonly string[];
  /** Of a client that its own document describes: how long that may be kept. */
  readonly freshSeconds?: number;
}

/** A request that may be put before a human. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly audience: string;
  readonly codeChallenge: string;
  readonly state: string | undefined;
  /** What was asked, to be asked again: it is checked anew each time. */
  readonly fields: Readonly<Record<string, string>>;
}

/** ask: put it before the human. tell: send the browser back to the client with this. stop: neither the client nor its address is known, so tell the human only. */
export type Checked =
  | { readonly outcome: 'ask'; readonly request: AuthorizationRequest }
  | { readonly outcome: 'tell'; readonly to: string }
  | { readonly outcome: 'stop'; readonly status: number; readonly why: string; readonly retryAfterSeconds?: number };

export interface Authorization {
  /** `ip`: whom what it costs is counted for. */
  check(query: URLSearchParams, ip: string): Promise<Checked>;
  /** The address that the browser goes to with the code. */
  approve(session: string, request: AuthorizationRequest): Promise<string>;
  refuse(request: AuthorizationRequest): string;
}
