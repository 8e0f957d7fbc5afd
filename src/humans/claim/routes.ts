// The claim ceremony as a human sees it, and on a practice hill an agent. Its rules are in sql/oauth/decide_claim.sql.
import type Router from '@koa/router';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import { countedAddress } from '../../http/counted-address.ts';
import { admit } from '../../http/rate-limit.ts';
import { nameIn, nameProblem, nameTyped } from '../account-name.ts';
import { type Refused, sendAgain, takeAnswer } from '../form-answer.ts';
import { openForm } from '../forms.ts';
import type { HumanPages } from '../pages.ts';
import { termsIn } from '../terms.ts';
import { aboutClaims, type Claim, claimEnd, claimPage, codeProblem } from './page.ts';
import { practiceEnd, practicePage } from './practice.ts';

export function claimRoutes(router: Router, pages: HumanPages): void {
  const { config, db, sessions } = pages;

  router.get('/claim', async (ctx) => {
    if (!ctx.query.claim_attempt_token) return pages.show(ctx, aboutClaims());
    if (practises(ctx)) {
      const attempt_token = String(ctx.query.claim_attempt_token);
      return showPractice(ctx, await call<Claim>(db, 'api_human.practice_claim', { attempt_token }), attempt_token);
    }
    const human = await pages.human(ctx);
    if (!human) return;
    const { session } = human;
    const attemptToken = String(ctx.query.claim_attempt_token);
    const { refused } = takeAnswer(ctx, sessions.jar, session);
    const claim = await call<Claim>(db, 'api_human.look_at_claim', { session, attempt_token: attemptToken });
    const end = claimEnd(claim, { attemptToken, ...human });
    if (end) await pages.show(ctx, end.page, end.status);
    else await pages.show(ctx, claimPage({ claim, attemptToken, ...human, refused }));
  });

  router.post('/claim', async (ctx) => {
    if (practises(ctx)) return practise(ctx);
    const { form, session } = await pages.form(ctx);
    const attempt_token = form.get('claim_attempt_token') ?? '';
    const again = `/claim?claim_attempt_token=${encodeURIComponent(attempt_token)}`;
    let problems: Refused['problems'] | undefined;
    try {
      const claim = await decide(ctx, session, attempt_token, form);
      if (claim.outcome === 'rate_limited')
        return pages.tooMany(ctx, 'Too many codes were tried.', claim.retry_after_seconds ?? 0, again);
      problems = codeProblem(claim);
    } catch (error) {
      problems = nameProblem(error);
    }
    // whatever else became of the claim, its page says it
    if (!problems) return pages.goOn(ctx, again);
    // a name does not cost the human the code, and a wrong code is typed anew
    const typed = { ...nameTyped(form), ...(problems.user_code ? {} : { user_code: digits(form) }) };
    sendAgain(ctx, sessions.jar, session, again, { form: 'claim', typed, problems });
  });

  /** On a practice hill whoever has the code lets the agent in, and no browser is needed for it. */
  const practises = (ctx: Koa.Context) => config.practice !== null && sessions.sessionOf(ctx) === undefined;

  function showPractice(ctx: Koa.Context, claim: Claim, attempt_token: string): Promise<void> {
    const end = practiceEnd(claim);
    if (end) return pages.show(ctx, end.page, end.status);
    return pages.show(ctx, practicePage(claim, attempt_token), claim.outcome === 'wrong_code' ? 400 : 200);
  }

  /** A program sends the form, too. There is no session yet that another page could act in, so it has no token. */
  async function practise(ctx: Koa.Context): Promise<void> {
    const form = await openForm(ctx, new URL(config.baseUrl).origin);
    const attempt_token = form.get('claim_attempt_token') ?? '';
    const again = `/claim?claim_attempt_token=${encodeURIComponent(attempt_token)}`;
    const { retry_after_seconds } = await admit(db, 'codes', countedAddress(ctx.ip), config.limits.codes);
    if (retry_after_seconds > 0) return pages.tooMany(ctx, 'Too many codes were tried.', retry_after_seconds, again);
    const user_code = digits(form);
    const claim = await call<Claim>(db, 'api_human.practice_claim', { attempt_token, user_code });
    if (claim.outcome !== 'initiated') return showPractice(ctx, claim, attempt_token);
    const session = await sessions.practise(ctx);
    const approved = await call<Claim>(db, 'api_human.approve_claim', { session, attempt_token, user_code });
    await showPractice(ctx, approved, attempt_token);
  }

  async function decide(
    ctx: Koa.Context,
    session: string,
    attempt_token: string,
    form: URLSearchParams,
  ): Promise<Claim> {
    // only the "approve" button approves
    if (form.get('decision') !== 'approve')
      return call<Claim>(db, 'api_human.refuse_claim', { session, attempt_token });
    const { retry_after_seconds } = await admit(db, 'codes', countedAddress(ctx.ip), config.limits.codes);
    if (retry_after_seconds > 0) return { outcome: 'rate_limited', retry_after_seconds };
    return call<Claim>(db, 'api_human.approve_claim', {
      session,
      attempt_token,
      user_code: digits(form),
      account_name: nameIn(form),
      terms_id: termsIn(form),
    });
  }
}

const digits = (form: URLSearchParams): string => (form.get('user_code') ?? '').replace(/\s/g, '');
