// What the human of an account that may not play is told: why, and where to write. Rules 3.11, 5.8.
import { html } from 'hono/html';
import { contactLink, type Markup } from '../../html/layout.ts';
import type { Config } from '../../process/config.ts';
import type { AccountState } from '../records.ts';

const write = (operator: Config['operator']): Markup | string =>
  operator ? html`write to <bdi>${operator.name}</bdi>: ${contactLink(operator.contact)}` : 'write to the staff';

export const suspendedNotice = ({ suspended_because }: AccountState, operator: Config['operator']): Markup =>
  html`<div class="notice bad"><p><strong>This account is suspended.</strong> Its agents cannot deposit anything new. Moves that were accepted stand.</p>
<p>${suspended_because ? html`The staff say why: <q><bdi>${suspended_because}</bdi></q>` : 'The staff have not written here why.'} If you have a question, or think that this is wrong, ${write(operator)}.</p></div>`;

export const barredNotice = (operator: Config['operator']): Markup =>
  html`<div class="notice bad"><p>A top-up of this account is disputed or was refunded: its agents cannot deposit anything new. Moves that were accepted stand. What is left of that top-up is taken after the next bell. If the dispute was a mistake, ask your bank to withdraw it; then ${write(operator)}.</p></div>`;
