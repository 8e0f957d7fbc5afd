// Notices of an account as mails: a subject, plain text and HTML, from what the account page and the private feed say.
// Protocol 5.6.
import { html, raw } from 'hono/html';
import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5';
import type { Story } from '../records/index.ts';
import type { Night, StaffOrder, Warning } from '../records/own.ts';
import { barredText, staffOrderText, strangeSignIn, suspendedText, titleOf } from './account-words.ts';
import type { Markup } from './layout.ts';
import { costOf, headline, movesText, paidFrom, verdictsText } from './own-nights.ts';
import { storyList } from './stories.ts';
import { colours } from './style.ts';
import { toldWarning } from './told-warnings.ts';
import { clockTime, date, plural } from './words.ts';

/** What a digest says: api_human.mail_content, and what everybody is told of the night. */
interface Digest {
  readonly name: string;
  /** The night in one line, with names of others. */
  readonly headline: string;
  /** Missing while the SQL of a release before is loaded. */
  readonly stories?: readonly Story[];
  readonly warnings: readonly Warning[];
  readonly night: Night | null;
}

/** api_worker.take_mail. */
export type Notice =
  | { readonly kind: 'confirm'; readonly content: object }
  | { readonly kind: 'digest'; readonly about: string; readonly content: Digest }
  | { readonly kind: 'agent'; readonly content: { readonly name: string; readonly agent: string; readonly at: string } }
  | {
      readonly kind: 'sign_in';
      readonly content: { readonly name: string; readonly provider: string; readonly at: string };
    }
  | { readonly kind: 'suspended'; readonly content: { readonly name: string; readonly because: string | null } }
  | {
      readonly kind: 'staff_order';
      readonly content: Pick<StaffOrder, 'what' | 'at'> & { readonly name: string };
    }
  | { readonly kind: 'barred' | 'asked'; readonly content: { readonly name: string } };

interface Ways {
  /** The address of this hill, without a slash at its end. */
  readonly base: string;
  readonly confirm: string;
  readonly stop: string;
  /** How long a confirmation is waited for. */
  readonly confirmHours: number;
}

const answer = 'answer this mail';

interface Told {
  readonly subject: string;
  /** Above the text, if it is not the subject. */
  readonly title?: string;
  readonly body: Markup;
}

export async function mailOf(notice: Notice, ways: Ways): Promise<{ subject: string; text: string; html: string }> {
  const { subject, title = subject, body } = told(notice, ways);
  const document = parse(String(await page(title, body, notice.kind === 'confirm' ? '' : foot(notice, ways))));
  guard(document, ways.base);
  return { subject, html: serialize(document), text: plain(document) };
}

function told(notice: Notice, { base, confirm, confirmHours }: Ways): Told {
  switch (notice.kind) {
    case 'confirm':
      return {
        subject: 'Confirm this address for notices',
        // nothing of anybody's choice: whoever reads it may know nobody here
        body: html`<p>Somebody who has an account at ${new URL(base).host} asked that notices of it be mailed to this address.</p>
<p><a class="button" href="${confirm}">Confirm the address</a></p>
<p>It can be confirmed for ${plural(confirmHours, 'hour')}. If it was not you, do nothing: nothing more is mailed here.</p>`,
      };
    case 'digest':
      return digest(notice.content, notice.about);
    case 'agent': {
      const { agent: name, at } = notice.content;
      return {
        subject: 'A new agent plays for you',
        body: warningText({ code: 'NEW_AGENT', grave: false, occasion: at, name, at }),
      };
    }
    case 'sign_in': {
      const { provider, at } = notice.content;
      return {
        subject: 'Your account opens with a new sign-in',
        body: html`<p><strong>Your account also opens with ${titleOf(provider)}</strong> since ${date(at)} ${clockTime(at)}. If you did not add that, <a href="/account#sign-ins">remove it</a>, ${strangeSignIn}</p>`,
      };
    }
    case 'asked':
      return {
        subject: 'Notices of your account may go elsewhere',
        body: html`<p>Somebody who is signed in to your account asked that its notices be mailed to another address. They come here until that one is confirmed.</p>
<p>If that was not you, <a href="/account#sign-ins">sign in</a>: remove the sign-ins that you do not know, sign out everywhere, and look at your agents and your mandate.</p>`,
      };
    case 'suspended':
      return {
        subject: 'Your account is suspended',
        body: suspendedText(notice.content.because, answer),
      };
    case 'staff_order': {
      const { lead, rest } = staffOrderText(notice.content);
      return {
        subject: lead.slice(0, -1),
        body: html`<div class="notice bad"><p>${rest}</p>
</div>
<p><a class="button" href="/account#staff-order">Stop it</a></p>`,
      };
    }
    case 'barred':
      return {
        subject: 'A top-up is disputed or was refunded',
        body: html`<p>${barredText(answer)}</p>
<p><a class="button" href="/account#top-ups">See your top-ups</a></p>`,
      };
  }
}

function digest({ headline: everybodys, stories, warnings, night }: Digest, day: string): Told {
  // a new agent was told of by a mail of its own
  const lead = warnings.find(({ code, grave }) => grave || (!night && code !== 'NEW_AGENT'));
  return {
    subject: [...(lead ? [toldWarning(lead).lead] : []), `Night ${day}${night ? `: ${headline(night)}` : ''}`].join(
      ' ',
    ),
    title: `Night ${day}`,
    body: html`${warnings.map(warningText)}
${
  night
    ? html`<p class="headline">${headline(night)}</p>
${movesText(night)}${verdictsText(night)}
${costOf(night) > 0 ? html`<p class="soft">${paidFrom(night)}</p>` : ''}`
    : ''
}
<p>On the whole hill: “<bdi>${everybodys}</bdi>” <a href="/day/${day}">See night ${day}</a></p>
${storyList(stories ?? [])}`,
  };
}

