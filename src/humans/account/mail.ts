// Notices by mail: the human names an address, whoever reads mail there confirms it, and stops it with one request.
// Protocol 5.6.
import { randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import { Refusal } from '../../db/errors.ts';
import { rule } from '../../db/rules.ts';
import type { Markup } from '../../html/layout.ts';
import { date, plural } from '../../html/words.ts';
import { confirmPath, mailLinks, stopPath } from '../../process/mail-links.ts';
import { field } from '../field.ts';
import type { Act } from '../form-acts.ts';
import type { Refused } from '../form-answer.ts';
import { formPage, token } from '../form-page.ts';
import type { HumanPages } from '../pages.ts';
import { againPath } from '../recent.ts';
import type { AccountState, MailState } from '../records.ts';

export const mailWords = {
  'mail-set': 'Saved: from now on that is what is mailed.',
  'mail-ended': 'Nothing is mailed any more, and the address is forgotten.',
} as const;

/** A token in an address. Without a session: whoever reads mail there need not be the human of an account. */
const tokenPath = (path: string): RegExp => new RegExp(`^${path}/([\\w-]{1,100})$`);

export function mailRoutes(router: Router, pages: HumanPages, act: Act): void {
  const { config, db } = pages;
  const links = mailLinks(config);

  if (config.mailFrom)
    act('/account/mail', async (form, session) => {
      const id = randomUUID();
      const address = (form.get('address') ?? '').replaceAll('\0', ' ').trim(); // PostgreSQL has no null character
      const asked = await call<boolean>(db, 'api_human.ask_for_mail', {
        session,
        address,
        nightly: isNightly(form),
        id,
        confirm_token: links.confirmToken(id),
        stop_token: links.stopToken(id),
      });
      return asked ? { done: `A mail is on its way to ${address}. Open it, and confirm the address.` } : 'mail-set';
    });

  act('/account/set-mail', async (form, session) => {
    await call(db, 'api_human.set_mail', { session, nightly: isNightly(form) });
    return 'mail-set';
  });

  act('/account/end-mail', async (_, session) => {
    await call(db, 'api_human.end_mail', { session });
    return 'mail-ended';
  });

  // Programs that look at mail open its links, so that only a form does something. It has no token against forgery:
  // nobody else knows its address.
  linkRoutes(router, pages, confirmPath, {
    title: 'Confirm the address',
    ask: 'Notices of an account on Hill are mailed to the address at which you got this link, once you confirm it.',
    button: 'Confirm the address',
    take: (token) => call(db, 'api_human.confirm_mail', { token }),
    done: 'Confirmed',
    after: 'From now on notices are mailed to this address. Each has a link that ends them.',
    over: 'It was confirmed already, or it is too old, or another address was named since. The account page sends another mail.',
  });
  linkRoutes(router, pages, stopPath, {
    title: 'Stop these mails',
    ask: 'Press the button, and nothing more is mailed to the address at which you got this link.',
    button: 'Stop these mails',
    take: (token) => call(db, 'api_human.stop_mail', { token }),
    done: 'Stopped',
    after:
      'Nothing more is mailed to this address. The human of the account can have it asked anew on the account page.',
    over: 'Nothing is mailed under it any more: the account has another address by now, or none.',
  });
}

const isNightly = (form: URLSearchParams): boolean => form.get('nightly') === 'yes';

interface Link {
  readonly title: string;
  readonly ask: string;
  readonly button: string;
  /** Throws INVALID_TOKEN. */
  readonly take: (token: string) => Promise<unknown>;
  readonly done: string;
  readonly after: string;
  readonly over: string;
}

function linkRoutes(router: Router, pages: HumanPages, path: string, link: Link): void {
  const at = tokenPath(path);
  const show = (ctx: Koa.Context, title: string, body: Markup) => {
    ctx.set('X-Robots-Tag', 'noindex');
    return pages.show(ctx, formPage(title, html`<div class="narrow stack"><h1>${title}</h1>${body}</div>`));
  };
  router.get(at, (ctx) =>
    show(
      ctx,
      link.title,
      html`<p>${link.ask}</p><form method="post" action="${ctx.path}"><button>${link.button}</button></form>`,
    ),
  );
  // RFC 8058: a mail program sends "List-Unsubscribe=One-Click" here, which says no more than the address does.
  router.post(at, async (ctx) => {
    const [, token = ''] = at.exec(ctx.path) ?? [];
    try {
      await link.take(token);
    } catch (error) {
      if (!(error instanceof Refusal && error.oauth === 'invalid_token')) throw error;
      return pages.apologize(ctx, 404, { title: 'This link leads nowhere', what: link.over });
    }
    await show(ctx, link.done, html`<p>${link.after}</p><p><a href="/account">Your account</a></p>`);
  });
}

/** Nothing where no mail is sent and none was asked for. `offered`: whether this hill sends any. */
export const mailSection = (
  account: AccountState,
  session: string,
  offered: boolean,
  refused: Refused | undefined,
): Markup | '' => {
  const { mail, fresh, fresh_minutes } = account;
  const live = liveOf(mail);
  if (!offered && !mail) return '';
  return html`<section class="card" aria-labelledby="mail">
<h2 id="mail">Notices by mail</h2>
${state(mail, offered)}
${live ? html`<form class="stack" method="post" action="/account/set-mail">${token(session)}${choice(live.nightly)}<button class="plain">Save</button></form>` : ''}
${fresh && offered ? askForm(account, session, refused) : ''}
${fresh ? '' : html`<p class="hint">To ${offered ? `name ${mail ? 'another address, or end this' : 'an address'}` : 'end this'}, <a rel="nofollow" href="${againPath('/account')}">sign in again</a>: it takes a sign-in of the last ${plural(fresh_minutes, 'minute')}.</p>`}
${fresh && mail ? html`<form method="post" action="/account/end-mail">${token(session)}<button class="danger">Mail nothing, and forget the address</button></form>` : ''}
</section>`;
};

/** Where mail goes now; undefined if nowhere. */
const liveOf = (mail: MailState | null): MailState | undefined =>
  mail?.address && !mail.stopped_at ? mail : undefined;

/** What goes to an address stays as it is when another one is named. */
function askForm({ mail, email }: AccountState, session: string, refused: Refused | undefined): Markup {
  const live = liveOf(mail);
  return html`<form class="stack" method="post" action="/account/mail">${token(session)}${live ? html`<input type="hidden" name="nightly" value="${live.nightly ? 'yes' : 'no'}">` : ''}
${field({
  name: 'address',
  label: live ? 'Another address' : 'Address',
  value: live ? '' : (mail?.address ?? mail?.asked_address ?? email ?? ''),
  hint: 'It gets a mail first, in which it is confirmed.',
  attributes: 'type="email" autocomplete="email" maxlength="254"',
  refused,
})}
${live ? '' : choice(mail?.nightly ?? true)}
<button class="plain">Ask this address</button></form>`;
}

function state(mail: MailState | null, offered: boolean): Markup {
  const what =
    'At most one mail a day, after the bell, and at once what cannot wait. Nothing in it tells of tonight’s moves.';
  if (!offered) return html`<p>This hill sends no mail at present.</p>`;
  if (!mail) return html`<p>${what}</p>`;
  const { address, confirmed_at, stopped_at, stopped_because, asked_address, asked } = mail;
  return html`${
    !address
      ? html`<p>${what}</p>`
      : stopped_at
        ? html`<p>Nothing is mailed to <strong><bdi>${address}</bdi></strong> since ${date(stopped_at)}: ${because[stopped_because ?? ''] ?? ''}</p>`
        : html`<p>Mailed to <strong><bdi>${address}</bdi></strong> since ${date(confirmed_at ?? '')}. ${what}</p>`
  }${
    !asked
      ? ''
      : asked === 'waits'
        ? html`<p>A mail was sent to <strong><bdi>${asked_address}</bdi></strong>: open it, and confirm the address within ${plural(rule('mail_confirm_hours'), 'hour')}.</p>`
        : asked === 'refused'
          ? html`<p class="problem">The server of <bdi>${asked_address}</bdi> refused our mail: there seems to be no such address.</p>`
          : html`<p>Nobody confirmed <bdi>${asked_address}</bdi> in time.</p>`
  }`;
}

const because: Readonly<Record<string, string>> = {
  unsubscribed: 'they were stopped with the link in one.',
  refused: 'its server refused them for good.',
  secret_lost: 'this hill was restored without its secret. Have the address asked anew.',
};

const choice = (nightly: boolean): Markup => html`<fieldset><legend>What</legend>
<label class="radio"><input type="radio" name="nightly" value="yes"${nightly ? html` checked` : ''}> Each night that was something for your account</label>
<label class="radio"><input type="radio" name="nightly" value="no"${nightly ? '' : html` checked`}> Only what you should see to</label>
</fieldset>`;
