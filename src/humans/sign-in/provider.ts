// humans/sign-in/provider.ts · what every provider of sign-ins does for us: sends a human there, and says who came back.
import type { Pending } from './pending.ts';

export type ProviderName = 'google' | 'github';

/** Whom the provider vouched for. */
export interface Vouched {
  /** The provider's own id of the human, which never changes. */
  readonly subject: string;
  /** An address that the provider reports as verified. */
  readonly email: string;
}

export interface Provider {
  readonly name: ProviderName;
  readonly title: string;
  /** Where to send the browser. */
  begin(pending: Pending, redirectUri: string): Promise<URL>;
  /** Who came back to `url`. Throws a SignInProblem, or what the client library throws. */
  finish(pending: Pending, url: URL): Promise<Vouched>;
}

/** The provider has done its part, and the sign-in ends all the same. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem';
  readonly kind: 'unverified' | 'unreachable';

  constructor(kind: 'unverified' | 'unreachable', cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** How long a provider may take to answer. */
export const timeoutSeconds = 10;
