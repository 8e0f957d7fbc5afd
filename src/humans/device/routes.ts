// humans/device/routes.ts · /device: a human types the code that a program shows elsewhere, and decides. Its rules are in sql/oauth/decide_device.sql. Protocol 4.6.
import type Router from '@koa/router';
import { call } from '../../db/call.ts';
import { countedAddress } from '../../http/counted-address.ts';
import { admit } from '../../http/rate-limit.ts';
import { keptUserCode, readUserCode } from '../../process/user-codes.ts';
import { nameIn, nameRefused } from '../account-name.ts';
import type { Human, HumanPages } from '../pages.ts';
import { codePage, comparePage, type Device, decisionPage, deviceEnd, tooMany } from './page.ts';

const path = '/device';

export function deviceRoutes(router: Router, pages: HumanPages): void {
  const { config, db } = pages;
  const kept = keptUserCode(config);

  router.get(path, async (ctx) => {
    const human = await pages.human(ctx);
    if (!human) return;
    const { user_code, done } = ctx.query;
    const end = deviceEnd(human, done);
    const code = typeof user_code === 'string' ? readUserCode(user_code) : undefined;
    await pages.show(ctx, end ?? (code ? comparePage(human, code) : codePage(human)));
  });

  router.post(path, async (ctx) => {
    const { form } = await pages.form(ctx);
    const human = await pages.human(ctx);
    if (!human) return;
    const typed = (form.get('user_code') ?? '').slice(0, 40);
    const code = readUserCode(typed);
    const again = (status: number, problem: string) => pages.show(ctx, codePage(human, typed, problem), status);
    if (!code) return again(422, 'That is not a code: a code has eight letters, none of them a vowel.');

    const decision = form.get('decision');
    let seen: Device;
    try {
      const { retry_after_seconds: wait } = await admit(db, 'codes', countedAddress(ctx.ip), config.limits.codes);
      seen = wait > 0 ? { outcome: 'rate_limited', retry_after_seconds: wait } : await ask(human, code, decision, nameIn(form));
    } catch (error) {
      const name = nameRefused(error, form);
      seen = await ask(human, code, null, null);
      if (seen.outcome === 'pending') return pages.show(ctx, decisionPage(human, code, seen, name), 422);
    }
    if (seen.outcome === 'approved' || seen.outcome === 'refused') return pages.goOn(ctx, `${path}?done=${seen.outcome}`);
    if (seen.outcome === 'pending') return pages.show(ctx, decisionPage(human, code, seen));
    if (seen.outcome === 'unknown') return again(422, 'No program waits with that code. It may be mistyped, too old, or used.');
    ctx.set('Retry-After', String(seen.retry_after_seconds));
    return again(429, tooMany(seen));
  });

  /** Without a decision the code is only looked at. */
  const ask = ({ session }: Human, code: string, decision: string | null, account_name: string | null): Promise<Device> => {
    const held = { session, user_code: kept(code) };
    if (decision === 'approve') return call(db, 'api_human.approve_device', { ...held, account_name });
    return call(db, decision === 'refuse' ? 'api_human.refuse_device' : 'api_human.look_at_device', held);
  };
}
