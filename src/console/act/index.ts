// What staff do, by form: what it asks for, what will happen, and then the entry of the audit log, with the way back.
// Nothing is done before the second step, and each step is tried first by the function that does it.
import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import { html } from 'hono/html';
import type Koa from 'koa';
import type pg from 'pg';
import { Refusal } from '../../db/errors.ts';
import { notifyOthers } from '../../db/notify.ts';
import type { Markup } from '../../html/layout.ts';
import { readForm } from '../../http/read-form.ts';
import { type LookPage, show } from '../frame.ts';
import { cents } from '../look/cells.ts';
import { type Ask, look, type Row } from '../look/read.ts';
import { asStaff, staffOf } from '../staff.ts';
import { formPath, orderPath } from '../ways.ts';
import { type Action, actions, type Field } from './actions.ts';
import { actionsPage } from './page.ts';
import { forOthers } from './permitted.ts';
import { subjectOf, subjects } from './subjects.ts';

/** In bytes: an answer to a report is the longest that staff write. */
const longestForm = 32_768;
const reason: Field = { name: 'reason', label: 'Reason', kind: 'said', hint: '3 to 500 characters, for the audit log' };

/** What a form has, by the names of its arguments. */
type Given = Readonly<Record<string, string>>;
type Subjects = ReadonlyMap<string, Markup | string>;
/** What there is to choose from, by the arguments that nobody is named for yet. */
type Choices = ReadonlyMap<string, readonly Row[]>;

export function actingPages(pool: pg.Pool): Router {
  const router = new Router();
  router.get(formPath, async (ctx) => show(ctx, await look(pool, staffOf(ctx), actionsPage)));
  router.get(`${formPath}/:name`, async (ctx) => {
    const [name, action] = actionOf(ctx, ctx.params.name);
    const given = givenBy(action, ctx.URL.searchParams);
    await show(
      ctx,
      await look(
        pool,
        staffOf(ctx),
        async (ask) => (await forOthers(ask, action)) ?? formPage(name, action, given, await named(ask, action, given)),
      ),
    );
  });
  router.post(`${formPath}/:name`, async (ctx) => {
    const [name, action] = actionOf(ctx, ctx.params.name);
    const form = await readForm(ctx, longestForm);
    const given = givenBy(action, form);
    const [others, to, choices] = await look(
      pool,
      staffOf(ctx),
      async (ask) => [await forOthers(ask, action), ...(await named(ask, action, given))] as const,
    );
    if (others) return show(ctx, others);
    const sure = form.has('sure');
    const wrong = form.has('change') ? '' : (wrongIn(action, given, to) ?? (await run(pool, ctx, action, given, sure)));
    if (typeof wrong === 'string') return show(ctx, formPage(name, action, given, [to, choices], wrong));
    if (!sure) return show(ctx, surePage(name, action, given, to));
    notifyOthers(pool);
    ctx.status = 303;
    ctx.redirect(wrong.order !== null ? orderPath(wrong.order) : wrong.entry === null ? '/' : `/audit/${wrong.entry}`);
  });
  return router;
}

function actionOf(ctx: Koa.Context, name: string | undefined): readonly [string, Action] {
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!name || !action) return ctx.throw(404, 'Staff do nothing by that name.', { expose: true });
  return [name, action];
}

const fieldsOf = (action: Action): readonly Field[] => [
  ...(action.to ?? []).map((name) => ({ name, label: (subjects[name] as { label: string }).label })),
  ...(action.fields ?? []),
  reason,
];

const givenBy = (action: Action, form: URLSearchParams): Given =>
  Object.fromEntries(
    fieldsOf(action).map(({ name, kind }) => [name, form.get(name)?.trim() || (kind === 'drawn' ? randomUUID() : '')]),
  );

/** Whom or what it is about, in words, as far as it is there. */
async function named(ask: Ask, action: Action, given: Given): Promise<readonly [Subjects, Choices]> {
  const found = new Map<string, Markup | string>();
  const choices = new Map<string, readonly Row[]>();
  for (const name of action.to ?? []) {
    const value = given[name] ?? '';
    const words = value && !value.includes('\0') ? await subjectOf(ask, name, value) : null;
    const few = subjects[name]?.choices;
    if (words !== null) found.set(name, words);
    else if (few) choices.set(name, await ask(few));
  }
  return [found, choices];
}

/** What the database could not even read. */
function wrongIn(action: Action, given: Given, to: Subjects): string | undefined {
  for (const { name, label, kind, optional } of fieldsOf(action)) {
    const value = given[name] ?? '';
    if (value.includes('\0')) return `${label} has a character that is none.`;
    if (action.to?.includes(name) && !to.has(name)) return `There is no such ${label.toLowerCase()}.`;
    if (value === '' && !optional && kind !== 'yes') return `${label} is missing.`;
    if (value !== '' && (kind === 'cents' || kind === 'number') && !/^\d{1,9}$/.test(value))
      return `${label} is a whole number${kind === 'cents' ? ' of cents' : ''}.`;
  }
}

