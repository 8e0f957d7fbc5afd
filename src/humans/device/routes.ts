// /device: a human types the code that a program shows elsewhere, and decides. Its rules are in
// sql/oauth/decide_device.sql. Protocol 4.6.
import type Router from '@koa/router';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import { countedAddress } from '../../http/counted-address.ts';
import { admit } from '../../http/rate-limit.ts';
import { keptUserCode, readUserCode } from '../../process/user-codes.ts';
import { nameIn, nameProblem, nameTyped } from '../account-name.ts';
import { derive, same } from '../browser-secret.ts';
import { sendAgain, takeAnswer } from '../form-answer.ts';
import type { HumanPages } from '../pages.ts';
import { termsIn } from '../terms.ts';
import { codePage, comparePage, type Device, decisionPage, deviceEnd, unknownCode } from './page.ts';

const path = '/device';

export function deviceRoutes(router: Router, pages: HumanPages): void {
  const { config, db, sessions } = pages;
  const kept = keptUserCode(config);
  /** Says that this session has typed the code or compared it, and that the attempt was counted. */
  const compared = (session: string, code: string): string => derive(session, `device ${code}`);
  const decisionPath = (session: string, code: string): string =>
    `${path}?user_code=${code}&compared=${compared(session, code)}`;

  const tooMany = (ctx: Koa.Context, seconds = 0) => pages.tooMany(ctx, 'Too many codes were typed.', seconds, path);

  router.get(path, async (ctx) => {
    const human = await pages.human(ctx);
    if (!human) return;
    const { user_code, done, compared: proof } = ctx.query;
    const { refused } = takeAnswer(ctx, sessions.jar, human.session);
    const end = deviceEnd(human, done);
    const code = typeof user_code === 'string' ? readUserCode(user_code) : undefined;
    if (end || !code) return pages.show(ctx, end ?? codePage(human, refused));
    if (typeof proof !== 'string' || !same(proof, compared(human.session, code)))
      return pages.show(ctx, comparePage(human, code));
    const device = await call<Device>(db, 'api_human.look_at_device', {
      session: human.session,
      user_code: kept(code),
    });
    if (device.outcome === 'pending') return pages.show(ctx, decisionPage(human, code, device, refused));
    if (device.outcome === 'rate_limited') return tooMany(ctx, device.retry_after_seconds);
    await pages.show(
      ctx,
      codePage(human, { form: 'device', typed: { user_code: code }, problems: { user_code: unknownCode } }),
    );
  });

  router.post(path, async (ctx) => {
    const { form, session } = await pages.form(ctx);
    const typed = (form.get('user_code') ?? '').slice(0, 40);
    const code = readUserCode(typed);
    const again = (problem: string) =>
      sendAgain(ctx, sessions.jar, session, path, {
        form: 'device',
        typed: { user_code: typed },
        problems: { user_code: problem },
      });
    if (!code) return again('That is not a code: a code has eight letters, none of them a vowel.');

    const { retry_after_seconds } = await admit(db, 'codes', countedAddress(ctx.ip), config.limits.codes);
    if (retry_after_seconds > 0) return tooMany(ctx, retry_after_seconds);
    const decision = form.get('decision');
    if (!decision) return pages.goOn(ctx, decisionPath(session, code));
    try {
      const device = await ask(session, code, decision, form);
      const { outcome } = device;
      if (outcome === 'rate_limited') await tooMany(ctx, device.retry_after_seconds);
      else if (outcome === 'approved' || outcome === 'refused') pages.goOn(ctx, `${path}?done=${outcome}`);
      else again(unknownCode);
    } catch (error) {
      const refused = { form: 'device', typed: nameTyped(form), problems: nameProblem(error) };
      sendAgain(ctx, sessions.jar, session, decisionPath(session, code), refused);
    }
  });

  /** Only "approve" approves. */
  const ask = (session: string, code: string, decision: string, form: URLSearchParams): Promise<Device> => {
    const held = { session, user_code: kept(code) };
    return decision === 'approve'
      ? call(db, 'api_human.approve_device', { ...held, account_name: nameIn(form), terms_id: termsIn(form) })
      : call(db, 'api_human.refuse_device', held);
  };
}
