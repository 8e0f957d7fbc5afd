// humans/claim/routes.ts · the claim ceremony as a human sees it. Its rules are in sql/oauth/decide_claim.sql.
import type Router from '@koa/router';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import { countedAddress } from '../../http/counted-address.ts';
import { admit } from '../../http/rate-limit.ts';
import { nameIn, nameRefused, nameTyped } from '../account-name.ts';
import type { Human, HumanPages } from '../pages.ts';
import { aboutClaims, type Claim, type ClaimView, claimEnd, claimPage } from './page.ts';

const statuses: Partial<Record<Claim['outcome'], number>> = { wrong_code: 422, rate_limited: 429 };

export function claimRoutes(router: Router, pages: HumanPages): void {
  const { config, db } = pages;

  const show = async (ctx: Koa.Context, human: Human, claim: Claim, attemptToken: string, typed: ClaimView['typed'] = {}) => {
    const end = claimEnd(claim, { attemptToken, ...human });
    if (end) {
      await pages.show(ctx, end.page, end.status);
      return;
    }
    if (claim.retry_after_seconds) ctx.set('Retry-After', String(claim.retry_after_seconds));
    await pages.show(
      ctx,
      claimPage({ claim, attemptToken, ...human, typed }),
      typed.name?.problem ? 422 : (statuses[claim.outcome] ?? 200),
    );
  };
  const look = (session: string, attempt_token: string) => call<Claim>(db, 'api_human.look_at_claim', { session, attempt_token });

  router.get('/claim', async (ctx) => {
    if (!ctx.query.claim_attempt_token) return pages.show(ctx, aboutClaims());
    const human = await pages.human(ctx);
    if (!human) return;
    const attemptToken = String(ctx.query.claim_attempt_token ?? '');
    await show(ctx, human, await look(human.session, attemptToken), attemptToken);
  });

  router.post('/claim', async (ctx) => {
    const { form } = await pages.form(ctx);
    const human = await pages.human(ctx);
    if (!human) return;
    const { session } = human;
    const attemptToken = form.get('claim_attempt_token') ?? '';
    // only the "approve" button approves
    const approves = form.get('decision') === 'approve';
    const wait = approves ? (await admit(db, 'codes', countedAddress(ctx.ip), config.limits.codes)).retry_after_seconds : 0;
    let decided: Claim;
    try {
      decided =
        wait > 0
          ? { outcome: 'rate_limited', retry_after_seconds: wait }
          : approves
            ? await call<Claim>(db, 'api_human.approve_claim', {
                ...{ session, attempt_token: attemptToken, user_code: digits(form), account_name: nameIn(form) },
              })
            : await call<Claim>(db, 'api_human.refuse_claim', { session, attempt_token: attemptToken });
    } catch (error) {
      const name = nameRefused(error, form);
      return show(ctx, human, await look(session, attemptToken), attemptToken, { code: digits(form), name });
    }

    if (decided.outcome === 'approved' || decided.outcome === 'refused') {
      pages.goOn(ctx, `/claim?claim_attempt_token=${encodeURIComponent(attemptToken)}`);
      return;
    }
    // with the waiting time, the page shows the claim as before
    const before = decided.outcome === 'rate_limited' ? await look(session, attemptToken) : decided;
    await show(ctx, human, before.outcome === 'initiated' ? { ...before, ...decided } : before, attemptToken, { name: nameTyped(form) });
  });
}

const digits = (form: URLSearchParams): string => (form.get('user_code') ?? '').replace(/\s/g, '');
