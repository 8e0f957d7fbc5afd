// Sign-in: to the provider and back; and sign-out.
import type Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import { Failure, Refusal } from '../../db/errors.ts';
import { countedAddress } from '../../http/counted-address.ts';
import { admit } from '../../http/rate-limit.ts';
import type { Metrics } from '../../process/metrics.ts';
import { newSecret, same } from '../browser-secret.ts';
import type { CookieJar } from '../cookies.ts';
import { sendAgain, takeAnswer } from '../form-answer.ts';
import { formPage, type Word } from '../form-page.ts';
import { csrfToken, ForeignForm, longForm, ownForm } from '../forms.ts';
import type { HumanPages } from '../pages.ts';
import { againPath, signInAgainPage } from '../recent.ts';
import type { SignIn } from '../records.ts';
import { returnTo } from '../return-to.ts';
import type { Vouching } from '../sessions.ts';
import { moveCode, movePage, movePath, moveRefusals, provenPage } from './move.ts';
import { addToken, signInPage } from './page.ts';
import { beginPending, type Purpose, takePending } from './pending.ts';
import { type Provider, SignInProblem } from './provider.ts';
import { providersOf } from './providers.ts';

const formCookie = 'form';
const formSeconds = 3_600;

export function signInRoutes(router: Router, pages: HumanPages, metrics: Metrics): void {
  const { config, log, sessions } = pages;
  const providers = providersOf(config);
  // The stand-in exists only if neither provider is configured: rules 17.1.
  const standsIn = config.env === 'development' && providers.length === 0;
  if (providers.length === 0 && !standsIn && !config.practice)
    log.warn(
      'nobody can sign in: no provider is configured. Set GOOGLE_CLIENT_ID or GITHUB_CLIENT_ID, with its secret',
    );
  const show = showing(pages, providers, standsIn);
  const moving = movingRoutes(router, pages, providers, standsIn);

  router.get('/sign-in', async (ctx) => {
    const target = one(ctx.query.return_to);
    const found = await sessions.find(ctx);
    // `again`: a page asks for a recent sign-in of somebody who is signed in
    if (found && !one(ctx.query.again)) pages.goOn(ctx, returnTo(target));
    else
      await show(ctx, target, {
        own: found?.account.sign_ins.length ? found.account.sign_ins : undefined,
        ...(!found && one(ctx.query.ended) ? { word: signedOut } : {}),
      });
  });

  const tries = metrics.counter('hill_sign_ins_total', 'Sign-ins with a provider that came to an end, by outcome.');
  for (const provider of providers) {
    const count = (outcome: 'done' | 'refused' | 'failed', n = 1) => tries.add({ provider: provider.name, outcome }, n);
    for (const outcome of ['done', 'refused', 'failed'] as const) count(outcome, 0); // shown from the start
    providerRoutes(router, pages, provider, { show, moving, count });
  }
  if (standsIn) standInRoute(router, pages);
  if (config.practice) practiceRoute(router, pages);

  router.post('/sign-out', async (ctx) => {
    const { form } = await pages.form(ctx);
    await sessions.signOut(ctx);
    pages.goOn(ctx, `/sign-in?return_to=${encodeURIComponent(returnTo(form.get('return_to') ?? undefined))}`);
  });
}

const signedOut: Word = { tone: 'bad', text: 'You are signed out, and nothing was changed. Sign in to go on.' };

interface Shown {
  readonly status?: number;
  readonly word?: Word;
  /** The sign-ins of the account in which somebody is to sign in again. */
  readonly own?: readonly SignIn[] | undefined;
}

/** Shows the sign-in page, which leads on to `target`. */
type Show = (ctx: Koa.Context, target: string | undefined, shown?: Shown) => Promise<void>;

function showing(pages: HumanPages, providers: readonly Provider[], standsIn: boolean): Show {
  const { jar } = pages.sessions;
  return async (ctx, target, { status = 200, word, own } = {}) => {
    const practises = pages.config.practice !== null;
    const standIn = standsIn || practises ? formSecret(ctx, jar) : undefined;
    const { refused } = takeAnswer(ctx, jar, standIn);
    const theirs = providers.filter(({ name }) => own?.some(({ provider }) => provider === name));
    const offered = theirs.length > 0 ? theirs : providers;
    await pages.show(
      ctx,
      signInPage({ providers: offered, standIn, practises, returnTo: returnTo(target), own, word, refused }),
      status,
    );
  };
}

/** What forms and links of a browser are bound to before anybody signs in. */
function formSecret(ctx: Koa.Context, jar: CookieJar): string {
  const secret = jar.get(ctx, formCookie) ?? newSecret();
  jar.set(ctx, formCookie, secret, formSeconds);
  return secret;
}

/** Shows where a new sign-in is proven to the staff, and does it; a refusal is told there. */
interface Moving {
  show(ctx: Koa.Context, code: string | undefined, status?: number, wrong?: string): Promise<void>;
  prove(ctx: Koa.Context, code: string, vouched: Vouching): Promise<void>;
}

