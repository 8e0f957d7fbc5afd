// Which human a request comes from, by the session in its cookie. The database decides at every request.
import type Koa from 'koa';
import type pg from 'pg';
import { call } from '../db/call.ts';
import { Refusal } from '../db/errors.ts';
import type { Config } from '../process/config.ts';
import { hashed, prover } from '../process/proofs.ts';
import { signingSecret } from '../process/secret.ts';
import { newSecret } from './browser-secret.ts';
import { type CookieJar, cookieJar } from './cookies.ts';
import type { AccountState } from './records.ts';

const cookie = 'session';

export interface Vouching {
  readonly provider: 'google' | 'github' | 'development' | 'practice';
  readonly subject: string;
  readonly email: string;
}

/** Sessions of humans on the pages of one origin. */
export function humanSessions(config: Pick<Config, 'baseUrl' | 'env' | 'signingSecret' | 'dataDir'>, db: pg.Pool) {
  const jar: CookieJar = cookieJar(config.baseUrl);
  const prove = prover(() => signingSecret(config));
  const keep = (ctx: Koa.Context, session: string, expires_at: string) =>
    jar.set(ctx, cookie, session, Math.floor((Date.parse(expires_at) - Date.now()) / 1000));
  return {
    jar,

    /**
     * The session token in the browser's cookie, if any. The database keeps its hash; by itself it proves nothing yet.
     */
    sessionOf: (ctx: Koa.Context): string | undefined => jar.get(ctx, cookie),

    /**
     * The account of the request's session; undefined if there is no session or it has ended. Throws a Failure if the
     * database does not answer.
     */
    async find(ctx: Koa.Context): Promise<{ session: string; account: AccountState } | undefined> {
      const session = jar.get(ctx, cookie);
      if (!session) return undefined;
      try {
        return { session, account: await call<AccountState>(db, 'api_human.account', { session }) };
      } catch (error) {
        if (error instanceof Refusal && error.oauth === 'invalid_token') return undefined; // ended, or the account was closed
        throw error;
      }
    },

    /**
     * A new session for the human that a provider vouched for. The browser's earlier session ends, so that no session
     * can be fixed in advance. Gives the session.
     */
    async signIn(ctx: Koa.Context, { provider, subject, email }: Vouching): Promise<string> {
      const before = jar.get(ctx, cookie);
      const session = newSecret();
      const { expires_at } = await call<{ expires_at: string }>(db, 'api_human.sign_in', {
        ...{ provider, subject, email, session },
        ...prove('sign in', provider, subject, email, hashed(session)),
      });
      if (before) await call(db, 'api_human.sign_out', { session: before });
      keep(ctx, session, expires_at);
      return session;
    },

    /** A session of a new account, on a practice hill: nobody vouches for anybody there. */
    practise(ctx: Koa.Context): Promise<string> {
      const subject = newSecret();
      return this.signIn(ctx, { provider: 'practice', subject, email: `${subject.slice(0, 8)}@practice.invalid` });
    },

    /**
     * Adds another sign-in, which a provider vouched for, to the account of a session, and replaces the session by a
     * new one.
     */
    async addSignIn(ctx: Koa.Context, session: string, { provider, subject, email }: Vouching): Promise<void> {
      const next_session = newSecret();
      const { expires_at } = await call<{ expires_at: string }>(db, 'api_human.add_sign_in', {
        ...{ session, provider, subject, email, next_session },
        ...prove('add sign-in', hashed(session), provider, subject, email, hashed(next_session)),
      });
      keep(ctx, next_session, expires_at);
    },

    /** Shows the staff, by the code that they gave, which sign-in shall open the account of a lost login. Its name. */
    async proveNewSignIn(code: string, { provider, subject, email }: Vouching): Promise<string> {
      const { name } = await call<{ name: string }>(db, 'api_human.prove_new_sign_in', {
        ...{ code, provider, subject, email },
        ...prove('prove new sign-in', hashed(code), provider, subject, email),
      });
      return name;
    },

    /** Adds credits for a payment; each payment is credited once. */
    async topUp(session: string, cents: number | null, reason: string, payment: string): Promise<void> {
      await call(db, 'api_human.top_up', {
        ...{ session, cents, reason, payment },
        ...prove('top up', hashed(session), String(cents ?? ''), reason, payment),
      });
    },

    /** The browser forgets its session, which has ended already. */
    forget: (ctx: Koa.Context): void => jar.clear(ctx, cookie),

    async signOut(ctx: Koa.Context): Promise<void> {
      const session = jar.get(ctx, cookie);
      if (session) await call(db, 'api_human.sign_out', { session });
      jar.clear(ctx, cookie);
    },

    async signOutEverywhere(ctx: Koa.Context, session: string): Promise<void> {
      await call(db, 'api_human.sign_out_everywhere', { session });
      jar.clear(ctx, cookie);
    },
  };
}

export type HumanSessions = ReturnType<typeof humanSessions>;
