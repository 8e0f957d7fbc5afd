// A hill's log, numbered and signed as a worker does it, of a hill that has no worker.
import type pg from 'pg';
import { call } from '../../../src/db/call.ts';
import { prover } from '../../../src/process/proofs.ts';
import { publishLog } from '../../../src/worker/log.ts';
import type { LogSettings } from '../../../src/worker/log-head.ts';
import type { Hill } from '../hill/index.ts';
import { secret } from '../hill/secret.ts';

export const testOrigin = 'hill.example/log';

/**
 * Of a worker that has just started, with the secret of the tests: it has no file, and nobody answers at its address.
 */
export const signing = (change: Partial<LogSettings> = {}): LogSettings => ({
  ...{ origin: testOrigin, secret, prove: prover(() => secret), file: null, memory: { signed: null }, tell: () => {} },
  ask: () => Promise.reject(new Error('away')),
  ...change,
});

/** As a witness that holds what a database has signed last, so that its log goes on. */
export const heldBy = (worker: pg.Pool) => async (of: string) => {
  const head = await call<{ origin: string; checkpoint: string | null } | null>(worker, 'api_worker.log_head');
  return head?.checkpoint && head.origin === of ? [head.checkpoint] : [];
};

/** With the worker's login. It goes on from whatever was signed. */
export const signAs = (worker: pg.Pool): Promise<string> =>
  publishLog(worker, signing({ adopt: true, witnessed: heldBy(worker) }));

/** Returns the checkpoint. */
export const signLog = (hill: Hill): Promise<string> => signAs(hill.as('worker'));
