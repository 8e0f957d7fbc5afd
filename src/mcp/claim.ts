// How a human claims an agent, for every answer to an agent that is not claimed yet. Protocol 3.2, 3.4.
import { z } from 'zod';
import type { Links } from '../records/links.ts';

export const claimRecord = z.object({
  /** The registration can be claimed until then. */
  expires_at: z.string(),
  expired: z.boolean(),
  /** A code was issued; the human may type it until then. */
  code_live_until: z.string().nullable(),
  steps: z.array(z.string()),
  begin: z.object({ method: z.string(), href: z.string(), body: z.record(z.string(), z.string()) }),
  poll: z.object({ method: z.string(), href: z.string(), form: z.record(z.string(), z.string()) }),
  guide: z.string(),
});

type Claim = z.infer<typeof claimRecord>;
/** What the database knows of it. */
export type ClaimState = Pick<Claim, 'expires_at' | 'expired' | 'code_live_until'>;

export const howToBeClaimed = (links: Links, state: ClaimState): Claim => ({
  ...state,
  ...links.claim,
  steps: state.expired ? [registerAgain(links), ...links.claim.steps] : links.claim.steps,
});

const registerAgain = ({ act: { headless_start: start } }: Links): string =>
  `Register again: POST ${start.href} json ${JSON.stringify({ ...start.body, client_name: '<client_name>' })}`;

/** The steps as text: whoever reads nothing else can follow them. */
export const stepsText = (steps: readonly string[]): string => steps.map((step, i) => `${i + 1}. ${step}`).join('\n');