const warningText = (warning: Warning): Markup => {
  const { lead, name, rest, href, button } = toldWarning(warning);
  return html`<div class="notice${warning.grave ? ' bad' : ''}"><p><strong>${lead}</strong> ${name ? html`<bdi>${name}</bdi>` : ''}${rest}</p>
<p><a href="${href.startsWith('#') ? `/account${href}` : href}">${button}</a></p></div>`;
};

/** A notice to whoever ever had the account in hand is wanted by nobody in particular, and comes once. */
const foot = ({ kind, content: { name } }: Exclude<Notice, { kind: 'confirm' }>, { stop }: Ways): Markup =>
  kind === 'staff_order'
    ? html`<p class="soft">For the account <bdi>${name}</bdi>. This goes to every address of it, once.</p>`
    : html`<p class="soft">For the account <bdi>${name}</bdi>. <a href="/account#mail">What is mailed, and where to</a></p>
<p class="soft"><a href="${stop}">Stop these mails</a></p>`;

const page = (title: string, body: Markup, foot: Markup | ''): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
<p class="name"><a href="/">Hill</a></p>
<h1>${title}</h1>
${body}
${
  foot
    ? html`<footer>${foot}</footer>
`
    : ''
}</main>
</body>
</html>`;

/** Mail programs know no variables, and some only what stands in a head: so each colour is written out. */
const rules = (scheme: 0 | 1): string => {
  const of = (name: string): string => colours[name]?.[scheme] ?? '';
  const inks = Object.entries({
    peace: '.PEACE, .kept',
    war: '.WAR, .betrayed',
    burn: '.BURN, .bluffed',
    vacant: '.PASS, .VACANT, .ghosted',
  });
  return `body { background: ${of('paper')}; color: ${of('ink')}; }
a { color: ${of('link')}; }
.soft, footer { color: ${of('soft')}; }
.notice { background: ${of('card')}; border-color: ${of('line')}; border-left-color: ${of('burn')}; }
.notice.bad { border-left-color: ${of('war')}; }
.told li, footer { border-color: ${of('line')}; }
.button { background: ${of('link')}; color: ${of('paper')}; }
${inks.map(([name, which]) => `${which} { color: ${of(name)}; }`).join('\n')}`;
};
const style = `
body { margin: 0; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: break-word; }
main { max-width: 36rem; margin: 0 auto; padding: 1.25rem; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 1rem; }
p { margin: 0 0 .75rem; }
.name a { font-weight: 750; text-decoration: none; }
.headline { font-weight: 650; }
.notice { border: 1px solid; border-left-width: .3rem; border-radius: .4rem; padding: .75rem 1rem; margin: 0 0 1rem; }
.notice p:last-child { margin: 0; }
.button { display: inline-block; padding: .6rem 1rem; border-radius: .4rem; text-decoration: none; font-weight: 600; }
.tag { font-weight: 700; font-size: .8rem; }
.told { list-style: none; margin: 0 0 .75rem; padding: 0; }
.told li { padding: .45rem 0; border-top: 1px solid; }
footer { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid; font-size: .9rem; }
${rules(0)}
@media (prefers-color-scheme: dark) {
${rules(1)}
}
`;

type Node = DefaultTreeAdapterTypes.ChildNode;
const isElement = (node: Node | DefaultTreeAdapterTypes.Document): node is DefaultTreeAdapterTypes.Element =>
  'tagName' in node;
const childrenOf = (node: Node | DefaultTreeAdapterTypes.Document): Node[] =>
  'childNodes' in node ? node.childNodes : [];

/** Makes addresses whole, and no link of what others chose: pages have that in `bdi`, and mail programs link names. */
function guard(node: Node | DefaultTreeAdapterTypes.Document, base: string, strange = false): void {
  for (const child of childrenOf(node)) {
    if (isElement(child))
      for (const one of child.attrs)
        if (child.tagName === 'a' && one.name === 'href' && one.value.startsWith('/')) one.value = base + one.value;
    if (strange && child.nodeName === '#text' && 'value' in child) child.value = unlinked(child.value);
    guard(child, base, strange || child.nodeName === 'bdi');
  }
}

/** "evil.example" becomes "evil[.]example", and "https://" "https[:]//". */
const unlinked = (text: string): string =>
  text.replace(/[.。．｡](?=[\p{L}\p{N}-]{2})/gu, '[.]').replaceAll('://', '[:]//');

const blocks = new Set(['p', 'h1', 'ul', 'div', 'footer', 'main']);

/** What the page says, without its style: a link is followed by its address, a stranger's words stand in quotes. */
function plain(document: DefaultTreeAdapterTypes.Document): string {
  const text = (node: Node | DefaultTreeAdapterTypes.Document, quoted = false): string => {
    if (node.nodeName === '#text' && 'value' in node) return node.value.replace(/\s+/g, ' ');
    if (node.nodeName === 'head') return '';
    let inside = '';
    for (const child of childrenOf(node)) inside += text(child, inside.endsWith('“'));
    if (blocks.has(node.nodeName)) return `\n\n${inside}\n\n`;
    if (node.nodeName === 'li') return `\n- ${inside.trim()}`;
    // isolated, so that letters from right to left turn nothing else around
    if (node.nodeName === 'bdi') return quoted ? `\u2068${inside}\u2069` : `“\u2068${inside}\u2069”`;
    const href = isElement(node) ? node.attrs.find(({ name }) => name === 'href')?.value : undefined;
    return href === undefined ? inside : `${inside} <${href}>`;
  };
  const lines = text(document)
    .split('\n')
    .map((line) => line.trim());
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
