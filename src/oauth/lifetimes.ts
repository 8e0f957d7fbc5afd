// The lifetimes of tokens, read from sql/rules/constants.sql, where each number stands once. Protocol 2.1.
import type pg from 'pg';
import { call } from '../db/call.ts';

export interface Lifetimes {
  readonly access_token_seconds: number;
  readonly identity_assertion_seconds: number;
  readonly assertion_renewal_seconds: number;
  readonly claim_token_seconds: number;
  readonly claim_code_seconds: number;
  readonly claim_poll_seconds: number;
  readonly device_code_seconds: number;
  readonly authorization_code_seconds: number;
  readonly refresh_token_days: number;
  readonly grant_lapse_days: number;
}

/** Read from the database once, since they change only with its functions; read again if that failed. */
export function lifetimesOf(db: pg.Pool): () => Promise<Lifetimes> {
  let read: Promise<Lifetimes> | undefined;
  return () => {
    read ??= call<Lifetimes>(db, 'api_oauth.lifetimes').catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
}