function movingRoutes(router: Router, pages: HumanPages, providers: readonly Provider[], standsIn: boolean): Moving {
  const { config, sessions } = pages;
  const { jar } = sessions;
  const { origin } = new URL(config.baseUrl);
  const moving: Moving = {
    async show(ctx, code, status = 200, wrong) {
      const word = wrong === undefined ? undefined : ({ tone: 'bad', text: wrong } as const);
      const view = { providers, standsIn, secret: formSecret(ctx, jar), code, word };
      await pages.show(ctx, movePage(view), status);
    },
    async prove(ctx, code, vouched) {
      try {
        await pages.show(ctx, provenPage(await sessions.proveNewSignIn(code, vouched)));
      } catch (error) {
        const wrong = error instanceof Refusal ? moveRefusals[error.code] : undefined;
        if (wrong === undefined) throw error;
        await moving.show(ctx, undefined, (error as Refusal).status, wrong);
      }
    },
  };
  router.get(movePath, (ctx) => {
    const typed = one(ctx.query.code);
    const code = moveCode(typed);
    return typed && code === undefined
      ? moving.show(ctx, code, 400, moveRefusals.UNKNOWN_CODE)
      : moving.show(ctx, code);
  });
  if (standsIn)
    router.post(`${movePath}/development`, async (ctx) => {
      const form = await ownForm(ctx, origin, jar.get(ctx, formCookie), longForm);
      const [code, email] = [moveCode(form.get('code') ?? ''), developmentEmail(form)];
      if (code === undefined || email === undefined)
        return moving.show(ctx, code, 400, 'That is not an e-mail address.');
      await moving.prove(ctx, code, { provider: 'development', subject: email.toLowerCase(), email });
    });
  return moving;
}

/** What a sign-in was begun for. */
interface What {
  readonly code?: string | undefined;
  readonly adds?: unknown;
}

interface Shared {
  readonly show: Show;
  readonly moving: Moving;
  /** refused: because of the human, or of what the browser brought. failed: the provider would not, or was away. */
  count(outcome: 'done' | 'refused' | 'failed'): void;
}

/** To the provider and back, to sign in, to add a sign-in, or to prove a new one. */
function providerRoutes(router: Router, pages: HumanPages, provider: Provider, { show, moving, count }: Shared): void {
  const { config, log, sessions } = pages;
  const { jar } = sessions;
  const redirectUri = `${config.baseUrl}/sign-in/${provider.name}/callback`;

  const fail = (ctx: Koa.Context, target: string | undefined, status: number, text: string) =>
    show(ctx, target, { status, word: { tone: 'bad', text } });
  const notAdded = (ctx: Koa.Context, status: number, text: string) =>
    pages.show(
      ctx,
      formPage(
        'The sign-in was not added',
        html`<div class="narrow stack"><h1>The sign-in was not added</h1><p>${text}</p><p><a class="button" href="/account">Your account</a></p></div>`,
      ),
      status,
    );
  const failed = (ctx: Koa.Context, target: string | undefined, { code, adds }: What, status: number, text: string) =>
    code !== undefined
      ? moving.show(ctx, code, status, text)
      : adds
        ? notAdded(ctx, status, text)
        : fail(ctx, target, status, text);
  const begin = async (ctx: Koa.Context, target: string | undefined, purpose: Purpose = {}) => {
    try {
      const pending = beginPending(ctx, jar, provider.name, target, purpose);
      pages.goOn(ctx, (await provider.begin(pending, redirectUri)).href);
    } catch (error) {
      count('failed');
      log.warn({ provider: provider.name, kind: kindOf(error) }, 'a sign-in could not begin');
      const text = `${provider.title} does not answer. Try again in a moment.`;
      await failed(ctx, target, { code: purpose.code, adds: purpose.addsTo }, 502, text);
    }
  };

  router.get(`/sign-in/${provider.name}`, (ctx) => begin(ctx, one(ctx.query.return_to)));

  router.get(`${movePath}/${provider.name}`, async (ctx) => {
    const code = moveCode(one(ctx.query.code));
    const secret = jar.get(ctx, formCookie);
    if (code === undefined) return moving.show(ctx, code, 400, moveRefusals.UNKNOWN_CODE);
    // a link of somebody else's would have the login of whoever follows it open an account of theirs
    if (!secret || !same(one(ctx.query.token) ?? '', csrfToken(secret))) return moving.show(ctx, code);
    await begin(ctx, movePath, { code });
  });

  router.get(`/sign-in/${provider.name}/callback`, async (ctx) => {
    const pending = takePending(ctx, jar);
    if (pending?.provider !== provider.name) {
      await fail(ctx, undefined, 400, 'This sign-in was not begun in this browser, or too long ago. Begin again.');
      return;
    }
    const session = sessions.sessionOf(ctx);
    if (pending.adds && !pending.adds(session)) {
      await notAdded(ctx, 403, 'You are not signed in as you were when you began. Begin again on your account page.');
      return;
    }
    try {
      // the address that the provider knows, whatever host name the request used
      const vouched = await provider.finish(pending, new URL(redirectUri + ctx.search));
      count('done');
      if (pending.code !== undefined)
        return await moving.prove(ctx, pending.code, { provider: provider.name, ...vouched });
      if (pending.adds) await sessions.addSignIn(ctx, session as string, { provider: provider.name, ...vouched });
      else await sessions.signIn(ctx, { provider: provider.name, ...vouched });
      pages.goOn(ctx, pending.returnTo);
    } catch (error) {
      if (pending.adds && error instanceof Refusal && error.code === 'SIGN_IN_TAKEN') {
        await notAdded(ctx, error.status, `That ${provider.title} account opens another account here. ${error.hint}`);
        return;
      }
      if (error instanceof Failure || error instanceof Refusal) throw error; // the database's, not the provider's
      const kind = kindOf(error);
      log.warn({ provider: provider.name, kind }, 'a sign-in failed');
      const [status, text] = answerTo(kind, provider.title);
      // what the browser brought from there, anybody can write
      count(status === 502 && !((error as Error).cause instanceof URLSearchParams) ? 'failed' : 'refused');
      await failed(ctx, pending.returnTo, pending, status, text);
    }
  });

  router.get(`/account/add-sign-in/${provider.name}`, async (ctx) => {
    const human = await pages.human(ctx, '/account');
    if (!human) return;
    const { token = '' } = ctx.query;
    if (!same(String(token), addToken(human.session, provider.name))) throw new ForeignForm();
    // the database refuses it in the end; nobody should go to the provider for that
    if (!human.account.fresh) return pages.show(ctx, signInAgainPage(human), 403);
    await begin(ctx, '/account?done=added', { addsTo: human.session });
  });
}

