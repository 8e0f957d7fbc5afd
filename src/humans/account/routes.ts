// The account page and its nights; its forms, each of which calls one function of api_human and leads back to the page.
import { randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import type { Refusal } from '../../db/errors.ts';
import { openPayments } from '../../outside/stripe.ts';
import { topUpsOf } from '../../process/config.ts';
import type { History, Warning } from '../../records/own.ts';
import { forPeople } from '../for-people.ts';
import { formActs } from '../form-acts.ts';
import { type Refused, takeAnswer } from '../form-answer.ts';
import type { Word } from '../form-page.ts';
import { isUuid } from '../is-uuid.ts';
import type { HumanPages } from '../pages.ts';
import type { OwnDeposit } from '../records.ts';
import { providersOf } from '../sign-in/providers.ts';
import type { Agent } from './agents.ts';
import { depositsPage } from './deposits.ts';
import { feedRoutes } from './feed.ts';
import { historyPage } from './history.ts';
import { historyPath } from './last-night.ts';
import { mailRoutes, mailWords } from './mail.ts';
import { mandateActs } from './mandate.ts';
import { enterAnAmount, parseDollars } from './money.ts';
import { accountPage } from './page.ts';
import { receiptRoutes } from './receipts.ts';
import { topUpRoutes, topUpWords } from './top-ups.ts';
import { staffOrderActs } from './warnings.ts';

/** The notices that the page can show after a form. The address only selects one; none of its text is shown. */
const done: Readonly<Record<string, string>> = {
  'feed-ended': 'The private feed is ended: its address leads nowhere.',
  named: 'The name is saved. Nights that are over keep the name that they were played under.',
  weekly: 'The weekly cap is saved. It holds for deposits from now on.',
  paused: 'The account is paused. Moves that were accepted stand; withdraw them below if you do not want them.',
  resumed: 'The pause is over: your agents can play again.',
  withdrawn: 'The move is withdrawn, and what it had reserved is free again.',
  nothing: 'There was no move on that place any more.',
  cut: 'The agent is cut off. None of its tokens works any more.',
  gone: 'There is no such agent.',
  credits: 'The play money is there.',
  ...topUpWords,
  ...mailWords,
  code: 'The code is redeemed: its credits are among your granted ones.',
  added: 'The sign-in is added. From now on it opens this account.',
  removed: 'The sign-in is removed, and you are signed out everywhere else.',
  missing: 'There is no such sign-in any more.',
  'order-stopped': 'It is stopped: the staff do nothing with the account.',
  'order-over': 'That was not under way any more.',
};

export function accountRoutes(router: Router, pages: HumanPages): void {
  const { config, db, sessions } = pages;
  const topUps = topUpsOf(config);
  const providers = providersOf(config);

  const show = async (ctx: Koa.Context, word?: Word, asked?: number) => {
    const human = await pages.human(ctx);
    if (!human) return;
    const { session } = human;
    const [agents, warnings, history] = await Promise.all([
      call<Agent[]>(db, 'api_human.agents', { session }),
      call<Warning[]>(db, 'api_human.warnings', { session }),
      call<History>(db, 'api_human.history', { session }),
    ]);
    const { topup_minimum_cents: least, topup_maximum_cents: most } = human.account;
    const suggested = asked !== undefined && asked >= least && asked <= most ? asked : undefined;
    const answer = takeAnswer(ctx, sessions.jar, session);
    await pages.show(
      ctx,
      accountPage({
        ...human,
        agents,
        warnings,
        history,
        providers,
        topUps,
        operator: config.operator,
        mails: config.mailFrom !== null,
        suggested,
        word,
        ...answer,
      }),
    );
  };
  const act = formActs('/account', router, pages, told);

  router.get('/account', async (ctx) => {
    const key = ctx.query.done;
    const text = typeof key === 'string' && Object.hasOwn(done, key) ? done[key] : undefined;
    const { top_up_cents: asked } = ctx.query; // from the link that the tool fund gives
    await show(
      ctx,
      text === undefined ? undefined : { tone: 'good', text },
      typeof asked === 'string' && /^\d{1,9}$/.test(asked) ? Number(asked) : undefined,
    );
  });

  historyRoutes(router, pages);
  feedRoutes(router, pages, act);
  receiptRoutes(router, pages);
  mailRoutes(router, pages, act);

  mandateActs(act, db);
  staffOrderActs(act, db);

  act('/account/name', async (form, session) => {
    await call(db, 'api_human.rename', { session, name: form.get('name') ?? '' });
    return 'named';
  });

  act('/account/withdraw', async (form, session) => {
    const slot = /^\d{1,2}$/.test(form.get('slot') ?? '') ? Number(form.get('slot')) : null;
    const { withdrawn } = await call<{ withdrawn: boolean }>(db, 'api_human.withdraw_move', { session, slot });
    return withdrawn ? 'withdrawn' : 'nothing';
  });

  act('/account/cut', async (form, session) => {
    const agent_id = form.get('agent_id') ?? '';
    if (!isUuid(agent_id)) return 'gone';
    return (await call<boolean>(db, 'api_human.cut_agent', { session, agent_id })) ? 'cut' : 'gone';
  });

  act('/account/code', async (form, session) => {
    await call(db, 'api_human.redeem_code', { session, code: form.get('code') });
    return 'code';
  });

  if (config.stripe) topUpRoutes(router, pages, openPayments(config.stripe, config.baseUrl), act);
  if (topUps === 'sandbox') {
    act('/account/top-up', async (form, session) => {
      await sessions.topUp(
        session,
        parseDollars(form.get('amount')) ?? null,
        'Sandbox top-up',
        `sandbox ${randomUUID()}`,
      );
      return 'credits';
    });
  }

  act('/account/remove-sign-in', async (form, session) => {
    const [provider, subject] = [form.get('provider') ?? '', form.get('subject') ?? ''];
    if (provider.includes('\0') || subject.includes('\0')) return 'missing'; // PostgreSQL has no null character
    return (await call<boolean>(db, 'api_human.remove_sign_in', { session, provider, subject }))
      ? 'removed'
      : 'missing';
  });

  router.post('/account/sign-out-everywhere', async (ctx) => {
    const { session } = await pages.form(ctx);
    await sessions.signOutEverywhere(ctx, session);
    pages.goOn(ctx, '/sign-in');
  });
}

function historyRoutes(router: Router, pages: HumanPages): void {
  const { config, db } = pages;
  router.get(historyPath, async (ctx) => {
    const human = await pages.human(ctx);
    if (!human) return;
    const { session, account } = human;
    const { before } = ctx.query;
    const history = await call<History>(db, 'api_human.history', {
      session,
      before: typeof before === 'string' && /^\d{1,9}$/.test(before) ? Number(before) : null,
    });
    await pages.show(ctx, historyPage(history, account, session, topUpsOf(config)));
  });

  router.get(`${historyPath}/:day`, async (ctx, next) => {
    const { day } = ctx.params as { day: string };
    if (!/^[1-9]\d{0,8}$/.test(day)) return next();
    const human = await pages.human(ctx);
    if (!human) return;
    const { session, account } = human;
    const deposits = await call<OwnDeposit[]>(db, 'api_human.deposits', { session, day: Number(day) });
    await pages.show(ctx, depositsPage(Number(day), deposits, account, session));
  });
}

/** The fields of each form of the page, by the end of its address. */
const fields: Readonly<Record<string, readonly string[]>> = {
  name: ['name'],
  mandate: ['daily_cap', 'max_stake'],
  weekly: ['weekly_cap'],
  pause: ['until'],
  'top-up': ['amount'],
  code: ['code'],
  mail: ['address'],
};

function told(name: string, form: URLSearchParams, error: Refusal): Omit<Refused, 'form'> {
  const typed = Object.fromEntries((fields[name] ?? []).map((field) => [field, form.get(field) ?? '']));
  return { typed, problems: problemsOf(error, typed) };
}

/** What to say of a refused form, beside which of its fields. */
function problemsOf(error: Refusal, typed: Refused['typed']): Refused['problems'] {
  const { minimum_cents: least, maximum_cents: most } = error.detail as {
    minimum_cents?: number;
    maximum_cents?: number;
  };
  const names = Object.keys(typed);
  if (error.code === 'TERMS_CHANGED') return { terms: forPeople(error) };
  if (error.code === 'INVALID_AMOUNT' && least !== undefined && most !== undefined) {
    const amiss = names.filter((name) => {
      const cents = parseDollars(typed[name] ?? '');
      return cents === undefined || cents < least || cents > most;
    });
    return Object.fromEntries(amiss.map((name) => [name, enterAnAmount(least, most)]));
  }
  return { [names.length === 1 ? (names[0] as string) : '']: forPeople(error) };
}
