// GET and POST /oauth/authorize: the human sees which client asks for what, and approves or refuses. Protocol 4.4.
import type Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import { call } from '../../db/call.ts';
import { nameIn, nameProblem, nameTyped } from '../account-name.ts';
import { sendAgain, takeAnswer } from '../form-answer.ts';
import { formPage } from '../form-page.ts';
import { longForm } from '../forms.ts';
import type { HumanPages } from '../pages.ts';
import { termsIn } from '../terms.ts';
import type { Authorization, AuthorizationRequest, WrongRequest } from './authorization.ts';
import { consentPage, wrongRequestPage } from './page.ts';

const path = '/oauth/authorize';

export function consentRoutes(router: Router, pages: HumanPages, authorization: Authorization): void {
  const { sessions } = pages;
  const again = ({ fields }: AuthorizationRequest): string => `${path}?${new URLSearchParams(fields)}`;

  /**
   * Anybody can register a client, and an address of ours must not lead to theirs before a human has let it in.
   * Decisions 487.
   */
  const tell = async (ctx: Koa.Context, wrong: WrongRequest): Promise<void> => {
    if (wrong.ownComputer) return pages.goOn(ctx, wrong.to);
    if (pages.leadsHome(ctx)) return;
    const human = await sessions.find(ctx);
    const known =
      human &&
      (await call<boolean>(pages.db, 'api_human.knows_client', {
        session: human.session,
        client_id: wrong.client.client_id,
      }));
    if (known) pages.goOn(ctx, wrong.to);
    else await pages.show(ctx, wrongRequestPage(wrong), 400);
  };

  /** The request, if it may be shown to the human; any other is answered here. */
  const checked = async (ctx: Koa.Context, asked: URLSearchParams): Promise<AuthorizationRequest | undefined> => {
    const found = await authorization.check(asked, ctx.ip);
    if (found.outcome === 'ask') return found.request;
    if (found.outcome === 'tell') await tell(ctx, found);
    else {
      if (found.retryAfterSeconds) ctx.set('Retry-After', String(found.retryAfterSeconds));
      await pages.show(
        ctx,
        formPage(
          'This cannot go on',
          html`<div class="narrow stack"><h1>This cannot go on</h1><p>${found.why}</p><p>Nothing was approved. Close this page and begin again there.</p></div>`,
        ),
        found.status,
      );
    }
    return undefined;
  };

  router.get(path, async (ctx) => {
    const request = await checked(ctx, new URLSearchParams(ctx.querystring));
    if (!request) return;
    if (pages.leadsHome(ctx)) return;
    const { client, redirectUri, scopes, fields } = request;
    const human = await pages.human(ctx, again(request));
    if (!human) return;
    const { refused } = takeAnswer(ctx, sessions.jar, human.session);
    const clientId = client.client_id;
    await pages.show(
      ctx,
      consentPage({ clientName: client.name, clientId, redirectUri, scopes, fields, action: path, ...human, refused }),
    );
  });

  router.post(path, async (ctx) => {
    const { form, session } = await pages.form(ctx, longForm);
    const request = await checked(ctx, form);
    if (!request) return;
    if (form.get('decision') !== 'approve') return pages.goOn(ctx, authorization.refuse(request));
    try {
      pages.goOn(ctx, await authorization.approve(session, request, nameIn(form), termsIn(form)));
    } catch (error) {
      const refused = { form: 'consent', typed: nameTyped(form), problems: nameProblem(error) };
      sendAgain(ctx, sessions.jar, session, again(request), refused);
    }
  });
}