/** Does it, or only tries to. What the hill refuses is told in words. */
async function run(pool: pg.Pool, ctx: Koa.Context, action: Action, given: Given, sure: boolean) {
  const { name: staff, session } = staffOf(ctx);
  const filled = fieldsOf(action).filter(({ name, kind }) => kind === 'yes' || given[name] !== '');
  const args = [
    ...filled.map(({ name, kind }) => [name, kind === 'yes' ? given[name] === 'yes' : given[name]] as const),
    ...Object.entries(action.always ?? {}),
  ];
  try {
    return await asStaff(pool, session, async (client) => {
      await client.query('savepoint tried');
      const { rows: made } = await client.query<{ id: string }>(
        `select ${action.ordered ? 'id' : ''} from api_staff.${action.call}(${args.map(([name], i) => `${name} => $${i + 1}`).join(', ')})`,
        args.map(([, value]) => value),
      );
      const { rows } = await client.query<{ entry: string | null }>(
        'select max(l.id) as entry from hill.audit_log l where l.action = $1 and l.staff_name = $2',
        [action.call, staff],
      );
      if (!sure) await client.query('rollback to savepoint tried');
      return { entry: rows[0]?.entry ?? null, order: made[0]?.id ?? null };
    });
  } catch (error) {
    if (error instanceof Refusal) return `${error.message} ${error.hint}`;
    throw error;
  }
}

/** Whom or what it is about, and what else was filled in. */
const facts = (to: Subjects, asked: readonly Field[] = [], given: Given = {}): Markup | string =>
  to.size + asked.length === 0
    ? ''
    : html`<dl class="facts">${[...to].map(([name, words]) => html`<dt>${subjects[name]?.label}</dt><dd>${words}</dd>`)}
${asked.map((field) => html`<dt>${field.label}</dt><dd class="said">${inWords(field, given[field.name] ?? '')}</dd>`)}</dl>`;

function formPage(
  name: string,
  action: Action,
  given: Given,
  [to, choices]: readonly [Subjects, Choices],
  wrong = '',
): LookPage {
  return {
    title: action.does,
    status: wrong ? 400 : 200,
    body: html`<h1>${action.does}</h1>
${facts(to)}
<p class="lead">${action.so}</p>
${wrong ? html`<p class="notice" role="alert">${wrong}</p>` : ''}
${[...choices].map(([subject, rows]) => (rows.length > 0 ? '' : makeOneFirst(subjects[subject]?.none)))}
<form class="act" method="post" action="${formPath}/${name}">
${fieldsOf(action).map((field) => (to.has(field.name) || field.kind === 'drawn' ? hidden(field.name, given) : input(field, given[field.name] ?? '', choices.get(field.name))))}
<button>Go on</button> <span class="soft">Nothing is done yet.</span>
</form>`,
  };
}

const makeOneFirst = (none?: readonly [words: string, action: string]): Markup | '' =>
  none
    ? html`<p class="notice">${none[0]} <a href="${formPath}/${none[1]}">${actions[none[1]]?.does}</a> first.</p>`
    : '';

const hidden = (name: string, given: Given): Markup =>
  html`<input type="hidden" name="${name}" value="${given[name]}">`;

function input(
  { name, label, kind = 'words', hint, optional }: Field,
  value: string,
  choices: readonly Row[] = [],
): Markup {
  const required = optional ? '' : html` required`;
  const told = [...(hint ? [hint] : []), ...(kind === 'cents' ? ['in cents'] : []), ...(optional ? ['optional'] : [])];
  const head = html`<label for="${name}">${label}${told.length > 0 ? html` <span class="soft">${told.join(', ')}</span>` : ''}</label>`;
  if (kind === 'yes')
    return html`<p><input type="checkbox" id="${name}" name="${name}" value="yes"${value === 'yes' ? html` checked` : ''}> ${head}</p>`;
  if (kind === 'said')
    return html`${head}<textarea id="${name}" name="${name}" rows="3" maxlength="8000"${required}>${value}</textarea>`;
  if (typeof kind === 'object')
    return html`${head}<select id="${name}" name="${name}">${kind.map((one) => html`<option${one === value ? html` selected` : ''}>${one}</option>`)}</select>`;
  const digits =
    kind === 'cents' || kind === 'number'
      ? html` inputmode="numeric" pattern="[0-9]{1,9}" title="${kind === 'cents' ? 'A whole number of cents: 500 for $5.00' : 'A whole number'}"`
      : '';
  const list =
    choices.length > 0
      ? html`<datalist id="${name}-choices">${choices.map((one) => html`<option value="${one.value}">${one.words}</option>`)}</datalist>`
      : '';
  return html`${head}<input id="${name}" name="${name}" value="${value}" maxlength="1000" autocomplete="off"${list ? html` list="${name}-choices"` : ''}${digits}${required}>${list}`;
}

function surePage(name: string, action: Action, given: Given, to: Subjects): LookPage {
  const asked = fieldsOf(action).filter(({ name, kind }) => !to.has(name) && kind !== 'drawn' && given[name] !== '');
  return {
    title: `${action.does}?`,
    body: html`<h1>${action.does}?</h1>
${facts(to, asked, given)}
<p class="lead">${action.so}</p>
<form class="act" method="post" action="${formPath}/${name}">
${fieldsOf(action).map((field) => hidden(field.name, given))}
<button name="sure" value="yes">Yes: ${action.does}</button> <button class="plain" name="change" value="yes">Change something</button>
</form>`,
  };
}

const inWords = ({ kind }: Field, value: string): string =>
  kind === 'cents' ? `${cents(value)} (${Number(value).toLocaleString('en-US')} cents)` : value;
