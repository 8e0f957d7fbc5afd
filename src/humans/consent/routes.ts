// humans/consent/routes.ts · GET and POST /oauth/authorize: the human sees which client asks for what, and approves or refuses. Protocol 4.4.
import type Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import { type NameTyped, nameIn, nameRefused } from '../account-name.ts';
import { formPage } from '../form-page.ts';
import { longForm } from '../forms.ts';
import type { Human, HumanPages } from '../pages.ts';
import type { Authorization, AuthorizationRequest } from './authorization.ts';
import { consentPage } from './page.ts';

const path = '/oauth/authorize';

export function consentRoutes(router: Router, pages: HumanPages, authorization: Authorization): void {
  /** The request, if it may be shown to the human; any other is answered here. */
  const checked = async (ctx: Koa.Context, asked: URLSearchParams): Promise<AuthorizationRequest | undefined> => {
    const found = await authorization.check(asked, ctx.ip);
    if (found.outcome === 'ask') return found.request;
    if (found.outcome === 'tell') pages.goOn(ctx, found.to);
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

  const ask = (ctx: Koa.Context, { client, redirectUri, scopes, fields }: AuthorizationRequest, human: Human, typed?: NameTyped) =>
    pages.show(
      ctx,
      consentPage({
        ...{ clientName: client.name, clientId: client.client_id, redirectUri, scopes, fields, action: path },
        ...human,
        ...(typed && { typed }),
      }),
      typed ? 422 : 200,
    );

  router.get(path, async (ctx) => {
    const request = await checked(ctx, new URLSearchParams(ctx.querystring));
    if (!request) return;
    if (pages.leadsHome(ctx)) return;
    const human = await pages.human(ctx, `${path}?${new URLSearchParams(request.fields)}`);
    if (human) await ask(ctx, request, human);
  });

  router.post(path, async (ctx) => {
    const { form, session } = await pages.form(ctx, longForm);
    const request = await checked(ctx, form);
    if (!request) return;
    if (form.get('decision') !== 'approve') return pages.goOn(ctx, authorization.refuse(request));
    try {
      pages.goOn(ctx, await authorization.approve(session, request, nameIn(form)));
    } catch (error) {
      const typed = nameRefused(error, form);
      const human = await pages.human(ctx);
      if (human) await ask(ctx, request, human, typed);
    }
  });
}
