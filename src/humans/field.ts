// A field of a form with its label, its hint, and beside it what is wrong with what was typed.
import { html, raw } from 'hono/html';
import type { Markup } from '../html/layout.ts';
import type { Refused } from './form-answer.ts';

interface Field {
  readonly name: string;
  readonly label: Markup | string;
  readonly hint?: Markup | string;
  readonly value?: string | undefined;
  /** More attributes of the input: a text of ours, with nothing in it from anybody else. */
  readonly attributes: string;
  /** Whether it may be left empty. */
  readonly optional?: boolean;
  /** Stands before the input, such as "$". */
  readonly unit?: string;
  /** The form of this field, if it was refused. */
  readonly refused: Refused | undefined;
}

export function field({ name, label, hint, value = '', attributes, unit, optional, refused }: Field): Markup {
  const problem = refused?.problems[name];
  const first = problem !== undefined && Object.keys(refused?.problems ?? {})[0] === name;
  const about = [problem && `${name}-problem`, hint && `${name}-hint`].filter(Boolean).join(' ');
  const input = html`<input id="${name}" name="${name}" value="${refused?.typed[name] ?? value}"${optional ? '' : raw(' required')} ${raw(attributes)}${about ? html` aria-describedby="${about}"` : ''}${problem ? html` aria-invalid="true"` : ''}${first ? html` autofocus` : ''}>`;
  return html`<div><label for="${name}">${label}</label>
${unit ? html`<div class="money"><span aria-hidden="true">${unit}</span>${input}</div>` : input}
${problem ? html`<p class="problem" id="${name}-problem" role="alert">${problem}</p>` : ''}
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ''}</div>`;
}
