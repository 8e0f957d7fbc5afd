// The pages of a device's code: its field, its comparison, and which client asks for what. RFC 8628, 3.3, 5.4; protocol
// 4.6.
import { html } from 'hono/html';
import { rule } from '../../db/rules.ts';
import type { Markup, Page } from '../../html/layout.ts';
import { clockTime, date, plural } from '../../html/words.ts';
import { nameField } from '../account-name.ts';
import { clientRequest } from '../client-request.ts';
import { field } from '../field.ts';
import { firstSteps } from '../first-steps.ts';
import type { Refused } from '../form-answer.ts';
import { formPage, signedIn, token } from '../form-page.ts';
import type { Human } from '../pages.ts';
import { termsByApproving } from '../terms.ts';

/** The result of api_human.look_at_device, approve_device and refuse_device. */
export interface Device {
  readonly outcome: 'pending' | 'approved' | 'refused' | 'unknown' | 'rate_limited';
  readonly client_id?: string;
  readonly client_name?: string;
  readonly scopes?: readonly string[];
  readonly asked_at?: string;
  readonly expires_at?: string;
  readonly retry_after_seconds?: number;
}

const page = (title: string, { account, session }: Human, body: Markup): Page =>
  formPage(title, html`<div class="narrow stack"><h1>${title}</h1>${body}</div>`, {
    aside: signedIn(account.email, session),
  });

const warning = html`<div class="notice"><p><strong>Did somebody send you here?</strong> Whoever sends you a code or a link, by mail, chat or phone, wants to spend your credits. Go on only if you started the program yourself, and it shows you the code now.</p></div>`;

export const codePage = (human: Human, refused: Refused | undefined): Page =>
  page(
    'Connect a program',
    human,
    html`${warning}
<form class="card stack" method="post" action="/device">${token(human.session)}
${field({
  name: 'user_code',
  label: 'The code that your program shows',
  hint: 'Eight letters. It does not matter whether they are large or small, or what stands between them.',
  attributes:
    'class="code letters" placeholder="XXXX-XXXX" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40"',
  refused,
})}
<button class="wide-button">Go on</button>
</form>`,
  );

/** The link brought the code along: the human says whether it is the program's. Nothing has been looked up. */
export const comparePage = (human: Human, userCode: string): Page =>
  page(
    'Compare the code',
    human,
    html`${warning}
<form class="card stack" method="post" action="/device">${token(human.session)}<input type="hidden" name="user_code" value="${userCode}">
<p>The link that you opened is for this code:</p>
<p class="user-code"><strong>${userCode}</strong></p>
<p>Does the program that you started show the same eight letters?</p>
<div class="buttons"><button>Yes, the same code</button><a class="button plain" href="/device">No, it shows another</a></div>
</form>`,
  );

export const decisionPage = (human: Human, userCode: string, device: Device, refused: Refused | undefined): Page =>
  page(
    'A program wants to play for you',
    human,
    html`${warning}
${clientRequest({
  clientName: device.client_name ?? '',
  scopes: device.scopes ?? [],
  account: human.account,
  facts: [
    ['Code', html`<strong>${userCode}</strong>`],
    ['Client', html`<code>${device.client_id}</code>`],
    [
      'Asked',
      `${date(device.asked_at ?? '')} ${clockTime(device.asked_at ?? '')}; the code is good until ${clockTime(device.expires_at ?? '')}`,
    ],
  ],
})}
<form class="card stack" method="post" action="/device">${token(human.session)}<input type="hidden" name="user_code" value="${userCode}">
${nameField(human.account, refused)}
${termsByApproving(human.account)}
<div class="buttons"><button name="decision" value="approve">Approve</button><button class="danger" name="decision" value="refuse" formnovalidate>Refuse</button></div>
</form>`,
  );

/** What is wrong with a code that leads to no client. */
export const unknownCode = 'No program waits with that code. It may be mistyped, too old, or used.';

const ends = {
  approved: ['The program is connected', 'Go back to it: within seconds it notices. From now on it can play for you.'],
  refused: ['You refused the program', 'It has been told, and cannot act for your account.'],
} as const;

export const deviceEnd = (human: Human, done: unknown): Page | undefined => {
  const end = done === 'approved' || done === 'refused' ? ends[done] : undefined;
  return (
    end &&
    page(
      end[0],
      human,
      html`<p>${end[1]}</p>${
        done === 'approved'
          ? firstSteps(human.account, {
              stays: `as long as it calls at least once in ${plural(rule('refresh_token_days'), 'day')}. After that it has to ask you again.`,
            })
          : html`<p><a class="button" href="/account">Your account</a></p>`
      }`,
    )
  );
};
