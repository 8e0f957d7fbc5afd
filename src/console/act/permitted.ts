// Which forms the role of whoever looks may use. Rules 18.1.
import { html } from 'hono/html';
import type { Markup } from '../../html/layout.ts';
import type { LookPage } from '../frame.ts';
import type { Ask } from '../look/read.ts';
import { actionPath, formPath } from '../ways.ts';
import { type Action, actions } from './actions.ts';

/** Links to those of some forms that it may use, about what `to` names. */
export async function formLinks(ask: Ask, names: readonly string[], to: object = {}): Promise<Markup> {
  const rows = await ask(
    'select a.call from jsonb_array_elements_text($1::jsonb) a (call) where engine.staff_may(a.call)',
    [JSON.stringify(names.map((name) => actions[name]?.call))],
  );
  const may = new Set(rows.map(({ call }) => call));
  const links = names.filter((name) => may.has(actions[name]?.call));
  return links.length === 0
    ? html`<p class="soft">Your role may only look.</p>`
    : html`<ul class="ways">${links.map((name) => html`<li><a href="${actionPath(name, to)}">${actions[name]?.does}</a></li>`)}</ul>`;
}

/** Who may, where whoever looks may not; null where there is nothing to say. */
export async function forOthers(ask: Ask, { call, does, so }: Action): Promise<LookPage | null> {
  const [low] = await ask(
    `select r.roles[array_position(r.roles, engine.least_role($1)):] as may, api_staff.staff_role() as role
       from engine.staff_roles() r (roles) where not engine.staff_may($1)`,
    [call],
  );
  if (!low) return null;
  const roles = new Intl.ListFormat('en', { type: 'disjunction' }).format(low.may as string[]);
  return {
    title: does,
    status: 403,
    body: html`<h1>${does}</h1>
<p class="lead">${so}</p>
<p class="notice" role="alert">That is for the role ${roles}, and yours is ${low.role}. Ask a colleague who has it: <a href="${formPath}">who is staff</a>.</p>`,
  };
}
