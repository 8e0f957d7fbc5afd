// What a harness keeps for its human, in the form that the clients of all libraries ask for: client, tokens, verifier,
// servers.
import type { Human } from './human.ts';

export interface Kept {
  access_token: string;
  refresh_token?: string | undefined;
}

/** The libraries' own interfaces differ in optional members only; this has them all. */
export class Harness {
  readonly redirectUrl = 'http://127.0.0.1:41999/callback';
  readonly clientMetadata = {
    client_name: 'A harness',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  client: unknown;
  saved: Kept | undefined;
  /** Where the human was sent and has not been yet. */
  opened: URL | undefined;
  readonly #human: Human;
  readonly #kept = new Map<string, unknown>();

  constructor(human: Human) {
    this.#human = human;
  }

  state = () => 'a state of the harness';
  clientInformation = () => this.client as never;
  saveClientInformation = (client: unknown) => {
    this.client = client;
  };
  isClientInformationDynamicallyRegistered = () => true;
  tokens = () => this.saved as never;
  saveTokens = (tokens: Kept) => {
    this.saved = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string) => void this.#kept.set('verifier', verifier);
  codeVerifier = () => this.#kept.get('verifier') as string;
  discoveryState = () => this.#kept.get('discovery') as never;
  saveDiscoveryState = (state: unknown) => void this.#kept.set('discovery', state);
  authorizationServerInformation = () => this.#kept.get('server') as never;
  saveAuthorizationServerInformation = (server: unknown) => void this.#kept.set('server', server);
  /** What a server no longer takes is forgotten: the tokens, or all of it. */
  invalidateCredentials = (what: string) => {
    if (what !== 'verifier') this.saved = undefined;
    if (what === 'all' || what === 'client') this.client = undefined;
  };

  /** The human goes where the client asked to: the parameters of the answer. */
  async signIn(): Promise<{ code: string; state: string; iss: string }> {
    if (!this.opened) throw new Error('The human was sent nowhere.');
    const url = this.opened;
    this.opened = undefined;
    return Object.fromEntries((await this.#human.open(url)).searchParams) as {
      code: string;
      state: string;
      iss: string;
    };
  }
}
