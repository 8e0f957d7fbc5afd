// What a sign-in provider does: it says where to send a human, and who came back.
import type { Pending } from './pending.ts';

type ProviderName = 'google' | 'github';

/** The human that the provider vouched for. */
interface Vouched {
  /** The provider's own id for the human, which never changes. */
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

/** The provider answered, and the sign-in fails all the same. */
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
