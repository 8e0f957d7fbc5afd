// The forms of a page of a signed-in human. Each leads back to the page, which says what was done, or shows the form
// again with what is wrong in it. Decisions 200.
import type Router from '@koa/router';
import { Refusal } from '../db/errors.ts';
import { retryAfter } from '../db/retry-after.ts';
import { type Done, type Refused, sendAgain, sendDone } from './form-answer.ts';
import type { HumanPages } from './pages.ts';

/** What a form does, and what follows: the key of a notice of the page, an address, or what to say. */
export type Act = (path: string, what: (form: URLSearchParams, session: string) => Promise<string | Done>) => void;

/** `told`: what was typed into a form, by the end of its address, and what a refusal says beside which field. */
export const formActs =
  (
    page: string,
    router: Router,
    pages: HumanPages,
    told: (name: string, form: URLSearchParams, error: Refusal) => Omit<Refused, 'form'>,
  ): Act =>
  (path, what) =>
    router.post(path, async (ctx) => {
      const { jar } = pages.sessions;
      const { form, session } = await pages.form(ctx);
      try {
        const next = await what(form, session);
        if (typeof next !== 'string') sendDone(ctx, jar, session, `${page}${next.form ? `#${next.form}` : ''}`, next);
        else pages.goOn(ctx, next.startsWith('/') ? next : `${page}?done=${next}`);
      } catch (error) {
        if (!(error instanceof Refusal) || error.oauth || ['PROOF_REFUSED', 'SIGN_IN_AGAIN'].includes(error.code))
          throw error;
        if (error.status === 429) return pages.tooMany(ctx, error.message, retryAfter(error) ?? 0, page);
        const name = path.slice(page.length + 1);
        const { typed, problems } = told(name, form, error);
        sendAgain(ctx, jar, session, `${page}#${Object.keys(typed)[0] ?? ''}`, { form: name, typed, problems });
      }
    });
