// What the human of an account that may not play is told: why, and where to write. Rules 3.11, 5.8.
import { html } from 'hono/html';
import { barredText, suspendedText } from '../../html/account-words.ts';
import { contactLink, type Markup } from '../../html/layout.ts';
import type { Config } from '../../process/config.ts';
import type { AccountState } from '../records.ts';

const write = (operator: Config['operator']): Markup | string =>
  operator ? html`write to <bdi>${operator.name}</bdi>: ${contactLink(operator.contact)}` : 'write to the staff';

export const suspendedNotice = ({ suspended_because }: AccountState, operator: Config['operator']): Markup =>
  html`<div class="notice bad">${suspendedText(suspended_because, write(operator))}</div>`;

export const barredNotice = (operator: Config['operator']): Markup =>
  html`<div class="notice bad"><p>${barredText(write(operator))}</p></div>`;
