// A browser without a screen: keeps cookies by host, follows redirects one by one, sends forms as browsers do.

export interface Visit {
  /** Where the last redirect led. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly response: Response;
}

/**
 * What is wrong with a form, by field, when its answer is a redirect back to its page; undefined if nothing is. A
 * cookie brings it (decisions 200).
 */
export function problemsOf(answer: Response): Record<string, string> | undefined {
  const [, told] = /hill_answer=([\w-]+)\./.exec(answer.headers.getSetCookie().join()) ?? [];
  return told && JSON.parse(Buffer.from(told, 'base64url').toString()).refused?.problems;
}

export class Visitor {
  /** Of all hosts on loopback: like a browser's, they do not tell ports apart. */
  readonly cookies = new Map<string, string>();

  /** `session`: of the human who is signed in. */
  constructor(session?: string) {
    if (session !== undefined) this.cookies.set('hill_session', session);
  }

  /** One request, no redirect followed. */
  async once(url: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie ? { Cookie: cookie } : {}), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/);
      const name = pair.slice(0, pair.indexOf('='));
      const ended = attributes.some(
        (a) => /^max-age=0$/i.test(a) || (/^expires=/i.test(a) && Date.parse(a.slice(8)) < Date.now()),
      );
      if (ended) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(pair.indexOf('=') + 1));
    }
    return response;
  }

  /** Follows redirects; `change` may look at each address before it is asked for, and give another. */
  async go(url: string, change: (url: URL) => URL = (same) => same): Promise<Visit> {
    let next = new URL(url);
    for (let hops = 0; hops < 20; hops++) {
      next = change(next);
      const response = await this.once(next.href);
      const location = response.headers.get('Location');
      if (response.status < 300 || response.status > 399 || !location)
        return { url: next.href, status: response.status, text: await response.text(), response };
      await response.body?.cancel();
      next = new URL(location, next);
    }
    throw new Error('redirects without end');
  }

  /**
   * Sends the form of a page whose action is `path`, with its hidden fields and these; the redirect that answers is not
   * followed.
   */
  async send(
    page: Visit,
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const hidden = formOf(page.text, path);
    if (!hidden) throw new Error(`the page has no form for ${path}`);
    return this.post(new URL(path, page.url).href, { ...hidden, ...fields }, headers);
  }

  /** The page to which the answer of a form leads. */
  async landed(page: Visit, answer: Response): Promise<Visit> {
    const location = answer.headers.get('Location');
    if (!location) return { url: page.url, status: answer.status, text: await answer.text(), response: answer };
    await answer.body?.cancel();
    return this.go(new URL(location, page.url).href);
  }

  post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return this.once(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Origin: new URL(url).origin, ...headers },
    });
  }
}

/** The hidden fields of the first form with an action. */
export function formOf(page: string, action: string): Record<string, string> | undefined {
  const form = new RegExp(`<form[^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(page)?.[1];
  if (form === undefined) return undefined;
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      unescaped(value as string),
    ]),
  );
}

/** What the pages escape. */
export const unescaped = (text: string): string =>
  text.replace(
    /&(amp|quot|#39|lt|gt);/g,
    (_, name: string) => ({ amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' })[name] as string,
  );
