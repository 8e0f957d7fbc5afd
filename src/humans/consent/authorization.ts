// What a client asks of a human, as the authorization server has checked it and the consent page shows it.

export interface Client {
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: string[];
  readonly scopes: readonly string[];
  /** For a client described by its own metadata document: how long the document may be cached. */
  readonly freshSeconds?: number;
}

/** An authorization request that may be shown to a human. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly audience: string;
  readonly codeChallenge: string;
  readonly state: string | undefined;
  /** The request as it came, to be sent again with the form; it is checked anew each time. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What is wrong with a request, for its client to be told at `to`. */
export interface WrongRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly to: string;
  /** Whether that is a program on the human's own computer. */
  readonly ownComputer: boolean;
  readonly why: { readonly error: string; readonly message: string };
}

/**
 * ask: show it to the human. tell: the client is to be told. stop: the client or its address is unknown, so tell only
 * the human.
 */
export type Checked =
  | { readonly outcome: 'ask'; readonly request: AuthorizationRequest }
  | ({ readonly outcome: 'tell' } & WrongRequest)
  | { readonly outcome: 'stop'; readonly status: number; readonly why: string; readonly retryAfterSeconds?: number };

export interface Authorization {
  /** `ip`: the address that the request is counted for. */
  check(query: URLSearchParams, ip: string): Promise<Checked>;
  /**
   * The address that the browser goes to with the code. `accountName`: what the human calls the account, with its first
   * agent. `termsId`: the terms that the page showed.
   */
  approve(
    session: string,
    request: AuthorizationRequest,
    accountName: string | null,
    termsId: number | null,
  ): Promise<string>;
  refuse(request: AuthorizationRequest): string;
}
