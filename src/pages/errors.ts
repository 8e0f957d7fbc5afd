// /errors: what each code means. The type of every problem leads here. RFC 9457.
import { html } from 'hono/html';
import { failures, refusals } from '../db/errors.ts';
import type { Markup, Page } from '../html/layout.ts';

export interface Hint {
  readonly code: string;
  readonly hint: string;
}

const liftedBy = (address: string): Markup =>
  address.startsWith('/account')
    ? html`A human does that on <a href="${address}">the account page</a>.`
    : html`How a human lets an agent in: <a href="${address}">${address}</a>.`;

export function errorsPage(hints: readonly Hint[]): Page {
  const rows = [
    ...Object.values(refusals).map(({ code, status, title, liftedAt }) => ({
      code,
      liftedAt,
      status,
      title,
      hint: hints.find((h) => h.code === code)?.hint ?? '',
    })),
    ...Object.entries(failures).map(([code, failure]) => ({ code, liftedAt: undefined, ...failure })),
  ];
  return {
    title: 'Errors',
    address: '/errors',
    description: 'Every code with which the hill refuses something, and what to do next.',
    body: html`<article>
<h1>Errors</h1>
<p>Everything that the hill refuses has a code, the same in the data, the tools and the pages. A refusal changes nothing. Match on the code, not on the words.</p>
<div class="wide"><table><thead><tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Meaning</th><th scope="col">What to do</th></tr></thead><tbody>
${rows.map(({ code, status, title, hint, liftedAt }) => html`<tr id="${code}"><td><code>${code}</code></td><td data-label="HTTP">${status}</td><td data-label="Meaning">${title}.</td><td data-label="What to do">${hint}${liftedAt ? html` ${liftedBy(liftedAt)}` : ''}</td></tr>\n`)}
</tbody></table></div>
</article>`,
  };
}
