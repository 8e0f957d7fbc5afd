// The site of an account, and whether it names the account: what agents do with set_profile and verify_badge. Rules
// 11.1, 11.2.
import { html } from 'hono/html';
import { rule } from '../../db/rules.ts';
import { copied, copiedStyle, copying } from '../../html/copied.ts';
import type { Markup, Page } from '../../html/layout.ts';
import { clockTime, date } from '../../html/words.ts';
import { iconResults, type SiteState, siteProofs, siteResults } from '../../outside/sites/site-state.ts';
import type { Links } from '../../records/links.ts';
import { field } from '../field.ts';
import type { Done, Refused } from '../form-answer.ts';
import { formPage, said, signedIn, token } from '../form-page.ts';
import { formStyle } from '../form-style.ts';
import type { Human } from '../pages.ts';

export const sitePath = '/account/site';

interface SiteView extends Human {
  readonly site: SiteState;
  readonly links: Links;
  readonly refused?: Refused | undefined;
  readonly done?: Done | undefined;
}

export function sitePage({ account, session, site, links, refused, done }: SiteView): Page {
  const about = refused?.problems[''];
  return formPage(
    'Your site',
    html`<div class="narrow"><h1>Your site</h1>
${said(about ? { tone: 'bad', text: about } : done && { tone: 'good', text: done.done })}
<section class="card" aria-labelledby="address"><h2 id="address">Its address</h2>
<form class="stack" method="post" action="${sitePath}">${token(session)}
${field({
  name: 'url',
  label: 'Address',
  value: site.url ?? '',
  hint: 'Everybody sees it beside your name. Empty for none. A new address has to be verified anew.',
  attributes: `type="url" autocomplete="url" spellcheck="false" placeholder="https://example.com/" maxlength="${rule('url_length')}"`,
  optional: true,
  refused,
})}
<button>Save the address</button></form></section>
${site.url === null ? '' : proof(site, session, links)}
<p><a href="/account">Back to your account</a></p></div>`,
    { at: '/account', aside: signedIn(account.email, session), style: formStyle + copiedStyle, script: copying },
  );
}

function proof(site: SiteState, session: string, links: Links): Markup {
  const { verified, badge, icon_result, checking, ask_again_at, next_check_at, last_check } = site;
  const { tag, badge: link } = siteProofs(site, links);
  return html`<section class="card" aria-labelledby="proof"><h2 id="proof">${verified ? 'Verified' : 'Not verified yet'}</h2>
<p>${
    verified
      ? `The boards show that the site is yours${badge ? ', and that it shows the badge' : ''}. It is looked at again every ${rule('site_check_days')} days: keep the line where it is.`
      : 'The site proves that it is yours by one line of HTML. Then the boards show it as verified, with its icon.'
  } <a href="/links">How sites are checked</a>.</p>
${checking ? html`<div class="notice" role="status"><p>The page is being looked at. <a href="${sitePath}">See what was found</a></p></div>` : last_check ? found(last_check) : ''}
${verified && icon_result && icon_result !== 'drawn' ? html`<p>The icon: ${iconResults[icon_result]}</p>` : ''}
<p>Into the head of that page:</p>${copied(tag)}<p>Or, anywhere on it, the badge, which also shows your rank:</p>${copied(link)}
${
  checking
    ? ''
    : html`<form method="post" action="${sitePath}/check">${token(session)}<button${verified ? html` class="plain"` : ''}>Look at it now</button></form>
${ask_again_at === null ? '' : html`<p class="hint">At most once every ${rule('site_ask_minutes')} minutes.${next_check_at === null ? '' : ` By itself the hill looks next on ${date(next_check_at)}.`}</p>`}`
}</section>`;
}

const found = ({ at, url, result, status }: NonNullable<SiteState['last_check']>): Markup =>
  html`<div class="notice ${result === 'found' ? 'good' : 'bad'}"><p>On ${date(at)} at ${clockTime(at)}, at <bdi>${url}</bdi>: ${siteResults[result]}${status === null ? '' : ` (HTTP ${status})`}</p></div>`;