/** Signs in with any address: what stands in for the providers in development. */
function standInRoute(router: Router, pages: HumanPages): void {
  const { config, sessions } = pages;
  const { jar } = sessions;
  const { origin } = new URL(config.baseUrl);
  router.post('/sign-in/development', async (ctx) => {
    const secret = jar.get(ctx, formCookie);
    const form = await ownForm(ctx, origin, secret, longForm);
    const email = developmentEmail(form);
    const target = form.get('return_to') ?? undefined;
    if (email === undefined) {
      const page = sessions.sessionOf(ctx)
        ? againPath(returnTo(target))
        : `/sign-in?return_to=${encodeURIComponent(returnTo(target))}`;
      sendAgain(ctx, jar, secret as string, page, {
        ...{
          form: 'sign-in',
          typed: { email: form.get('email') ?? '' },
          problems: { email: 'That is not an e-mail address.' },
        },
      });
      return;
    }
    await sessions.signIn(ctx, { provider: 'development', subject: email.toLowerCase(), email });
    jar.clear(ctx, formCookie);
    pages.goOn(ctx, returnTo(target));
  });
}

/** A new account for this browser: whoever practises proves nothing, so nobody can come back to another's account. */
function practiceRoute(router: Router, pages: HumanPages): void {
  const { config, db, sessions } = pages;
  const { jar } = sessions;
  const { origin } = new URL(config.baseUrl);
  router.post('/sign-in/practice', async (ctx) => {
    const form = await ownForm(ctx, origin, jar.get(ctx, formCookie), longForm);
    const target = returnTo(form.get('return_to') ?? undefined);
    const { retry_after_seconds } = await admit(
      db,
      'registrations',
      countedAddress(ctx.ip),
      config.limits.registrations,
    );
    if (retry_after_seconds > 0)
      return pages.tooMany(ctx, 'Too many accounts were begun from your address.', retry_after_seconds, '/sign-in');
    await sessions.practise(ctx);
    jar.clear(ctx, formCookie);
    pages.goOn(ctx, target);
  });
}

/** Any address will do; undefined for what is none. */
const developmentEmail = (form: URLSearchParams): string | undefined =>
  /^(?=.{3,255}$)[^\s@]+@[^\s@]+$/.exec((form.get('email') ?? '').trim())?.[0];

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** Of what a provider answers as OAuth's `error`: the human refused, or it does not take the hill's id and secret. */
const told = /^(access_denied|invalid_client|unauthorized_client|incorrect_client_credentials)$/;

/** What may be logged: never an error's message, which may repeat what somebody sent. */
function kindOf(error: unknown): string {
  if (error instanceof SignInProblem) return error.kind;
  const { code, error: oauth, name } = error as { code?: unknown; error?: unknown; name?: unknown };
  if (typeof oauth === 'string' && told.test(oauth)) return oauth;
  return String(code ?? name ?? 'unknown').slice(0, 60);
}

function answerTo(kind: string, title: string): [status: number, text: string] {
  switch (kind) {
    case 'access_denied':
      return [403, `You were not signed in: ${title} was told to refuse.`];
    case 'invalid_client':
    case 'unauthorized_client':
    case 'incorrect_client_credentials':
      return [502, `${title} does not take sign-ins of this hill. Its operator has to see to that; agents play on.`];
    case 'unverified':
      return [403, `${title} has no verified e-mail address of yours. Verify it there, or sign in another way.`];
    case 'unreachable':
    case 'OAUTH_TIMEOUT':
    case 'TypeError':
      return [502, `${title} does not answer. Try again in a moment.`];
    default:
      return [400, `What came back from ${title} does not belong to this sign-in. Begin again.`];
  }
}
