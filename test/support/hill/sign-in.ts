// A human comes in as the web process brings one in, with its proof.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { hashed, prover } from '../../../src/process/proofs.ts';
import { call } from './doors.ts';
import { secret } from './secret.ts';

export const prove = prover(() => secret);

export interface SignedIn {
  account_id: string;
  first: boolean;
  expires_at: string;
  session: string;
}

export async function signIn(
  web: pg.Pool,
  { provider = 'development', subject, email, session = randomBytes(32).toString('base64url') }: Vouched,
): Promise<SignedIn> {
  const signedIn = await call<Omit<SignedIn, 'session'>>(web, 'api_human.sign_in', {
    ...{ provider, subject, email, session },
    ...prove('sign in', provider, subject, email, hashed(session)),
  });
  return { ...signedIn, session };
}

interface Vouched {
  provider?: string;
  subject: string;
  email: string;
  session?: string;
}
